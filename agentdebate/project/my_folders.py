"""The user's own folders: ~/.config/agentdebate/my-folders has a line with the path of each folder whose files count as the user's word.

The file is the user's, and not the folder's: a folder of somebody else cannot claim it.
"""

from pathlib import Path

from agentdebate.errors import ContentError
from agentdebate.project.user_endpoints import is_there, user_file
from agentdebate.visible import visible

FILE = "my-folders"


def is_mine(folder: Path | None) -> bool:
    """Tell whether the user's file names this very folder; folders in it do not count. Raises ContentError."""
    path = user_file(FILE)
    if folder is None or path is None or not is_there(path):
        return False
    return folder.resolve() in _folders(path)


def how_to_own(folder: Path | None) -> str:
    """Return the end of a message that says how to end a refusal for good in a folder of the user's own."""
    path = user_file(FILE)
    if folder is None or path is None:
        return ""
    return f"; or, if the folder is yours, write its path, {visible(str(folder.resolve()))}, on a line of {visible(str(path))}"


def _folders(path: Path) -> set[Path]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError(f"cannot be read: {error}", path=path) from error
    return {_folder(line.strip(), path, number) for number, line in enumerate(lines, 1) if _names(line)}


def _names(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#")


def _folder(line: str, path: Path, number: int) -> Path:
    try:
        folder = Path(line).expanduser()
        if folder.is_absolute():
            return folder.resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise ContentError(f"this is not a folder's path: {error}", path=path, line=number) from error
    raise ContentError(
        "a folder has its whole path here, such as /home/me/judging: any folder could be meant by another",
        path=path,
        line=number,
    )
