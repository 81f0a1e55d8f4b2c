"""BLEU of one text: sacrebleu's figures, and the smoothing of ChatEval's table."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from agreement import pearson, spearman
from sacrebleu import sentence_bleu

from agentdebate.evaluators.base import Evaluator, Pair
from agentdebate.evaluators.bleu import Bleu

ASPECTS = ("naturalness", "coherence", "engagingness", "groundedness")
TEXT, REFERENCES = (
    "The cat sat on the mat, quietly.",
    ("The cat is on the mat.", "A cat sat quietly on the mat."),
)


async def one(evaluator: Evaluator, hypothesis: str, *premise: str) -> float:
    (score,) = await evaluator.score([Pair(premise, hypothesis)])
    return score


@pytest.mark.shared
async def test_topical_chat_bleu_4_is_what_chateval_prints(shared: Path) -> None:
    """ChatEval, Table 2: Spearman and Pearson over the 300 responses that are not the reference.

    Coherence's Spearman is .23447, which the table has as .235: rounded twice. The other seven are equal as printed.
    """
    path = shared / "topical_chat" / "responses.jsonl"
    responses = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    people = {row["dialogue_id"]: row["response"] for row in responses if "Truth" in row["system_id"]}
    judged = [row for row in responses if "Truth" not in row["system_id"]]
    bleu = Bleu(smoothing="1e-15", tokenize="whitespace")
    scores = await bleu.score([Pair((people[row["dialogue_id"]],), row["response"]) for row in judged])
    found = []
    for aspect in ASPECTS:
        human = [row[aspect] for row in judged]
        found.append((round(spearman(scores, human), 4), round(pearson(scores, human), 3)))
    assert [spearman for spearman, _ in found] == [0.1748, 0.2345, 0.3156, 0.3096]
    assert [pearson for _, pearson in found] == [0.180, 0.131, 0.232, 0.213]


@pytest.mark.parametrize("smoothing", ["exp", "floor", "add-k", "none"])
async def test_the_usual_smoothings_are_those_of_sacrebleu(smoothing: Any) -> None:
    text = "The cat was quiet."
    expected = sentence_bleu(text, REFERENCES, smooth_method=smoothing).score
    assert await one(Bleu(smoothing=smoothing), text, *REFERENCES) == pytest.approx(expected)


async def test_counts_of_zero_are_next_to_nothing() -> None:
    """One word of two is shared and no pair of words; the text is shorter than the reference by one of three."""
    expected = 100 * math.sqrt(1 / 2 * 1e-15 / (1 + 1e-9)) * math.exp(1 - 3 / 2)
    bleu = Bleu(order=2, smoothing="1e-15", tokenize="whitespace")
    assert await one(bleu, "a b", "a c d") == pytest.approx(expected, rel=1e-12)
