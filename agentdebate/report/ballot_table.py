"""Blocks below the transcript of a debate: its ending, its ballots and how they were read, who saw what, and prompts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from agentdebate.ballots.replies.outcome import class_of
from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.debates.record import offline_note
from agentdebate.meta.prose import counted
from agentdebate.meta.replies import WAYS
from agentdebate.report.grid import Block, Columns, Grid
from agentdebate.store.run_tables import RunCall
from agentdebate.talk.messages import Brief, CastBallot, Failure, Message, Verdict
from agentdebate.visible import one_line

RowLookup = Callable[[], Mapping[str, Any] | None]
"""Gives the row of a debate in the store; None as long as it has not ended."""

_BALLOTS: Columns = {
    "agent": lambda line: line[0].agent,
    "round": lambda line: line[0].round,
    "rating": lambda line: line[1],
    "score": lambda line: line[2],
    "model": lambda line: line[0].model,
    "read from": lambda line: f"{line[0].ballot.reading.how} {line[0].ballot.reading.rule}".strip(),
}


def outcome_blocks(
    debate: str, messages: Sequence[Message], calls: Sequence[RunCall], row: RowLookup
) -> Iterator[Block]:
    """Show the outcome of a debate; `row` is asked where the messages have no end."""
    if not any(isinstance(m, Verdict) or (isinstance(m, Failure) and m.answers is None) for m in messages):
        yield from _unfinished(debate, row())
    cast = [ballot for message in messages if isinstance(message, Verdict) for ballot in message.ballots]
    if cast:
        yield from (ballot_grid(cast), "")
    for line in (readings_told(messages), offline_note(call.completion.model for call in calls)):
        if line:
            yield from (line, "")


def ballot_grid(cast: Sequence[CastBallot]) -> Grid:
    """List the ballots with agent, model and reading rule: a line a rating."""
    lines = [(one, name, score) for one in cast for name, score in one.ballot.scores.items()]
    return Grid.of("Ballots", lines, _BALLOTS, numeric=["round", "score"])


def readings_told(messages: Iterable[Message]) -> str:
    """Say how the ballots of debates were read: by the form, by JSON, by a pattern, and how many after a question back."""
    ways, again = Counter(dict.fromkeys(WAYS.values(), 0)), 0
    for cast in (cast for message in messages if isinstance(message, Verdict) for cast in message.ballots):
        reading = cast.ballot.reading
        # A kind of ballot that has no rules reads nothing but its form.
        kind = "JSON" if reading.how == "schema" else class_of(reading.rule) if reading.rule else "form"
        ways[WAYS[kind]] += 1
        again += reading.attempts > 1
    told = ", ".join(f"{count:,} read by {way}" for way, count in ways.items())
    back = f", {again:,} of them after a question back" if again else ""
    return f"Of {counted(ways.total(), 'ballot')} {told}{back}." if ways.total() else ""


def sight_table(messages: Sequence[Message], calls: Sequence[RunCall]) -> Grid:
    """List the messages that each call was shown."""
    names = {m.seq: f"{m.seq} {m.sender} {m.kind}" for m in messages}
    columns: Columns = {
        "call": "number",
        "agent": "agent",
        "round": "round",
        "attempt": "attempt",
        "was shown": lambda call: ", ".join(names.get(seq, str(seq)) for seq in call.shown),
    }
    return Grid.of("Who saw what", calls, columns, numeric=["call", "round", "attempt"])


def prompt_blocks(messages: Sequence[Message], calls: Sequence[RunCall]) -> Iterator[Block]:
    """Show the prompts and replies, word for word."""
    brief = next((message.text for message in messages if isinstance(message, Brief)), "")
    yield f"--- every call begins with\n{brief}\n"
    for call in calls:
        yield one_line(f"--- call {call.number}: {call.agent}, round {call.round}, attempt {call.attempt}")
        for part in call.prompt:
            yield f"[{one_line(part['role'])}]\n{part['content']}\n"
        yield f"[reply of {one_line(call.completion.model)}]\n{call.completion.text}\n"


def _unfinished(debate: str, row: Mapping[str, Any] | None) -> Iterator[str]:
    """Say what the transcript does not: that it has no end, or why it never began."""
    if row is None:
        yield one_line(f"{debate}: this debate has not ended")
    elif outcome_of(row) is FAILURE:
        yield one_line(f"{debate}: failed: {row['failure']['error']}: {row['failure']['reason']}")
