"""ROUGE: the options of the papers give the papers' figures, and every option does what it says."""

import json
from pathlib import Path
from typing import Any

import pytest
from agreement import pearson, spearman

from agentdebate.errors import MissingExtra
from agentdebate.evaluators.base import Evaluator, Pair
from agentdebate.evaluators.rouge import Rouge

ASPECTS = ("naturalness", "coherence", "engagingness", "groundedness")


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def one(evaluator: Evaluator, hypothesis: str, *premise: str) -> float:
    (score,) = await evaluator.score([Pair(premise, hypothesis)])
    return score


@pytest.mark.shared
async def test_topical_chat_rouge_l_is_what_debate_prints(shared: Path) -> None:
    """DEBATE, Table 1: Pearson and Spearman over the 300 responses that are not the reference."""
    responses = rows(shared / "topical_chat" / "responses.jsonl")
    people = {row["dialogue_id"]: row["response"] for row in responses if "Truth" in row["system_id"]}
    judged = [row for row in responses if "Truth" not in row["system_id"]]
    rouge = Rouge(kind="L", tokens="whitespace", stem=False, beta=1.2)
    scores = await rouge.score([Pair((people[row["dialogue_id"]],), row["response"]) for row in judged])
    found = []
    for aspect in ASPECTS:
        human = [row[aspect] for row in judged]
        found.append((round(pearson(scores, human), 3), round(spearman(scores, human), 3)))
    assert len(judged) == 300
    assert found == [(0.176, 0.146), (0.193, 0.203), (0.295, 0.300), (0.310, 0.327)]


async def test_f_weighs_recall_by_beta() -> None:
    """Three of four words are in the reference's six: P = 3/4, R = 1/2."""
    hypothesis, reference = "the cat sat here", "the cat sat on a mat"
    assert await one(Rouge(kind="1"), hypothesis, reference) == pytest.approx(2 * 0.75 * 0.5 / 1.25)
    assert await one(Rouge(kind="1", beta=2), hypothesis, reference) == pytest.approx(
        5 * 0.75 * 0.5 / (0.5 + 4 * 0.75)
    )


def test_the_version_says_every_option_that_decides_a_score() -> None:
    """And not the premise's name: the texts of the premise are part of what is compared."""
    version = Rouge(kind="L", tokens="whitespace", stem=False, beta=1.2).version
    assert version.startswith("rouge-score ")
    assert version.endswith('"tokens":"whitespace","beta":1.2}')
    assert Rouge(premise="source").version == Rouge().version
    assert Rouge(beta=1.0000001).version != Rouge().version


def test_without_the_package_the_error_is_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdebate.extras.import_module", not_installed)
    with pytest.raises(MissingExtra, match=r"rouge_score is not .*pip install 'agentdebate\[metrics\]'"):
        Rouge()


def not_installed(module: str) -> Any:
    raise ModuleNotFoundError(f"No module named {module!r}", name=module.partition(".")[0])
