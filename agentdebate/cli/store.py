"""agentdebate store: what a store holds, deleting a run, and bringing an older store up to date."""

import sys
from dataclasses import asdict
from typing import Annotated, Literal

from cyclopts import Parameter

from agentdebate.cli.console import one_line, out, out_json, say
from agentdebate.cli.options import STORE, Json, StorePath
from agentdebate.errors import UsageError
from agentdebate.report.figures import counted
from agentdebate.store.upkeep import RunContent, delete_run, run_content, store_info, upgrade_store


def store(
    action: Literal["info", "delete", "upgrade"],
    run: str | None = None,
    /,
    *,
    yes: Annotated[bool, Parameter(help="Delete without asking.", negative="", show_default=False)] = False,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Look after a store.

    Parameters
    ----------
    action
        "info" says what the store holds; "delete" deletes a run; "upgrade" brings a store of an older version up to date, and
        gives back the room of what was deleted.
    run
        The run to be deleted, or the beginning of its name; "last" is the newest.

    """
    if action == "delete":
        return _delete(store, run, yes=yes, as_json=as_json)
    if run is not None:
        raise UsageError(
            f"store {action} is about the whole store: leave out {run!r}, or name the store with --store"
        )
    info = store_info(store) if action == "info" else upgrade_store(store)
    if as_json:
        out_json(asdict(info))
        return 0
    out(one_line(f"{info.place}: schema {info.schema}, {info.bytes / 1e6:,.1f} MB"))
    parts = (info.runs, "run"), (info.debates, "debate"), (info.calls, "call"), (info.pieces, "distinct text")
    out(", ".join(counted(count, noun) for count, noun in parts))
    return 0


def _delete(store: str, run: str | None, *, yes: bool, as_json: bool) -> int:
    if run is None:
        raise UsageError("store delete RUN: name the run; agentdebate list runs shows them")
    there = run_content(store, run)
    if not yes:
        say(f"This deletes {_told(there)}")
        if not sys.stdin.isatty():
            raise UsageError("store delete asks first, and there is nobody to answer: say --yes")
        say(f"Delete run {there.run}? Type yes:")
        if sys.stdin.readline().strip() != "yes":
            say("Nothing was deleted.")
            return 1
    gone = delete_run(store, there.run)
    if as_json:
        out_json(asdict(gone))
    else:
        out(f"deleted {_told(gone)}")
    return 0


def _told(content: RunContent) -> str:
    parts = (
        (content.items, "item"), (content.debates, "debate"), (content.messages, "message"), (content.calls, "call"), (content.pieces, "text"),
    )  # fmt: skip
    told = ", ".join(counted(count, noun) for count, noun in parts)
    return one_line(f"run {content.run}: {told} that no other run has")
