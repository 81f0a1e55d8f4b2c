"""pytest plug-in: the fixture `judge`, the marker `judged`, and what the judges of a session took.

Nothing but this file is imported where no test uses the fixture.
"""

from collections.abc import Generator, Iterator
from math import isnan
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from agentdebate.integrations.pytest_judge import Judges, MarkedJudge
    from agentdebate.runs.settings import Settings

MARKER = (
    "judged(strategy=, task=, aspect=, at_least=, repeats=, rule=): how the fixture judge asks; it fails the test where "
    "fewer verdicts than the rule (majority, all, or a share such as .8) reach at_least"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plug-in."""
    group = parser.getgroup("agentdebate", "judges of texts")
    group.addoption("--agentdebate-model", default="offline", help="the judges' model [offline]")
    group.addoption(
        "--agentdebate-store", default="agentdebate.db", help="a file for transcripts [agentdebate.db]"
    )
    group.addoption("--agentdebate-cassette", help="a file of replies; the judge fails where it lacks one")
    group.addoption(
        "--agentdebate-record", action="store_true", help="ask the model for what the cassette lacks"
    )
    group.addoption(
        "--agentdebate-skip", action="store_true", help="skip tests whose judge failed [an error]"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Describe the marker."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture(scope="session")
def judge_settings(pytestconfig: pytest.Config) -> "Settings":
    """Settings of the session's judges; define a fixture of this name in conftest.py to have others, such as limits."""
    from agentdebate.runs.settings import Settings  # brings pydantic along

    return Settings(model=pytestconfig.getoption("agentdebate_model"))


@pytest.fixture(scope="session")
def judges(pytestconfig: pytest.Config, judge_settings: "Settings") -> "Iterator[Judges]":
    """The session's judges, open until its end; each process of xdist has its own."""
    from agentdebate.integrations.pytest_judge import Judges  # brings all of the judge along

    some = ("store", "cassette", "record")
    judges = Judges(judge_settings, *(pytestconfig.getoption(f"agentdebate_{name}") for name in some))
    yield judges
    judges.close()


@pytest.fixture
def judge(request: pytest.FixtureRequest, judges: "Judges") -> "Iterator[MarkedJudge]":
    """A judge as the marker `judged` describes it: a call with an item fails the test, or gives the first verdict.

    The test is skipped where the judge fails, and then there is an error too, unless --agentdebate-skip is given.
    """
    judge = judges.marked(request.node)
    yield judge
    if judge.failure is not None and not request.config.getoption("agentdebate_skip"):
        raise judge.failure


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Take no test for passed that is marked, or takes the judge by a marker of its class or module, and asks it nothing."""
    result = yield
    marks = item.iter_markers() if _takes_judge(item) else iter(item.own_markers)
    asked = any(name.startswith("agentdebate.") for name, _ in item.user_properties)
    if not asked and any(mark.name == "judged" for mark in marks):
        from agentdebate.errors import UsageError  # nothing is imported where no test has the marker

        raise UsageError(
            f"{item.name} is marked judged, and never calls its judge: take the fixture judge, and call it"
        )
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report an error of the judge, or in the use of it, as one where the test is expected to fail."""
    report = yield
    judged = _takes_judge(item) or item.get_closest_marker("judged")
    if call.excinfo is not None and judged and hasattr(report, "wasxfail"):
        from agentdebate.errors import AgentDebateError  # likewise

        if isinstance(call.excinfo.value, AgentDebateError):
            report.outcome = "failed"
            del report.wasxfail
    return report


def _takes_judge(item: pytest.Item) -> bool:
    return "judge" in getattr(item, "fixturenames", ())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the judges of all tests, and of all processes, took."""
    reports = [
        one for some in terminalreporter.stats.values() for one in some if getattr(one, "when", "") == "call"
    ]
    noted = [
        (name, value)
        for one in reports
        for name, value in one.user_properties
        if name.startswith("agentdebate.")
    ]
    if not noted:
        return
    calls, cached, tokens, cost = (
        sum(value for name, value in noted if name == f"agentdebate.{measure}")
        for measure in ("calls", "cached", "tokens", "cost")
    )
    money = "at an unknown price" if isnan(cost) else f"for {cost:.4f}"
    terminalreporter.write_line(
        f"agentdebate: {calls} calls with {tokens:,} tokens {money}, {cached} from a cassette or cache"
    )
