"""The page of a run's agreement with people: points that lead to debates, and runs that are too large for it."""

import pytest
from viewing import hold, item, looking

STORE = "people.db"


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
