"""A table of texts, before it is plain text, Markdown or LaTeX."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """A head, and rows whose first cell names them and whose other cells are figures."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
