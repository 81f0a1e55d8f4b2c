"""Files of a folder in the place of built-in ones are named by run, score, show, report, export and agree."""

import shutil
from pathlib import Path

import pytest
from typed import ITEM, typed, write

from agentdebate.project.project import builtin_root

Capsys = pytest.CaptureFixture[str]
RUN = ("run", "debate", "data.jsonl", "--task", "summarization", "--aspects", "coherence")
FILES = [
    "strategies/debate.toml",
    "agents/critic-strict.md",
    "prompts/tasks/summarization.md",
    "prompts/turns/criticise.md",
    "prompts/parts/brief.md",
    "prompts/parts/frame.md",
]
SAYS = f"built-in ones: {', '.join(FILES[:5])} and 1 more: this"


def test_a_file_in_the_place_of_a_built_in_one_is_named(capsys: Capsys) -> None:
    for path in FILES:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(builtin_root() / path, path)
    write([{"id": f"i{number}", **ITEM, "people": number} for number in range(1, 4)])
    ran = typed(capsys, *RUN, "--human", "coherence=people").err
    dry, shown = typed(capsys, *RUN, "--dry-run").err, typed(capsys, "show", "last")
    rows, agreed = typed(capsys, "export", "last"), " ".join(typed(capsys, "agree", "last").out.split())
    assert [said for said in (ran, dry, shown.out, rows.err, agreed) if SAYS not in said] == []
    assert typed(capsys, "show", "last", "--json").json[0]["configuration"]["replaced"] == FILES
    assert [row["replaced"] for row in rows.json] == [", ".join(FILES)] * 3
    table = typed(capsys, "export", "last", "--format", "csv").out.splitlines()
    assert ",replaced," in table[0]
    assert FILES[0] in table[1]
    for words in (("report", "last", "-o", "r.html"), ("report", "last", "--markdown", "-o", "r.md")):
        assert typed(capsys, *words).code == 0
        assert SAYS in Path(words[-1]).read_text(encoding="utf-8").replace("\\", "")
