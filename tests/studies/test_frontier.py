"""Agreement against cost: who is on the frontier, and who cannot be told apart."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.errors import UserError
from agentdebate.meta.agreement import agree
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.report.frontier import frontier
from agentdebate.studies.cells import Cell, Cost
from agentdebate.studies.frontier import Point, grouped_alike, on_frontier
from agentdebate.tasks import Item

CELL = Cell("cell", "run", "run", {}, (), 0, OutcomeCounts(), Cost(0, 0, 0, 0, None))
LABELS = ("first", "second")


def judging(judge: str, wrong: Sequence[int] = (), *, cost: float = 1.0, merit: float | None = None) -> Point:
    """A judge of a hundred pairs who is wrong about some of them; people choose the first."""
    rows = [Judged(f"i{at}", "", "", LABELS[0], LABELS[at in wrong]) for at in range(100)]
    entry = Judgements(judge, "overall", rows, labels=LABELS)
    return Point(
        judge, CELL, entry, agree(entry, "accuracy"), cost, 1 - len(wrong) / 100 if merit is None else merit
    )


NUMBERS = st.integers(0, 6).map(float)


@given(st.lists(st.tuples(NUMBERS, NUMBERS | st.just(float("-inf"))), max_size=8))
def test_on_the_frontier_is_whom_none_beats_at_the_price_and_every_other_is_beaten_by_one_there(
    pairs: list[tuple[float, float]],
) -> None:
    point = judging("x")
    points = on_frontier([Point("x", CELL, point.judged, point.found, *pair) for pair in pairs])
    there = {(one.cost, one.merit) for one in points if one.frontier}
    for one in points:
        beaten = any(
            cost <= one.cost and merit >= one.merit and (cost, merit) != (one.cost, one.merit)
            for cost, merit in there
        )
        assert one.frontier != (beaten or one.merit == float("-inf"))


def test_judges_share_a_letter_where_they_cannot_be_told_apart_and_a_judge_may_be_like_two_that_differ() -> (
    None
):
    points = [
        judging("poor", range(40)),
        judging("best", range(5)),
        judging("middling", range(11)),
        judging("fair", range(17)),
        judging("silent", merit=float("-inf")),
    ]
    found = {one.judge: one.groups for one in grouped_alike(points, "accuracy", "pooled", "left-out", 0)}
    assert found == {"best": "a", "middling": "ab", "fair": "b", "poor": "c", "silent": ""}


ITEMS = [
    Item(
        task="summarization",
        id=f"i{at}",
        fields={"source": "The cat sat. A dog barked. It rained.", "summary": text},
        human={"coherence": people},
    )
    for at, (text, people) in enumerate(
        [("The cat sat.", 3), ("A dog.", 1), ("The cat sat. A dog barked.", 5), ("Rain rain rain.", 2)]
    )
]


async def test_strategies_and_their_controls_are_judges_of_one_table_and_one_picture(tmp_path: Path) -> None:
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "mine.toml").write_text(
        'name = "mine"\nuses = "solo"\nabout = "The same."\ncast = {scorer = "scorer"}\n'
    )
    found = await frontier(
        ITEMS,
        ["solo", "debate", "mine"],
        model="offline",
        aspects="coherence",
        store=tmp_path / "s.db",
        bootstrap=Bootstrap(resamples=0),
    )
    names = [row["judge"] for row in found.rows()]
    assert names[:2] == ["solo", "mine"]
    assert {"debate", "single judge, as debate"} <= {*names}
    assert [row["cost"] for row in found.rows()] == sorted(row["cost"] for row in found.rows())
    assert {row["judge"]: row["frontier"] for row in found.rows()}["solo"]
    assert "solo is the cheapest of" in str(found)
    found.plot.write(tmp_path / "f.svg")
    assert "<svg" in (tmp_path / "f.svg").read_text()


async def test_judges_that_cost_nothing_are_not_ranked_by_money() -> None:
    with pytest.raises(UserError, match=r"no judge of sweep .* cost anything; take per='calls'"):
        await frontier(ITEMS, ["solo"], per="money", model="offline", aspects="coherence", store="s.db")


BARE = [item.model_copy(update={"human": {}}) for item in ITEMS[:1]]


@pytest.mark.parametrize(
    ("items", "names", "says"),
    [
        (BARE, ["solo"], "no item has people's scores"),
        (ITEMS, [], "names one or more, each once, and not none"),
        (ITEMS, ["solo", "solo"], "each once, and not solo, solo"),
        (ITEMS, ["solo", "slo"], "^there is no strategy 'slo'"),
    ],
)
async def test_what_has_no_frontier_is_told_before_the_first_call(
    items: Sequence[Item], names: list[str], says: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=says):
        await frontier(items, names, model="offline", aspects="coherence", store=tmp_path / "s.db")
    assert not (tmp_path / "s.db").exists()


@pytest.mark.parametrize(
    ("least", "shown", "told"),
    [
        (0.6, {"cascade": (3, False, "")}, "nor in a group: cascade (1 of 4)"),
        (0.8, {}, "nor in a group: cascade (4 of 4)"),
    ],
)
async def test_a_judge_that_abstained_is_not_on_the_frontier_though_it_agrees_best(
    least: float, shown: dict[str, tuple[int, bool, str]], told: str, tmp_path: Path
) -> None:
    found = await frontier(
        ITEMS,
        ["cascade"],
        model="offline",
        aspects="coherence",
        store=tmp_path / "s.db",
        options={"thresholds": {"debate": least}},
        bootstrap=Bootstrap(resamples=0),
    )
    rows = {row["judge"]: (row["n"], row["frontier"], row["groups"]) for row in found.rows()}
    controls = {"openings' vote, as cascade": (4, True, "a"), "single judge, as cascade": (4, False, "a")}
    assert rows == controls | shown
    assert told in found.caption
