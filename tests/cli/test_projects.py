"""agentdebate init, list and demo: what a user starts from."""

import shlex
from pathlib import Path

import pytest
from typed import typed

from agentdebate.debates.record import OFFLINE_NOTE


@pytest.mark.parametrize("folder", ["", "my judge", "deep/er"])
def test_what_init_prints_is_what_runs(
    folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = typed(capsys, "init", *([folder] if folder else []))
    assert made.code == 0
    lines = [shlex.split(line) for line in made.out.splitlines() if line.startswith("  ")]
    assert [line[0] for line in lines] == [*(["cd"] if folder else []), "agentdebate", "agentdebate"]
    if folder:
        monkeypatch.chdir(lines[0][1])
    came = typed(capsys, *lines[-2][1:])
    assert came.code == 0
    assert "tree-plain" in came.out
    said = typed(capsys, "show", "last", "tree-bait", "--prompts").out
    assert "felt well served by this headline" in said  # the turn of its own goes before the built-in one
    assert "on a small screen" in said  # and so do its agent and its strategy
    assert typed(capsys, *lines[-1][1:]).code == 0


def test_init_keeps_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    Path("headlines.jsonl").write_text("mine", encoding="utf-8")
    came = typed(capsys, "init")
    assert "kept   headlines.jsonl" in came.out
    assert Path("headlines.jsonl").read_text(encoding="utf-8") == "mine"
    again = typed(capsys, "init")
    assert (again.code, "holds a project already" in again.err) == (2, True)


def test_init_where_a_file_stands_in_the_way(capsys: pytest.CaptureFixture[str]) -> None:
    Path("agents").write_text("a file", encoding="utf-8")
    came = typed(capsys, "init")
    assert came.code == 2
    assert "cannot be written" in came.err


@pytest.mark.parametrize("kind", ["strategies", "agents", "tasks"])
def test_list_says_what_is_yours_and_what_is_built_in(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    typed(capsys, "init")
    origins = {row["name"]: row["from"] for row in typed(capsys, "list", kind, "--json").json}
    mine = {name: origin for name, origin in origins.items() if origin != "built-in"}
    expected = {
        "strategies": ["strategies/headline-debate.toml", "strategies/headline-panel.toml"],
        "agents": ["agents/hurried-reader.md"],
        "tasks": ["prompts/tasks/headline.md"],
    }
    assert list(mine.values()) == expected[kind]
    assert "built-in" in origins.values()


def test_a_file_of_yours_shadows_the_built_in_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    Path("agents").mkdir()
    Path("agents/scorer.md").write_text("---\nname: scorer\ntitle: Mine\n---\nHi.\n", encoding="utf-8")
    rows = {row["name"]: row for row in typed(capsys, "list", "agents", "--json").json}
    assert rows["scorer"]["from"] == "agents/scorer.md (in the place of the built-in one)"
    assert "in the place of" in typed(capsys, "list").out


def test_list_shows_models_and_runs(capsys: pytest.CaptureFixture[str]) -> None:
    typed(capsys, "init")
    typed(capsys, "run", "headline-debate", "headlines.jsonl", "--task", "headline")
    assert {row["name"] for row in typed(capsys, "list", "models", "--json").json} >= {"offline", "openai"}
    (run,) = typed(capsys, "list", "runs", "--json").json
    assert (run["verdicts"], run["failures"], run["state"]) == (4, 0, "ended")


def test_the_demo_is_one_debate_with_its_text_and_then_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    lines = typed(capsys, "demo").out.splitlines()
    assert len([line for line in lines if line.startswith("verdict: ")]) == 1
    assert lines.index("summary") < lines.index("scorer: consistency 3") < lines.index("Verdicts")
    assert [line for line in lines if line.startswith("commander")][1:] == ["commander passes it on"] * 3


def test_the_demo_tells_a_faithful_summary_from_an_invented_and_a_rambling_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cells = [line.split() for line in typed(capsys, "demo").out.splitlines() if line.startswith("harbour/")]
    scores = {cell[0]: float(cell[1]) for cell in cells if len(cell) == 4}
    assert scores["harbour/faithful"] > scores["harbour/rambling"] > scores["harbour/invented"]


def test_the_demo_ends_with_the_table_and_the_two_next_steps(capsys: pytest.CaptureFixture[str]) -> None:
    came = typed(capsys, "demo")
    assert came.code == 0
    assert (
        came.out.index("Verdicts") < came.out.index(OFFLINE_NOTE) < came.out.index("agentdebate run debate")
    )
    assert "--model openai/" in came.out
    assert not Path("agentdebate.db").exists()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("[options]\nround = 2\n", "'options.round'"),
        ('[options]\nrounds = "many"\n', "'rounds'"),
        ('[cast]\ncritc = "critic"\n', "'cast.critc'"),
        ('[cast]\ncritic = "nobody"\n', "there is no agent 'nobody'"),
        ('[models]\ncritc = "openai/x"\n', "Did you mean 'critic'?"),
    ],
)
def test_list_calls_a_strategy_broken_that_could_not_be_held(
    lines: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("strategies").mkdir()
    head = 'name = "mine"\nabout = "Mine."\nuses = "devils-advocate"\n'
    path = Path("strategies/mine.toml")
    path.write_text(head + lines, encoding="utf-8")
    came = typed(capsys, "list", "strategies", "--json")
    about = {row["name"]: row["about"] for row in came.json}
    assert (came.code, about["mine"].startswith("broken: "), said in about["mine"]) == (0, True, True), about
    assert [name for name in about if about[name].startswith("broken")] == ["mine"]
    path.write_text(head + '[models]\ncritic = "openai/no-key-for-this"\n', encoding="utf-8")
    rows = typed(capsys, "list", "strategies", "--json").json
    assert [row["about"] for row in rows if row["name"] == "mine"] == ["Mine."]  # and no model was opened


@pytest.mark.parametrize(
    ("kind", "path", "text"),
    [
        ("agents", "agents/mine.md", "---\nnmae: mine\ntitle: Mine\n---\nHi.\n"),
        ("strategies", "strategies/mine.toml", 'nmae = "mine"\nabout = "Mine."\nuses = "solo"\n'),
    ],
)
def test_a_misspelt_key_is_named_before_the_one_that_is_missing_for_it(
    kind: str, path: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(path).parent.mkdir()
    Path(path).write_text(text, encoding="utf-8")
    rows = {row["name"]: row["about"] for row in typed(capsys, "list", kind, "--json").json}
    assert rows["mine"].startswith(f"broken: {Path.cwd() / path}, 'nmae': ")
    assert "Did you mean 'name'?" in rows["mine"]


def test_the_runs_fit_a_terminal_with_all_their_counts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    typed(capsys, "init")
    typed(capsys, "run", "headline-debate", "headlines.jsonl", "--task", "headline", "--limit", "1")
    listed = typed(capsys, "list", "runs").out
    assert max(map(len, listed.splitlines())) <= 80
    assert [line.split()[-2:] for line in listed.splitlines() if "headline-debate" in line] == [["2", "0"]]
    assert [head[:4] for head in listed.splitlines()[1].split()[-2:]] == ["verd", "fail"]


def test_the_next_steps_can_be_typed_where_we_are_not_on_the_path(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.argv", [".venv/bin/agentdebate", "demo"])
    assert typed(capsys, "demo").out.count("  .venv/bin/agentdebate run debate FILE.jsonl") == 2
