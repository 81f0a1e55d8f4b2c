"""What a run may spend, how fast it may go, and what it need not pay for again: on the command line, against a server."""

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from free_port import free_port
from patience import until
from typed import ALLOWED, ITEM, NOBODY, RUN, Typed, numbered, typed, write

import agentdebate as ad
from agentdebate.cli.options.spending import SpendingOptions
from agentdebate.models.composition import Limits
from agentdebate.testing.server import FaultServer

Capsys = pytest.CaptureFixture[str]
DEBATES = ("run", "debate", *RUN[2:], "--set", "rounds=2")
PRICES = '[[models]]\nmatch = "tiny"\ninput = 1000\noutput = 1000\n'


@contextmanager
def open_server(**options: object) -> Iterator[tuple[FaultServer, BlockingPortal]]:
    """A fault server in a thread of its own, and the way into that thread."""
    with start_blocking_portal() as portal:
        made = FaultServer(**options)  # type: ignore[arg-type]  # the options are the server's own
        with portal.wrap_async_context_manager(made) as server:
            yield server, portal


@pytest.fixture
def server() -> Iterator[FaultServer]:
    """A server whose replies take a moment."""
    with open_server(latency=0.01) as (one, _):
        yield one


def to(server: FaultServer) -> tuple[str, ...]:
    """The options that lead to a server."""
    return "--model", "openai/tiny", "--base-url", server.base_url


def items(count: int = 12) -> None:
    """Write items that differ."""
    write([{**row, "summary": f"{ITEM['summary']} Take {row['id']}."} for row in numbered(count)])


def without_times(came: Typed) -> list[dict[str, object]]:
    """The rows of --json, in the order of the items."""
    times = ("seconds", "stages", "calls", "prompt_tokens", "completion_tokens", "cached_calls")
    rows = [{name: value for name, value in row.items() if name not in times} for row in came.json]
    return sorted(rows, key=lambda row: str(row["id"]))


def calls_on_disk() -> int:
    with ad.open_store("agentdebate.db") as store:
        return sum(len(one.calls()) for one in store.runs())


# The cache.


def test_the_second_run_with_a_cache_asks_for_nothing(server: FaultServer, capsys: Capsys) -> None:
    items()
    first = typed(capsys, *DEBATES, *to(server), "--json", "--cache", "on")
    asked = server.requests
    again = typed(capsys, *DEBATES, *to(server), "--json", "--cache", "on")
    assert (first.code, again.code, server.requests) == (0, 0, asked)
    assert f"12 verdicts, 0 failures, {asked} calls, " in first.err
    assert "answered by the cache" not in first.err
    assert (
        f"12 verdicts, 0 failures, 0 calls, 0 tokens, {asked} more calls answered by the cache; " in again.err
    )
    assert [row["cached_calls"] for row in first.json] == [0] * 12
    assert sum(row["cached_calls"] for row in again.json) == asked
    assert without_times(first) == without_times(again)
    assert calls_on_disk() == 2 * asked


def test_more_rounds_pay_for_what_is_new_alone(server: FaultServer, capsys: Capsys) -> None:
    items()
    typed(capsys, *DEBATES, *to(server), "--cache", "on")
    asked = server.requests
    more = typed(capsys, *DEBATES[:-1], "rounds=3", *to(server), "--json", "--cache", "on")
    new = server.requests - asked
    assert sum(row["cached_calls"] for row in more.json) == asked
    assert sum(row["calls"] for row in more.json) == new > 0
    assert set(server.answered.values()) == {1}


@pytest.mark.parametrize(
    ("first", "then", "asks_again"),
    [("write", "read", False), ("on", "write", True), ("write", "off", True), ("off", "on", True)],
)
def test_a_cache_is_read_and_written_as_it_is_told(
    first: str, then: str, asks_again: bool, server: FaultServer, capsys: Capsys
) -> None:
    items(4)
    for mode in (first, then):
        assert typed(capsys, *RUN, *to(server), "--cache", mode, "--cache-file", "kept.db").code == 0
    assert server.requests == (8 if asks_again else 4)
    assert Path("kept.db").is_file()
    assert not Path("agentdebate-cache.db").exists()


def test_reading_keeps_nothing_new(server: FaultServer, capsys: Capsys) -> None:
    items(2)
    typed(capsys, *RUN, *to(server), "--cache", "on")
    items(4)
    for _ in range(2):
        typed(capsys, *RUN, *to(server), "--cache", "read")
    assert server.requests == 2 + 2 + 2


