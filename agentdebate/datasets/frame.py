"""The rows of a data file, with the names of all their fields."""

from collections.abc import Iterable, Mapping

from agentdebate.datasets.row import Row


class Frame(list[Row]):
    """The rows of one file."""

    known: dict[str, None]
    """The names of all fields that rows have, with those one step inside others, in the order in which they come."""

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "Frame":
        """The rows of one file, read as they come."""
        found = cls()
        found.known = {}
        for row in rows:
            for name, value in row.data.items():
                inner = value if isinstance(value, Mapping) else ()
                found.known |= dict.fromkeys([name, *(f"{name}.{one}" for one in inner)])
            found.append(row)
        return found
