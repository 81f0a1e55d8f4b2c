"""Rows of a data file kept as columns: of each field that is used all values together, and no more than these.

A row takes up what its values do: 8 bytes for a number, a word that stands in many rows once. Where rows are looked at one
by one, each is put together again and let go.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from math import nan
from typing import Any, overload

from agentdebate.datasets.missing_words import no_score
from agentdebate.datasets.row import Row

ABSENT: Any = object()
"""Stands for the value of a row that does not have the field."""

_SHARED = 1024
"""Different values of a column up to which equal ones are kept once."""

_MOST_COLUMNS = 256
"""Fields that get a column; where there are more, rows keep what they have of the others by themselves."""

_GAPS = 16
"""A column of numbers may lack one in so many; one that lacks more keeps each value by itself."""


@dataclass(frozen=True)
class Selection:
    """Which fields are kept."""

    fields: frozenset[str]
    """Names, and paths into fields: all that lies on the way to one is kept."""
    numbers: bool = False
    """Whether every other field is kept too, as long as it holds nothing but numbers."""

    def of(self, path: str) -> "_Kept":
        """What is kept of the field at this path."""
        wanted = [field.partition(".*")[0] for field in self.fields]  # of every entry, all that they have
        if any(path == field or path.startswith(f"{field}.") for field in wanted):
            return _whole
        if any(field.startswith(f"{path}.") for field in wanted):
            return _on_the_way
        return _numbers if self.numbers else _nothing


_Kept = Callable[[Any], bool]
"""Says of a value whether a field that holds it is kept."""


def _whole(_value: Any) -> bool:
    return True


def _on_the_way(_value: Any) -> bool:
    return True


def _nothing(_value: Any) -> bool:
    return False


def _numbers(value: Any) -> bool:
    """Whether a value can be read as a number, or holds some that can."""
    if isinstance(value, list):
        return all(not isinstance(one, list | Mapping) and _numbers(one) for one in value)
    if isinstance(value, Mapping) or no_score(value):
        return True
    try:
        return not isinstance(value, bool) and float(value) is not None
    except (TypeError, ValueError, OverflowError):
        return False


class Frame(Sequence[Row]):
    """The rows of one file, as columns."""

    def __init__(
        self, path: str, fields: "_Fields", lines: Sequence[int], again: Callable[[], Iterable[Row]] | None
    ) -> None:
        self._path, self._fields, self._lines, self._again = path, fields, lines, again

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
        fields, lines, path = _Fields(selection), array("q"), ""
        for row in rows:
            path = path or row.path
            fields.append(row.data)
            lines.append(row.line)
        return cls(path, fields, lines, again)

    def __repr__(self) -> str:
        return f"<Frame of {len(self)} rows of {self._path!r}: {', '.join(self._fields.columns)}>"

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Row]:
        return map(partial(Row, self._path), self._lines, self._fields)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        return Row(self._path, self._lines[place], self._fields[place])

    @property
    def known(self) -> dict[str, None]:
        """The names of all fields that rows have, kept or not, with those one step inside others, in the order in which they come."""
        return dict(self._fields.known)

    def whole(self) -> Iterable[Row]:
        """The rows with all of their fields, read again where some are not kept."""
        return self if self._again is None else self._again()

    def column(self, field: str) -> "Sequence[Any] | None":
        """The values of a field in the order of the rows, None where a row lacks it; None for a field that has no column of its own."""
        return self._fields.column(field)


class _Fields:
    """Objects, as a column a field."""

    def __init__(self, selection: Selection | None, inside: str = "") -> None:
        self._selection, self._inside = selection, inside
        self._keeps: dict[str, _Kept] = {}
        self.columns: dict[str, _Values | _Objects] = {}
        self.known: dict[str, None] = {}
        self._rest: dict[int, dict[str, Any]] = {}
        """What rows have of fields without a column."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        columns = list(self.columns.values())
        values = zip(*columns, strict=True) if columns else repeat((), self._count)
        if self._rest or any(column.sparse for column in columns):
            return (self._together(place, one) for place, one in enumerate(values))
        return (dict(zip(self.columns, one, strict=True)) for one in values)

    def __getitem__(self, place: int) -> dict[str, Any]:
        return self._together(place % self._count, [column[place] for column in self.columns.values()])

    def _together(self, place: int, values: Iterable[Any]) -> dict[str, Any]:
        found = {name: value for name, value in zip(self.columns, values, strict=True) if value is not ABSENT}
        return found | self._rest[place] if place in self._rest else found

    def append(self, record: Mapping[str, Any]) -> None:
        """Add the fields of an object that are kept."""
        added = 0
        for name, value in record.items():
            keep = self._keeps.get(name) or self._first(name)
            if isinstance(value, Mapping) and not self._inside:
                self.known.update(dict.fromkeys(f"{name}.{inner}" for inner in value))
            if keep is _nothing:
                continue
            if not keep(value):
                self._keeps[name] = _nothing
                self.columns.pop(name, None)
                continue
            if name not in self.columns:
                if len(self.columns) >= _MOST_COLUMNS:
                    self._rest.setdefault(self._count, {})[name] = value
                    continue
                self.columns[name] = self._column(name, value)
            self._fitting(name, value).append(value)
            added += 1
        self._count += 1
        if added < len(self.columns):
            for column in self.columns.values():
                column.fill(self._count)

    def fill(self, count: int) -> None:
        """Bring every column to this length; the object has none of the fields."""
        self._count = count
        for column in self.columns.values():
            column.fill(count)

    def column(self, field: str) -> "Sequence[Any] | None":
        """The values of a field of its own, or of one inside another."""
        name, dot, inner = field.partition(".")
        if self._rest or (dot and any(other.startswith(f"{name}.") for other in self.columns)):
            return None  # rows may have the field in several places
        found = self.columns.get(name)
        if dot:
            return found.fields.column(inner) if isinstance(found, _Objects) else None
        if found is None or not found.sparse:
            return found
        return [None if one is ABSENT else one for one in found]

    def _first(self, name: str) -> _Kept:
        """What is kept of a field that is there for the first time."""
        self.known.setdefault(name)
        keep = self._keeps[name] = (
            _whole if self._selection is None else self._selection.of(self._inside + name)
        )
        return keep

    def _column(self, name: str, value: Any) -> "_Values | _Objects":
        column: _Values | _Objects
        if isinstance(value, Mapping):
            partly = self._keeps[name] is not _whole
            column = _Objects(_Fields(self._selection if partly else None, f"{self._inside}{name}."))
        else:
            column = _Values()
        column.fill(self._count)
        return column

    def _fitting(self, name: str, value: Any) -> "_Values | _Objects":
        """The column; one of single values where objects and others stand in it."""
        column = self.columns[name]
        if isinstance(column, _Values) or value is None or isinstance(value, Mapping):
            return column
        self.columns[name] = _Values()
        for one in column:
            self.columns[name].append(one)
        return self.columns[name]


