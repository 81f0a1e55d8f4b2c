"""Project folders and the reading of their files: the user's folder first, then the built-in one.

This module alone knows the folders. A project has `agents/`, `strategies/` and `prompts/` (with `tasks/`, `turns/`,
`relays/` and `parts/` in it); a file there goes before the built-in file of the same name.
"""

import time
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from agentdebate.errors import ContentError, UsageError, nearest
from agentdebate.project.my_folders import is_mine
from agentdebate.project.trust import Trust, leads_out
from agentdebate.wrong_values import plain_problem, problem_and_value

Content = TypeVar("Content", bound=BaseModel)

Kind = Literal["agents", "strategies", "prompts/tasks", "prompts/turns", "prompts/relays", "prompts/parts"]
"""A content folder."""

PROMPTS: tuple[Kind, ...] = ("prompts/turns", "prompts/relays", "prompts/parts")
"""The folders of what requests are put together from."""

ENDINGS: Mapping[str, str] = {"strategies": ".toml"}
"""Ending of the files of a kind, where it is not Markdown."""

NOUNS: Mapping[str, str] = {
    "agents": "agent",
    "strategies": "strategy",
    "prompts/tasks": "task",
    "prompts/turns": "turn prompt",
    "prompts/relays": "relay prompt",
    "prompts/parts": "prompt part",
}
"""Name of one file of a kind in messages."""


@cache
def builtin_root() -> Path:
    """The folder that holds the built-in content: inside an installed package, or the top of a checkout.

    Raises ContentError where the package was installed without it.
    """
    package = Path(__file__).resolve().parent.parent
    for root in (package / "content", package.parent):
        if (root / "agents").is_dir() and (root / "strategies").is_dir() and (root / "prompts").is_dir():
            return root
    raise ContentError(
        "agentdebate was installed without its agents, strategies and prompts; install it again"
    )


_FRESH = 2.0
"""Seconds within which a file can be written again without another time of change, on any file system."""
_LONGEST_NAME = 100
"""Characters; file systems refuse names much longer than this."""


LARGEST = 1_000_000
"""Bytes of a content file."""
DEEPEST = 50
"""Levels of tables and lists in a content file."""
LONGEST_NUMBER = 100
"""Digits of a number in front matter."""
MOST_DOTS = 500
"""Dots in a key of TOML, and in a line of a text of several lines."""


@dataclass(frozen=True, slots=True)
class Page:
    """A Markdown file with front matter: where it lies, its front matter, the text below it and the line it is on."""

    path: Path
    meta: Mapping[str, Any]
    body: str
    line: int


@dataclass(frozen=True)
class Project:
    """The folders that content is looked up in: `root`, a user's project, goes before the built-in folder.

    `allow_endpoints` are the hosts (HOST or HOST:PORT) that the project's files may have requests sent to. Without
    them a file that names an address, a key's variable or a model to be fetched is refused.

    `allow_code` says whether its strategies may use Python files of the project (`uses = "./courts.py:Courtroom"`), which are
    imported. Who names the folder allows it; `Project.here()` does not. Raises UsageError.
    """

    root: Path | None = None
    allow_endpoints: tuple[str, ...] = ()
    allow_code: bool = True

    def __post_init__(self) -> None:
        _ = self._trust  # a host that is written wrongly shows here
        root = Path(self.root) if isinstance(self.root, str) else self.root
        if root is not None and not (isinstance(root, Path) and root.is_dir()):
            raise UsageError(f"project=...: {root} is not a folder")
        object.__setattr__(self, "root", root)

    @classmethod
    def here(cls, *, allow_endpoints: Iterable[str] = (), allow_code: bool = False) -> "Project":
        """The project in the current folder, which was not named: its code is imported only where that is allowed, or the folder is
        one of the user's own (my-folders).
        """
        return cls(Path.cwd(), tuple(allow_endpoints), allow_code or is_mine(Path.cwd()))

    @property
    def _trust(self) -> Trust:
        return Trust.allowing(self.allow_endpoints, code=self.allow_code)

    def trust(self, path: Path) -> Trust:
        """Return the trust in one of the files: it is not the user who says it, and these hosts are allowed to it."""
        return self._trust.of(path, self.root)

    @property
    def roots(self) -> tuple[Path, ...]:
        """Folders that are searched, in order."""
        builtin = builtin_root()
        if self.root is None or self.root.resolve() == builtin:
            return (builtin,)
        return (self.root, builtin)

    def find(self, kind: Kind, name: str) -> Path:
        """The file of that name. Raises ContentError with the nearest known name."""
        for root in self.roots if _is_plain(name) else ():
            path = root / kind / (name + ENDINGS.get(kind, ".md"))
            if path.is_file():
                return self.inside(path)
        raise ContentError(f"there is no {NOUNS[kind]} {name!r}. {nearest(name, self.names(kind))}")

    def names(self, kind: Kind) -> dict[str, Path]:
        """Every name of a kind with the file that it stands for, sorted."""
        ending = ENDINGS.get(kind, ".md")
        found: dict[str, Path] = {}
        for root in reversed(self.roots):
            found.update({path.stem: path for path in (root / kind).glob(f"*{ending}") if path.is_file()})
        return dict(sorted(found.items()))

    def inside(self, path: Path) -> Path:
        """The path, as one that does not lead out of the project. Raises ContentError, also for a link that does."""
        if self.root is not None and leads_out(path, self.root) and not self.is_builtin(path):
            raise ContentError(
                "this leads out of the project: put the file itself there, and no link", path=path
            )
        return path

    def is_builtin(self, path: Path) -> bool:
        """Tell whether a file is one of ours rather than the user's."""
        return path.resolve().is_relative_to(builtin_root())

    def replaces(self, path: Path) -> bool:
        """Tell whether a file of the project stands in the place of a built-in one."""
        if self.root is None or not path.is_relative_to(self.root) or self.is_builtin(path):
            return False
        return (builtin_root() / path.relative_to(self.root)).is_file()

    def shown(self, path: Path) -> str:
        """A file of the project as it is named to people: by its path in the project, where it is in it."""
        inside = self.root is not None and path.is_relative_to(self.root)
        return str(path.relative_to(self.root) if self.root is not None and inside else path)

    def digests(self) -> dict[str, str]:
        """A digest of every prompt and agent card, by kind and name: what they say decides what a run comes to."""
        return {
            f"{kind}/{name}": _digest(path)
            for kind in ("agents", *PROMPTS)
            for name, path in self.names(kind).items()
            if self.is_builtin(path) or self.root is None or not leads_out(path, self.root)
        }

    def page(self, kind: Kind, name: str) -> Page:
        """Read a Markdown file with front matter. Raises ContentError."""
        return read_page(self.find(kind, name))


