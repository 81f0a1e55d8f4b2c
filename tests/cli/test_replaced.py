"""Files of a folder in the place of built-in ones are named by run, score, show, report, export and agree."""

import shutil
from pathlib import Path

import pytest
from typed import ITEM, typed, write

from agentdebate.project.project import builtin_root

Capsys = pytest.CaptureFixture[str]
RUN = (
    "run",
    "debate",
    "data.jsonl",
    "--task",
    "summarization",
    "--aspects",
    "coherence",
    "--human",
    "coherence=people",
)
FILES = {
    "a strategy": "strategies/debate.toml",
    "a task": "prompts/tasks/summarization.md",
    "an agent": "agents/critic-strict.md",
    "a prompt": "prompts/turns/criticise.md",
}
SAYS = "of the project stands in the place of the built-in"


def copied(path: str) -> None:
    """The built-in file, as a file of this folder."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(builtin_root() / path, path)


def data() -> None:
    write([{"id": f"i{number}", **ITEM, "people": number} for number in range(1, 4)])


@pytest.mark.parametrize("path", FILES.values(), ids=FILES)
def test_a_file_in_the_place_of_a_built_in_one_is_named(path: str, capsys: Capsys) -> None:
    copied(path)
    data()
    told = f"{path} {SAYS}"
    assert told in typed(capsys, *RUN).err
    assert told in typed(capsys, *RUN, "--dry-run").err
    assert told in typed(capsys, "show", "last").out
    assert typed(capsys, "show", "last", "--json").json[0]["configuration"]["replaced"] == [path]
    rows = typed(capsys, "export", "last")
    assert [row["replaced"] for row in rows.json] == [path] * 3
    assert told in rows.err
    table = typed(capsys, "export", "last", "--format", "csv").out.splitlines()
    assert ",replaced," in table[0]
    assert path in table[1]
    for words in (("report", "last", "-o", "r.html"), ("report", "last", "--markdown", "-o", "r.md")):
        assert typed(capsys, *words).code == 0
        assert SAYS in Path(words[-1]).read_text(encoding="utf-8").replace("\\", "")
    assert told in " ".join(typed(capsys, "agree", "last").out.split())


def test_a_link_in_the_place_of_a_built_in_file_is_refused(tmp_path: Path, capsys: Capsys) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-debate.toml"
    shutil.copyfile(builtin_root() / "strategies/debate.toml", outside)
    Path("strategies").mkdir()
    Path("strategies/debate.toml").symlink_to(outside)
    data()
    came = typed(capsys, *RUN)
    assert came.code == 2
    assert "leads out of the project" in came.err
