"""agentdebate show: a run's summary, one debate's transcript, who saw what."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console import console, offline_note, out, out_json, say, table
from agentdebate.cli.live import LiveView
from agentdebate.cli.options import STORE, Json, StorePath
from agentdebate.cli.tables import print_aspects, print_items
from agentdebate.errors import StoreError, nearest
from agentdebate.messages import Brief, Message, Reply
from agentdebate.store.reader import LAST, Reader, RunHead, StoredCall, read_store


def show(
    run: str = LAST,
    debate: str | None = None,
    /,
    *,
    who: Annotated[
        bool, Parameter(help="Show which messages each model call was shown.", negative="")
    ] = False,
    prompts: Annotated[
        bool, Parameter(help="Show what the models were sent, word for word.", negative="")
    ] = False,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Show a run, or one debate of it.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    debate
        A debate of the run (an item and an aspect), or an item for all debates about it.

    """
    with read_store(store) as reader:
        head = reader.run(run)
        if debate is None:
            _show_run(reader, head, as_json=as_json)
            return 0
        for name in _debates(reader, head.id, debate):
            _show_debate(reader, head.id, name, who=who, prompts=prompts, as_json=as_json)
    return 0


def _show_run(reader: Reader, head: RunHead, *, as_json: bool) -> None:
    rows = list(reader.rows(head.id))
    if as_json:
        out_json({**vars(head), "rows": rows})
        return
    state = "ended" if head.ended else "running or stopped"
    out(f"{head.id}: strategy {head.strategy}, task {head.task}, model {head.model} ({state})")
    held = len(reader.debates(head.id))
    out(f"{head.verdicts} verdicts, {head.failures} failures, {held - len(rows)} debates not ended")
    if rows:
        print_items(rows)
        print_aspects(rows)
    _show_failures(rows)
    note = offline_note(model for row in rows for model in row["models"])
    if note:
        say(note)


def _show_failures(rows: Sequence[dict[str, Any]]) -> None:
    failed = [row for row in rows if row["failure"]]
    if not failed:
        return
    kinds = Counter(row["failure"]["error"] for row in failed)
    examples = {row["failure"]["error"]: row for row in reversed(failed)}
    lines = [
        (count, kind, examples[kind]["debate"], examples[kind]["failure"]["reason"])
        for kind, count in kinds.items()
    ]
    table("Failures", ["count", "kind", "for example", "reason"], lines, numeric=["count"])


def _debates(reader: Reader, run: str, name: str) -> list[str]:
    """The debate of that name, or all debates about the item of that name."""
    known = reader.debates(run)
    if name in known:
        return [name]
    about = [debate for debate in known if debate.rpartition("/")[0] == name]
    if not about:
        raise StoreError(f"run {run} has no debate or item {name!r}. {nearest(name, known)}")
    return about


def _show_debate(reader: Reader, run: str, debate: str, *, who: bool, prompts: bool, as_json: bool) -> None:
    messages, calls = reader.messages(run, debate), reader.calls(run, debate)
    if as_json:
        out_json(
            {
                "debate": debate,
                "messages": [message.model_dump(mode="json") for message in messages],
                "calls": [
                    {**vars(call), "completion": call.completion.model_dump(mode="json")} for call in calls
                ],
            }
        )
        return
    view = LiveView(console())
    for message in messages:
        view(message)
    if who:
        _show_who(messages, calls)
    if prompts:
        _show_prompts(messages, calls)


def _show_who(messages: Sequence[Message], calls: Sequence[StoredCall]) -> None:
    """Which call was shown which messages."""
    names = {m.seq: f"{m.seq} {m.sender} {m.kind}" for m in messages if isinstance(m, Reply | Brief)}
    lines = [
        (call.number, call.agent, call.round, call.attempt, ", ".join(names[seq] for seq in call.shown))
        for call in calls
    ]
    table(
        "Who saw what",
        ["call", "agent", "round", "attempt", "was shown"],
        lines,
        numeric=["call", "round", "attempt"],
    )


def _show_prompts(messages: Sequence[Message], calls: Sequence[StoredCall]) -> None:
    brief = next((message.text for message in messages if isinstance(message, Brief)), "")
    out(f"--- every call begins with\n{brief}\n")
    for call in calls:
        out(f"--- call {call.number}: {call.agent}, round {call.round}, attempt {call.attempt}")
        for part in call.prompt:
            out(f"[{part['role']}]\n{part['content']}\n")
        out(f"[reply of {call.completion.model}]\n{call.completion.text}\n")
