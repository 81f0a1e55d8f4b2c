"""chrF and chrF++: sacrebleu's figures."""

import pytest
from sacrebleu import sentence_chrf

from agentdebate.evaluators.base import Evaluator, Pair, Range
from agentdebate.evaluators.chrf import ChrF

TEXT, REFERENCES = (
    "The cat sat on the mat, quietly.",
    ("The cat is on the mat.", "A cat sat quietly on the mat."),
)


async def one(evaluator: Evaluator, hypothesis: str, *premise: str) -> float:
    (score,) = await evaluator.score([Pair(premise, hypothesis)])
    return score


@pytest.mark.parametrize("words", [0, 2])
async def test_scores_are_those_of_sacrebleu(words: int) -> None:
    expected = sentence_chrf(TEXT, REFERENCES, word_order=words).score
    assert await one(ChrF(word_order=words), TEXT, *REFERENCES) == pytest.approx(expected)


async def test_words_count_in_chrf_plus_plus_alone() -> None:
    assert await one(ChrF(), TEXT, *REFERENCES) != await one(ChrF(word_order=2), TEXT, *REFERENCES)


async def test_case_and_white_space_count_as_the_options_say() -> None:
    assert await one(ChrF(), "CAT", "cat") == 0.0
    assert await one(ChrF(lowercase=True), "CAT", "cat") == 100.0
    assert await one(ChrF(), "a cat", "acat") == 100.0
    assert await one(ChrF(whitespace=True), "a cat", "acat") < 100.0


async def test_scores_stay_in_the_declared_range() -> None:
    assert ChrF().range == Range(0.0, 100.0)
    assert await one(ChrF(), "same", "same") == 100.0
    assert await one(ChrF(), "", "same") == 0.0


def test_it_is_an_evaluator_whose_version_says_its_options() -> None:
    chrf = ChrF(word_order=2)
    assert isinstance(chrf, Evaluator)
    assert chrf.name == "chrf"
    assert chrf.version.endswith("; char_order=6, word_order=2, beta=2, lowercase=false, whitespace=false")
