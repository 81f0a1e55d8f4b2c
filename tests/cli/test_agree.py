"""agentdebate agree on files: whose scores, which rows, which numbers, in which form."""

from typing import Any

import pytest
from typed import typed, write

Capsys = pytest.CaptureFixture[str]
TEXTS: list[dict[str, Any]] = [
    {
        "doc": f"d{doc}",
        "sys": f"s{system}",
        "coherence": 1 + (doc + system) % 5,
        "fluency": 1 + doc * system % 3,
    }
    for doc in range(6)
    for system in range(4)
]
PREDICTED = [
    {**text, "coherence": text["coherence"] + 0.1 * number, "fluency": -text["fluency"]}
    for number, text in enumerate(TEXTS)
]
ON = ("--data", "data.jsonl", "--scores", "mine.jsonl", "--on", "doc,sys")
ASPECTS = (*ON, "--aspects", "coherence,fluency")


@pytest.fixture(autouse=True)
def _files() -> None:
    write(TEXTS)
    write(PREDICTED[::-1], "mine.jsonl")


def refused(capsys: Capsys, *words: str) -> str:
    """The one line that a wrong command line gets."""
    done = typed(capsys, "agree", *words)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    return done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a run, or the file with people's scores: --data FILE"),
        (("--data", "data.jsonl", "--as", "hanna", "--score", "a=b"), "which judge? name a run"),
        (("--data", "none.jsonl", "--scores", "mine.jsonl"), "none.jsonl: cannot be read"),
        ((*ON[:-1], "docs"), "has no field 'docs'. Did you mean 'doc'?"),
        ((*ON[:-1], "doc"), "data.jsonl, line 2: doc = d0 is on line 1 too"),
        ((*ON, "--aspects", "fluencies"), "has no field 'fluencies'. Did you mean 'fluency'?"),
        (
            (*ON, "--human", "x=doc", "--score", "x=fluency"),
            "data.jsonl, line 1, 'doc': a number is wanted here",
        ),
        ((*ON, "--where", "system=s1"), "--where: mine.jsonl has no field 'system'. Did you mean 'sys'?"),
        (
            ON,
            "which scores? --aspects NAME,NAME names fields of both sides, --human ASPECT=FIELD and --score",
        ),
        ((*ASPECTS, "--level", "summary"), "--level: there is no 'summary'"),
        ((*ASPECTS, "--statistic", "pearsons"), "Did you mean 'pearson'?"),
        (
            (*ASPECTS, "--statistic", "kappa"),
            "those of mine, coherence have to be whole numbers of one scale",
        ),
        ((*ON, "--convention", "summeval"), "there is no convention 'summeval'"),
        (
            (*ASPECTS, "--convention", "summeval-system"),
            "the system level needs the system of every row; 24 of 24 have none: --system FIELD names it",
        ),
        ((*ASPECTS, "--compare"), "--compare is for two judges or more"),
        (
            (*ASPECTS, "--scale", "fluencies=1-5"),
            "--scale: 'fluencies' is neither an aspect nor a judge here. Did you mean 'fluency'?",
        ),
        ((*ON, "--scores", "mine.jsonl"), "two judges are called the same, mine, mine"),
        ((*ON, "--json", "--format", "csv"), "--json and --format csv are two formats"),
        ((*ASPECTS, "--permutations", "9"), "--permutations goes with --compare"),
        ((*ASPECTS, "--risk", "0.2"), "--risk goes with --confidences"),
        ((*ASPECTS, "--stages"), "--stages goes with --confidences"),
        ((*ASPECTS, "--bins", "3"), "--bins goes with --calibration"),
        ((*ASPECTS, "--resamples", "-1"), "resamples and seed are 0 or more"),
        ((*ASPECTS, "--output", "none/table.txt"), "none/table.txt cannot be written"),
        (
            (*ON[:2], "--replies", "mine.jsonl", "--reply", "fluency", *ON[4:]),
            "which scores? --aspects NAME,NAME names fields of both sides",
        ),
        ((*ON[:2], "--choice", "doc=system"), "--choice: data.jsonl has no field 'system'"),
    ],
)
def test_wrong_input_is_one_line_that_says_what_to_do(
    capsys: Capsys, words: tuple[str, ...], said: str
) -> None:
    assert said in refused(capsys, *words)


def test_files_in_which_nothing_joins_are_an_error(capsys: Capsys) -> None:
    write([{**row, "doc": f"x{row['doc']}", "name": row["doc"]} for row in PREDICTED], "mine.jsonl")
    said = refused(capsys, *ON)
    assert "no row of mine.jsonl (xd0/s0," in said
    assert "Fields of the first are doc, sys, coherence, fluency, name: --on FIELD=FIELD" in said
