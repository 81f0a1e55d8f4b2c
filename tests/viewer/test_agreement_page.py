"""The page of a run's agreement with people: points that lead to debates, and runs that are too large for it."""

import pytest
from viewing import hold, item, looking

from agentdebate.viewer.score_pictures import scatter

STORE = "people.db"


def test_debates_with_both_scores_alike_are_one_point_that_says_how_many() -> None:
    rows = [{"debate": f"d{n}", "human": {"x": 2.0}, "scores": {"x": 3.0}} for n in range(4)]
    rows += [
        {"debate": "e", "human": {"x": 1.0}, "scores": {"x": None}},
        {"debate": "g", "human": {}, "scores": {"x": 1.0}},
    ]
    found = scatter("x", rows, None)
    assert found is not None
    assert [(one.count, one.debate, one.human, one.score) for one in found.points] == [(4, "d0", 2.0, 3.0)]
    assert found.n == 4
    assert scatter("x", rows[5:], None) is None


async def test_figures_of_very_many_debates_are_left_to_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = {"i1": 1, "i2": 3}
    run, other = [await hold(scores, *map(item, scores), store=STORE) for _ in range(2)]
    for page in ("agreement_page", "compare_page"):
        monkeypatch.setattr(f"agentdebate.viewer.{page}.MOST", 1)
    with looking(STORE) as client:
        text = client.get("/agreement", params={"run": run}).text
        two = client.get("/compare", params={"a": run, "b": other}).text
    assert "2 debates" in text
    assert f"Of all of them: agentdebate agree {run}." in text
    assert f"agentdebate agree {run} {other} --compare" in two
