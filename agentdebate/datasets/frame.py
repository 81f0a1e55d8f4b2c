"""The rows of a data file, with the fields that are used and no more than these."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, overload

from agentdebate.datasets.row import Row


class _Rule(Enum):
    """How much of a field is kept."""

    WHOLE = "all that it holds"
    WAY = "the way to a selected field"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Selection:
    """The fields that are kept: names, and paths into fields; all that lies on the way to one is kept."""

    fields: frozenset[str]

    def rule(self, path: str) -> _Rule:
        """Say how much is kept of the field at this path."""
        wanted = [field.partition(".*")[0] for field in self.fields]  # of every entry, all that they have
        if any(path == field or path.startswith(f"{field}.") for field in wanted):
            return _Rule.WHOLE
        return _Rule.WAY if any(field.startswith(f"{path}.") for field in wanted) else _Rule.NOTHING


class Frame(Sequence[Row]):
    """The rows of one file."""

    def __init__(
        self, rows: Sequence[Row], known: Mapping[str, None], again: Callable[[], Iterable[Row]] | None
    ) -> None:
        self._rows, self._known, self._again = rows, known, again

    @classmethod
    def of(
        cls,
        rows: Iterable[Row],
        selection: Selection | None = None,
        again: Callable[[], Iterable[Row]] | None = None,
    ) -> "Frame":
        """The rows of one file, read as they come; all fields where nothing says which are used.

        `again` reads them once more, with all of their fields, for a message about one that is not kept.
        """
        sieve, found, known = _Sieve(selection) if selection else None, list[Row](), dict[str, None]()
        for row in rows:
            for name, value in row.data.items():
                known[name] = None
                if isinstance(value, Mapping):
                    known.update(dict.fromkeys(f"{name}.{inner}" for inner in value))
            found.append(Row(row.path, row.line, sieve.kept(row.data), row.within) if sieve else row)
        return cls(found, known, again)

    def __repr__(self) -> str:
        return f"<Frame of {len(self)} rows: {', '.join(self._known)}>"

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        return self._rows[place]

    @property
    def known(self) -> dict[str, None]:
        """The names of all fields that rows have, kept or not, with those one step inside others, in the order in which they come."""
        return dict(self._known)

    def whole(self) -> Iterable[Row]:
        """The rows with all of their fields, read again where some are not kept."""
        return self if self._again is None else self._again()


class _Sieve:
    """Keeps the selected fields of objects."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._rules: dict[tuple[str, ...], _Rule] = {}

    def kept(self, record: Mapping[str, Any], inside: tuple[str, ...] = ()) -> dict[str, Any]:
        """The fields of an object that are kept."""
        found: dict[str, Any] = {}
        for name, value in record.items():
            path = (*inside, name)
            rule = self._rules.get(path) or self._rules.setdefault(path, self._selection.rule(".".join(path)))
            if rule is not _Rule.NOTHING:
                nested = rule is _Rule.WAY and isinstance(value, Mapping)
                found[name] = self.kept(value, path) if nested else value
        return found
