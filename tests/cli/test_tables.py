"""Tables: whatever the width of the terminal, no figure loses a digit."""

from collections.abc import Sequence

import pytest
from rich.cells import cell_len
from typed import ITEM, typed, write

from agentdebate.cli.console.output import table as print_table
from agentdebate.report.text_table import TextTable


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
