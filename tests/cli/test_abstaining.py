"""A run in which debates abstained, as every command shows it: neither as a score nor as a failure."""

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typed import FIELDS, typed, write

from agentdebate import plugins
from agentdebate.models.base import Model
from agentdebate.strategies.base import Cards, Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.strategy_file import GROUP
from agentdebate.talk.messages import Verdict
from agentdebate.talk.purposes import SCORE
from agentdebate.testing import replying

WHY = "the judge is not sure enough"
HOLD = (
    "run", "hesitant", "data.jsonl", "--task", "summarization", "--aspects", "coherence", "--human", "coherence=people",
    "--model", "some",
)  # fmt: skip
REPLIES = {"doubtful": "Coherence: 1", "refused": "I refuse.", "fine": "Coherence: 4"}


class Hesitant(Strategy):
    """One judge, whose score is a verdict only where it is high."""

    cast: Mapping[str, Cards] = {"scorer": ("reviewer",)}

    async def debate(self, floor: Floor) -> Verdict:
        score = await floor.ask(floor.one("scorer"), SCORE)
        if score.ballot.ratings[0].score < 3:
            return floor.abstained(WHY)
        return floor.verdict(score, settled=True, ended="one opinion")


@pytest.fixture(autouse=True)
def _strategy(monkeypatch: pytest.MonkeyPatch, speaks: Callable[[Model], None]) -> None:
    real, point = plugins.registered, EntryPoint("hesitant", f"{__name__}:Hesitant", GROUP)
    monkeypatch.setattr(
        plugins,
        "registered",
        lambda group: {**real(group), **({"hesitant": point} if group == GROUP else {})},
    )
    monkeypatch.setenv("COLUMNS", "200")
    Path("strategies").mkdir(exist_ok=True)
    Path("strategies/hesitant.toml").write_text(
        'name = "hesitant"\nabout = "Judges only where it is sure."\nuses = "hesitant"\n', encoding="utf-8"
    )
    speaks(
        replying(lambda prompt: next(r for word, r in REPLIES.items() if word in str(prompt)), name="some")
    )


def held(capsys: pytest.CaptureFixture[str], *kinds: str, code: int = 0) -> str:
    """Hold a run over texts of these kinds; what was said."""
    write(
        [
            {"id": f"i{place}", "source": "A text.", "summary": f"It is {kind}.", "people": 2}
            for place, kind in enumerate(kinds)
        ]
    )
    done = typed(capsys, *HOLD)
    assert done.code == code, done.err
    return done.out + done.err


def cells(out: str, first: str) -> list[str]:
    """The line of a table that begins with a word."""
    return next(words for line in out.splitlines() if (words := line.split())[:1] == [first])


def test_a_run_that_abstained_now_and_then_is_no_failure_and_says_it_in_its_tables_and_its_last_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = held(capsys, "fine", "doubtful", "fine")
    assert cells(out, "i1") == ["i1", "abstained", "0"]
    assert cells(out, "coherence")[:2] == ["coherence", "2"]
    assert "2 verdicts, 0 failures, 1 abstention, 3 calls" in out
    assert "Failures" not in out


def test_beside_a_failure_the_exit_code_is_that_of_the_failure(capsys: pytest.CaptureFixture[str]) -> None:
    out = held(capsys, "fine", "doubtful", "refused", code=1)
    assert "1 verdict, 1 failure, 1 abstention, " in out


def test_the_page_and_the_list_of_runs_count_it(capsys: pytest.CaptureFixture[str]) -> None:
    held(capsys, "fine", "doubtful")
    page = typed(capsys, "show")
    assert (page.code, ": 1 verdict, 0 failures, 1 abstention\n" in page.out) == (0, True)
    (told,) = typed(capsys, "show", "--json").json
    assert (told["verdicts"], told["failures"], told["outcomes"]) == (1, 0, {"verdict": 1, "abstained": 1})
    assert [(row["id"], row["outcome"], row["abstained"]) for row in told["rows"]] == [
        ("i0", "verdict", ""),
        ("i1", "abstained", WHY),
    ]
    listed = typed(capsys, "list", "runs")
    assert "1 abstention" in listed.out
    (row,) = typed(capsys, "list", "runs", "--json").json
    assert row["outcomes"] == {"verdict": 1, "abstained": 1}


def test_score_says_why_on_standard_error_and_ends_well(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    speaks(replying("Coherence: 1", name="some"))
    words = (
        "score",
        "hesitant",
        "--task",
        "summarization",
        "--aspects",
        "coherence",
        "--model",
        "some",
        "--quiet",
    )
    done = typed(capsys, *words, *FIELDS)
    assert (done.code, done.out) == (0, "")
    assert f"coherence: abstained: {WHY}\n" in done.err
