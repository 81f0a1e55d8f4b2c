"""Tables: whatever the width of the terminal, no figure loses a digit."""

import pytest
from typed import ITEM, typed, write

from agentdebate.cli.console import table
from agentdebate.report.transcript_text import ending
from agentdebate.talk.messages import Verdict

HEAD = ["aspect", "verdicts", "failures", "mean", "lowest", "highest", "settled", "people", "n"]


@pytest.mark.parametrize("width", [20, 40, 80, 120])
@pytest.mark.parametrize("whole", [(), tuple(HEAD)])
def test_every_figure_survives_at_any_width(
    width: int, whole: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    figures = [1600, 0, "3.123", 1.25, 4.75, "1600 of 1600", "3.457", 1600]
    table("Aspects", HEAD, [["understandability of the whole", *figures]], numeric=HEAD[1:], whole=whole)
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "1600 of 1600" in line]
    assert " ".join(line.split()).endswith(" 1600 0 3.123 1.25 4.75 1600 of 1600 3.457 1600")


def test_a_wide_head_gives_way_before_the_table_leaves_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    table(
        "Aspects",
        HEAD,
        [["coherence", 1600, 0, "3.123", 1.0, 5.0, "1600 of 1600", "3.4567", 1600]],
        numeric=HEAD[1:],
    )
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


@pytest.mark.parametrize("words", [("list", "runs"), ("list", "tasks"), ("list", "models")])
def test_lists_keep_names_and_places_whole(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    write([ITEM])
    typed(capsys, "run", "chateval-one-by-one", "data.jsonl", "--task", "summarization")
    said = typed(capsys, *words).out.split()
    rows = typed(capsys, *words, "--json").json
    assert [row for row in rows if row.get("run", row.get("name")) not in said] == []
    assert [row["from"] for row in rows if "from" in row and row["from"] not in said] == []


@pytest.mark.parametrize(
    ("settled", "ended", "said"),
    [
        (True, "agreement", "settled: agreement"),
        (True, "round limit", "settled: all agree"),
        (True, "one opinion", "settled: one opinion"),
        (False, "round limit", "not settled: round limit"),
        (False, "ruling", "not settled: ruling"),
    ],
)
def test_an_ending_reads_as_what_it_means(settled: bool, ended: str, said: str) -> None:
    """A panel talks up to its last round either way."""
    verdict = Verdict(ratings=(), settled=settled, ended=ended, rounds=2, merge="average", ballots=())
    assert ending(verdict) == said
