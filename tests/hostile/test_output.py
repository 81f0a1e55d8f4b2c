"""What is printed and written of other people's text is safe where it lands, and is still that text."""

import asyncio
import csv
import io
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt
from nasty_run import AGENT, ASPECT, CODE, IDS, MODEL, SCREEN, hold
from output_checks import FORMULA, Page, check_latex
from typed import typed as type_words
from typed import write

from agentdebate.cli.console.command_lines import go_on, see_run
from agentdebate.models.base import Model
from agentdebate.testing import replying
from agentdebate.visible import HIDDEN, visible

STORE = "agentdebate.db"
FEW = ("--resamples", "20")
LABEL = f"{SCREEN.replace('=', '')}|$x^2$_"
"""What a judge is called on the command line."""


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the run, made once."""
    store = tmp_path_factory.mktemp("nasty") / STORE
    asyncio.run(hold(store))
    return store


@pytest.fixture(autouse=True)
def _store(nasty: Path) -> None:
    shutil.copy(nasty, STORE)


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str]]:
    """Types a command line; what it printed comes back, of both streams."""

    def type_it(*words: str, code: int | None = 0) -> tuple[str, str]:
        came = type_words(capsys, *words)
        assert code in (came.code, None), came.err
        return came.out, came.err

    return type_it


Typed = Callable[..., tuple[str, str]]


def safe_on_a_screen(text: str) -> None:
    """Nothing steers the screen, and no line of somebody else's looks like one of ours."""
    assert HIDDEN.search(text.replace("\n", "").replace("\t", "")) is None
    assert not re.search(r"^run forged", text, re.MULTILINE)


@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("show", "last", IDS[0]),
        ("show", "last", IDS[7]),
        ("show", "last", IDS[0], "--who"),
        ("list", "runs"),
        ("dynamics",),
        ("agree", "last", *FEW),
        ("agree", f"{LABEL}=last", *FEW),
    ],
)
def test_what_is_printed_steers_no_terminal(typed: Typed, words: tuple[str, ...]) -> None:
    out, err = typed(*words, code=None)
    assert len(out) > 100
    safe_on_a_screen(out)
    safe_on_a_screen(err)


@pytest.mark.parametrize(
    "words",
    [("show", SCREEN), ("show", "last", SCREEN), (SCREEN,), ("plot", "people", "-o", f"{SCREEN}.gif")],
)
@pytest.mark.parametrize("debug", [(), ("--debug",)])
def test_errors_steer_no_terminal(typed: Typed, words: tuple[str, ...], debug: tuple[str, ...]) -> None:
    _, err = typed(*words, *debug, code=2)
    safe_on_a_screen(err)
    assert "\\x1b" in err


@pytest.mark.parametrize(
    "words",
    [
        ("show", "--json"),
        ("show", "last", IDS[7], "--json"),
        ("list", "runs", "--json"),
        ("dynamics", "--json"),
        ("agree", f"{LABEL}=last", "--json", *FEW),
        ("export",),
        ("export", "--what", "messages"),
        ("export", "--what", "calls"),
    ],
)
def test_json_can_be_looked_at_and_is_the_same_data(typed: Typed, words: tuple[str, ...]) -> None:
    out, _ = typed(*words, code=None)
    safe_on_a_screen(out)
    texts = set(_texts([json.loads(line) for line in out.splitlines()]))
    assert any("\x1b" in text and "\u202e" in text for text in texts)
    assert any(known in text for text in texts for known in (SCREEN, ASPECT, LABEL, MODEL, AGENT))


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)
    elif isinstance(data, str):
        yield data


def test_no_cell_of_csv_is_a_formula_and_none_hides_anything(typed: Typed) -> None:
    out, _ = typed("export", "--format", "csv")
    lines = list(csv.reader(io.StringIO(out, newline="")))
    assert len(lines) == 1 + len(IDS)
    assert len({len(line) for line in lines}) == 1
    assert len(out.split("\n")) == len(lines) + 1
    for cell in (part for line in lines for whole in line for part in whole.split(";")):
        assert HIDDEN.search(cell) is None
        if FORMULA.match(cell) and not cell.startswith("'"):
            assert re.fullmatch(r"-?[0-9.]+", cell)
    ids = {line[lines[0].index("id")] for line in lines[1:]}
    assert {"-3.5", "'-x", "a;'=1+1", "'  @SUM(1)"} <= ids


def test_agreement_as_csv_has_no_formula_unless_it_is_raw(typed: Typed) -> None:
    out, err = typed("agree", f"{LABEL}=last", "--format", "csv", *FEW)
    safe_on_a_screen(out)
    safe_on_a_screen(err)
    (aspect,) = {row["aspect"] for row in csv.DictReader(io.StringIO(out))}
    assert aspect == f"'{visible(ASPECT)}"
    out, _ = typed("agree", f"{LABEL}=last", "--format", "csv", "--raw", *FEW)
    assert {row["aspect"] for row in csv.DictReader(io.StringIO(out, newline=""))} == {ASPECT}