class _Values(Sequence[Any]):
    """The values of a field: numbers side by side, or whatever they are."""

    __slots__ = ("_gaps", "_kept", "_shared", "sparse")

    def __init__(self) -> None:
        self._kept: array[float] | list[Any] = array("d")
        self._gaps: dict[int, Any] = {}
        """What is no number where the others are."""
        self._shared: dict[Any, Any] | None = {}
        self.sparse = False
        """Whether rows lack the field."""

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._kept) if not self._gaps else map(self.__getitem__, range(len(self._kept)))

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if self._gaps:
            return self._gaps.get(place % len(self._kept), self._kept[place])
        return self._kept[place]

    def append(self, value: Any) -> None:
        """Add a value."""
        if type(value) is float and isinstance(self._kept, array):
            self._kept.append(value)
            return
        if value is ABSENT:
            self.sparse = True
        if isinstance(self._kept, array):
            if (value is None or value is ABSENT) and len(self._gaps) <= len(self._kept) // _GAPS:
                self._gaps[len(self._kept)] = value
                self._kept.append(nan)
                return
            self._kept, self._gaps = list(self), {}
        self._kept.append(self._one_of(value))

    def fill(self, count: int) -> None:
        """Bring the column to this length: the rows in between lack the field."""
        for _ in range(count - len(self._kept)):
            self.append(ABSENT)

    def _one_of(self, value: Any) -> Any:
        """The value, or one that was there before and is the same."""
        if self._shared is None or type(value) not in (str, float):
            return value
        if len(self._shared) > _SHARED:
            self._shared = None
            return value
        return self._shared.setdefault(value, value)


class _Objects(Sequence[Any]):
    """The values of a field that holds objects."""

    __slots__ = ("_lacking", "fields", "sparse")

    def __init__(self, fields: _Fields) -> None:
        self.fields = fields
        self._lacking: dict[int, Any] = {}
        """What stands where there is no object: None, or ABSENT."""
        self.sparse = False

    def __len__(self) -> int:
        return len(self.fields)

    def __iter__(self) -> Iterator[Any]:
        if not self._lacking:
            return iter(self.fields)
        return (self._lacking.get(place, one) for place, one in enumerate(self.fields))

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        place %= len(self)
        return self._lacking[place] if place in self._lacking else self.fields[place]

    def append(self, value: Any) -> None:
        """Add an object, or None."""
        if isinstance(value, Mapping):
            self.fields.append(value)
            return
        self._lacking[len(self.fields)] = value
        self.sparse = self.sparse or value is ABSENT
        self.fields.fill(len(self.fields) + 1)

    def fill(self, count: int) -> None:
        """Bring the column to this length: the rows in between lack the field."""
        for _ in range(count - len(self)):
            self.append(ABSENT)
