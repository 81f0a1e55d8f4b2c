"""agentdebate init, list and demo: what a user starts from."""

import shlex
from pathlib import Path

import pytest
from typed import typed


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
    assert (run["strategy"], run["state"]) == ("DEBATE", "ended")


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
