"""The page of a run's agreement with people: figures in words, points that lead to debates, choices, rounds."""

import re

import pytest
from viewing import Client, Get, hold, item, looking

from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.tasks import Item
from agentdebate.viewer.agreement_page import agreement_page
from agentdebate.viewer.scatter import scatter
from agentdebate.viewer.shelf import Shelf

STORE = "people.db"


async def scored(humans: dict[str, float], scores: dict[str, int]) -> str:
    items = [item(name, human={"coherence": human}) for name, human in humans.items()]
    return await hold(scores, *items, store=STORE)


@pytest.fixture
async def people() -> str:
    """Five items that people and the judge score nearly alike, and one that failed."""
    humans = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "e": 5.0, "f": 1.0}
    return await scored(humans, {"a": 1, "b": 2, "c": 4, "d": 3, "e": 5})


@pytest.fixture
def text(people: str) -> str:
    with looking(STORE) as client:
        return str(client.get("/agreement", params={"run": people}).text)


def test_the_figures_are_those_of_agree_and_are_told_in_words(text: str) -> None:
    assert re.search(r"Pearson.*?>\.900<", text, re.DOTALL)
    assert "pooled (one value over all texts)" in text
    assert "95% percentile bootstrap intervals" in text


def test_every_point_leads_to_its_debate(text: str) -> None:
    points = re.findall(r'<a href="/debate\?run=[^"]*id=(\w)%2Fcoherence"[^>]*><circle', text)
    assert sorted(points) == ["a", "b", "c", "d", "e"]


def test_calibration_is_there_with_what_it_says(text: str) -> None:
    assert "Calibration of solo, coherence" in text
    assert "equally wide bins" in text


def test_another_statistic_and_level_stand_in_the_address(people: str) -> None:
    with looking(STORE) as client:
        text = client.get("/agreement", params={"run": people, "statistic": "kendall-b"}).text
        assert "tau-b" in text
        assert "Pearson&#39;s r</td>" not in text
        bad = client.get("/agreement", params={"run": people, "statistic": "<b>"})
    assert bad.status_code == 400
    assert "<b>" not in bad.text


def test_what_cannot_be_asked_of_a_run_is_said(people: str) -> None:
    with looking(STORE) as client:
        answer = client.get("/agreement", params={"run": people, "level": "group"})
    assert answer.status_code == 200
    assert "source" in answer.text


async def test_a_run_that_nobody_has_scored_says_so() -> None:
    run = await hold({"a": 3}, item("a", human={}), store=STORE)
    with looking(STORE) as client:
        assert "no score of people" in client.get("/agreement", params={"run": run}).text


def test_the_run_leads_to_its_agreement(page: Get) -> None:
    assert '<a href="/agreement?run=' in page("/run")


def test_the_page_is_there_for_a_run_of_whatever_scores(client: Client) -> None:
    assert client.get("/agreement").status_code == 200


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
    values = {row[0]: (row[1], row[2]) for row in grid.rows}
    assert values["before the first round"] == ("-1.000", "4")
    assert grid.rows[-1][1] == "1.000"


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


def test_there_is_no_picture_of_nothing() -> None:
    assert scatter("x", [{"debate": "d", "human": {}, "scores": {"x": 1.0}}], None) is None
