"""What stands below the transcript of a debate: how it ended, its ballots and how they were read, who saw what, and prompts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from agentdebate.ballots.replies.outcome import class_of
from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.debates.record import offline_note
from agentdebate.meta.prose import counted
from agentdebate.meta.replies import WAYS
from agentdebate.report.grid import Block, Grid
from agentdebate.store.run_tables import RunCall
from agentdebate.talk.messages import Brief, CastBallot, Failure, Message, Verdict
from agentdebate.visible import one_line

WIDE = 4
"""The most ratings of a ballot that have a column each."""
ENDINGS = ("verdict", "failure")
"""The kinds of message that say how ballots were read."""

RowLookup = Callable[[], Mapping[str, Any] | None]
"""Gives the row of a debate in the store; None as long as it has not ended."""


def outcome_blocks(
    debate: str, messages: Sequence[Message], calls: Sequence[RunCall], row: RowLookup
) -> Iterator[Block]:
    """What came of a debate; `row` is asked where the messages have no end."""
    if not any(isinstance(m, Verdict) or (isinstance(m, Failure) and m.answers is None) for m in messages):
        yield from _unfinished(debate, row())
    cast = [ballot for message in messages if isinstance(message, Verdict) for ballot in message.ballots]
    if cast:
        yield from (ballot_grid(cast, messages), "")
    for line in (readings_told(messages), offline_note(call.completion.model for call in calls)):
        if line:
            yield from (line, "")


def ballot_grid(cast: Sequence[CastBallot], messages: Sequence[Message] = ()) -> Grid:
    """Who cast which ballot, with the model that spoke, and how it was read; in which order texts were shown, where it differs.

    A ballot of many ratings has a line for each of them.
    """
    names = list(dict.fromkeys(name for one in cast for name in one.ballot.scores))
    orders = [_order(one, messages) for one in cast]
    more: dict[str, list[Any]] = {
        "weight": [f"{one.weight:.3f}" for one in cast] if any(one.weight != 1 for one in cast) else [],
        "confidence": [_confidence(one) for one in cast]
        if any(one.ballot.confidence for one in cast)
        else [],
        "shown": [", ".join(order) for order in orders] if len(set(orders)) > 1 else [],
    }
    more = {name: cells for name, cells in more.items() if cells}
    lines: list[list[object]] = []
    for place, one in enumerate(cast):
        ends = [*(cells[place] for cells in more.values()), one.model, _read_how(one)]
        scores = one.ballot.scores
        if len(names) > WIDE:
            lines += [[one.agent, one.round, name, score, *ends] for name, score in scores.items()]
        else:
            lines.append([one.agent, one.round, *(scores.get(name) for name in names), *ends])
    rated = ["rating", "score"] if len(names) > WIDE else names
    head = ["agent", "round", *rated, *more, "model", "read from"]
    return Grid("Ballots", head, lines, ["round", "score", "weight", *names])


def readings_told(messages: Iterable[Message]) -> str:
    """Say how the ballots of debates were read: by the form, by JSON, by a pattern, after a question back, or not at all."""
    ways, again, refused, never = Counter(dict.fromkeys(WAYS.values(), 0)), 0, 0, 0
    for message in messages:
        if isinstance(message, Failure):
            never += message.error == "UnreadableReply" and message.answers is not None
        for cast in message.ballots if isinstance(message, Verdict) else ():
            reading = cast.ballot.reading
            # A kind of ballot that has no rules reads nothing but its form.
            kind = "JSON" if reading.how == "schema" else class_of(reading.rule) if reading.rule else "form"
            ways[WAYS[kind]] += 1
            again += reading.attempts > 1
            refused += reading.attempts - 1
    if not (ways.total() or never):
        return ""
    told = ", ".join(f"{count:,} read by {way}" for way, count in ways.items())
    back = (
        f", {again:,} of them after a question back ({counted(refused, 'reply', 'replies')} refused)"
        if again
        else ""
    )
    lost = f"; {counted(never, 'answer')} could not be read" if never else ""
    return f"Of {counted(ways.total(), 'ballot')} {told}{back}{lost}."


def sight_table(messages: Sequence[Message], calls: Sequence[RunCall]) -> Grid:
    """Which call was shown which messages."""
    names = {m.seq: f"{m.seq} {m.sender} {m.kind}" for m in messages}
    lines = [
        (call.number, call.agent, call.round, call.attempt, ", ".join(names.get(seq, str(seq)) for seq in call.shown))
        for call in calls
    ]  # fmt: skip
    return Grid(
        "Who saw what",
        ["call", "agent", "round", "attempt", "was shown"],
        lines,
        ["call", "round", "attempt"],
    )


def prompt_blocks(messages: Sequence[Message], calls: Sequence[RunCall]) -> Iterator[Block]:
    """What the models were sent, and replied, word for word."""
    brief = next((message.text for message in messages if isinstance(message, Brief)), "")
    yield f"--- every call begins with\n{brief}\n"
    for call in calls:
        yield one_line(f"--- call {call.number}: {call.agent}, round {call.round}, attempt {call.attempt}")
        for part in call.prompt:
            yield f"[{one_line(part['role'])}]\n{part['content']}\n"
        yield f"[reply of {one_line(call.completion.model)}]\n{call.completion.text}\n"


def has_unreadable_reply(messages: Sequence[Message]) -> bool:
    """Whether a reply could not be read."""
    return any(isinstance(m, Failure) and m.error == "UnreadableReply" for m in messages)


def _unfinished(debate: str, row: Mapping[str, Any] | None) -> Iterator[str]:
    """What the transcript itself does not say: that it has no end, or why it never began."""
    if row is None:
        yield one_line(f"{debate}: this debate has not ended")
    elif outcome_of(row) is FAILURE:
        yield one_line(f"{debate}: failed: {row['failure']['error']}: {row['failure']['reason']}")


def _confidence(cast: CastBallot) -> str | None:
    """How sure the agent was, and from where that is known."""
    sure = cast.ballot.confidence
    if sure is None:
        return None
    of = "" if sure.repeats is None else f" of {sure.repeats}"
    return f"{sure.value:.2f} ({sure.source}{of})"


def _order(cast: CastBallot, messages: Sequence[Message]) -> tuple[str, ...]:
    """In which order the texts were shown to the agent; nothing where none are compared."""
    speaker = next((m.sender for m in messages if m.seq == cast.message), cast.agent)
    sitting = speaker.partition("#")[2]
    briefs = [m for m in messages if isinstance(m, Brief) and m.seq < cast.message]
    own = [m for m in briefs if any(name.partition("#")[2] == sitting for name in m.to)]
    return own[-1].candidates if own else ()


def _read_how(cast: CastBallot) -> str:
    """How a ballot was got out of the reply, and how many replies that took where it was not the first."""
    reading = cast.ballot.reading
    mass = "" if reading.mass is None else f" over {reading.mass:.1%}"
    again = "" if reading.attempts == 1 else f", reply {reading.attempts}"
    rule = f"/{reading.rule.replace(', ', '+')}" if reading.rule else ""
    return f"{reading.how}{rule}{mass}{again}"
