"""Shown to users: help, public names, prompts, tables with their captions, reports.

These change with the product. A change is written by `pytest --write-contract tests/contract/shown`, and is a commit of its own that says
in its body what it is for.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import doors
import pytest
import scripted_judge
from scripted_endpoint import ScriptedEndpoint

COMMANDS = (
    "demo", "score", "run", "resume", "work", "stop", "show", "view", "report", "export", "aggregate", "agree", "dynamics",
    "replay-stops", "plot", "sweep", "list", "check", "store", "graph", "init", "ray",
)  # fmt: skip
LISTS = ("strategies", "agents", "tasks", "merges", "evaluators", "embedders", "rules", "conventions")
SUMMARY = doors.item(
    "summarization",
    {
        "source": "The bridge at Kelby is shut for eleven weeks. Two bearings are corroded.",
        "summary": "Kelby's bridge is shut for eleven weeks.",
        "reference": "The bridge is shut while corroded bearings are replaced.",
    },
)
PAIR = doors.item(
    "comparison",
    {
        "question": "Why is the bridge shut?",
        "answer_1": "Two of its bearings are corroded.",
        "answer_2": "I do not know why.",
        "reference": "Its bearings are corroded.",
    },
)
ROWS = [
    {
        "id": f"{source}/{n}",
        "group": source,
        "source": f"The bridge is shut. #{n}",
        "summary": f"It is shut. #{n}",
        "human": {"relevance": 1 + (n * step) % 5},
    }
    for source, step in (("a", 2), ("b", 3))
    for n in range(1, 5)
]


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    """One width for all terminals."""
    monkeypatch.setenv("COLUMNS", "100")


def test_every_command_stands_in_the_help() -> None:
    said = doors.typed("--help").out
    assert [name for name in COMMANDS if f" {name} " not in said] == []


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(command: str, golden: Callable[..., None]) -> None:
    golden(f"help-{command or 'all'}", doors.typed(*command.split(), "--help").out.rstrip())


def test_public_names(golden: Callable[..., None]) -> None:
    golden("public-names", doors.public_names())


@pytest.mark.parametrize("what", LISTS)
def test_lists(what: str, golden: Callable[..., None]) -> None:
    golden(f"list-{what}", doors.typed("list", what).out.rstrip())


def test_the_strategies_that_people_begin_with_are_listed_and_all_on_request() -> None:
    some, every = doors.typed("list", "strategies"), doors.typed("list", "strategies", "--all")
    assert f"{len(doors.built_in('strategies'))} strategies in all" in some.err
    assert every.err == ""
    assert [name for name in doors.built_in("strategies") if f"\n{name} " not in every.out] == []


def test_a_check_has_a_line_for_each_thing_that_it_tries(endpoint: ScriptedEndpoint) -> None:
    words = ("check", "openai/m", "--base-url", endpoint.base_url)
    tried = doors.typed(*words, "--json").json[0]["tried"]
    lines = doors.typed(*words).out.splitlines()
    assert [line[:16].strip() for line in lines] == [one["kind"] for one in tried]


@pytest.mark.parametrize("form", ["schema", "text"])
@pytest.mark.parametrize("name", doors.built_in("strategies"))
def test_prompts(name: str, form: str, golden: Callable[..., None]) -> None:
    """The first prompt for each purpose, on the item that the strategy judges."""
    prompts: dict[str, str] = {}
    for subject in (SUMMARY, PAIR):
        held = doors.hold(
            subject,
            name,
            scripted_judge.answer,
            structured=form == "schema",
            aspects=None if subject is PAIR else "relevance",
        )
        for one in held.questions:
            prompts.setdefault(f"{one.item} {one.seat} {one.purpose}", one.text)
        if prompts:
            break
    golden(f"prompts-{name}-{form}", "\n\n".join(f"===== {who}\n{text}" for who, text in prompts.items()))


def run(endpoint: ScriptedEndpoint) -> None:
    """Hold DEBATE over eight items that people have scored."""
    doors.write_rows("data.jsonl", ROWS)
    words = ("--task", "summarization", "--aspects", "relevance", "--group", "group", "--concurrency", "1")
    done = doors.typed(
        "run", "debate", "data.jsonl", *words, "--model", "openai/m", "--base-url", endpoint.base_url
    )
    assert done.code == 0, done.err


def plain(text: str) -> str:
    """A text without what differs from run to run: names of runs, addresses, seconds, dates."""
    for pattern, instead in (
        (re.escape(str(Path.cwd())), "FOLDER"),
        (r"\d{8}-\d{6}-[a-z-]+-[0-9a-f]{4}", "RUN"),
        (r"127\.0\.0\.1:\d+", "HOST"),
        (r"\d+(\.\d+)? ?(ms|s|seconds)\b", "TIME"),
        (r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z| UTC|[+-]\d{2}:\d{2})?", "DATE"),
        (r"[ \t]+\n", "\n"),
    ):
        text = re.sub(pattern, instead, text)
    return text.strip()


def test_tables_of_a_run(endpoint: ScriptedEndpoint, golden: Callable[..., None]) -> None:
    run(endpoint)
    for name, words in {
        "show": ("show", "last"),
        "show-debate": ("show", "last", "a/1"),
        "agree": (
            "agree",
            "last",
            "--statistic",
            "spearman",
            "--level",
            "pooled,group",
            "--resamples",
            "200",
        ),
        "dynamics": ("dynamics", "last"),
        "report": ("report", "last", "--format", "markdown"),
    }.items():
        golden(name, plain(doors.typed(*words).out))


PRICES = """
[[models]]
match = "openai/m"
input = 1.0
output = 4.0
"""


def test_forecasts(endpoint: ScriptedEndpoint, golden: Callable[..., None]) -> None:
    doors.write_rows("data.jsonl", ROWS)
    Path("dear.toml").write_text(PRICES, encoding="utf-8")
    words = (
        "data.jsonl",
        "--task",
        "summarization",
        "--aspects",
        "relevance",
        "--group",
        "group",
        "--dry-run",
    )
    model = ("--model", "openai/m", "--base-url", endpoint.base_url)
    for name, more in {
        "forecast-run": ("run", "debate", *words, *model),
        "forecast-run-priced": ("run", "debate", *words, *model, "--prices", "dear.toml"),
        "forecast-sweep": ("sweep", "debate", *words, *model, "--vary", "rounds=1,2"),
        "forecast-sweep-priced": (
            "sweep", "debate", *words, *model, "--vary", "strategy=debate,solo", "--prices", "dear.toml",
        ),
    }.items():  # fmt: skip
        done = doors.typed(*more)
        assert (done.code, endpoint.received) == (0, []), done.err
        golden(name, plain(done.out))


CHOSEN = [{"id": n, "people": 1 + n % 2, "mine": 1 + n % 3 % 2} for n in range(30)]


def test_captions_of_files(golden: Callable[..., None]) -> None:
    doors.write_rows("pairs.jsonl", CHOSEN)
    words = ("--data", "pairs.jsonl", "--choice", "people=mine", "--on", "id")
    for kind in ("text", "markdown", "latex"):
        golden(f"agree-choices-{kind}", plain(doors.typed("agree", *words, "--format", kind).out))


def test_json_of_a_run_has_its_keys(endpoint: ScriptedEndpoint, golden: Callable[..., None]) -> None:
    run(endpoint)
    rows = {
        what: doors.typed("export", "last", "--what", what).json[0]
        for what in ("verdicts", "messages", "calls", "ballots", "costs")
    }
    golden("export-keys", {what: sorted(row) for what, row in rows.items()})
    golden("agree-keys", sorted(json.loads(doors.typed("agree", "last", "--json").out)))
