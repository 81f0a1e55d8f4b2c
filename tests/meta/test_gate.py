"""Decisions of a gate."""

from typing import Any

import numpy as np
import pytest

from agentdebate.errors import UsageError
from agentdebate.meta.gate import Check, Limit, not_worse


def rows(scores: Any, failed: int = 0) -> list[dict[str, Any]]:
    told = {"group": None, "system": "", "aspects": ["fluency"], "abstained": None}
    scored = [
        {**told, "id": f"i{place}", "debate": f"i{place}", "scores": {"fluency": float(one)}, "failure": None}
        for place, one in enumerate(scores)
    ]
    lost = {**told, "scores": {}, "failure": {"error": "E", "reason": "r", "agent": "a"}}
    return [*scored, *({**lost, "id": f"f{place}", "debate": f"f{place}"} for place in range(failed))]


def build(seed: int, drop: float) -> Check:
    apart = np.random.default_rng(seed).normal(-drop, 1, 60)
    return not_worse("fluency", rows(3 + apart), rows([3] * 60), 0.4)


def test_an_unchanged_judge_hardly_ever_fails_and_a_drop_of_half_a_point_mostly_does() -> None:
    same, dropped = (sum(build(seed, drop).decision == "fail" for seed in range(1000)) for drop in (0.0, 0.5))
    assert same <= 20
    assert dropped >= 800


def test_what_lost_its_score_is_not_passed() -> None:
    whole, lost = rows([4] * 60), [{**row, "scores": {}} for row in rows([4] * 60)]
    assert not_worse("fluency", whole, whole, 0.4).decision == "pass"
    check = not_worse("fluency", [*whole[:40], *lost[40:]], whole, 0.4)
    assert (check.decision, "20 have no score now" in check.rule) == ("inconclusive", True)


@pytest.mark.parametrize(
    ("limit", "scores", "failed", "decision"),
    [
        (Limit("fluency", 3.0, least=True), [4, 5] * 20, 0, "pass"),
        (Limit("fluency", 3.0, least=True), [1, 2] * 20, 0, "fail"),
        (Limit("fluency", 3.0, least=True), [2, 5] * 5, 0, "inconclusive"),
        (Limit("fluency", 3.0, least=True), [5] * 9, 0, "inconclusive"),
        (Limit("fluency", 4.2, least=True), [4.2] * 60, 0, "pass"),
        (Limit("fluency", 3.0, least=False), [1, 2] * 20, 0, "pass"),
        (Limit("failures", 0.01, least=False), [3] * 60, 0, "inconclusive"),
        (Limit("failures", 0.01, least=False), [3] * 800, 0, "pass"),
        (Limit("failures", 0.01, least=False), [3] * 40, 20, "fail"),
        (Limit("fluency", 3.0, least=True), [], 9, "inconclusive"),
    ],
)
def test_a_limit_is_decided_where_the_whole_interval_lies_on_one_side(
    limit: Limit, scores: list[float], failed: int, decision: str
) -> None:
    assert limit.check(rows(scores, failed)).decision == decision


@pytest.mark.parametrize("limit", [Limit("fluency", 3.0, least=True), Limit("failures", 0.01, least=False)])
@pytest.mark.parametrize("scores", [[2, 5], [5, 5], [2, 5] * 10])
def test_as_many_more_items_like_these_as_are_named_decide(limit: Limit, scores: list[float]) -> None:
    more = limit.check(rows(scores)).more
    assert more
    assert limit.check(rows(scores[:2] * (len(scores) // 2 + more // 2 + 3))).decision == "pass"


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_share_that_no_number_of_items_shows_is_refused(value: float) -> None:
    with pytest.raises(UsageError, match="above 0 and below 1"):
        Limit("failures", value, least=False).check(rows([3]))


def test_items_that_got_worse_are_named_the_largest_drop_first() -> None:
    check = not_worse("fluency", rows([3, 1, 5]), rows([4, 5, 4]), 0.4)
    assert check.worse == (("i1", 5.0, 1.0), ("i0", 4.0, 3.0))
