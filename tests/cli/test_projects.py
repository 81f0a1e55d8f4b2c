"""agentdebate init, list and demo: what a user starts from."""

import shlex
from pathlib import Path

import pytest
from typed import typed

Capsys = pytest.CaptureFixture[str]


@pytest.mark.parametrize("folder", ["", "my judge", "deep/er"])
def test_what_init_prints_is_what_runs(folder: str, capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_init_keeps_what_is_there(capsys: Capsys) -> None:
    Path("headlines.jsonl").write_text("mine", encoding="utf-8")
    came = typed(capsys, "init")
    assert "kept   headlines.jsonl" in came.out
    assert Path("headlines.jsonl").read_text(encoding="utf-8") == "mine"
    again = typed(capsys, "init")
    assert (again.code, "holds a project already" in again.err) == (2, True)


@pytest.mark.parametrize("kind", ["strategies", "agents", "tasks"])
def test_list_says_what_is_yours_and_what_is_built_in(kind: str, capsys: Capsys) -> None:
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
