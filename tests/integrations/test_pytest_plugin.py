"""The pytest plug-in, in sessions of its own."""

import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
import yaml  # noqa: F401 - first: what a session of its own imports is forgotten, and this cannot be imported twice

from agentdebate.integrations.pytest_judge import Mark  # likewise

pytest_plugins = "pytester"

CONFTEST = """
import agentdebate as ad, pytest
@pytest.fixture(scope="session")
def judge_settings():
    return ad.Settings(model=ad.Scripted({replies}))
"""
TEST = """
import pytest
@pytest.mark.judged(strategy="solo", aspect="fluency", {mark})
def test_it(judge):
    verdict = judge(source="The bridge closes in March.", summary="It closes.")
    assert verdict.score != 1
"""
CASSETTE = ("--agentdebate-cassette", "judge.db")


def session(
    pytester: pytest.Pytester, mark: str, scores: tuple[int, ...], *options: str, test: str = TEST
) -> pytest.RunResult:
    replies = [f"Too short.\n\nFluency: {score}" for score in scores]
    pytester.makeconftest(CONFTEST.format(replies=replies))
    pytester.makepyfile(test_it=test.replace("{mark}", mark))
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:asyncio", *options)


@pytest.mark.parametrize(
    ("mark", "scores", "outcome"),
    [
        ("at_least=3", (3,), "passed"),
        ("at_least=3", (2,), "failed"),
        ("", (1,), "failed"),
        ("at_least=3, repeats=3", (2, 4, 4), "passed"),
        ("at_least=3, repeats=3, rule=.3", (4,), "passed"),
        ("at_least=3, repeats=3, rule='all'", (4, 2), "failed"),
    ],
)
def test_enough_verdicts_have_to_reach_the_least_score_and_no_more_are_asked_for_than_decide(
    pytester: pytest.Pytester, mark: str, scores: tuple[int, ...], outcome: str
) -> None:
    done = session(pytester, mark, scores)
    done.assert_outcomes(**{outcome: 1})
    if outcome == "failed":
        done.stdout.fnmatch_lines(["*scorer: Too short.*", "*agentdebate show * 'test_it.py::test_it#*"])


@pytest.mark.parametrize(("options", "errors"), [((), 1), (("--agentdebate-skip",), 0)])
def test_a_failure_of_the_judge_is_an_error_or_a_skip(
    pytester: pytest.Pytester, options: tuple[str, ...], errors: int
) -> None:
    done = session(pytester, "at_least=3, repeats=3", (4,), "-rs", *options)
    done.assert_outcomes(skipped=1, errors=errors)
    done.stdout.fnmatch_lines(["*the judge failed: ModelError*"])


XFAIL = """
import pytest
@pytest.mark.judged(strategy="solo", aspect="fluency", {mark})
@pytest.mark.xfail({xfail})
def test_it(judge):
    judge({fields})
"""
FIELDS = "source='The bridge closes in March.', summary='It closes.'"


@pytest.mark.parametrize(
    ("mark", "scores", "fields", "outcomes"),
    [
        ("at_least=3", (2,), FIELDS, {"xfailed": 1}),
        ("at_least=3", (), FIELDS, {"skipped": 1, "errors": 1}),
        ("at_least=3", (2,), "sauce='It closes.'", {"failed": 1}),
        ("at_leest=3", (2,), FIELDS, {"errors": 1}),
    ],
)
def test_a_test_that_is_expected_to_fail_expects_no_failure_of_the_judge(
    pytester: pytest.Pytester, mark: str, scores: tuple[int, ...], fields: str, outcomes: dict[str, int]
) -> None:
    for xfail in ("strict=True", "strict=False", "strict=True, raises=Exception"):
        test = XFAIL.format(mark=mark, xfail=xfail, fields=fields)
        session(pytester, mark, scores, test=test).assert_outcomes(**outcomes)
    done = session(pytester, mark, scores, "--agentdebate-skip", test=test)
    assert (done.ret == 0) == (not scores or "xfailed" in outcomes)


