"""What a run may spend, how fast it may go, and what it need not pay for again: on the command line, against a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from typed import ALLOWED, ITEM, NOBODY, RUN, numbered, typed, write

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


def calls_on_disk() -> int:
    with ad.open_store("agentdebate.db") as store:
        return sum(len(one.calls()) for one in store.runs())


# The cache.


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
