"""What tables are made of: the same whatever the order of the rows, and of a bounded size."""

from fractions import Fraction
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.cli.console.output import show
from agentdebate.report.run_tables.first_items import FirstItems
from agentdebate.report.run_tables.places import Places
from agentdebate.report.run_tables.results import result_blocks
from agentdebate.report.run_tables.rows import MOST
from agentdebate.report.run_tables.spread import Spread
from agentdebate.report.run_tables.tally import Tally

ASPECTS = ("fluency", "coherence")


def row(item: str, aspect: str, score: float | None = 3.0, **more: Any) -> dict[str, Any]:
    failed = {"error": "UnreadableReply", "agent": "scorer", "reason": f"of {item}"}
    return {
        "id": item,
        "aspects": [aspect],
        "scores": {} if score is None else {aspect: score},
        "candidates": [],
        "winner": None,
        "winners": [],
        "agreed": None,
        "settled": None if score is None else score > 1,
        "curtailed": "",
        "rounds": 1,
        "missing": 0,
        "lost": [],
        "models": ["m"],
        "human": {aspect: 2.5},
        "failure": failed if score is None else None,
        "calls": 2,
        "prompt_tokens": 10,
        "completion_tokens": 1,
        "stages": {"scorer": {"calls": 1, "tokens": 11, "seconds": 0.1}},
        **more,
    }


def comparison(item: str, aspect: str, first: float, second: float) -> dict[str, Any]:
    best = ["a", "b"] if first == second else ["a" if first > second else "b"]
    return {
        **row(item, aspect),
        "scores": {f"{aspect}.a": first, f"{aspect}.b": second},
        "candidates": ["a", "b"],
        "winner": best[0] if len(best) == 1 else None,
        "winners": best,
        "agreed": first > 1,
        "human": {f"{aspect}.a": 1.0, f"{aspect}.b": 1.0},
    }


ITEMS = [f"i{number}" for number in range(1, MOST + 8)]
ROWS = [
    row(item, aspect, None if number % 7 == 0 else 1 + number % 5 + number / 9)
    for number, item in enumerate(ITEMS)
    for aspect in ASPECTS
]
PAIRS = [
    comparison(item, aspect, 1.1 * (number % 3), 2.2 * (number % 2))
    for number, item in enumerate(ITEMS)
    for aspect in ASPECTS
]


def printed(tally: Tally, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    show(result_blocks(tally, see="agentdebate show x --json"))
    show(tally.failures.blocks())
    return capsys.readouterr().out


@pytest.mark.parametrize("rows", [ROWS, PAIRS], ids=["scores", "comparisons"])
def test_the_tables_do_not_depend_on_the_order_in_which_debates_end(
    rows: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    stored, ended = Tally(aspects=ASPECTS), Tally(ITEMS, ASPECTS)
    for one in rows:
        stored.add(one)
    for one in sorted(rows, key=lambda one: hash((one["id"][::-1], one["aspects"][0]))):
        ended.add(one)
    assert printed(ended, capsys) == printed(stored, capsys)


@given(st.permutations([1e16, 1.0, -1e16, 0.1, 0.2, 3, 1e-9]))
def test_no_mean_depends_on_the_order_of_what_is_added(numbers: list[float]) -> None:
    spread = Spread()
    for value in numbers:
        spread.add(value)
    assert spread.mean == fmean(sorted(numbers))
    assert spread.cells()[1:] == [-1e16, 1e16]


@given(st.lists(st.floats(-1e300, 1e300) | st.integers(-(10**20), 10**20) | st.just(5e-324), min_size=1))
def test_sums_are_exact_and_rounded_once(numbers: list[float]) -> None:
    spread = Spread()
    for value in numbers:
        spread.add(value)
    assert spread.total == float(sum(map(Fraction, numbers)))
    assert (spread.count, spread.cells()[1:]) == (len(numbers), [min(numbers), max(numbers)])


def test_a_spread_of_nothing_has_empty_cells() -> None:
    assert Spread().cells() == ["", "", ""]


@given(st.permutations(ITEMS))
def test_the_first_items_are_kept_with_all_their_rows_and_no_others(order: list[str]) -> None:
    first, places = FirstItems(), Places(ITEMS, ASPECTS)
    for aspect in reversed(ASPECTS):
        for item in order:
            one = row(item, aspect)
            first.take(one, places.of(one))
    kept = [(one["id"], one["aspects"][0]) for one in first.rows]
    assert kept == [(item, aspect) for item in ITEMS[:MOST] for aspect in ASPECTS]
    assert places.items == len(ITEMS)


def test_a_tally_of_rows_item_by_item_keeps_no_more_for_more_of_them() -> None:
    tally = Tally(aspects=ASPECTS)
    for number in range(500):
        tally.add(row(f"i{number}", "fluency", None))
    assert (tally.items, tally.rows, len(tally.first.rows)) == (500, 500, MOST)
    assert [(kind.count, kind.row["id"]) for kind in tally.failures.kinds] == [(500, "i0")]


def test_verdicts_of_debates_that_were_made_shorter_are_counted_beside_those_without_ballots(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tally = Tally()
    for number in range(3):
        tally.add(row(f"i{number}", "fluency", curtailed="tokens" if number else ""))
    tally.add(row("i9", "fluency", missing=1, lost=[{"agent": "critic"}]))
    lines = printed(tally, capsys).splitlines()
    assert lines[-2:] == [
        "1 verdict without some of the ballots or samples (lost: critic in 1); agentdebate show x --json says which",
        "2 verdicts by debates that their limits made shorter; agentdebate show x --json says which",
    ]


def test_of_many_lost_agents_those_lost_most_often_are_named() -> None:
    tally = Tally()
    for number in range(7):
        lost = [{"agent": f"a{agent}"} for agent in range(number + 1)]
        tally.add(row(f"i{number}", "fluency", lost=lost))
    (line,) = tally.shortfall.lines()
    assert line.endswith("(lost: a0 in 7, a1 in 6, a2 in 5, a3 in 4, a4 in 3, and 2 more agents)")
