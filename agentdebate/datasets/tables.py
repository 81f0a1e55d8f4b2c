"""The files of a published dataset: which there are, and which form they have, by the fields of their rows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path, PurePath

from agentdebate.datasets.dataset import Dataset, Form, Part
from agentdebate.datasets.files import STDIN, read_lines, read_named, read_rows
from agentdebate.datasets.row import Row
from agentdebate.errors import DataError
from agentdebate.visible import shortened

_LONGEST = 300
"""Characters of the fields of a file that an error shows."""
NAME = "(name)"
"""The field of a row that was named in a JSON object: its name there."""

_ENDINGS = frozenset({".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".txt"})


@dataclass(frozen=True)
class Table:
    """The rows of one file, of which the first has been looked at."""

    path: str
    first: Row
    rest: Iterator[Row]

    def rows(self) -> Iterator[Row]:
        """All rows, once."""
        return chain([self.first], self.rest)

    def fits(self, part: Part) -> bool:
        """Whether the file may be that part of a form."""
        named = fnmatch(PurePath(self.path).name.lower(), part.file)
        return named and all(name in self.first.data for name in part.fields)


def table_of(rows: Iterable[Row]) -> Table | None:
    """Rows as a table; None where there are none."""
    rest = iter(rows)
    first = next(rest, None)
    return None if first is None else Table(first.path, first, rest)


def tables_at(path: str | Path, format: str | None = None) -> tuple[list[Table], list[str]]:
    """The tables of a file or a folder, and what is wrong with the files of the folder that cannot be read.

    Of a folder, the files in it and in the folders right below it are looked at. Raises DataError.
    """
    if str(path) == STDIN or not Path(path).is_dir():
        table = table_of(_rows(path, format))
        return ([table] if table else []), []
    tables, broken = [], []
    for file in _files(Path(path)):
        try:
            table = table_of(_rows(file, None))
        except DataError as error:
            broken.append(str(error))
        else:
            tables += [table] if table else []
    return tables, broken


def _files(folder: Path) -> Iterator[Path]:
    for pattern in ("*", "*/*"):
        for path in sorted(folder.glob(pattern)):
            if path.suffix.lower() in _ENDINGS and path.is_file() and not path.name.startswith("."):
                yield path


def _rows(path: str | Path, format: str | None) -> Iterator[Row]:
    """The rows of a file. One object of objects in a JSON file is rows too, and so are the lines of a text."""
    ending = PurePath(path).suffix.lower()
    if format is None and ending == ".txt":
        return read_lines(path)
    if (format or ending.lstrip(".")) == "json" and str(path) != STDIN and _holds_object(Path(path)):
        return (_with_name(name, row) for name, row in read_named(path))
    return read_rows(path, format)


def _holds_object(path: Path) -> bool:
    """Whether a file begins with an object; one that cannot be opened is for the reader to speak of."""
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    except OSError:
        return False


def _with_name(name: str, row: Row) -> Row:
    return Row(row.path, row.line, {NAME: name, **row.data})


def recognised(
    dataset: Dataset, tables: Sequence[Table], broken: Sequence[str] = (), *, path: object
) -> tuple[Form, dict[str, Iterator[Row]]]:
    """The form that the tables have, and its parts. The tables that are no part of it are left unread.

    Raises DataError that says what is missing.
    """
    for form in dataset.forms:
        parts = {part.name: [table for table in tables if table.fits(part)] for part in form.parts}
        if all(parts[part.name] for part in form.parts if part.needed):
            return form, {name: _only(name, found) for name, found in parts.items() if found}
    raise DataError(_unknown(dataset, tables, broken), path=path)


def _only(part: str, tables: Sequence[Table]) -> Iterator[Row]:
    if len(tables) > 1:
        names = ", ".join(PurePath(table.path).name for table in tables)
        raise DataError(
            f"several files hold the {part}: {names}; name one of them instead of the folder",
            path=PurePath(tables[0].path).parent,
        )
    return tables[0].rows()


def _unknown(dataset: Dataset, tables: Sequence[Table], broken: Sequence[str]) -> str:
    """What each form wants, and what is there."""
    wanted = [f"{form.name} is {' and '.join(map(_wanted, form.parts))}" for form in dataset.forms]
    there = [
        f"{PurePath(table.path).name} has {shortened(', '.join(table.first.data), _LONGEST)}"
        for table in tables
    ]
    hint = ["name the folder that holds all of its files"] if len(tables) == 1 else []
    return "; ".join([f"this is not a known form of {dataset.name}", *there, *wanted, *broken, *hint])


def _wanted(part: Part) -> str:
    """A part of a form, in words."""
    called = "" if part.file == "*" else f" in a file like {part.file}"
    optional = "" if part.needed else ", which may be left out"
    return f"the {part.name}{called} (with {', '.join(part.fields)}{optional})"
