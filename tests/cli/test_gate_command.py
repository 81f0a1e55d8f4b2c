"""agentdebate gate."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from typed import numbered, typed, write

from agentdebate.errors import UsageError
from agentdebate.meta.figure import Interval
from agentdebate.meta.gate import Check
from agentdebate.report.gate import Gate, gate

Capsys = pytest.CaptureFixture[str]
RUN = ("run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "fluency", "-q")


def run(capsys: Capsys, **changed: str) -> str:
    write([{**row, "paper": f"p{int(row['id'][-1]) % 2}", **changed} for row in numbered(20)])
    assert typed(capsys, *RUN, "--group", "paper").code == 0
    return str(typed(capsys, "list", "runs", "--json").json[-1]["run"])


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("--at-least=fluency=1,fluency@p0=1", 0),
        ("--at-most=fluency=5,fluency@p1=2", 1),
        ("--at-most=failures=.01", 3),
        ("--at-most=fluency=4", 1),
        ("--at-least=fluncy=1", 2),
        ("--at-least=fluency=.8", 2),
        ("--at-most=fluency@p0=6", 2),
        ("--at-least=failures=.1", 2),
        ("--at-least=fluency=", 2),
        ("--at-least==3", 2),
        ("--at-least=fluency=nan", 2),
        ("--at-least=fluency@=3", 2),
    ],
)
def test_each_decision_has_an_exit_code_of_its_own(capsys: Capsys, limit: str, code: int) -> None:
    run(capsys)
    assert typed(capsys, "gate", "last", limit).code == code
    assert code != 3 or int(typed(capsys, "gate", "last", limit, "--json").json[0]["checks"][0]["more"]) > 500


def test_other_judged_texts_are_compared_and_other_items_and_judges_are_refused(capsys: Capsys) -> None:
    first = run(capsys)
    run(capsys, summary="it it it it")
    told = typed(capsys, "gate", "last", "--not-worse-than", first, "--json")
    assert told.json[0]["checks"][0]["n"] == 20
    run(capsys, source="Another source.")
    told = typed(capsys, "gate", "last", "--not-worse-than", first)
    assert (told.code, "another set of items (20 differ" in told.err) == (2, True)
    typed(capsys, *RUN, "--temperature", ".7")
    told = typed(capsys, "gate", "last", "--not-worse-than", first)
    assert (told.code, "temperature" in told.err) == (2, True)
    typed(capsys, "run", "debate", *RUN[2:])
    told = typed(capsys, "gate", "last", "--not-worse-than", first)
    assert told.err.endswith(" more. Compare with a run of this judge, prompts and items\n")
    Path("agents").mkdir()
    Path("agents/scorer.md").write_text(
        "---\nname: scorer\ntitle: Scorer\nabout: Scores.\n---\n\nYou are strict.\n"
    )
    run(capsys)
    told = typed(capsys, "gate", "last", "--not-worse-than", first)
    assert (told.code, "agents/scorer" in told.err) == (2, True)


def test_a_run_is_not_compared_with_itself_by_whatever_name(capsys: Capsys) -> None:
    only = run(capsys)
    for one, other in ((only, only), ("last", "last"), ("last", only[:-2]), (only[:-2], "last")):
        told = typed(capsys, "gate", one, "--not-worse-than", other)
        assert (told.code, f"not compared with itself: {only}" in told.err) == (2, True)


def test_a_run_that_has_not_ended_or_is_not_named_is_not_gated(capsys: Capsys) -> None:
    run(capsys)
    told = typed(capsys, "gate", "", "--at-least", "fluency=1")
    assert (told.code, "name a run: 'last', its name" in told.err) == (2, True)
    with closing(sqlite3.connect("agentdebate.db")) as store, store:
        store.execute("UPDATE runs SET ended = NULL")
    told = typed(capsys, "gate", "last", "--at-least", "fluency=1")
    assert (told.code, "has not ended (0 debates" in told.err) == (2, True)
    with pytest.raises(UsageError, match="fluency='1' is not on its scale, 1 to 5"):
        gate(at_least={"fluency": "1"})  # type: ignore[dict-item]


def test_junit_has_a_case_a_check_and_takes_an_open_one_for_an_error(capsys: Capsys) -> None:
    run(capsys)
    limits = ("--at-least", "fluency=1", "--at-least", "fluency@nowhere=1", "--at-most", "failures=.01")
    assert "'nowhere'. Known: p0, p1" in typed(capsys, "gate", *limits).err
    suite = ET.fromstring(typed(capsys, "gate", *limits[:2], *limits[4:], "--format", "junit").out)
    assert [[part.tag for part in case] for case in suite] == [[], ["error"]]


def test_every_form_tells_of_debates_without_a_score_and_takes_no_name_for_markup() -> None:
    odd = 'a|b <i>\n]]> & "q"\x1b[31m\ufffe'
    check = Check(f"{odd} >= 3", "inconclusive", 2.5, Interval(1, 4), 57, {"failed": 2, "abstained": 1})
    made = Gate(odd, (replace(check, worse=((odd, 5, 1),)), replace(check, rule="fluency >= 3", more=4)))
    told = "3 of 60 without a score: 2 failed, 1 abstained"
    assert f"fluency >= 3: {told}" in str(made)
    assert "\n| a\\|b \\<i\\>\\\\x0a\\]\\]\\> \\& " in made.to_markdown()
    first, second = ET.fromstring(made.to_junit()).iter("error")
    assert first.attrib["message"].endswith(f"{told}; more items are not likely to decide")
    assert second.attrib["message"].endswith(f"4 more items would decide; {told}")


def test_a_run_fails_under_a_mean_of_its_own_whatever_other_run_is_the_newest(capsys: Capsys) -> None:
    write([{**row, "summary": "it it it it"} for row in numbered(12)])
    assert typed(capsys, *RUN[:-2], "coherence").code == 0
    with closing(sqlite3.connect("agentdebate.db")) as store, store:
        store.execute("UPDATE runs SET created = created + 1000000")
    codes = [typed(capsys, *RUN, "--fail-under", f"fluency={floor}").code for floor in (1, 5)]
    assert codes == [0, 1]


@pytest.mark.parametrize(
    ("floor", "told"),
    [
        ("coherence=3", "no aspect 'coherence' is judged. Known: fluency"),
        ("coherence.a@p0=3", "no aspect 'coherence' is judged"),
        ("fluency=6", "fluency=6.0 is not on its scale, 1 to 5"),
    ],
)
def test_a_floor_that_means_nothing_is_refused_before_the_run(capsys: Capsys, floor: str, told: str) -> None:
    write(numbered(2))
    done = typed(capsys, *RUN, "--fail-under", floor)
    assert (done.code, told in done.err, Path("agentdebate.db").exists()) == (2, True, False)
