"""Decisions of a gate."""

from math import ceil
from typing import Any

import numpy as np
import pytest

from agentdebate.errors import UsageError
from agentdebate.meta.gate import Check, Limit, not_worse


def rows(scores: Any, failed: int = 0, group: str | None = None) -> list[dict[str, Any]]:
    told = {"group": group, "system": "", "aspects": ["fluency"], "abstained": None}
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
    assert (check.decision, check.without, check.more) == ("inconclusive", {"verdict": 20}, None)


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


def alike(scores: list[float], times: float, texts: int) -> list[dict[str, Any]]:
    """Items with these scores in turn, so many times as many, so many of them from one text."""
    made = rows(scores * ceil(times))[: round(len(scores) * times)]
    return [{**row, "group": f"g{place // texts}"} for place, row in enumerate(made)]


@pytest.mark.parametrize("limit", [Limit("fluency", 3.0, least=True), Limit("failures", 0.01, least=False)])
@pytest.mark.parametrize(
    ("scores", "texts"), [([2, 5], 1), ([5, 5], 1), ([2, 5] * 10, 1), ([2, 5, 4, 2] * 3, 3)]
)
def test_as_many_more_items_like_these_as_are_named_decide_and_hardly_fewer(
    limit: Limit, scores: list[float], texts: int
) -> None:
    more = limit.check(alike(scores, 1, texts)).more
    assert more
    found = [
        limit.check(alike(scores, ceil((len(scores) + some) / len(scores)), texts)).decision
        for some in (more, 0.9 * more - len(scores))
    ]
    assert found == ["pass", "inconclusive"]


def test_few_items_say_how_many_decide_by_the_quantile_of_so_many() -> None:
    assert Limit("fluency", 3.0, least=True).check(rows([2, 5])).more == 51


def test_no_number_of_items_is_named_for_a_mean_at_the_limit() -> None:
    assert Limit("fluency", 3.0, least=True).check(rows([2, 4] * 10)).more is None


def test_debates_without_a_score_are_counted_by_how_they_ended_and_their_items_with_those_that_decide() -> (
    None
):
    unsure = {**rows([3])[0], "id": "u", "debate": "u", "scores": {}, "outcome": "abstained"}
    check = Limit("fluency", 3.0, least=True).check(
        [*rows([2, 5], failed=2), unsure, {**unsure, "aspects": ["coherence"]}]
    )
    assert (check.n, check.without) == (2, {"failed": 2, "abstained": 1})
    assert check.more == 128


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_share_that_no_number_of_items_shows_is_refused(value: float) -> None:
    with pytest.raises(UsageError, match="above 0 and below 1"):
        Limit("failures", value, least=False).check(rows([3]))


def test_items_that_got_worse_are_named_the_largest_drop_first() -> None:
    check = not_worse("fluency", rows([3, 1, 5]), rows([4, 5, 4]), 0.4)
    assert check.worse == (("i1", 5.0, 1.0), ("i0", 4.0, 3.0))