def read_page(path: Path) -> Page:
    """Split a Markdown file into front matter and text; a file that has not changed is read once.

    Raises ContentError where the file has no front matter, does not end it, or it is not a table of keys.
    """
    edition = _edition(path)
    return _read_page(path) if edition is None else _known_page(path, edition)


def _edition(path: Path) -> tuple[int, ...] | None:
    """Numbers that tell one state of a file from the next; None where nothing does, since it was written just now."""
    try:
        found = path.stat()
    except OSError:
        return None  # whoever reads it says what is wrong
    if abs(time.time() - found.st_mtime) < _FRESH:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size


@lru_cache(maxsize=1024)
def _known_page(path: Path, edition: tuple[int, ...]) -> Page:  # noqa: ARG001 - by which it is known
    return _read_page(path)


def _read_page(path: Path) -> Page:
    text = read_text(path)
    if not text.startswith("---\n"):
        raise ContentError(
            "a content file begins with a line of three dashes and its front matter", path=path, line=1
        )
    head, ends, body = (text[3:] + "\n").partition("\n---\n")
    if not ends:
        raise ContentError(
            "the front matter does not end: a second line of three dashes is missing", path=path
        )
    begins = len(f"---{head}\n---\n{body}") - len(body.lstrip())
    meta = MappingProxyType(_front_matter(head, path))  # which all who read the page share
    return Page(path, meta, body.strip(), text.count("\n", 0, begins) + 1)


