"""`means`: means and shares of columns by group, of a run's records or of a file's rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_rows
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.bootstrap import Resampling
from agentdebate.meta.means import Mean
from agentdebate.meta.means import means as computed
from agentdebate.meta.run_rows import StoredRun, opened
from agentdebate.report.grid import Grid, Number
from agentdebate.report.terminal import as_text
from agentdebate.store.place import USUAL_STORE
from agentdebate.tables.inferred import inferred
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular

_SMALL = 10


@dataclass(frozen=True, repr=False)
class MeansTable(Tabular):
    """Means and shares by group: print it, or take its `rows`."""

    lines: tuple[Mean, ...]
    by: tuple[str, ...]
    told: str
    """What the intervals are."""

    def __str__(self) -> str:
        return f"{as_text(self.table)}\n"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each group and column, and for each label where a column has labels."""
        return [one.row() for one in self.lines]

    def to_table(self) -> Table[dict[str, Any]]:
        """The rows as a table."""
        return inferred("means", self.rows())

    @property
    def table(self) -> Grid:
        """The lines as a table."""
        rows = [
            (one.group or "all", one.column, one.label, _value(one), one.n, one.missing) for one in self.lines
        ]
        head = (", ".join(self.by) or "rows", "of", "label", "value", "n", "missing")
        return Grid("Means and shares", head, rows, head[3:], [self.told], "No row has a value.")


def means(
    source: str | Path | StoredRun | Sequence[Row],
    of: Sequence[str],
    *,
    by: Sequence[str] = (),
    group: str | None = None,
    store: str | Path = USUAL_STORE,
    resamples: int = 1000,
    confidence: float = 0.95,
    bootstrap_seed: int = 0,
) -> MeansTable:
    """The mean of each column in each group, and of columns of labels the share of each, with intervals.

    `source` is a file of rows, a run of `store` by its name or as `open_store` gave it (its records have `calls`, `rounds`,
    `prompt_tokens` and more), or rows. `of` are the columns, `by` the fields whose values make the groups, and `group` is the field
    of what rows share, which intervals draw:

        print(ad.means("last", ["calls", "rounds"], by=["system"], group="group", store="runs.db"))

    Raises UserError and StoreError.
    """
    if not of:
        raise UsageError("of=... names the columns whose means are wanted, such as calls,rounds")
    bootstrap = Resampling(resamples, confidence, bootstrap_seed).bootstrap
    found = computed(_rows(source, store), of, by, source=group, bootstrap=bootstrap)
    drawn = f"resamples of {f'what shares {group!r}' if group else 'rows'}"
    told = (
        f"In brackets: {confidence:.0%} intervals, of means from {resamples:,} {drawn}, of shares Wilson's."
        if bootstrap
        else "No intervals were computed."
    )
    return MeansTable(tuple(found), tuple(by), told)


def _rows(source: str | Path | StoredRun | Sequence[Row], store: str | Path) -> Sequence[Row]:
    if isinstance(source, str | Path) and Path(source).is_file():
        return list(read_rows(source))
    if isinstance(source, Sequence) and not isinstance(source, str):
        return source
    run = source if not isinstance(source, Path) else str(source)
    with opened(run, store) as (reader, head):
        return [Row(f"run {head.id}", number, row) for number, row in enumerate(reader.rows(head.id), 1)]


def _value(one: Mean) -> object:
    """Three decimals where numbers are small, and one where they are not."""
    if abs(one.value) < _SMALL:
        return Number(one.value, one.low, one.high)
    ends = "" if one.low is None or one.high is None else f" [{one.low:,.1f}, {one.high:,.1f}]"
    return f"{one.value:,.1f}{ends}"
