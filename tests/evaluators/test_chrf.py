"""chrF and chrF++: sacrebleu's figures."""

import pytest
from sacrebleu import sentence_chrf

from agentdebate.evaluators.base import Evaluator, Pair
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
