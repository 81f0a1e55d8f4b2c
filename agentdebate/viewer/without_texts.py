"""Pages for everybody: without texts and prompts, and without what repeats them. Ids, names of agents, scores and figures stay."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agentdebate.viewer.conversation import Card, Section, Step
from agentdebate.viewer.debate_page import DebateHead, DebatePage
from agentdebate.viewer.failures_page import FailuresPage
from agentdebate.viewer.hearing_picture import HearingPicture
from agentdebate.viewer.quotes import Piece, Text
from agentdebate.viewer.run_page import DebateLine

LEFT_OUT = "left out"
"""Stands where a text was."""

Row = Mapping[str, Any]


def line_without_texts(line: DebateLine) -> DebateLine:
    """A debate's line, without what could not be read or was refused."""
    return replace(line, row=row_without_texts(line.row))


def row_without_texts(row: Row) -> Row:
    """A debate's row, without reasons: they quote replies."""
    failure = row.get("failure")
    return {
        **row,
        "abstained": LEFT_OUT if row.get("abstained") else "",
        "failure": {**failure, "reason": ""} if failure else failure,
        "lost": [{**one, "reason": ""} for one in row.get("lost") or ()],
    }


def failures_without_texts(page: FailuresPage) -> FailuresPage:
    """The failures by kind, without their reasons."""
    kinds = tuple(
        replace(kind, reasons=(), examples=tuple(map(row_without_texts, kind.examples)))
        for kind in page.kinds
    )
    return replace(page, kinds=kinds)


def debate_without_texts(page: DebatePage) -> DebatePage:
    """Who spoke when, which scores it gave, and what it cost."""
    agents = {card.agent for section in page.outline for step in section.steps for card in step.cards}
    sections = tuple(map(_section, page.sections))
    return replace(
        page,
        head=_head(page.head),
        briefs=(),
        fields={name: _left_out(text) for name, text in page.fields.items()},
        outline=sections,
        sections=sections,
        picture=_picture(page.picture, agents),
        calls={},
    )


def _head(head: DebateHead) -> DebateHead:
    verdict, failure = head.verdict, head.failure
    return replace(
        head,
        row=row_without_texts(head.row) if head.row else None,
        verdict=replace(verdict, unsent=()) if verdict else None,
        failure=replace(failure, reason=LEFT_OUT) if failure else None,
    )


def _section(section: Section) -> Section:
    steps = [
        Step(step.round, [_card(card) for card in step.cards], "", step.seq)
        for step in section.steps
        if step.cards
    ]
    return Section(section.sitting, section.round, steps)


def _card(card: Card) -> Card:
    return replace(card, text=_left_out(card.text), line=card.scores, read=(), purpose=card.purpose)


def _picture(picture: HearingPicture, agents: set[str]) -> HearingPicture:
    """The picture of the agents that spoke; a name that a model has made up is a text of its own."""
    known = agents | {"verdict", "floor"}
    nodes = tuple(node for node in picture.nodes if node.name in known)
    return replace(
        picture,
        nodes=nodes,
        arrows=tuple(one for one in picture.arrows if {one.speaker, one.hearer} <= known),
    )


def _left_out(text: Text) -> Text:
    return Text((Piece(f"{LEFT_OUT}: {text.length:,} characters"),), 0)
