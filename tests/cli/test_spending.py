"""What a run may spend, how fast it may go, and what it need not pay for again: on the command line, against a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from typed import ALLOWED, ITEM, NOBODY, RUN, Typed, numbered, typed, write

import agentdebate as ad
from agentdebate.testing.server import FaultServer

Capsys = pytest.CaptureFixture[str]
DEBATES = ("run", "debate", *RUN[2:], "--set", "rounds=2")


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


# Budgets.


def test_a_run_stops_at_its_budget_and_goes_on_with_more(server: FaultServer, capsys: Capsys) -> None:
    items()
    whole = typed(capsys, *DEBATES, *to(server), "--json", "--store", "whole.db")
    ideal = server.requests
    spent = server.prompt_tokens + server.completion_tokens
    half = typed(capsys, *DEBATES, *to(server), "-c", "4", "--json", "--budget-tokens", str(spent // 2))
    assert half.code == 1
    assert 0 < len(half.json) < 12
    stopped, reason = half.err.splitlines()[-2:]
    assert stopped.startswith(f"stopped after {len(half.json)} debate")
    assert "; go on: agentdebate resume " in stopped
    assert reason.startswith("agentdebate: the budget is spent: ")
    assert f" of {spent // 2:,} tokens spent" in reason
    paid = server.prompt_tokens + server.completion_tokens - spent
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


# Limits.


@pytest.mark.parametrize("most", [1, 3])
def test_so_many_calls_are_in_flight_and_no_more(most: int, server: FaultServer, capsys: Capsys) -> None:
    items()
    came = typed(capsys, *RUN, *to(server), "-c", "12", "--in-flight", str(most))
    assert (came.code, server.most_in_flight) == (0, most)


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
    assert 0.5 < row["prompt_tokens"] / server.prompt_tokens < 3
    assert (row["money"], row["currency"], row["models"][0]["price"]) == (None, None, None)