@pytest.mark.parametrize(
    ("test", "outcomes"),
    [
        ("{mark}\ndef test_it(judge): pass", {"failed": 1}),
        ("{mark}\ndef test_it(): pass", {"failed": 1}),
        ("{mark}\n@pytest.mark.xfail\ndef test_it(judge): pass", {"failed": 1}),
        ("{mark}\ndef test_it(judge): pytest.skip()", {"skipped": 1}),
        (
            "{mark}\nclass Test:\n def test_it(self): pass\n def test_other(self, judge): pass",
            {"passed": 1, "failed": 1},
        ),
        ("def test_it(judge): pass", {"passed": 1}),
    ],
)
def test_a_marked_test_that_never_calls_its_judge_does_not_pass(
    pytester: pytest.Pytester, test: str, outcomes: dict[str, int]
) -> None:
    done = session(
        pytester, "", (), test="import pytest\n" + test.format(mark="@pytest.mark.judged(strategy='solo')")
    )
    done.assert_outcomes(**outcomes)
    if "failed" in outcomes:
        done.stdout.fnmatch_lines(["*is marked judged, and never calls its judge*"])


def test_a_cassette_gives_each_repeat_its_reply_and_refuses_what_it_lacks(pytester: pytest.Pytester) -> None:
    session(pytester, "at_least=3", (), *CASSETTE).assert_outcomes(skipped=1, errors=1)
    session(pytester, "at_least=3, repeats=3", (2, 4, 4), *CASSETTE, "--agentdebate-record").assert_outcomes(
        passed=1
    )
    done = session(pytester, "at_least=3, repeats=3", (), *CASSETTE, "--junit-xml=report.xml")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["agentdebate: 0 calls *, 3 from a cassette or cache"])
    properties = ET.parse(pytester.path / "report.xml").iter("property")
    assert (
        sum(int(one.attrib["value"]) for one in properties if one.attrib["name"] == "agentdebate.cached") == 3
    )
    done = session(pytester, "at_least=3, repeats=4, rule='all'", (), *CASSETTE)
    done.assert_outcomes(failed=1)
    done = session(pytester, "at_least=2, repeats=4, rule='all'", (), *CASSETTE)
    done.assert_outcomes(skipped=1, errors=1)
    done.stdout.fnmatch_lines(["*the cassette judge.db lacks a reply*--agentdebate-record*"])


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("offline", "*UsageError: the offline judge takes no cassette*--agentdebate-model*"),
        ("openai/tiny", "*StoreError: the cassette judge.db lacks a reply*"),
    ],
)
def test_a_cassette_needs_the_name_of_its_model_and_no_key(
    pytester: pytest.Pytester, model: str, told: str
) -> None:
    pytester.makepyfile(test_it=TEST.format(mark="at_least=3"))
    done = pytester.runpytest_subprocess("-p", "no:asyncio", "--agentdebate-model", model, *CASSETTE)
    assert done.ret == 1
    done.stdout.fnmatch_lines([told])


def test_the_summary_adds_up_what_processes_took(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_other=TEST.format(mark="at_least=3"))
    done = session(pytester, "at_least=3", (4,), "-n", "2", "--dist", "loadfile")
    done.assert_outcomes(passed=2)
    done.stdout.fnmatch_lines(["agentdebate: 2 calls *"])


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        ("at_leest=3", "Did you mean 'at_least'?"),
        ("repeats=0", "of 1 repeat or more"),
        ("*['round-table']", "takes names, such as strategy=..., not 'round-table'"),
        ("at_least=.8", "is not on the scale of fluency, 1 to 5"),
        ("rule=None", "majority, all or a share"),
        ("rule=1.2", "majority, all or a share"),
        ("rule=0", "majority, all or a share"),
        ("rule='rate:.8'", "majority, all or a share"),
        ("repeats='3'", "not 'majority' of '3'"),
    ],
)
def test_what_a_marker_cannot_mean_is_an_error_that_says_so(
    pytester: pytest.Pytester, mark: str, told: str
) -> None:
    done = session(pytester, mark, (4,), "--agentdebate-skip")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines([f"*{told}*"])


def test_a_session_that_asks_no_judge_imports_nothing_but_the_plug_in() -> None:
    code = "import pytest, sys, agentdebate.integrations.pytest_plugin; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = {name for name in done.stdout.split() if name.startswith("agentdebate")}
    assert ours == {"agentdebate", "agentdebate.integrations", "agentdebate.integrations.pytest_plugin"}
    assert Mark().needed == 1
