"""The pages of runs: what is in them, what filters leave, how they are sorted and paged."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from stopped_debates import stop_debates
from viewing import STORE, Client, Get, hold, item, looking, scoring

from agentdebate.report.sweep import sweep
from agentdebate.runs.work import enqueue, work
from agentdebate.viewer import run_page
from agentdebate.viewer.score_pictures import bars
from agentdebate.viewer.shelf import Shelf


def names(text: str) -> list[str]:
    """The debates or items of the table, in order."""
    return re.findall(r'<a class="row" href="/debate[^"]*">([^<]*)', text.replace("<wbr>", ""))


def counter(text: str) -> str:
    found = re.search(r'<p class="count"[^>]*>(.*?)</p>', text, re.DOTALL)
    assert found
    return re.sub(r"<[^>]*>", "", found[1]).strip()


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ({"outcome": "failure"}, ["a03", "a07"]),
        ({"group": "g1", "outcome": "verdict"}, ["a01", "a05", "a09", "a11"]),
        ({"system": "s0"}, ["a00", "a03", "a06", "a09"]),
        ({"find": "A1"}, ["a10", "a11"]),
        ({"find": "SAYS A04", "within": "talk"}, ["a04"]),
        ({"changed": "1"}, []),
        ({"find": "100%_"}, []),
    ],
)
def test_filters_leave_what_they_say(page: Get, run: str, asked: dict[str, str], left: list[str]) -> None:
    text = page("/run", run=run, layout="debates", **asked)
    assert names(text) == [f"{name}/coherence" for name in left]
    assert counter(text) == f"{len(left)} of 12 debates"
    items = page("/run", run=run, layout="items", **asked)
    assert names(items) == left
    assert counter(items) == f"{len(left)} of 12 items"


@pytest.mark.parametrize("sort", ["id", "score:coherence", "apart:coherence", "tokens", "settled", "money"])
def test_pages_together_are_all_debates_each_once(
    page: Get, run: str, sort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_page, "PAGE", 5)
    parts = [names(page("/run", run=run, layout="debates", sort=sort, page=number)) for number in (1, 2, 3)]
    assert [len(part) for part in parts] == [5, 5, 2]
    assert sorted(name for part in parts for name in part) == [
        f"a{number:02}/coherence" for number in range(12)
    ]


def test_the_next_debate_is_the_next_one_within_the_filter(page: Get, run: str) -> None:
    asked = {"run": run, "layout": "debates", "find": "a0", "settled": "yes"}
    place = names(page("/run", **asked)).index("a05/coherence")
    text = page("/debate", **asked, id="a05/coherence", at=place)
    before, after = (re.search(rf'rel="{rel}"[^>]*href="([^"]*)"', text) for rel in ("prev", "next"))
    assert before
    assert after
    assert "id=a04%2Fcoherence" in before[1]
    assert "id=a06%2Fcoherence" in after[1]
    assert "settled=yes" in after[1]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/run?run=nobody", 404),
        ("/debate?id=nobody", 404),
        ("/call?id=a00/coherence&number=99", 404),
        ("/run?page=" + "9" * 40, 400),
        ("/run?sort=row", 400),
        ("/run?sort=score", 400),
        ("/run?settled=maybe", 400),
        ("/run?layout=rows", 400),
        ("/run?sort=score:colour", 400),
        ("/?page=0", 400),
        ("/debate?id=a00/coherence&at=-1", 400),
        ("/nothing", 404),
    ],
)
def test_an_address_that_means_nothing_is_told_so(client: Client, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert "Traceback" not in answer.text


async def test_a_run_of_a_queue_that_was_stopped_is_gone_on_with_by_a_worker() -> None:
    options: dict[str, Any] = {"model": scoring({}), "aspects": "coherence", "store": STORE}
    name = await enqueue([item("q1")], "solo", configuration={"command": {"name": "run"}}, **options)
    async with work(name, "solo", **options) as worked:
        async for _ in worked:
            pass
    with closing(sqlite3.connect(STORE)) as store, store:
        store.execute("UPDATE runs SET ended = NULL")
    with looking() as client:
        assert f'<code class="small">agentdebate work {name} --store runs.db</code>' in client.get("/").text
        assert f"agentdebate work {name} --store runs.db --retry-failed" in client.get("/failures").text


def test_looking_changes_nothing_in_the_store(run: str) -> None:
    before = Path("runs.db").read_bytes()
    listed = sorted(Path().iterdir())
    with looking() as client:
        for path in (
            "/",
            "/run",
            "/failures",
            "/costs",
            "/debate?id=a00/coherence",
            "/ballots?id=a00/coherence",
        ):
            assert client.get(path).status_code == 200
    assert Path("runs.db").read_bytes() == before
    assert sorted(Path().iterdir()) == listed


async def test_pages_of_what_goes_on_are_followed_and_those_of_a_run_that_has_ended_are_not(
    page: Get, run: str
) -> None:
    assert "data-live" in page("/"), "another run may begin"
    assert "data-live" not in page("/run", run=run)
    other = await hold({"a1": 3, "a2": 4}, item("a1"), item("a2"), store="cut.db")
    stop_debates("cut.db", "a2/coherence", other)
    with pytest.MonkeyPatch.context() as patched, looking("cut.db") as client:
        patched.setattr(Shelf, "state", lambda *_: "running")
        text = client.get("/run", params={"run": other}).text
    assert "data-live" in text
    assert "Reload to see what is new" in text
    assert re.search(r'going-on">Going on: <a href="[^"]*a2%2Fcoherence', text)


async def test_a_sweep_is_one_row_with_its_cells_and_controls_within() -> None:
    held = await sweep([item("i1")], "debate", vary={"rounds": [1, 2]}, model="offline", store=STORE)
    assert held
    alone = await hold({"i1": 3}, item("i1"))
    with looking() as client:
        text = client.get("/").text
    one, within = text.split('<details class="sweep">')
    assert f"/run?run={alone}" in one
    assert within.count("/run?run=") == within.count('<a class="row"') >= 2
    assert "rounds=1" in within
    assert "control: " in within
    with closing(sqlite3.connect(STORE)) as store, store:
        store.execute("DELETE FROM debates")
    with looking() as client:
        assert "0 tokens" in client.get("/").text


def test_a_run_draws_what_a_debate_cost_in_money_where_prices_are_known(run: str) -> None:
    with closing(sqlite3.connect(STORE)) as store, store:
        store.execute("UPDATE debates SET money = 0.25 * number")
    with looking() as client:
        text = client.get("/run", params={"run": run}).text
    assert "money of a debate" in text
    assert "tokens of a debate" not in text


def test_bars_count_few_values_one_by_one_and_many_in_bins() -> None:
    assert [(one.label, one.count) for one in bars("score", [1, 3, 3]).bars] == [("1", 1), ("3", 2)]
    many = bars("tokens", list(range(100))).bars
    assert sum(one.count for one in many) == 100
    assert many[0].label == "0 to 16.5"
