"""The comparison with others: what is held where, what figures come of it, and who was not run."""

import heapq
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.endpoint import serving
from benchmarks.peers import by_aiohttp, by_httpx, compare, ours, peer
from benchmarks.peers.child import Hold, measure
from benchmarks.peers.compare import Comparison, aims, comparison_table, main, parts
from benchmarks.peers.environment import NotBuiltError
from benchmarks.peers.peer import PEERS, Cell, Figures, typical
from benchmarks.peers.texts import CALLS

AT = Cell(200, 0.0)
HALF = Figures(calls=1000, sent=4_000_000, wall=2.0, cpu=0.3, ideal=1.8, peak_mb=40, load=1.5)


def made(**cpu_us: float) -> Comparison:
    """A comparison with one pass of each peer, by its name in benchmarks.peers.peer."""
    return Comparison(
        {(getattr(peer, name), AT): [replace(HALF, cpu=us * HALF.calls / 1e6)] for name, us in cpu_us.items()}
    )


def test_figures_are_of_a_call_and_medians_of_each_figure_by_itself() -> None:
    assert (HALF.rate, HALF.share, round(HALF.cpu_us)) == (500, 0.9, 300)
    passes = [replace(HALF, wall=wall, cpu=cpu) for wall, cpu in ((1.0, 9.0), (5.0, 1.0), (2.0, 4.0))]
    assert typical(passes) == replace(HALF, wall=2.0, cpu=4.0)


@given(st.integers(1, 60), st.integers(1, 20), st.sampled_from([0.0, 0.2, 2.0]))
def test_the_ideal_wall_is_that_of_debates_that_wait_for_their_calls_alone(
    debates: int, at_once: int, latency: float
) -> None:
    slots = [0.0] * at_once
    for _ in range(debates):
        heapq.heapreplace(slots, slots[0] + CALLS * latency)
    assert Cell(at_once, latency).ideal(debates) == pytest.approx(max(slots))


def test_aims_are_ratios_to_the_same_transport_by_hand_and_to_autogen() -> None:
    found = aims(made(BY_AIOHTTP=150, OURS_BY_AIOHTTP=300, BY_HTTPX=360, OURS=720, AUTOGEN=4800))
    assert [aim.figure for aim in found[:4]] == pytest.approx([0.5, 0.5, 4800 / 720, 16])
    assert [aim.word for aim in found[:4]] == ["not met", "met", "not met", "not met"]
    assert found[-1].word == "not measured"


def test_the_table_leaves_blank_what_was_not_measured() -> None:
    assert comparison_table(made(OURS=720))[-1] == "| 200 | agentdebate | 500 | 720 |  |  |  | 40 |"


def test_peers_that_cannot_be_installed_are_named_and_without_any_the_exit_code_is_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise NotBuiltError("ERROR: No matching distribution found")

    monkeypatch.setattr(compare, "measured", fails)
    assert main(["--quick"]) == 1
    said = capsys.readouterr().out
    assert all(f"NOT RUN: {name}: ERROR: No matching distribution found" in said for name in PEERS)
    whole = made(OURS=700)
    whole.missing["LangGraph"], whole.versions["langgraph"] = "ERROR: /somebody's/machine", "1.2.24"
    assert "Not run: LangGraph." in parts(whole)["peers"]
    assert re.match(
        r"20\d\d-\d\d-\d\d, Python 3[.\d]+ on \d+ cores, langgraph 1.2.24; ", parts(whole)["peers"]
    )
    assert "machine" not in parts(whole)["peers"]


@pytest.mark.parametrize(
    "hold",
    [by_aiohttp.hold, by_httpx.hold, ours.hold, ours.hold_by_aiohttp],
    ids=lambda hold: f"{hold.__module__.rpartition('.')[2]}.{hold.__name__}",
)
async def test_every_peer_makes_the_same_calls(hold: Hold) -> None:
    with serving(0.0, core=0) as url:
        figures = await measure(hold, url, 3, Cell(2, 0.0), warm=url)
    assert figures.calls == 3 * CALLS
    assert 3000 < figures.sent / figures.calls < 6000
    assert figures.cpu > 0
    assert figures.peak_mb > 0
