"""The page of one debate as a conversation, with the text under judgement beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.meta.run_rows import scales_of
from agentdebate.meta.talk import talk_of
from agentdebate.models.prices import built_in, total_cost
from agentdebate.store.run_head import RunHead
from agentdebate.store.run_tables import RunCall, item_of_debate
from agentdebate.talk.messages import Brief, Failure, Message, Verdict
from agentdebate.tasks import Item
from agentdebate.viewer.colours import Colours, colours_of
from agentdebate.viewer.conversation import Conversation, Section, shown_to, turn_numbers
from agentdebate.viewer.hearing_picture import HearingPicture, hearing_picture
from agentdebate.viewer.query import RunQuery
from agentdebate.viewer.quotes import Quotes, Text
from agentdebate.viewer.run_page import filter_of
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.score_pictures import RoundPicture, round_picture
from agentdebate.viewer.shelf import Shelf

MOST = 1_000
"""Messages of a debate that a page shows."""
_DRAWN = 4
"""Scores of a debate that have a picture."""


@dataclass(frozen=True)
class DebateHead:
    """Head of every page of a debate."""

    run: RunLine
    debate: str
    row: Mapping[str, Any] | None
    """Row as Record.row() gave it; None where the debate has not ended."""
    verdict: Verdict | None
    failure: Failure | None
    """Reason why it ended without one."""
    asked: RunQuery
    at: int | None
    """Place within what is filtered, from 0."""
    before: str | None
    after: str | None
    tokens: int
    calls: int
    seconds: float
    money: float | None


@dataclass(frozen=True)
class DebatePage:
    """A debate as a conversation."""

    head: DebateHead
    briefs: tuple[Text, ...]
    fields: Mapping[str, Text]
    """The item's texts, with what agents quote of them marked; what is judged comes first, since others may be long."""
    judged: tuple[str, ...]
    """The fields that are under judgement."""
    sections: tuple[Section, ...]
    picture: HearingPicture
    scores: tuple[RoundPicture, ...]
    """Scores of agents by round, of the first aspects."""
    cut: int
    """Messages that it has beyond those that are shown."""
    damaged: tuple[str, ...]
    colours: Colours
    deciding: int | None
    """The turn whose ballot the verdict is."""
    calls: Mapping[int, Any] = field(default_factory=dict)
    """The pages of the calls by their numbers, where they stand in this one."""


def debate_page(
    shelf: Shelf,
    head: RunHead,
    debate: str,
    asked: RunQuery,
    *,
    at: int | None = None,
    quotes: Quotes | None = None,
) -> DebatePage:
    """The page of a debate; `quotes` are those of another page beside it. Raises UsageError and StoreError."""
    reader = shelf.reader()
    messages, calls = reader.messages(head.id, debate), reader.calls(head.id, debate)
    item = _item(shelf, head, debate, messages)
    quotes = Quotes(item.fields if item else {}) if quotes is None else quotes
    colours, some = colours_of(shelf, head, messages), messages[:MOST]
    conversation = Conversation(calls, shown=shown_to(some, calls), quotes=quotes)
    sections = tuple(conversation.sections(some))  # first, as it finds what the texts are quoted for
    judged = _judged(head, item)
    top = debate_head(shelf, head, debate, messages, calls, asked=asked, at=at)
    talk, scales = talk_of(messages), scales_of(head)
    names = list(dict.fromkeys(name for one in talk.stands for name in one.values))[:_DRAWN]
    pictures = (round_picture(talk, name, scales.get(name)) for name in names)
    return DebatePage(
        head=top,
        briefs=tuple(quotes_free(message.text) for message in some if isinstance(message, Brief)),
        fields=dict(sorted(quotes.texts().items(), key=lambda one: one[0] not in judged)),
        judged=judged,
        sections=sections,
        picture=hearing_picture(some, colours),
        scores=tuple(one for one in pictures if one),
        cut=len(messages) - len(some),
        damaged=tuple(reader.damage.found),
        colours=colours,
        deciding=turn_numbers(messages).get(top.verdict.deciding or 0) if top.verdict else None,
    )


def quotes_of(shelf: Shelf, head: RunHead, debate: str) -> Quotes:
    """Make the finder of quotations from a debate's item, for pages that are shown beside each other."""
    item = _item(shelf, head, debate, shelf.reader().messages(head.id, debate))
    return Quotes(item.fields if item else {})


def debate_head(
    shelf: Shelf,
    head: RunHead,
    debate: str,
    messages: Sequence[Message],
    calls: Sequence[RunCall],
    *,
    asked: RunQuery,
    at: int | None,
) -> DebateHead:
    """Make the head of a debate's pages. Raises UsageError where there is no such debate."""
    row = shelf.reader().row(head.id, debate)
    if row is None and not messages:
        raise UsageError(f"run {head.id} has no debate {debate!r}")
    before, after = _neighbours(shelf, head, debate, asked, at)
    paid = [call for call in calls if not call.completion.cached]
    return DebateHead(
        run=run_line(shelf, head),
        debate=debate,
        row=row,
        verdict=next((one for one in reversed(messages) if isinstance(one, Verdict)), None),
        failure=next(
            (one for one in reversed(messages) if isinstance(one, Failure) and one.answers is None), None
        ),
        asked=asked,
        at=at,
        before=before,
        after=after,
        tokens=sum(call.completion.usage.tokens for call in paid),
        calls=len(paid),
        seconds=float(row.get("seconds") or 0) if row else sum(call.completion.latency for call in paid),
        money=total_cost(
            ((call.completion.model, call.completion.usage) for call in paid),
            built_in(),
            otherwise=head.model,
        ),
    )


def quotes_free(text: str) -> Text:
    """A text with nothing marked in it."""
    return Quotes({}).said(text)


def _neighbours(
    shelf: Shelf, head: RunHead, debate: str, asked: RunQuery, at: int | None
) -> tuple[str | None, str | None]:
    """The debates before and after it within what is filtered."""
    if at is None:
        return None, None
    start = max(at - 1, 0)
    rows = shelf.debates(head.id).part(filter_of(shelf, head, asked), asked.order, start=start, most=3)
    names = [row["debate"] for row in rows]
    if debate in names:
        place = names.index(debate)
        before, after = names[:place], names[place + 1 :]
    else:  # a debate that ended meanwhile may have come before it
        before, after = names[: at - start], names[at - start + 1 :]
    return (before[-1] if before else None), (after[0] if after else None)


def _item(shelf: Shelf, head: RunHead, debate: str, messages: Sequence[Message]) -> Item | None:
    """The item, by the brief or else by the debate's id."""
    brief = next((one for one in messages if isinstance(one, Brief)), None)
    try:
        return shelf.reader().item(head.id, brief.item if brief else item_of_debate(debate))
    except UsageError:
        return None


def _judged(head: RunHead, item: Item | None) -> tuple[str, ...]:
    task = head.tasks().get(item.task if item else "")
    return (task.candidates or (task.judged,)) if task else ()