def test_no_cache_leaves_no_file(server: FaultServer, capsys: Capsys) -> None:
    items(1)
    assert typed(capsys, *RUN, *to(server)).code == 0
    assert not list(Path().glob("*cache*"))


def test_another_model_or_temperature_is_another_request(server: FaultServer, capsys: Capsys) -> None:
    items(2)
    cached = (*to(server), "--cache", "on")
    typed(capsys, *RUN, *cached)
    typed(capsys, *RUN, *cached, "--temperature", "0.5")
    typed(capsys, *RUN, "--model", "openai/other", *cached[2:])
    assert server.requests == 6
    assert set(server.answered.values()) == {1}


def test_a_run_goes_on_with_a_cache_that_it_did_not_begin_with(server: FaultServer, capsys: Capsys) -> None:
    items(4)
    typed(capsys, *RUN, *to(server), "--cache", "on", "--store", "other.db")
    cut = typed(capsys, *RUN, *to(server), "-c", "1", "--budget-tokens", "1")
    assert (cut.code, cut.out) == (1, "")
    assert "stopped after 0 debates" in cut.err
    came = typed(capsys, "resume", "--cache", "on", *ALLOWED)
    assert (came.code, server.requests) == (0, 4)
    assert "4 verdicts, 0 failures, 0 calls, 0 tokens, 4 more calls answered by the cache" in came.err


# What means nothing.


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--cache", "sometimes"), 'Invalid value "sometimes" for --cache. Choose from: "off", "read"'),
        (("--cache", "read"), "--cache read: there is no file agentdebate-cache.db"),
        (("--budget-tokens", "0"), "a budget of tokens is more than 0, not 0"),
        (("--budget-tokens", "-5"), "a budget of tokens is more than 0, not -5"),
        (("--budget-money", "nan"), "a budget of money is more than 0, not nan"),
        (("--budget-money", "1"), "a budget of money needs the price of openai/tiny, which is unknown"),
        (("--budget-money", "1", "--prices", "nowhere.toml"), "nowhere.toml"),
        (("--debate-tokens", "0"), "what a debate may take in tokens is more than 0, not 0"),
        (("--debate-seconds", "nan"), "what a debate may take in seconds is more than 0, not nan"),
        (
            ("--debate-money", "1"),
            "a debate's budget of money needs the price of openai/tiny, which is unknown",
        ),
        (("--requests-per-minute", "0"), "--requests-per-minute is at least 1, not 0"),
        (("--tokens-per-minute", "-1"), "--tokens-per-minute is at least 1, not -1"),
        (("--in-flight", "0"), "--in-flight is at least 1, not 0"),
    ],
)
def test_an_option_that_means_nothing_is_misuse(words: tuple[str, ...], said: str, capsys: Capsys) -> None:
    items(1)
    came = typed(capsys, *RUN, *NOBODY, *words)
    assert (came.code, came.out) == (2, "")
    assert said in came.err
    assert "Traceback" not in came.err
    assert not Path("agentdebate.db").exists()


@pytest.mark.parametrize("words", [("--cache", "sometimes"), ("--in-flight", "0")])
def test_it_is_misuse_of_a_dry_run_and_of_the_offline_judge_too(
    words: tuple[str, ...], capsys: Capsys
) -> None:
    items(1)
    assert typed(capsys, *RUN, *NOBODY, "--dry-run", *words).code == 2
    assert typed(capsys, *RUN, *words).code == 2
    assert not Path("agentdebate.db").exists()


# Budgets.


