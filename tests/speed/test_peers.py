"""The comparison with others: what is held where, what figures come of it, and who was not run."""

import heapq
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.endpoint import serving
from benchmarks.peers import by_aiohttp, by_httpx, comparison, environment, our_client, ours, peer
from benchmarks.peers.cell import Cell, plan, quick
from benchmarks.peers.child import Hold, measure
from benchmarks.peers.compare import main
from benchmarks.peers.comparison import Comparison, compare, in_cell
from benchmarks.peers.environment import NotBuiltError, build, made_of, why
from benchmarks.peers.figures import Figures, typical
from benchmarks.peers.peer import PEERS, USUAL
from benchmarks.peers.report import aims, caption, comparison_table, parts, shown
from benchmarks.peers.texts import CALLS

AT = Cell(200, 0.0)
HALF = Figures(
    calls=1000,
    sent=4_000_000,
    wall=2.0,
    cpu=0.3,
    kept_waiting=0.5,
    ideal=1.8,
    first_mb=30,
    peak_mb=40,
    load=1.5,
)


def made(**cpu_us: float) -> Comparison:
    """A comparison with one pass of each peer, by its name in benchmarks.peers.peer."""
    passes = {
        (getattr(peer, name), AT): [replace(HALF, cpu=each * HALF.calls / 1e6)]
        for name, each in cpu_us.items()
    }
    about = {"python": "3.11", "system": "Linux", "cores": 2, "apart": True}
    return Comparison(passes, {}, {peer.OURS: {"agentdebate": "1", "aiohttp": "3.14"}}, about)


def test_figures_are_of_a_call() -> None:
    assert (HALF.rate, HALF.share) == (500, 0.9)
    assert HALF.cpu_us == pytest.approx(300)
    assert (HALF.sent_kb, HALF.disturbed) == (4, 0.25)


def test_the_median_is_of_each_figure_by_itself() -> None:
    passes = [replace(HALF, wall=wall, cpu=cpu) for wall, cpu in ((1.0, 9.0), (5.0, 1.0), (2.0, 4.0))]
    assert typical(passes) == replace(HALF, wall=2.0, cpu=4.0)
    assert typical([HALF]) == HALF


@given(st.integers(1, 60), st.integers(1, 20), st.sampled_from([0.0, 0.2, 2.0]))
def test_the_ideal_wall_is_that_of_debates_that_wait_for_their_calls_alone(
    debates: int, at_once: int, latency: float
) -> None:
    slots = [0.0] * at_once
    for _ in range(debates):
        heapq.heapreplace(slots, slots[0] + CALLS * latency)
    assert Cell(at_once, latency).ideal(debates) == pytest.approx(max(slots))


@given(st.sampled_from(sorted(PEERS)), st.integers(1, 5000), st.sampled_from([0.0, 0.2, 2.0]))
def test_as_many_debates_are_held_as_there_are_at_once_and_more(
    name: str, at_once: int, latency: float
) -> None:
    assert Cell(at_once, latency).debates(PEERS[name]) >= at_once


def test_the_plan_has_everyone_everywhere_and_the_quick_one_frameworks_once() -> None:
    everyone = [PEERS[name] for name in USUAL]
    assert len(plan(everyone)) == len(set(plan(everyone))) == 54
    places = {each.name: [cell for one, cell in quick(everyone) if one is each] for each in everyone}
    assert places[peer.AUTOGEN] == places[peer.LANGGRAPH] == [AT]
    assert len(places[peer.OURS]) == len(places[peer.HTTPX]) == 3


def test_aims_are_ratios_to_the_same_transport_by_hand_and_to_autogen() -> None:
    found = {
        aim.what: aim
        for aim in aims(made(AIOHTTP=150, OURS_BY_AIOHTTP=300, HTTPX=360, OURS=720, AUTOGEN=4800))
    }
    words = {what: aim.word for what, aim in found.items()}
    at = "200 at once, 0 ms"
    assert words[f"agentdebate on aiohttp: calls in the CPU time of one by hand on aiohttp, {at}"] == "met"
    assert (
        words[f"agentdebate: calls in the CPU time of one by hand on httpx over aiohttp, {at}"] == "not met"
    )
    autogen = found[f"agentdebate on aiohttp: calls in the CPU time of one of AutoGen AgentChat, {at}"]
    assert autogen.figure == pytest.approx(16)
    assert autogen.word == "not met"
    assert words["agentdebate: peak memory, 1,000 at once"] == "not measured"


def test_the_table_leaves_blank_what_was_not_measured() -> None:
    row = comparison_table(made(OURS=720))[-1]
    assert row == "| 200 | agentdebate | 500 | 720 |  |  |  | 40 |"


