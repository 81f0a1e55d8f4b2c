"""agentdebate show: a run's summary, one debate's transcript, who saw what."""

import time
from collections.abc import Mapping, Sequence
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.ballots import show_ballots
from agentdebate.cli.console import console, number, offline_note, out, out_json, table
from agentdebate.cli.graph import show_graph
from agentdebate.cli.heading import heading
from agentdebate.cli.live import LiveView
from agentdebate.cli.options import STORE, Json, StorePath
from agentdebate.cli.rows import aspect_order, ordered
from agentdebate.cli.tables import print_failures, print_results, see_debate, see_run
from agentdebate.errors import UsageError, nearest
from agentdebate.messages import Brief, Failure, Message, Reply, Verdict
from agentdebate.store.lock import state
from agentdebate.store.reader import LAST, Reader, RunHead, StoredCall, read_store

HINT = "replies that could not be read, word for word"
"""What --prompts shows of a debate that lost an agent."""

FEW = 5
"""Debates that an error message names as examples."""


def show(
    run: str = LAST,
    debate: str | None = None,
    /,
    *,
    who: Annotated[
        bool,
        Parameter(help="Show which messages each model call was shown.", negative="", show_default=False),
    ] = False,
    prompts: Annotated[
        bool,
        Parameter(help="Show what the models were sent, word for word.", negative="", show_default=False),
    ] = False,
    graph: Annotated[
        bool,
        Parameter(
            help="Draw who heard whom in the debate, as Mermaid, and nothing else.",
            negative="",
            show_default=False,
        ),
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
            for option, asked in {"--graph": graph, "--who": who, "--prompts": prompts}.items():
                if asked:
                    raise UsageError(f"{option} is about one debate: name it behind the run")
            _show_run(reader, head, store, as_json=as_json)
            return 0
        for name in _debates(reader, head.id, debate):
            if graph:
                show_graph(reader.messages(head.id, name), {"debate": name}, as_json=as_json)
            else:
                _show_debate(reader, head.id, name, who=who, prompts=prompts, as_json=as_json)
                if not (prompts or as_json) and _unreadable(reader.messages(head.id, name)):
                    out(f"{HINT}: {see_debate(head.id, name, store)} --prompts\n")
    return 0


def _show_run(reader: Reader, head: RunHead, store: str, *, as_json: bool) -> None:
    rows = list(reader.rows(head.id))
    left = len(reader.debates(head.id)) - len(rows)
    how_far = state(store, head.id, ended=head.ended is not None)
    if as_json:
        out_json({**vars(head), "state": how_far, "not_ended": left, "rows": rows})
        return
    out(f"run {head.id}: strategy {head.strategy}, task {head.task}, model {head.model}{_others(head)}")
    open_ended = f", {number(left, 'debate')} not ended" if left else ""
    begun = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(head.created))
    out(
        f"begun {begun}, {how_far}: "
        f"{number(head.verdicts, 'verdict')}, {number(head.failures, 'failure')}{open_ended}"
    )
    for line in heading(head.configuration, rows):
        out(line)
    out()
    if rows:
        print_results(
            ordered(rows, [row["id"] for row in rows], aspect_order(head)), see=see_run(head.id, store)
        )
    print_failures(rows)


def _others(head: RunHead) -> str:
    """The models that some of the agents have of their own."""
    strategy = head.configuration.get("strategy")
    models = strategy.get("models") if isinstance(strategy, Mapping) else None
    return "".join(f", {agent} by {model}" for agent, model in (models or {}).items())


def _debates(reader: Reader, run: str, name: str) -> list[str]:
    """The debate of that name, or all debates about the item of that name."""
    known = reader.debates(run)
    if name in known:
        return [name]
    about = [debate for debate in known if debate.rpartition("/")[0] == name]
    if not about:
        some = known if len(known) <= FEW else known[:FEW]
        hint = nearest(name, [*known, *(debate.rpartition("/")[0] for debate in known)])
        if hint.startswith("Known"):
            hint = f"It has {number(len(known), 'debate')}, such as {', '.join(some)}." if known else ""
        raise UsageError(f"run {run} has no debate or item {name!r}. {hint}".strip())
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
    view = LiveView(console(), numbered=who)
    for message in messages:
        view(message)
    _show_ending(reader, run, debate, messages)
    show_ballots(messages)
    note = offline_note(call.completion.model for call in calls)
    if note:
        out(f"{note}\n")
    if who:
        _show_who(messages, calls)
    if prompts:
        _show_prompts(messages, calls)


def _show_ending(reader: Reader, run: str, debate: str, messages: Sequence[Message]) -> None:
    """What the transcript itself does not say: that it has no end, or why it never began."""
    if any(isinstance(m, Verdict) or (isinstance(m, Failure) and m.answers is None) for m in messages):
        return
    row = next((row for row in reader.rows(run) if row["debate"] == debate), None)
    if row is None:
        out(f"{debate}: this debate has not ended")
    elif row["failure"]:
        out(f"{debate}: failed: {row['failure']['error']}: {row['failure']['reason']}")


def _unreadable(messages: Sequence[Message]) -> bool:
    return any(isinstance(m, Failure) and m.error == "UnreadableReply" for m in messages)


def _show_who(messages: Sequence[Message], calls: Sequence[StoredCall]) -> None:
    """Which call was shown which messages."""
    names = {m.seq: f"{m.seq} {m.sender} {m.kind}" for m in messages if isinstance(m, Reply | Brief)}
    lines = [
        (
            call.number,
            call.agent,
            call.round,
            call.attempt,
            ", ".join(names.get(seq, str(seq)) for seq in call.shown),
        )
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
