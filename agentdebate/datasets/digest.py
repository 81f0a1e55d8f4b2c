"""What tells a file, or a folder of files, from one that was changed."""

from hashlib import file_digest, sha256
from pathlib import Path


def digest(path: Path) -> str:
    """The SHA-256 of a file; of a folder, that of the list of its files and of those right below it, each with its own."""
    if path.is_dir():
        files = sorted(file for pattern in ("*", "*/*") for file in path.glob(pattern) if file.is_file())
        lines = (f"{digest(file)}  {file.relative_to(path).as_posix()}\n" for file in files)
        return sha256("".join(lines).encode()).hexdigest()
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
