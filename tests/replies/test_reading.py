"""Replies with made judgements, of which the truth is known, and replies of real judges: how many are read, and how many wrong."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentdebate.ballots.replies.choices import TIE, read_choice
from agentdebate.ballots.replies.critic import read_critic
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.tasks import Aspect, Scale
from replies.corpus import ScoreReply, corpus
from replies.readers import read, read_critique, truth_of
from replies.stop_word import critiques
from replies.wording import Half

HALVES: tuple[Half, ...] = ("seen", "held")
MADE = 4_000


@pytest.mark.parametrize("half", HALVES)
def test_at_most_one_made_reply_in_two_hundred_is_read_wrong(half: Half) -> None:
    read_as = [(read(reply), truth_of(reply)) for reply in corpus(half, size=MADE)]
    wrong = sum(said is not None and said != truth for said, truth in read_as)
    assert wrong <= MADE / 200


@pytest.mark.parametrize("half", HALVES)
def test_while_an_agent_can_be_asked_again_no_form_line_is_read_wrong(half: Half) -> None:
    wrong = 0
    for reply in corpus(half, size=MADE):
        if isinstance(reply, ScoreReply):
            found = read_scores(reply.text, reply.aspects, cut_off=reply.wording.cut_off, patterns=False)
            wrong += not found.refused and found.rule == "form" and found.scores != reply.scores
    assert wrong <= MADE / 2000


@pytest.mark.parametrize("half", HALVES)
def test_a_critic_agrees_by_the_stop_word_alone(half: Half) -> None:
    outcomes = {(critique.kind, read_critique(critique)) for critique in critiques(half)}
    assert {outcome for kind, outcome in outcomes if kind in ("last-line", "last-sentence")} == {"agrees"}
    assert {outcome for kind, outcome in outcomes if kind == "objection"} == {"objects"}
    assert ("other-words", "agrees") not in outcomes
    assert not {("mention", "agrees"), ("part", "agrees"), ("prose", "objects")} & outcomes


def recorded(shared: Path, name: str) -> Iterator[dict[str, Any]]:
    for line in (shared / "replies" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


@pytest.mark.shared
def test_scores_of_real_judges_are_read(shared: Path) -> None:
    rows = list(recorded(shared, "judges_scores"))
    unread = 0
    for row in rows:
        aspects = [
            Aspect(name=name, scale=Scale(low=1, high=5, step=row["step"]), criterion="-")
            for name in row["aspects"]
        ]
        unread += bool(read_scores(row["reply"], aspects).refused)
    assert unread <= 0.007 * len(rows)


@pytest.mark.shared
def test_choices_of_real_judges_are_read_as_their_authors_read_them(shared: Path) -> None:
    """Where a reply closes with "Output (b) is better." and its label names the other one, the label is wrong."""
    labels, places = ("Output (a)", "Output (b)"), {"1": "Output (a)", "2": "Output (b)"}
    read_as = [
        (row["reply"], read_choice(row["reply"], labels, ties=False).choice, places.get(row["shown_winner"]))
        for row in recorded(shared, "llmbar_natural")
    ]
    read_as += [
        (row["reply"], read_choice(row["reply"], row["labels"], ties=row["ties"]).choice, row["choice"])
        for row in recorded(shared, "judges_choices")
    ]
    assistants = ("Assistant 1", "Assistant 2")
    read_as += [
        (row["reply"], read_choice(row["reply"], assistants).choice, [*assistants, TIE][row["verdict"] - 1])
        for row in recorded(shared, "prd_reviews")
    ]
    known = [one for one in read_as if one[2] is not None]
    differing = [one for one in known if one[1] not in (None, one[2])]
    assert sum(choice is None for _, choice, _ in known) <= 0.01 * len(known)
    assert len(differing) <= 0.003 * len(known)
    assert [one for one in differing if f"{one[1]} is better." not in one[0][-250:]] == []


@pytest.mark.shared
def test_no_recorded_critic_is_taken_to_agree(shared: Path) -> None:
    """None of these says the stop word, and none of them agrees."""
    assert {read_critic(row["reply"]).agrees for row in recorded(shared, "judges_critics")} == {False}
