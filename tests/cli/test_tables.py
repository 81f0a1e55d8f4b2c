"""Tables: whatever the width of the terminal, no figure loses a digit."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from typed import ITEM, typed, write

import agentdebate as ad
from agentdebate.cli.console.output import table as print_table
from agentdebate.report.table_layout import wrapped
from agentdebate.report.text_table import TextTable
from agentdebate.report.transcript_text import ending
from agentdebate.talk.messages import Verdict


def table(
    title: str,
    head: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    numeric: Sequence[str] = (),
    whole: Sequence[str] = (),
) -> None:
    print_table(TextTable(title, head, rows, numeric, whole=whole))


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


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_head_is_cut_and_wide_characters_count_twice(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    heads = ["item", "understandability", "engagingness", "consistency", "rounds"]
    rows = [
        ["港の橋の要約-🙂🙂-とても長い識別子", 3, 4.5, "3*", 10],
        ["a/very-long/identifier" * 3, 4, 4, "10", 7],
    ]
    table("Verdicts", heads, rows, numeric=heads[1:])
    lines = capsys.readouterr().out.splitlines()
    assert "…" not in "".join(lines)
    assert max(map(cell_len, lines)) <= width
    assert not any(line.endswith(" ") for line in lines)
    joined = "".join("".join(lines).split())
    assert all(head in joined for head in heads) or width < 80


def test_what_is_piped_is_as_wide_as_it_takes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    name = "a-very-long-model-name/" * 10
    table("Models", ["model", "calls"], [[name, 3]], numeric=["calls"])
    assert f"{name}      3" in capsys.readouterr().out


def test_figures_of_a_column_have_as_many_decimals_as_one_another(capsys: pytest.CaptureFixture[str]) -> None:
    table("T", ["n", "score"], [["a", 3.0], ["b", "2.25*"], ["c", "failed"], ["d", ""]], numeric=["score"])
    assert [line.split()[1:] for line in capsys.readouterr().out.splitlines()[3:]] == [
        ["3.00"],
        ["2.25*"],
        ["failed"],
        [],
    ]


@given(st.text(st.characters(exclude_categories=["C"]), max_size=60), st.integers(2, 30))
def test_a_cell_in_several_lines_keeps_its_characters(text: str, width: int) -> None:
    """Cells have no control characters: `visible` writes these as escapes before."""
    text = " ".join(text.split())
    lines = wrapped(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(cell_len(line) <= width for line in lines)


RUNS = [["20261123-005949-chateval-simultaneous-5bbd", "ended", "summarization", "offline", 6, 0]]
RUNS_HEAD = ["run", "state", "task", "model", "verdicts", "failures"]


def lines_of(drawn: TextTable, width: int | None) -> list[str]:
    return [line.plain for line in drawn.lines(width)]


def test_a_narrow_screen_does_without_the_columns_that_can_be_spared_and_says_so() -> None:
    drawn = TextTable("Runs", RUNS_HEAD, RUNS, RUNS_HEAD[4:], whole=["run"], spare=["task", "model"])
    narrow = lines_of(drawn, 80)
    assert narrow[1].split() == ["run", "state", "model", "verdicts", "failures"]
    assert narrow[-1] == "left out, since the screen is narrow: task"
    assert max(map(len, narrow)) <= 80
    assert lines_of(drawn, None)[1].split() == RUNS_HEAD
    assert lines_of(drawn, 200)[1].split() == RUNS_HEAD


def test_no_head_is_broken_where_blanks_and_intervals_can_give_way() -> None:
    head = ["rounds", "judge", "debates", "failed", "calls", "each", "tokens", "money", "coherence", "n"]
    row = ["1", "openings' vote", 6, 0, 17, "2.83", 104_000, "0.0120", "-0.531 [-0.95, -0.31]", 6]
    narrow = lines_of(TextTable("Sweep", head, [row], head[2:], whole=head[:2]), 80)
    assert narrow[1].split() == head
    assert max(map(len, narrow)) <= 80
    narrower = lines_of(TextTable("Sweep", head, [row], head[2:], whole=head[:2]), 74)
    assert narrower[1].split() == head
    assert [line.split()[-1] for line in narrower[3:5]] == ["6", "-0.31]"]


@given(
    st.lists(
        st.sampled_from(["n", "mean", "verdicts", "moved by", "coherence"]),
        min_size=1,
        max_size=7,
        unique=True,
    ),
    st.integers(20, 120),
)
def test_no_head_is_broken_in_a_table_that_would_fit(head: list[str], width: int) -> None:
    drawn = TextTable("T", head, [[1] * len(head)], numeric=head)
    found = lines_of(drawn, width)
    words = sorted(word for name in head for word in name.split())
    least = sum(max(map(len, name.split())) for name in head) + len(head) - 1
    if least <= width:
        above = found[1 : next(place for place, line in enumerate(found) if line.startswith("─"))]
        assert sorted(word for line in above for word in line.split()) == words
        assert max(map(len, found)) <= max(width, len("T"))


def test_captions_are_wrapped_on_a_screen_and_printed_sweeps_fit_as_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write([{**ITEM, "id": name, "expert": score} for name, score in (("a", 1), ("b", 3), ("c", 5))])
    words = (
        "--task",
        "summarization",
        "--aspects",
        "coherence",
        "--human",
        "coherence=expert",
        "--resamples",
        "0",
    )
    monkeypatch.setenv("COLUMNS", "80")
    narrow = typed(capsys, "sweep", "solo", "data.jsonl", *words, "--vary", "temperature=0,1").out
    assert max(map(len, narrow.splitlines())) <= 80
    assert "Single judge: solo sampled as often as a debate" in " ".join(narrow.split())
    monkeypatch.delenv("COLUMNS")
    piped = typed(capsys, "sweep", "solo", "data.jsonl", *words, "--vary", "temperature=0,1").out
    assert (
        "Single judge: solo sampled as often as a debate of the cell called on average (rounded), at" in piped
    )
    printed = str(ad.dynamics("last"))
    assert max(map(len, printed.splitlines())) <= 80
