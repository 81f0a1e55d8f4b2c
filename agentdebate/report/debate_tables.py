"""What stands below the transcript of a debate: how it ended, its ballots, who saw what, and what models were sent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.debates.record import offline_note
from agentdebate.report.ballot_table import ballot_blocks
from agentdebate.report.readings import BallotReadings
from agentdebate.report.text_table import Block, TextTable
from agentdebate.store.run_tables import RunCall
from agentdebate.talk.messages import Brief, Failure, Message, Verdict
from agentdebate.visible import one_line

RowLookup = Callable[[], Mapping[str, Any] | None]
"""Gives the row of a debate in the store; None as long as it has not ended."""


def outcome_blocks(
    debate: str, messages: Sequence[Message], calls: Sequence[RunCall], row: RowLookup
) -> Iterator[Block]:
    """What came of a debate; `row` is asked where the messages have no end."""
    yield from _ending(debate, messages, row)
    yield from ballot_blocks(messages)
    readings = BallotReadings()
    for message in messages:
        readings.take(debate, message)
    for line in readings.lines():
        yield from (line, "")
    note = offline_note(call.completion.model for call in calls)
    if note:
        yield from (note, "")


def sight_table(messages: Sequence[Message], calls: Sequence[RunCall]) -> TextTable:
    """Which call was shown which messages."""
    names = {m.seq: f"{m.seq} {m.sender} {m.kind}" for m in messages}
    lines = [
        (call.number, call.agent, call.round, call.attempt, ", ".join(names.get(seq, str(seq)) for seq in call.shown))
        for call in calls
    ]  # fmt: skip
    head = ["call", "agent", "round", "attempt", "was shown"]
    return TextTable("Who saw what", head, lines, numeric=["call", "round", "attempt"])


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


def _ending(debate: str, messages: Sequence[Message], row: RowLookup) -> Iterator[Block]:
    """What the transcript itself does not say: that it has no end, or why it never began."""
    if any(isinstance(m, Verdict) or (isinstance(m, Failure) and m.answers is None) for m in messages):
        return
    found = row()
    if found is None:
        yield one_line(f"{debate}: this debate has not ended")
    elif outcome_of(found) is FAILURE:
        yield one_line(f"{debate}: failed: {found['failure']['error']}: {found['failure']['reason']}")
