"""The page of a run's agreement with people: figures in words, points that lead to debates, choices, rounds."""

import pytest
from viewing import hold, item, looking

from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.tasks import Item
from agentdebate.viewer.agreement_page import agreement_page
from agentdebate.viewer.score_pictures import scatter
from agentdebate.viewer.shelf import Shelf

STORE = "people.db"


async def test_agreement_by_round_is_what_the_ballots_come_to_by_then() -> None:
    """The scorer scores against people at first, and with them once it was criticised."""
    humans = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}

    def answer(request: object) -> str:
        context = getattr(request, "context", None)
        assert context is not None
        human = int(humans[context.item.id])
        if context.agent.startswith("critic"):
            return (
                "The score is wrong, for the summary leaves out the main point."
                if context.round < 2
                else "NO ISSUE"
            )
        return f"Coherence: {5 - human if context.round == 0 else human}"

    items: list[Item] = [item(name, human={"coherence": human}) for name, human in humans.items()]
    held = evaluate(
        items, "debate", model=Function("turning", answer), aspects="coherence", store=STORE, concurrency=1
    )
    async with held as run:
        async for _ in run:
            pass
    shelf = Shelf(STORE)
    try:
        head = shelf.reader().run("last")
        (grid,) = agreement_page(shelf, head).rounds
    finally:
        shelf.close()
    values = {row[0]: (row[1], row[2]) for row in grid.texts}
    assert values["before the first round"] == ("-1.000", "4")
    assert grid.texts[-1][1] == "1.000"


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


async def grouped(store: str, groups: int = 30) -> str:
    """A run of two items a group that people have scored."""
    items = [
        item(f"g{n:02}/{side}", group=f"g{n:02}", human={"coherence": 1.0 + (n + m) % 5})
        for n in range(groups)
        for m, side in enumerate("ab")
    ]
    return await hold({one.id: 1 + n % 5 for n, one in enumerate(items)}, *items, store=store)


async def test_figures_of_very_many_debates_are_left_to_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    run, other = await grouped(STORE, 6), await grouped(STORE, 6)
    for page in ("agreement_page", "compare_page"):
        monkeypatch.setattr(f"agentdebate.viewer.{page}.MOST", 10)
    with looking(STORE) as client:
        text = client.get("/agreement", params={"run": run}).text
        two = client.get("/compare", params={"a": run, "b": other}).text
    assert "12 debates" in text
    assert f"Of all of them: agentdebate agree {run}." in text
    assert f"agentdebate agree {run} {other} --compare" in two
