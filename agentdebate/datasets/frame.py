"""The rows of a data file, with the fields that are used and no more than these."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agentdebate.datasets.row import Row


@dataclass(frozen=True)
class Selection:
    """The fields that are kept: names, and paths into fields, of which the whole field is kept."""

    fields: frozenset[str]

    @property
    def heads(self) -> frozenset[str]:
        """The fields of a row that are kept: names may have dots in them, so each beginning of a path is one."""
        parts = [field.split(".") for field in self.fields]
        return frozenset(".".join(path[:end]) for path in parts for end in range(1, len(path) + 1))


class Frame(list[Row]):
    """The rows of one file."""

    known: dict[str, None]
    """The names of all fields that rows have, with those one step inside others, in the order in which they come."""

    @classmethod
    def of(cls, rows: Iterable[Row], selection: Selection | None = None) -> "Frame":
        """The rows of one file, read as they come; all fields where nothing says which are used."""
        found, heads = cls(), selection.heads if selection else None
        found.known = {}
        for row in rows:
            for name, value in row.data.items():
                inner = value if isinstance(value, Mapping) else ()
                found.known |= dict.fromkeys([name, *(f"{name}.{one}" for one in inner)])
            kept = row.data if heads is None else {name: row.data[name] for name in row.data if name in heads}
            found.append(Row(row.path, row.line, kept, row.within))
        return found
