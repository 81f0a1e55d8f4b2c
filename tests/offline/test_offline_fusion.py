"""The offline judge with evaluators at hand: its plans, what it makes of their scores, and forms without reasons."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turn import SOURCE, Turn

from agentdebate.ballots.plan import read_plan
from agentdebate.errors import RequestRefused
from agentdebate.models.base import Heard, Sampling
from agentdebate.strategies.evidence import OPENING
from agentdebate.tasks import Item, Scale

TEXT = "The bridge was closed after engineers found cracks. Mayor Otto Brandt said that it takes six weeks."
ITEM = Item(fields={"source": SOURCE, "summary": TEXT}, id="one")
WHOLE, ANY = Scale(low=1, high=5), Scale(low=1, high=5, step=None)
fusing = partial(Turn, item=ITEM, purpose="fuse", scale=ANY, card="fusion-judge")


async def planned(*names: str, **about: str) -> Mapping[str, tuple[str, ...]]:
    """The plan in the reply, as agents read it."""
    told = [described(name, about=about.get(name, "")) for name in names]
    turn = fusing(purpose="plan", given={"evaluators": told})
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


def plan(*lines: str) -> Heard:
    return Heard(
        "planner", "plan", "\n".join(["Read the text. Coherence: think of all of them.", "", *lines])
    )


async def test_each_aspect_draws_on_what_can_tell_it() -> None:
    chosen = await planned("rouge-l", "nli", "perplexity", "ours", ours="How well it flows.")
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
    await planned(*names, "rouge-l")


async def relevance(*heard: Heard) -> float:
    return (await fusing(names=["relevance"], heard=heard).scores())["relevance"]


async def test_a_score_goes_a_quarter_of_the_way_to_where_the_evaluators_stand() -> None:
    own = await relevance()
    assert await relevance(rouge(1)) == pytest.approx(own + (5 - own) / 4, abs=0.01)
    assert await relevance(rouge(0)) == pytest.approx(own - (own - 1) / 4, abs=0.01)
    assert await relevance(rouge(7)) == await relevance(rouge(1))


@pytest.mark.parametrize("reply", ["filled", "filled-samples"])
async def test_a_form_is_filled_in_without_a_word_besides(reply: str) -> None:
    steps = await fusing(purpose="steps", reply="steps").said()
    heard = [Heard("writer", "statement", steps)]
    turn = fusing(purpose="fill", heard=heard, scale=WHOLE, card="form-filler", reply=reply)
    assert re.fullmatch(r"Coherence: \d\nConsistency: \d\nFluency: \d\nRelevance: \d", await turn.said())
    assert await turn.scores() == await Turn(item=ITEM).scores()


async def test_a_form_that_wants_log_probabilities_is_refused() -> None:
    with pytest.raises(RequestRefused, match='mode = "sampled"'):
        await fusing(purpose="fill", reply="expected").complete(Sampling(logprobs=20))


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
    turn = Turn(item=ITEM, purpose=purpose, names=("coherence", "fluency"), card=card, heard=before)
    assert await replace(turn, heard=(*TOLD, *before, *TOLD)).said() == await turn.said()
