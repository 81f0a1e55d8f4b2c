"""`means`: means and shares of columns by group, of a run's records or of a file's rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_rows
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.means import means as computed
from agentdebate.meta.run_rows import StoredRun, opened
from agentdebate.store.place import USUAL_STORE
from agentdebate.tables.inferred import inferred
from agentdebate.tables.table import Table


def means(
    source: str | Path | StoredRun,
    of: Sequence[str],
    *,
    by: Sequence[str] = (),
    group: str | None = None,
    store: str | Path = USUAL_STORE,
    resamples: int = 1000,
    confidence: float = 0.95,
    bootstrap_seed: int = 0,
) -> Table[dict[str, Any]]:
    """The mean of each column in each group, and of columns of labels the share of each, with intervals, as a table.

    `source` is a file of rows, a run of `store` by its name or as `open_store` gave it (its records have `calls`, `rounds`,
    `prompt_tokens` and more). `of` are the columns, `by` the fields whose values make the groups, and `group` is the field
    of what rows share, which intervals draw; intervals of shares are Wilson's:

        ad.means("last", ["calls", "rounds"], by=["system"], group="group", store="runs.db").to_pandas()

    Raises UserError and StoreError.
    """
    if not of:
        raise UsageError("of=... names the columns whose means are wanted, such as calls,rounds")
    bootstrap = Bootstrap(resamples, confidence, bootstrap_seed)
    found = computed(_rows(source, store), of, by, source=group, bootstrap=bootstrap)
    return inferred("means and shares", found)


def _rows(source: str | Path | StoredRun, store: str | Path) -> Sequence[Row]:
    if isinstance(source, str | Path) and Path(source).is_file():
        return list(read_rows(source))
    with opened(str(source) if isinstance(source, Path) else source, store) as (reader, head):
        return [Row(f"run {head.id}", number, row) for number, row in enumerate(reader.rows(head.id), 1)]
