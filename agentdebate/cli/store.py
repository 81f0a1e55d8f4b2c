"""agentdebate store: what a store holds, deleting, copying and checking runs."""

from dataclasses import asdict
from typing import Literal

from agentdebate.cli.console.output import one_line, out, out_json
from agentdebate.cli.options.common import STORE, Json, StorePath
from agentdebate.errors import UsageError
from agentdebate.report.prose import counted, megabytes
from agentdebate.store.place import shown
from agentdebate.store.upkeep import (
    RunContent,
    check_store,
    copy_runs,
    delete_run,
    store_info,
)


def store(
    action: Literal["info", "check", "copy", "delete"],
    run: str | None = None,
    /,
    *,
    to: str | None = None,
    yes: bool = False,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Look after a store.

    Example: agentdebate store delete last --store runs.db

    Parameters
    ----------
    action
        "info" says what the store holds; "check" reads all of it and says what is damaged; "copy" copies a run, or every run, to
        another store; "delete" deletes a run.
    run
        The run, or the beginning of its name; "last" is the newest.
    to
        The store to copy to: a SQLite file, or a database URL.
    yes
        Delete the run; without it, delete says what it would delete.

    """
    if (to is not None and action != "copy") or (run is not None and action == "info"):
        raise UsageError(f"store {action} takes no {'--to' if to else 'run'}: leave out {(to or run)!r}")
    if action == "delete":
        return _delete(store, run, yes=yes, as_json=as_json)
    if action == "check":
        return _check(store, run, as_json=as_json)
    if action == "copy":
        return _copy(store, run, to, as_json=as_json)
    info = store_info(store)
    held = _counts(info, "run", "debate", "call")
    _print(
        asdict(info), f"{info.place}: schema {info.schema}, {megabytes(info.bytes)}", held, as_json=as_json
    )
    return 0


def _print(data: object, *lines: str, as_json: bool) -> None:
    """Print what was found: as JSON, or in lines."""
    if as_json:
        out_json(data)
    else:
        for line in lines:
            out(one_line(line))


def _check(store: str, run: str | None, *, as_json: bool) -> int:
    found = check_store(store, run)
    lines = [_summed(one) for one in found.runs]
    lines += [f"damaged: {problem}" for problem in found.problems] or [
        f"{found.place}: {counted(len(found.runs), 'run')}, everything can be read"
    ]
    _print(asdict(found), *lines, as_json=as_json)
    return 1 if found.problems else 0


def _copy(store: str, run: str | None, to: str | None, *, as_json: bool) -> int:
    if to is None:
        raise UsageError("store copy [RUN] --to STORE: name the store to copy to")
    copied = copy_runs(store, to, run)
    lines = [f"copied: {_summed(one)}" for one in copied]
    _print([asdict(one) for one in copied], *(lines or ["the store has no runs"]), as_json=as_json)
    return 0


def _delete(store: str, run: str | None, *, yes: bool, as_json: bool) -> int:
    if run is None:
        raise UsageError("store delete RUN: name the run; agentdebate list runs shows them")
    if not yes:
        raise UsageError(f"this would delete the run {run} of {shown(store)}: say --yes")
    gone = delete_run(store, run)
    _print(asdict(gone), f"deleted {_summed(gone)}", as_json=as_json)
    return 0


def _summed(content: RunContent) -> str:
    """Name a run, and count what it has."""
    return f"run {content.run}: {_counts(content, 'item', 'debate', 'message', 'call')}"


def _counts(found: object, *nouns: str) -> str:
    return ", ".join(counted(getattr(found, f"{noun}s"), noun) for noun in nouns)
