"""agentdebate score: one item, and the talk as it happens; and files in the place of built-in ones, which commands name."""

import shutil
from pathlib import Path

import pytest
from typed import FIELDS, ITEM, SCORE, typed, write

from agentdebate.project.project import builtin_root

Capsys = pytest.CaptureFixture[str]


def test_a_debate_in_which_nobody_sits_says_what_it_is_about_and_names_no_model(capsys: Capsys) -> None:
    """The mean of evaluators: nobody gets a brief, and no model speaks."""
    words = ("--also", f"reference={ITEM['summary']}", "--set", 'evaluators=["rouge-1"]')
    came = typed(capsys, "score", "avg", *SCORE[2:], *FIELDS, *words)
    assert came.code == 0
    heading, *rest = [line for line in came.out.splitlines() if line]
    assert heading.startswith("item: coherence ─")
    assert rest.index("source") < rest.index("summary")
    (verdict,) = [line for line in rest if line.startswith("verdict: ")]
    assert verdict == "verdict: coherence 5 (settled: computed, rounds: 0)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing in it"),
        ("[]", "an object is wanted here, not a list"),
        ('{"source": \n', "line 2"),
        ('{"source": {}, "summary": "a"}', "'source'"),
        ('{"source": null, "summary": "a"}', "'source'"),
    ],
)
def test_an_item_that_is_none_is_named(text: str, said: str, capsys: Capsys) -> None:
    Path("item.json").write_text(text, encoding="utf-8")
    came = typed(capsys, *SCORE, "--item", "item.json")
    assert (came.code, came.err.count("\n")) == (2, 1)
    assert said in came.err


# Files in the place of built-in ones.


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
