"""G-Eval: steps written once, a form filled in, and the mode that was asked for or an error."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine_cases import ANN, BEN, ITEM, TASK, said, verdict_of

import agentdebate as ad
from agentdebate.errors import ContentError, RequestRefused, StrategyError, UnreadableReply
from agentdebate.models.base import Completion, Model, ModelRequest, Sampling, TokenLogprob
from agentdebate.strategies.geval import ALTERNATIVES, GEval
from agentdebate.talk.messages import Score

STEPS = "1. Look at every sentence.\n2. Give a score."
CAST = {"writer": (ANN,), "scorer": (BEN,)}


def geval(mode: str, **options: Any) -> GEval:
    return GEval.model_validate({"mode": mode, "cast": CAST, **options})


Choice = str | tuple[str, Mapping[str, float]]


def tokens(*choices: Choice) -> Completion:
    """A reply of tokens with the probabilities of their alternatives; a bare one is certain."""
    pairs = [(one, {one: 1.0}) if isinstance(one, str) else one for one in choices]
    logprobs = tuple(
        TokenLogprob(
            token=token,
            logprob=math.log(odds[token]),
            top=tuple((name, math.log(share)) for name, share in odds.items()),
        )
        for token, odds in pairs
    )
    return Completion(
        text="".join(token for token, _ in pairs), model="tokens", usage=ad.Usage(calls=1), logprobs=logprobs
    )


def filling(filled: object, steps: str = STEPS) -> ad.Function:
    """A model that writes these steps, and fills the form in so."""

    def reply(request: ModelRequest) -> Any:
        assert request.context is not None
        if request.context.purpose == "steps":
            return steps
        return filled(request) if callable(filled) else filled

    return ad.Function("filling", reply)


async def judged(
    chosen: GEval, model: Model, *scale: ad.Scale, aspect: str = "fluency", **options: Any
) -> ad.Record:
    """One debate on fluency, on another scale where one is given."""
    task = TASK.rescaled({"fluency": scale[0]}) if scale else TASK
    async with ad.ready(chosen, model=model, tasks={"text": task}, **options) as debate:
        return await debate.hold(ITEM, aspect)


async def expected_score(reply: Completion) -> tuple[float, float | None]:
    """The score and its mass."""
    verdict = verdict_of(await judged(geval("expected", steps="task"), filling(reply)))
    return verdict.score, verdict.ballots[0].ballot.reading.mass


def about(score: float, mass: float) -> object:
    return pytest.approx((score, mass))


ODDS = {" 4": 0.5, " 5": 0.25, " 3": 0.125, " N": 0.125}
"""Over the scale: (4 * 0.5 + 5 * 0.25 + 3 * 0.125) / 0.875."""
MEAN = 3.625 / 0.875


async def test_the_expected_score_is_over_the_probabilities_of_the_score_tokens() -> None:
    record = await judged(geval("expected"), filling(tokens("Fluency", ":", (" 4", ODDS))))
    verdict = verdict_of(record)
    assert verdict.score == pytest.approx(MEAN)
    assert (verdict.merge, verdict.ended, verdict.missing) == ("expected score", "one opinion", 0)
    (cast,) = verdict.ballots
    assert cast.ballot.reading.how == "expected"
    assert cast.ballot.reading.mass == pytest.approx(0.875)
    (score,) = said(record, "score")
    assert isinstance(score, Score)
    assert score.text == "Fluency: 4", "what was said stays what was said"
    assert record.calls[-1].request.sampling == Sampling(logprobs=ALTERNATIVES)


@pytest.mark.parametrize(
    "label",
    [
        "Fluency (1-5):",
        "Fluency (a whole number from 1 to 5):",
        "**Fluency (1 = worst, 5 = best):**",
        "1. Fluency (1 to 5):",
        "- fluency [1-5]:",
        "Fluency:",
        "Evaluation form, scores of 1 to 5\n\nFLUENCY:",
        "",
    ],
)
async def test_a_label_that_repeats_the_scale_is_not_the_score(label: str) -> None:
    for score, odds in (("5", {"5": 0.5, "3": 0.5}), ("1", {"1": 0.5, "3": 0.5})):
        mean = (int(score) + 3) / 2
        assert await expected_score(tokens(label, " ", (score, odds), "\n")) == about(mean, 1)


async def test_a_model_that_gives_no_log_probabilities_is_refused_and_no_other_mode_takes_over() -> None:
    record = await judged(geval("expected"), filling("Fluency: 4"))
    assert isinstance(record.error, RequestRefused)
    assert "take a model that gives them" in str(record.error)
    assert record.verdict is None
    assert len(record.calls) == 2, "steps and form, each once: asking again would not help"


async def test_a_score_whose_tokens_cannot_be_told_is_asked_for_again_and_never_guessed() -> None:
    replies = iter([tokens("Fluency:", " four"), tokens("Fluency: ", ("4", {"4": 0.5, "2": 0.5}))])
    record = await judged(geval("expected", steps="task"), filling(lambda request: next(replies)))
    verdict = verdict_of(record)
    assert verdict.score == pytest.approx(3)
    assert verdict.ballots[0].ballot.reading.attempts == 2
    assert "which of its tokens are the score 4" in record.calls[-1].request.messages[-1].content
    never = await judged(geval("expected", steps="task"), filling(tokens("Fluency:", " four")))
    assert isinstance(never.error, UnreadableReply)


async def test_a_form_that_was_cut_off_is_not_read() -> None:
    reply = replace(tokens("Fluency: ", "1"), finish="length")
    record = await judged(geval("expected"), filling(reply), ad.Scale(low=1, high=10))
    assert isinstance(record.error, UnreadableReply)


@pytest.mark.parametrize(
    ("scale", "why"),
    [(ad.Scale(low=1, high=5, step=None), "any number"), (ad.Scale(low=-2, high=2), "negative")],
)
async def test_a_scale_on_which_nothing_can_be_expected_is_refused_before_a_call(
    scale: ad.Scale, why: str
) -> None:
    record = await judged(geval("expected"), filling("Fluency: 1"), scale)
    assert isinstance(record.error, StrategyError)
    assert f"fluency can be {why}" in str(record.error)
    assert record.calls == ()
    assert verdict_of(await judged(geval("single"), filling("Fluency: 1"), scale)).score == 1


async def test_steps_that_never_come_are_the_failure_of_their_debate_and_no_score() -> None:
    record = await judged(geval("single"), filling("Fluency: 4", "Fluency: 4"))
    assert isinstance(record.error, UnreadableReply)
    assert "no steps" in str(record.error)


async def test_steps_are_kept_in_a_file_by_aspect_and_paid_for_once() -> None:
    chosen = geval("single", steps="steps.md", writing={"temperature": 0})
    for aspect in ("fluency", "coherence"):
        first = await judged(chosen, filling(f"{aspect}: 4"), aspect=aspect)
        heat = [(call.agent, call.request.sampling.temperature) for call in first.calls]
        assert heat == [("writer", 0), ("scorer", None)], "the writer has sampling of its own"
    assert read("steps.md") == f"## fluency\n\n{STEPS}\n\n## coherence\n\n{STEPS}\n"
    write("steps.md", read("steps.md").replace("Look at every sentence.", "Look twice."))
    again = await judged(chosen, filling("Fluency: 4"))
    assert [call.agent for call in again.calls] == ["scorer"]
    assert "1. Look twice." in str(again.calls[0].request.messages)
    assert "## coherence" not in str(again.calls[0].request.messages)


async def test_a_folder_for_the_steps_that_is_not_there_is_named() -> None:
    with pytest.raises(ContentError, match="there is no folder for the steps"):
        await judged(geval("single", steps="nowhere/steps.md"), filling("Fluency: 4"))


def read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def write(path: str, text: str) -> None:
    Path(path).write_text(text, encoding="utf-8")
