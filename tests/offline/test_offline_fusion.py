"""The offline judge with evaluators at hand: its plans, what it makes of their scores, and forms without reasons."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import ballot_lines, lineup
from agentdebate.ballots.plan import read_plan
from agentdebate.ballots.sheet import read_sheet
from agentdebate.errors import RequestRefused
from agentdebate.models.base import ChatMessage, Completion, Context, Heard, ModelRequest, Sampling
from agentdebate.offline.model import OfflineJudge
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.strategies.evidence import OPENING
from agentdebate.tasks import Aspect, Item, Task

SUMMARY = load_task("summarization", project=Project())
SOURCE = (
    "The harbour bridge in Westhaven was closed on Monday after engineers found cracks in two steel beams. "
    "Mayor Ines Calder said that repairs would take six weeks and cost 4 million euros. "
    "Ferries will carry commuters across the harbour until the bridge opens again."
)
TEXT = "The bridge was closed after engineers found cracks. Mayor Otto Brandt said that it takes six weeks."
ITEM = Item(fields={"source": SOURCE, "summary": TEXT}, id="one")
KINDS = {"fuse": "samples", "plan": "plan", "fill": "filled", "criticise": "critique", "rule": "ruling"}


@dataclass(frozen=True)
class Turn:
    """One turn of the judge, with the usual things in it."""

    purpose: str = "fuse"
    item: Item = ITEM
    task: Task = SUMMARY
    names: Sequence[str] = ("coherence", "consistency", "fluency", "relevance")
    heard: Sequence[Heard] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    overall: bool = False
    step: float | None = None
    card: str = "fusion-judge"
    reply: str = ""

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        free = tuple(
            aspect.model_copy(update={"scale": aspect.scale.model_copy(update={"step": self.step})})
            for aspect in self.task.choose(self.names)
        )
        whole = Aspect(name="overall", scale=free[0].scale, criterion="Everything together.")
        return (*free, whole) if self.overall else free

    @property
    def context(self) -> Context:
        reply = self.reply or KINDS.get(self.purpose, "score")
        shown = lineup(self.task, self.item)
        lines = ballot_lines(self.aspects, shown)
        seat, heard = self.card, tuple(self.heard)
        return Context(
            self.task, self.item, self.aspects, self.purpose, reply, seat, seat, 1, heard, shown, lines, (), self.given
        )  # fmt: skip

    async def complete(self, sampling: Sampling | None = None) -> Completion:
        request = ModelRequest((ChatMessage("user", "x"),), sampling or Sampling(), context=self.context)
        return await OfflineJudge().complete(request)

    async def said(self) -> str:
        return (await self.complete()).text

    async def scores(self) -> dict[str, float]:
        """The ballot in the reply, as agents read it."""
        text = await self.said()
        ballot = read_sheet(text, self.context.lines)
        assert isinstance(ballot, Ballot), (ballot, text)
        assert text.count(": ") >= len(self.context.lines)
        return ballot.scores

    async def plan(self, *names: str, **about: str) -> Mapping[str, tuple[str, ...]]:
        """The plan in the reply, as agents read it."""
        told = [described(name, about=about.get(name, "")) for name in names]
        turn = replace(self, purpose="plan", given={"evaluators": told})
        chosen = read_plan(await turn.said(), [line.aspect for line in turn.context.lines], names)
        assert isinstance(chosen, Mapping), chosen
        return chosen


def described(name: str, premise: str = "reference", about: str = "") -> dict[str, object]:
    return {"name": name, "low": 0.0, "high": 1.0, "premise": premise, "about": about}


def evidence(*lines: str) -> Heard:
    """Evaluators' scores as the floor tells them."""
    return Heard("floor", "evidence", "\n".join([OPENING, *(f"- {line}" for line in lines)]))


def rouge(score: float | str, of: str = "") -> Heard:
    return evidence(f"rouge-1{of}: {score}, on a range from 0 to 1; compared with the reference")


def plan(*lines: str, sender: str = "planner") -> Heard:
    return Heard(sender, "plan", "\n".join(["Read the text. Coherence: think of all of them.", "", *lines]))


async def test_each_aspect_draws_on_what_can_tell_it() -> None:
    chosen = await Turn().plan("rouge-l", "nli", "perplexity", "ours", ours="How well it flows.")
    assert chosen == {
        "coherence": ("rouge-l", "ours"),
        "consistency": ("rouge-l", "nli"),
        "fluency": ("perplexity",),
        "relevance": ("rouge-l",),
    }


@settings(max_examples=80)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20),
        max_size=4,
        unique=True,
    )
)
async def test_whatever_evaluators_are_called_the_plan_can_be_read(names: list[str]) -> None:
    await Turn().plan(*names, "rouge-l")


async def relevance(*heard: Heard, step: float | None = None) -> float:
    return (await Turn(names=["relevance"], heard=heard, step=step).scores())["relevance"]


async def test_a_score_goes_a_quarter_of_the_way_to_where_the_evaluators_stand() -> None:
    own = await relevance()
    assert await relevance(rouge(1)) == pytest.approx(own + (5 - own) / 4, abs=0.01)
    assert await relevance(rouge(0)) == pytest.approx(own - (own - 1) / 4, abs=0.01)
    assert await relevance(rouge(7)) == await relevance(rouge(1))


@pytest.mark.parametrize("reply", ["filled", "filled-samples"])
async def test_a_form_is_filled_in_without_a_word_besides(reply: str) -> None:
    steps = await Turn("steps", reply="steps").said()
    heard = [Heard("writer", "statement", steps)]
    turn = Turn("fill", heard=heard, step=1, card="form-filler", reply=reply)
    assert re.fullmatch(r"Coherence: \d\nConsistency: \d\nFluency: \d\nRelevance: \d", await turn.said())
    assert await turn.scores() == await Turn("score", step=1, card="scorer").scores()


async def test_a_form_that_wants_log_probabilities_is_refused() -> None:
    with pytest.raises(RequestRefused, match='mode = "sampled"'):
        await Turn("fill", reply="expected").complete(Sampling(logprobs=20))


TOLD = (
    evidence("coherence: 5, on a range from 0 to 5", "odd “The bridge was closed” is too low: 3, on a range from 0 to 5"),
    plan("Coherence: rouge-1. It is too generous: the score is too high, it repeats itself."),
    Heard("floor", "statement", "Coherence: 1\nThe score of 5 is too high: it repeats “The bridge was closed”."),
)  # fmt: skip


@pytest.mark.parametrize(
    ("purpose", "card"),
    [
        ("score", "scorer"),
        ("vote", "referee"),
        ("criticise", "critic-strict"),
        ("revise", "scorer"),
        ("rule", "tie-breaker"),
        ("speak", "general-public"),
        ("summarise", "summarizer"),
        ("forward", "commander"),
    ],
)
@pytest.mark.parametrize(
    "before", [(), (Heard("scorer", "score", "So.", {"coherence": 4.0, "fluency": 2.0}),)]
)
async def test_evidence_and_plans_are_nobodys_ballot_and_nobodys_argument(
    purpose: str, card: str, before: tuple[Heard, ...]
) -> None:
    turn = Turn(purpose, names=("coherence", "fluency"), step=1, card=card, heard=before)
    assert await replace(turn, heard=(*TOLD, *before, *TOLD)).said() == await turn.said()