def test_the_caption_says_how_many_passes_there_were() -> None:
    whole = made(AIOHTTP=150, OURS=700)
    assert "; one pass;" in caption(whole)
    whole.passes[peer.OURS, AT] *= 3
    assert "; medians of 1 to 3 passes;" in caption(whole)
    whole.passes[peer.AIOHTTP, AT] *= 3
    assert "; medians of 3 passes; load averages of 1.5 to 1.5 as runs began;" in caption(whole)


def test_a_comparison_is_read_as_it_was_written() -> None:
    whole = made(AIOHTTP=150, OURS=700)
    whole.passes[peer.OURS, AT].append(HALF)
    whole.missing["LangGraph"] = "ERROR: no such package"
    assert Comparison.from_json(whole.to_json()) == whole


def test_the_page_names_who_was_not_run_and_the_terminal_says_why() -> None:
    whole = made(OURS=700)
    whole.missing["LangGraph"] = "ERROR: /somebody's/machine"
    assert "Not run: LangGraph." in parts(whole)["peers"]
    assert "machine" not in parts(whole)["peers"]
    assert "NOT RUN: LangGraph: ERROR: /somebody's/machine" in shown(whole)


def test_what_pip_could_not_do_is_its_last_error() -> None:
    assert why("WARNING: slow\nERROR: first\nERROR: No matching distribution found\n\nnotice") == (
        "ERROR: No matching distribution found"
    )
    assert why("Killed\n") == "Killed"
    assert why("") == "pip did not say why"


def test_an_environment_is_made_of_what_its_peers_need() -> None:
    assert made_of(("aiohttp",)) == made_of(("aiohttp",)) != made_of(("aiohttp", "httpx"))
    assert made_of((peer.HERE,))["project"] != made_of(("aiohttp",))["project"]


def without(monkeypatch: pytest.MonkeyPatch, *missing: str) -> None:
    """There is an environment for all but these."""

    def built(folder: Path, needs: tuple[str, ...]) -> Path:
        if folder.name in missing:
            raise NotBuiltError("ERROR: No matching distribution found")
        return folder / "bin" / "python"

    monkeypatch.setattr(environment, "_built", built)


def test_environments_that_cannot_be_made_are_told_from_those_that_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "autogen")
    pythons, missing = build([PEERS[name] for name in USUAL])
    assert sorted(pythons) == ["agentdebate", "aiohttp", "httpx", "langgraph"]
    assert missing == {"autogen": "ERROR: No matching distribution found"}


def test_without_an_index_nobody_is_run_and_the_exit_code_is_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without(monkeypatch, "agentdebate", "aiohttp", "autogen", "httpx", "langgraph")
    assert main(["--quick", "--results", str(tmp_path / "peers.json")]) == 1
    said = capsys.readouterr().out
    assert all(f"NOT RUN: {name}: ERROR: No matching distribution found" in said for name in USUAL)
    assert "| aim |" not in said


def test_a_run_that_failed_is_told_and_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without(monkeypatch)
    tried = []

    def fails(*given: object) -> None:
        tried.append(given)
        raise comparison.RunFailedError("not within 300 s")

    monkeypatch.setattr(comparison, "_measured", fails)
    whole = compare([(PEERS[peer.AUTOGEN], AT)], 3, tmp_path / "peers.json")
    assert whole.missing == {in_cell(peer.AUTOGEN, AT): "not within 300 s"}
    assert len(tried) == 1
    assert "not within 300 s" in capsys.readouterr().out


def test_a_comparison_that_is_added_to_keeps_what_it_has_and_tries_again_what_failed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    results, before = tmp_path / "peers.json", made(OURS=700)
    before.missing |= {in_cell(peer.AUTOGEN, AT): "not within 300 s", peer.LANGGRAPH: "ERROR"}
    results.write_text(before.to_json())
    without(monkeypatch)
    monkeypatch.setattr(comparison, "_measured", lambda *_: (HALF, {"openai": "3"}))
    compare([(PEERS[peer.AUTOGEN], AT), (PEERS[peer.OURS], AT)], 1, results, add=True)
    after = Comparison.from_json(results.read_text())
    assert [len(after.passes[name, AT]) for name in (peer.OURS, peer.AUTOGEN)] == [2, 1]
    assert after.missing == {peer.LANGGRAPH: "ERROR"}


@pytest.mark.parametrize(
    "hold",
    [
        by_aiohttp.hold,
        by_httpx.hold,
        by_httpx.hold_over_stack,
        our_client.hold,
        ours.hold,
        ours.hold_by_aiohttp,
    ],
    ids=lambda hold: f"{hold.__module__.rpartition('.')[2]}.{hold.__name__}",
)
async def test_everyone_makes_the_same_calls(hold: Hold) -> None:
    with serving(0.0, core=0) as url:
        figures = await measure(hold, url, 3, Cell(2, 0.0), warm=url)
    assert figures.calls == 3 * CALLS
    assert 3 < figures.sent_kb < 6
    assert figures.cpu > 0
    assert figures.peak_mb >= figures.first_mb > 0
