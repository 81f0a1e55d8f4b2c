"""The rows of a data file, with the fields that are used and no more than these."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agentdebate.datasets.row import Row


@dataclass(frozen=True)
class Selection:
    """The fields that are kept: names, and paths into fields, of which the whole field is kept."""

    fields: frozenset[str]

    def keeps(self, name: str) -> bool:
        """Decide whether a field of a row is kept."""
        return any(
            field == name or field.startswith(f"{name}.") or name.startswith(f"{field}.")
            for field in self.fields
        )


class Frame(list[Row]):
    """The rows of one file, and the names of all fields that they had."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        super().__init__(rows)
        self.known: dict[str, None] = {}
        """All fields, kept or not, with those one step inside others, in the order in which they come."""

    @classmethod
    def of(cls, rows: Iterable[Row], selection: Selection | None = None) -> "Frame":
        """The rows of one file, read as they come; all fields where nothing says which are used."""
        found = cls()
        for row in rows:
            for name, value in row.data.items():
                found.known[name] = None
                if isinstance(value, Mapping):
                    found.known.update(dict.fromkeys(f"{name}.{inner}" for inner in value))
            kept = {
                name: value for name, value in row.data.items() if selection is None or selection.keeps(name)
            }
            found.append(Row(row.path, row.line, kept, row.within))
        return found