def test_a_run_stops_at_its_budget_and_goes_on_with_more(server: FaultServer, capsys: Capsys) -> None:
    items()
    whole = typed(capsys, *DEBATES, *to(server), "--json", "--store", "whole.db")
    ideal = server.requests
    spent = server.ledger.prompt_tokens + server.ledger.completion_tokens
    half = typed(capsys, *DEBATES, *to(server), "-c", "4", "--json", "--budget-tokens", str(spent // 2))
    assert half.code == 1
    assert 0 < len(half.json) < 12
    stopped, reason = half.err.splitlines()[-2:]
    assert stopped.startswith(f"stopped after {len(half.json)} debate")
    assert "; go on: agentdebate resume " in stopped
    assert reason.startswith("agentdebate: the budget is spent: ")
    assert f" of {spent // 2:,} tokens spent, 0 tokens reserved; no debate is sure to fit" in reason
    paid = server.ledger.prompt_tokens + server.ledger.completion_tokens - spent
    assert spent // 4 < paid <= spent // 2
    assert calls_on_disk() == server.requests - ideal

    rest = typed(capsys, "resume", "--json", "--budget-tokens", str(2 * spent), *ALLOWED)
    assert rest.code == 0
    both = sorted(rest.json, key=lambda row: row["id"])  # those that had ended come with the others
    assert {row["id"] for row in half.json} < {row["id"] for row in both}
    assert [row["scores"] for row in both] == [
        row["scores"] for row in sorted(whole.json, key=lambda row: row["id"])
    ]
    assert server.requests == 2 * ideal
    assert set(server.answered.values()) == {2}


def test_a_run_that_goes_on_keeps_to_the_options_that_it_was_begun_with(
    server: FaultServer, capsys: Capsys
) -> None:
    items()
    first = typed(capsys, *DEBATES, *to(server), "-c", "4", "--budget-tokens", "3000")
    spent = server.ledger.prompt_tokens + server.ledger.completion_tokens
    second = typed(capsys, "resume", *ALLOWED)
    assert (first.code, second.code) == (1, 1)
    assert f"{spent:,} of 3,000 tokens spent" in second.err
    assert first.err.partition("go on: ")[2].splitlines()[0].endswith(" --budget-tokens MORE")
    assert server.ledger.prompt_tokens + server.ledger.completion_tokens == spent <= 3000


def test_options_that_are_given_go_before_those_of_the_run() -> None:
    before = SpendingOptions(Limits(in_flight=9, requests_per_minute=2), budget_tokens=5, cache="on")
    assert SpendingOptions(Limits(in_flight=3)).over(before) == SpendingOptions(
        Limits(in_flight=3, requests_per_minute=2), budget_tokens=5, cache="on"
    )
    assert SpendingOptions().over(before) == before


def test_what_is_under_way_when_the_budget_is_spent_is_kept(capsys: Capsys) -> None:
    """One item is far too long for what is left, while the others' first calls are with the server."""
    long = {"id": "long", **ITEM, "source": "It rains. " * 20_000}
    write([*numbered(5), long])
    with open_server(latency=0.3) as (server, _):
        came = typed(capsys, *RUN, *to(server), "-c", "6", "--json", "--budget-tokens", "30000")
        assert came.code == 1
        assert "stopped after 5 debates" in came.err
        assert server.requests == server.answered.total() == calls_on_disk() == len(came.json) == 5


def test_each_debate_keeps_to_what_it_may_take(server: FaultServer, capsys: Capsys) -> None:
    items(3)
    whole = typed(capsys, *DEBATES, *to(server), "--json", "--store", "whole.db")
    limit = min(row["prompt_tokens"] + row["completion_tokens"] for row in whole.json) * 3 // 4
    came = typed(capsys, *DEBATES, *to(server), "--json", "--debate-tokens", str(limit))
    assert (came.code, len(came.json)) == (0, 3)
    for row in came.json:
        assert row["prompt_tokens"] + row["completion_tokens"] <= limit
        assert (row["ended"], bool(row["curtailed"])) == ("debate budget", True)


def test_money_is_counted_by_a_file_of_prices(server: FaultServer, capsys: Capsys) -> None:
    items()
    Path("mine.toml").write_text(PRICES, encoding="utf-8")
    words = (*DEBATES, *to(server), "-c", "2", "--budget-money", "8", "--prices", "mine.toml")
    came = typed(capsys, *words)
    assert came.code == 1
    assert " of 8.0000 USD spent" in came.err
    spent = (server.ledger.prompt_tokens + server.ledger.completion_tokens) / 1000
    assert 4 < spent <= 8


def test_a_budget_that_suffices_is_not_noticed(server: FaultServer, capsys: Capsys) -> None:
    items(3)
    came = typed(capsys, *RUN, *to(server), "--budget-tokens", "1000000")
    assert came.code == 0
    assert "3 verdicts, 0 failures, 3 calls" in came.err


def test_what_the_cache_gives_is_not_of_the_budget(server: FaultServer, capsys: Capsys) -> None:
    items(3)
    typed(capsys, *RUN, *to(server), "--cache", "on")
    assert typed(capsys, *RUN, *to(server), "--cache", "on", "--budget-tokens", "1").code == 0


def test_agents_with_models_of_their_own_share_the_budget(
    server: FaultServer, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    items()
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    words = (*DEBATES, "--model", "openai/tiny", "--agent-model", "critic=openai/other", "-c", "2")
    limit = 12_000
    came = typed(capsys, *words, "--budget-tokens", str(limit))
    assert came.code == 1
    assert limit // 2 < server.ledger.prompt_tokens + server.ledger.completion_tokens <= limit
    with ad.open_store("agentdebate.db") as store:
        models = Counter(call.completion.model for call in store.run().calls())
    assert {name.partition(" at ")[0] for name in models} == {"tiny", "other"}
    assert min(models.values()) > 2

    needs = typed(capsys, *words, "--budget-money", "1", "--prices", _prices("tiny"))
    assert needs.code == 2
    assert "a budget of money needs the price of openai/other" in needs.err


def _prices(match: str) -> str:
    Path("some.toml").write_text(PRICES.replace("tiny", match), encoding="utf-8")
    return "some.toml"


# Limits.


@pytest.mark.parametrize("most", [1, 3])
def test_so_many_calls_are_in_flight_and_no_more(most: int, server: FaultServer, capsys: Capsys) -> None:
    items()
    came = typed(capsys, *RUN, *to(server), "-c", "12", "--in-flight", str(most))
    assert (came.code, server.most_in_flight) == (0, most)


def test_as_many_calls_are_in_flight_as_debates_where_nothing_is_said(
    server: FaultServer, capsys: Capsys
) -> None:
    items()
    came = typed(capsys, *RUN, *to(server), "-c", "5")
    assert (came.code, server.most_in_flight) == (0, 5)


def test_an_agent_for_whom_the_same_model_is_named_shares_its_limits(
    server: FaultServer, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    items()
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    words = (*DEBATES, "--model", "openai/tiny", "--in-flight", "2", "--agent-model")
    assert typed(capsys, *words, "critic=openai/tiny").code == 0
    assert server.most_in_flight == 2
    assert typed(capsys, *words, "critic=openai/other").code == 0
    assert 2 < server.most_in_flight <= 4


def test_no_more_calls_start_in_a_minute_than_are_allowed() -> None:
    items()
    with open_server() as (server, _), _process(*RUN, *to(server), "--requests-per-minute", "7") as process:
        until(lambda: server.answered.total() == 7)
        time.sleep(0.3)  # in which the others would have come
        assert server.requests == 7
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "stopped after 7 debates" in err


def test_no_more_tokens_are_spent_in_a_minute_than_are_allowed() -> None:
    items()
    allowed = 4000
    with (
        open_server() as (server, _),
        _process(*RUN, *to(server), "--tokens-per-minute", str(allowed), "--max-tokens", "50") as process,
    ):
        until(lambda: server.answered.total() >= 3)
        time.sleep(0.3)
        spent = server.ledger.prompt_tokens + server.ledger.completion_tokens
        assert allowed / 3 < spent <= allowed
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
    assert process.returncode == 130


@contextmanager
def _process(*words: str) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-m", "agentdebate", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


# Outages and refusals.


def test_a_server_that_is_down_for_a_second_costs_no_debate(capsys: Capsys) -> None:
    items(60)
    with open_server(latency=0.02, port=free_port()) as (server, portal):
        down = _outage(server, portal, after=10, seconds=1.2)
        came = typed(capsys, *DEBATES, *to(server), "-c", "40", "--json")
        down.result(timeout=120)
        assert came.code == 0
        assert len(came.json) == 60
        assert calls_on_disk() == sum(row["calls"] for row in came.json)


def _outage(server: FaultServer, portal: BlockingPortal, *, after: int, seconds: float) -> "Future[None]":
    """Have the server close after so many answers, and open again."""

    async def down() -> None:
        while server.answered.total() < after:  # noqa: ASYNC110 - a ledger is counts, and tells nobody when they change
            await anyio.sleep(0.005)
        await server.aclose()
        await anyio.sleep(seconds)
        await server.start()

    return portal.start_task_soon(down)


# What it will cost.


def test_a_dry_run_says_as_many_calls_as_a_run_takes_at_the_most(server: FaultServer, capsys: Capsys) -> None:
    items()
    told = typed(capsys, *DEBATES, *to(server), "--dry-run", "--json")
    assert (told.code, server.requests) == (0, 0)
    assert not Path("agentdebate.db").exists()
    (row,) = told.json
    came = typed(capsys, *DEBATES, *to(server), "--json")
    assert came.code == 0
    assert (row["items"], row["debates"], row["calls"]) == (12, 12, 60)
    assert [one["calls"] for one in came.json] <= [5] * 12
    assert max(one["calls"] for one in came.json) == 5
    assert server.requests <= row["calls"]
    assert 0.5 < row["prompt_tokens"] / server.ledger.prompt_tokens < 3
    assert (row["money"], row["currency"], row["models"][0]["price"]) == (None, None, None)


def test_an_unknown_price_is_unknown_and_a_known_one_is_counted(server: FaultServer, capsys: Capsys) -> None:
    items()
    told = typed(capsys, *RUN, *to(server), "--dry-run")
    assert "12 items, 12 debates; tokens are " in told.out
    assert told.out.rstrip().endswith("money: unknown")
    assert "the price of openai/tiny is unknown" in told.err
    Path("mine.toml").write_text(PRICES, encoding="utf-8")
    (row,) = typed(capsys, *RUN, *to(server), "--dry-run", "--json", "--prices", "mine.toml").json
    assert row["money"] == pytest.approx((row["prompt_tokens"] + row["completion_tokens"]) / 1000)
    assert row["currency"] == "USD"
    assert server.requests == 0


def test_a_dry_run_has_a_line_for_each_model(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    items()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    words = (
        *DEBATES,
        "--model",
        "openai/tiny",
        "--agent-model",
        "critic=openai/other",
        "--dry-run",
        "--json",
    )
    (row,) = typed(capsys, *words).json
    assert {one["model"]: one["calls"] for one in row["models"]} == {
        "openai/tiny at 127.0.0.1:9": 36,
        "openai/other at 127.0.0.1:9": 24,
    }


# Seats with models of their own.


def of_its_own(server: FaultServer, *more: str) -> tuple[str, ...]:
    """A run of debates that take every round, with another model of a known name for the critic."""
    seat = f"critic=openai/gpt-4o:base_url={server.base_url}"
    return (
        *RUN[:1],
        "debate",
        *RUN[2:],
        "--model",
        "openai/gpt-4o-mini",
        "--base-url",
        server.base_url,
        "--json",
        *more,
        seat,
    )


def test_a_budget_buys_as_many_verdicts_where_a_seat_has_a_model_of_its_own(capsys: Capsys) -> None:
    write(numbered(20))
    with open_server(replies=lambda _: "It leaves out the month.\nCoherence: 4") as (server, _):
        whole = typed(capsys, *of_its_own(server, "--limit", "1", "--agent-model")).json[0]
        tokens = 5.5 * (whole["prompt_tokens"] + whole["completion_tokens"])
        budget = f"--budget-tokens={tokens:.0f}"
        bought = [
            len(typed(capsys, *of_its_own(server, budget, "--agent-model")).json),
            len(typed(capsys, *of_its_own(server, budget)[:-1]).json),
        ]
    assert all(4 <= one <= 6 for one in bought), bought


def test_a_budget_smaller_than_one_debate_is_refused_before_the_first_call(capsys: Capsys) -> None:
    write(numbered(3))
    with open_server(replies=lambda _: "It leaves out the month.\nCoherence: 4") as (server, _):
        came = typed(capsys, *of_its_own(server, "--budget-tokens=900", "--agent-model"))
        assert server.requests == 0
    assert came.code == 1
    assert "no debate is sure to fit into what is left: one may take " in came.err
    assert "stopped after 0 debates; " in came.err
    assert "--budget-tokens MORE" in came.err


# Replies that cannot be read.


@pytest.mark.parametrize("said", ["I would rather talk\x1b[31m about the weather.", ""])
def test_a_run_that_reads_nothing_stops_shows_a_reply_and_says_how_to_go_on(
    said: str, capsys: Capsys
) -> None:
    write(numbered(100))
    broken = True
    with open_server(replies=lambda _: said if broken else "Coherence: 4\nNO ISSUE") as (server, _):
        place = to(server)
        came = typed(capsys, "run", "solo", *RUN[2:], *place, "--concurrency", "30")
        assert came.code == 1
        assert server.requests <= 30 + 3 * 20
        assert "stopped after 20 debates; what was paid for is kept; " in came.err
        assert "no reply of this run could be read, and 20 turns have ended so. " in came.err
        shown = r'One of the replies: "I would rather talk\x1b[31m about the weather."'
        assert (shown if said else "The replies are empty.") in came.err
        assert "\x1b" not in came.err
        go_on = came.err.partition("go on: agentdebate ")[2].partition("\n")[0].split()
        assert go_on[-1] == "--retry-failed"
        broken = False
        again = typed(capsys, *go_on)
    assert again.code == 0
    assert "100 verdicts, 0 failures" in again.err
