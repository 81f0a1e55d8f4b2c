"""The rows of a data file, with the fields that are used and no more than these."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, overload

from agentdebate.datasets.missing_words import no_score
from agentdebate.datasets.row import Row


class _Rule(Enum):
    """How much of a field is kept."""

    WHOLE = "all that it holds"
    WAY = "what leads to a selected field"
    NUMBERS = "numbers, and what numbers lie in it, as long as it holds nothing else"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Selection:
    """Which fields are kept."""

    fields: frozenset[str]
    """Names, and paths into fields: all that lies on the way to one is kept."""
    numbers: bool = False
    """Whether every other field is kept too, as long as it holds nothing but numbers."""

    def rule(self, path: str) -> _Rule:
        """Say how much is kept of the field at this path."""
        wanted = [field.partition(".*")[0] for field in self.fields]  # of every entry, all that they have
        if any(path == field or path.startswith(f"{field}.") for field in wanted):
            return _Rule.WHOLE
        if any(field.startswith(f"{path}.") for field in wanted):
            return _Rule.WAY
        return _Rule.NUMBERS if self.numbers else _Rule.NOTHING


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
        if sieve and sieve.spoiled:
            found = [Row(row.path, row.line, sieve.kept(row.data), row.within) for row in found]
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

    def column(self, field: str) -> Sequence[Any] | None:
        """The values of a field in the order of the rows, None where a row lacks it; None for a field inside another."""
        return None if "." in field else [row.data.get(field) for row in self._rows]


class _Sieve:
    """Keeps the selected fields of objects. A field of numbers in which something else stands is let go from there on."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._rules: dict[tuple[str, ...], _Rule] = {}
        self.spoiled = False
        """True where a field was let go that earlier objects still have."""

    def kept(self, record: Mapping[str, Any], inside: tuple[str, ...] = ()) -> dict[str, Any]:
        """The fields of an object that are kept."""
        found: dict[str, Any] = {}
        for name, value in record.items():
            path = (*inside, name)
            rule = self._rules.get(path) or self._rules.setdefault(path, self._selection.rule(".".join(path)))
            if rule is _Rule.NUMBERS and not _numeric(value):
                rule = self._rules[path] = _Rule.NOTHING
                self.spoiled = True
            if rule is not _Rule.NOTHING:
                nested = rule is not _Rule.WHOLE and isinstance(value, Mapping)
                found[name] = self.kept(value, path) if nested else value
        return found


def _numeric(value: Any) -> bool:
    """Tell whether a value can be read as a number, or holds some that can."""
    if isinstance(value, list):
        return all(not isinstance(one, list | Mapping) and _numeric(one) for one in value)
    if isinstance(value, Mapping) or no_score(value):
        return True
    try:
        return not isinstance(value, bool) and float(value) is not None
    except (TypeError, ValueError, OverflowError):
        return False
