"""agentdebate store: what a store holds, deleting, copying and checking runs."""

import sys
from dataclasses import asdict
from typing import Annotated, Literal

from cyclopts import Parameter

from agentdebate.cli.console.output import one_line, out, out_json, say
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.errors import UsageError
from agentdebate.meta.prose import counted, megabytes
from agentdebate.store.upkeep import (
    CopiedRun,
    RunContent,
    StoreInfo,
    check_store,
    copy_runs,
    delete_run,
    run_content,
    store_info,
)


def store(
    action: Annotated[
        Literal["info", "check", "copy", "delete"],
        Parameter(
            help='"info" says what the store holds; "check" reads all of it and says what is damaged; "copy" copies a run, or '
            'every run, to another store; "delete" deletes a run.'
        ),
    ],
    run: str | None = None,
    /,
    *,
    to: Annotated[
        str | None, Parameter(help="The store to copy to: a SQLite file, or a database URL.")
    ] = None,
    yes: Annotated[bool, Parameter(help="Delete without asking.", negative="", show_default=False)] = False,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Look after a store.

    Parameters
    ----------
    run
        The run, or the beginning of its name; "last" is the newest.

    """
    if to is not None and action != "copy":
        raise UsageError(
            f"--to belongs to store copy: leave it out, or say store copy in the place of store {action}"
        )
    if action == "delete":
        return _delete(store, run, yes=yes, as_json=as_json)
    if action == "check":
        return _check(store, run, as_json=as_json)
    if action == "copy":
        return _copy(store, run, to, as_json=as_json)
    if run is not None:
        raise UsageError(
            f"store {action} is about the whole store: leave out {run!r}, or name the store with --store"
        )
    return _info(store_info(store), as_json=as_json)


def _info(info: StoreInfo, *, as_json: bool) -> int:
    if as_json:
        out_json(asdict(info))
        return 0
    out(one_line(f"{info.place}: schema {info.schema}, {megabytes(info.bytes)}"))
    parts = (info.runs, "run"), (info.debates, "debate"), (info.calls, "call")
    out(", ".join(counted(count, noun) for count, noun in parts))
    return 0


def _check(store: str, run: str | None, *, as_json: bool) -> int:
    found = check_store(store, run)
    if as_json:
        out_json(asdict(found))
        return 1 if found.problems else 0
    for one in found.runs:
        out(one_line(f"{_summed(one)}, digest {one.digest}"))
    for problem in found.problems:
        out(one_line(f"damaged: {problem}"))
    if not found.problems:
        out(one_line(f"{found.place}: {counted(len(found.runs), 'run')}, everything can be read"))
    return 1 if found.problems else 0


def _copy(store: str, run: str | None, to: str | None, *, as_json: bool) -> int:
    if to is None:
        raise UsageError("store copy [RUN] --to STORE: name the store to copy to")
    copied = copy_runs(store, to, run, told=(lambda _: None) if as_json else _tell)
    if as_json:
        out_json([asdict(one) for one in copied])
    elif not copied:
        out("the store has no runs")
    return 0


def _tell(one: CopiedRun) -> None:
    out(one_line(f"{'was there already' if one.was_there else 'copied'}: {_summed(one.content)}"))


def _summed(content: RunContent) -> str:
    parts = (
        (content.items, "item"), (content.debates, "debate"), (content.messages, "message"), (content.calls, "call"),
    )  # fmt: skip
    return f"run {content.run}: " + ", ".join(counted(count, noun) for count, noun in parts)


def _delete(store: str, run: str | None, *, yes: bool, as_json: bool) -> int:
    if run is None:
        raise UsageError("store delete RUN: name the run; agentdebate list runs shows them")
    there = run_content(store, run)
    if not yes:
        say(f"This deletes {one_line(_summed(there))}")
        if not sys.stdin.isatty():
            raise UsageError("store delete asks first, and no terminal is there to answer it: say --yes")
        say(f"Delete run {there.run}? Type yes:")
        if sys.stdin.readline().strip() != "yes":
            say("Nothing was deleted.")
            return 1
    gone = delete_run(store, there.run)
    if as_json:
        out_json(asdict(gone))
    else:
        out(f"deleted {one_line(_summed(gone))}")
    return 0
