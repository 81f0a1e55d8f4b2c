"""agentdebate resume: go on with a run that was stopped."""

import json
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.logs import LogOptions
from agentdebate.cli.options import STORE, Json, StorePath
from agentdebate.cli.order import Order
from agentdebate.cli.run import judge
from agentdebate.cli.spending import SpendingOptions
from agentdebate.errors import UsageError
from agentdebate.models.credentials import HIDDEN
from agentdebate.store.reader import LAST, RunHead, read_store


async def resume(
    run: str = LAST,
    /,
    *,
    retry_failed: Annotated[
        bool, Parameter(help="Hold the debates that failed once more.", negative="", show_default=False)
    ] = False,
    anyway: Annotated[
        bool,
        Parameter(
            help="Go on although strategy, task, prompts, model or data were changed. What still fits is not paid for again.",
            negative="",
            show_default=False,
        ),
    ] = False,
    concurrency: Annotated[
        int | None, Parameter(name=["--concurrency", "-c"], help="Debates held at once [as before].")
    ] = None,
    store: StorePath = STORE,
    as_json: Json = False,
    spending: SpendingOptions = SpendingOptions(),
    logs: LogOptions = LogOptions(),
) -> int:
    """Go on with a run that was stopped, or killed: what was paid for is not paid for again.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    where = _absolute(store)
    with read_store(where) as reader:
        head = reader.run(run)
    order, folder = _order(head)
    order = replace(
        order,
        concurrency=order.concurrency if concurrency is None else concurrency,
        spending=spending.over(order.spending),
    )
    with logs.opened(), chdir(folder):
        return await judge(
            order,
            where,
            as_json=as_json,
            resume=head.id,
            retry_failed=retry_failed,
            anyway=anyway,
        )


def _absolute(store: str) -> str:
    """The store, wherever the run's folder is."""
    return store if "://" in store else str(Path(store).absolute())


def _order(head: RunHead) -> tuple[Order, Path]:
    """What the run was told, and in which folder. Raises UsageError."""
    told = head.configuration.get("command")
    if not told:
        raise UsageError(
            f"run {head.id} was not begun by agentdebate run; go on with it in Python: evaluate(..., resume={head.id!r})"
        )
    if HIDDEN in json.dumps(told["models"]):
        raise UsageError(
            f"run {head.id} was begun with a key in --base-url or --extra, and keys are not kept: put the key into the "
            "environment (--api-key-env), and begin a new run"
        )
    folder = Path(told["folder"])
    if not folder.is_dir():
        raise UsageError(f"run {head.id} was begun in {folder}, which is not there any more")
    return Order.read(told), folder