OF_PAGE = {"html", "meta", "title", "table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
OF_SVG = {
    "svg", "metadata", "rdf:rdf", "cc:work", "cc:agent", "dc:type", "dc:format", "dc:date", "dc:creator", "dc:title", "style", "defs",
    "g", "path", "use", "clippath", "rect", "image",
}  # fmt: skip


def test_markdown_has_no_tag_no_link_and_no_picture(typed: Typed) -> None:
    out, _ = typed("agree", f"{LABEL}=last", "--format", "markdown", *FEW)
    safe_on_a_screen(out)
    page = Page(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(out))
    assert page.names <= OF_PAGE | {"strong"}
    assert page.attributes <= {"style"}, "a column's alignment"
    assert any(text.startswith(visible(ASPECT)[:60]) for text in page.text)
    assert any(text.startswith(visible(LABEL)[:190]) for text in page.text)
    assert not re.search(r"(?<!\\)\$|(?<![\\])://", out)


def test_latex_has_no_command_but_ours(typed: Typed) -> None:
    out, _ = typed("agree", f"{LABEL}=last", "--format", "latex", *FEW)
    safe_on_a_screen(out)
    check_latex(out)
    assert r"\$x\textasciicircum{}2\$" in out


@pytest.mark.parametrize("kind", ["people", "cost"])
def test_a_page_has_no_element_and_no_attribute_but_its_own(typed: Typed, kind: str) -> None:
    out, err = typed("plot", kind, f"{LABEL}=last", "-o", "plot.html", "--title", CODE)
    safe_on_a_screen(out + err)
    text = Path("plot.html").read_text(encoding="utf-8")
    assert HIDDEN.search(text.replace("\n", "")) is None
    page = Page(text)
    assert page.names <= OF_PAGE | OF_SVG
    assert not any(name.startswith("on") or name == "src" for name in page.attributes)
    assert all((link or "#").startswith("#") for link in page.all("href") + page.all("xlink:href"))
    assert visible(CODE) in page.text
    assert any(visible(LABEL) == cell or visible(ASPECT) == cell for cell in page.text)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_names_in_a_picture_are_text_and_are_cut(typed: Typed, ending: str) -> None:
    typed(
        "plot", "people", f"{LABEL}=last", "last", "-o", f"plot.{ending}", "--title", f"$\\frac{{{CODE}" * 50
    )
    content = Path(f"plot.{ending}").read_bytes()
    if ending == "svg":
        names = {tag.tag.rpartition("}")[2].lower() for tag in ET.fromstring(content).iter()}
        assert names <= {one.rpartition(":")[2] for one in OF_SVG}
    assert 10_000 < len(content) < 3_000_000


def rows_of_data() -> None:
    """A data file whose names are formulas and steer screens."""
    texts = {"source": SCREEN, "summary": f"{SCREEN} {CODE}", "system": CODE}
    write([{"id": name, **texts, "h": 1 + number % 3} for number, name in enumerate(IDS[:4])])


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> Callable[[Model], None]:
    """Have --model open this model, whatever its name."""

    def use(model: Model) -> None:
        monkeypatch.setattr("agentdebate.runs.run.opener", lambda *_, **__: lambda _: model)

    return use


DATA = ("data.jsonl", "--task", "summarization", "--aspects", "fluency")


def test_a_run_its_rows_and_its_log_are_safe(typed: Typed, speaks: Callable[[Model], None]) -> None:
    rows_of_data()

    def reply(request: Any) -> str:
        return SCREEN if request.context.item.id == IDS[1] else f"{SCREEN}\n{CODE}\nFluency: 3"

    speaks(replying(reply, name=MODEL))
    out, err = typed("run", "solo", *DATA, "--json", "--log", "log.jsonl", code=1)
    safe_on_a_screen(out + err)
    assert {json.loads(line)["id"] for line in out.splitlines()} == set(IDS[:4])
    log = Path("log.jsonl").read_text(encoding="utf-8")
    safe_on_a_screen(log)
    assert any("\x1b" in text for line in log.splitlines() for text in _texts(json.loads(line)))
    out, err = typed("run", "solo", *DATA, code=1)
    safe_on_a_screen(out + err)


def test_a_score_is_safe_as_it_is_shown_and_as_json(typed: Typed, speaks: Callable[[Model], None]) -> None:
    speaks(replying(f"{SCREEN}\n{CODE}\nFluency: 3", name=MODEL))
    words = ("score", "solo", *DATA[1:], "-f", f"source={SCREEN}", "-f", f"summary={CODE}")
    for more in ((), ("--json",)):
        out, err = typed(*words, *more)
        safe_on_a_screen(out + err)
    assert visible(SCREEN)[:40] in err


def test_a_command_line_to_copy_runs_nothing_else() -> None:
    for run_name in ("x; touch /tmp/y", "$(id)", f"'{SCREEN}'"):
        assert shlex.split(see_run(run_name, STORE))[2:] == [visible(run_name)]
        assert shlex.split(go_on(run_name, "my store.db"))[2:] == [
            visible(run_name),
            "--store",
            "my store.db",
        ]


def test_a_name_of_a_million_characters_floods_no_table(
    typed: Typed, speaks: Callable[[Model], None]
) -> None:
    name = "x" * 1_000_000
    write([{"id": f"{n}{name}", "source": "S.", "summary": "T.", "h": n} for n in (1, 2, 3)])
    speaks(replying(lambda request: f"Fluency: {request.context.item.id[0]}", name=name))
    told = "".join(typed("run", "solo", *DATA, "--human", "fluency=h", "--store", "long.db"))
    for words in (("show",), ("list", "runs"), ("agree", "last", *FEW), ("dynamics",)):
        told += "".join(typed(*words, "--store", "long.db"))
    typed("plot", "model", "last", "-o", "plot.svg", "--store", "long.db")
    assert len(told) < 300_000
    assert Path("plot.svg").stat().st_size < 1_000_000