def _front_matter(head: str, path: Path) -> dict[str, Any]:
    """The keys in YAML that begins at the end of the file's first line."""
    import yaml  # slow to load, and only content files need it

    kind = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    loader = kind(head)
    try:
        _check_levels(yaml.parse(head, kind), path)
        node = loader.get_single_node()
        if node is not None:
            _check_yaml(node, path)
        meta = None if node is None else loader.construct_document(node)
    # What YAML's own types raise: the 13th month of a date, a number without digits, a key that cannot be one.
    except (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise ContentError(
            f"the front matter is not YAML: {_yaml_problem(error)}", path=path, line=_yaml_line(error)
        ) from error
    finally:
        loader.dispose()
    if meta is None:
        return {}
    if not isinstance(meta, dict):
        raise ContentError("the front matter is not a table of keys: write 'name: ...' and so on", path=path)
    wrong = [key for key in meta if not isinstance(key, str)]
    if wrong:
        raise ContentError(f"YAML reads the key as {wrong[0]!r}; put it in quotes", path=path)
    return meta


def _check_levels(events: Iterable[Any], path: Path) -> None:
    """Raise ContentError for deep nesting before the nodes are built, for which YAML's C library goes down as deep."""
    level = 0
    for event in events:
        name = type(event).__name__
        level += name.endswith("StartEvent") - name.endswith("EndEvent")
        if level > DEEPEST + 2:  # the stream and the document are levels too
            line = event.start_mark.line + 1
            raise ContentError(
                f"the front matter is nested more than {DEEPEST} levels deep", path=path, line=line
            )


def _check_yaml(node: Any, path: Path, seen: set[int] | None = None) -> None:
    """Raise ContentError for what content files do without: a few lines of it can stand for more than any memory holds."""
    seen = set() if seen is None else seen
    line = node.start_mark.line + 1
    if id(node) in seen:
        raise ContentError("an alias (*name) cannot be used here; write the value out", path=path, line=line)
    seen.add(id(node))
    if node.id == "scalar":
        if node.tag.endswith((":int", ":float")) and len(node.value) > LONGEST_NUMBER:
            raise ContentError(f"a number has more than {LONGEST_NUMBER} digits", path=path, line=line)
        return
    inside = node.value if node.id == "sequence" else [part for pair in node.value for part in pair]
    for part in inside:
        _check_yaml(part, path, seen)
    _check_twice(node, path)


def _check_twice(node: Any, path: Path) -> None:
    """Raise ContentError where a table has a key twice, of which YAML would take the last."""
    keys = [key for key, _ in node.value if key.id == "scalar"] if node.id == "mapping" else []
    names = set[str]()
    for key in keys:
        if key.value in names:
            line = key.start_mark.line + 1
            raise ContentError("this key is there twice", path=path, line=line, key=key.value)
        names.add(key.value)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file. Raises ContentError with the line."""
    text = read_text(path)
    for number, line in enumerate(text.split("\n"), 1):
        if line.partition("=")[0].count(".") > MOST_DOTS:
            raise ContentError(f"a key has more than {MOST_DOTS} parts", path=path, line=number)
    try:
        found = tomllib.loads(text)
        _check_depth(found, path)
    except RecursionError as error:
        raise ContentError(f"it is nested more than {DEEPEST} levels deep", path=path) from error
    except (
        ValueError
    ) as error:  # besides TOMLDecodeError that of int(), for a number with thousands of digits
        raise ContentError(f"this is not TOML: {error}", path=path) from error
    return found


def _check_depth(value: object, path: Path, level: int = 1) -> None:
    if level > DEEPEST:
        raise ContentError(f"it is nested more than {DEEPEST} levels deep", path=path)
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_depth(part, path, level + 1)


def read_bytes(path: Path) -> bytes:
    """Read a content file: a regular file of at most `LARGEST` bytes. Raises ContentError."""
    try:
        if path.exists() and not path.is_file():
            raise ContentError("a content file is a regular file, not a folder, pipe or device", path=path)
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise ContentError(f"cannot be read: {error.strerror}", path=path) from error
    if len(content) > LARGEST:
        raise ContentError(f"it has more than {LARGEST:,} bytes, the most that a content file has", path=path)
    return content


def read_text(path: Path) -> str:
    """Read a UTF-8 text file, with plain line ends. Raises ContentError."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ContentError(f"this is not UTF-8 (byte {error.start})", path=path) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def file_exists(path: Path, what: str) -> bool:
    """Tell whether a file that is read, or else written, exists.

    Raises ContentError where it could not be written: no system takes the path, or there is no folder for `what`.
    """
    try:
        there = path.exists()
        folder = there or path.parent.is_dir()
    except (OSError, ValueError) as error:
        raise ContentError(f"a file cannot have this path: {error}", path=path) from error
    if not folder:
        raise ContentError(f"there is no folder for {what}: make it, or name another file", path=path)
    return there


def read_as(
    kind: type[Content], said: Mapping[str, Any], path: Path, *, beside: Iterable[str] = ()
) -> Content:
    """Read a file as a `kind`. Raises ContentError; `beside` are keys that stand in tables inside it."""
    try:
        return kind.model_validate(dict(said))
    except ValidationError as error:
        raise content_error(error, path, (*kind.model_fields, *beside)) from error


def content_error(error: ValidationError, path: Path, known: tuple[str, ...] = ()) -> ContentError:
    """Turn pydantic's error about a file into one that names file and key, and the nearest known key.

    An unknown key goes before everything else: where one is missing too, it is most often the same one, misspelt.
    """
    found = error.errors()
    first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return ContentError(
            f"this key means nothing here. {nearest(str(first['loc'][-1]), known)}", path=path, key=key
        )
    if first["type"] == "missing":
        return ContentError("this key is missing", path=path, key=key)
    ours = not key or first["type"] == "value_error"  # our own words show what may be shown of the value
    problem = plain_problem(first) if ours else problem_and_value(first)
    return ContentError(problem, path=path, key=key or None)


def check_name(given: str, path: Path) -> None:
    """Raise ContentError where the name that stands in a file is not the file's own."""
    if given != path.stem:
        raise ContentError(
            f"the file is called {path.stem!r}, so the name in it has to be {path.stem!r} too",
            path=path,
            key="name",
        )


def _digest(path: Path) -> str:
    """A digest of a file; one that cannot be read decides nothing, for whatever needs it is refused."""
    try:
        return sha256(read_bytes(path)).hexdigest()[:16]
    except ContentError:
        return "unreadable"


def _is_plain(name: str) -> bool:
    """Names are names, not paths: nothing outside the content folders is ever read."""
    return 0 < len(name) <= _LONGEST_NAME and not set(name) & set("/\\\0") and not name.startswith(".")


def _yaml_line(error: Exception) -> int | None:
    mark = getattr(error, "problem_mark", None)
    return mark.line + 1 if mark else None


def _yaml_problem(error: Exception) -> str:
    return str(getattr(error, "problem", None) or error)


def examples_root() -> Path:
    """The folder that holds the built-in examples."""
    return builtin_root() / "examples"
