"""Stop rules and history rules on the command line."""

import json

import pytest
from typed import RUN, numbered, typed, write

TALK = ("run", "chateval-simultaneous", *RUN[2:], "--set", "rounds=4")


def test_a_rule_with_options_is_json_and_is_kept_with_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    write(numbered(1))
    stop = {"rule": "unanimous", "within": 4}
    done = typed(capsys, *TALK, "--set", f"stop={json.dumps(stop)}", "--set", 'history={"rule":"window"}')
    assert done.code == 0, done.err
    (run,) = typed(capsys, "show", "--json").json
    (row,) = run["rows"]
    assert (row["ended"], row["rounds"]) == ("unanimity", 1)
    strategy = run["configuration"]["strategy"]
    assert (strategy["stop"], strategy["history"]) == (stop, {"rule": "window"})


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("stops", {"convergence", "majority", "never", "stable", "unanimous"}),
        ("histories", {"all", "latest", "summary", "tokens", "window"}),
    ],
)
def test_rules_are_listed_with_what_they_do(
    kind: str, names: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = typed(capsys, "list", kind, "--json").json
    assert {row["name"] for row in rows} == names
    assert all(row["about"] and row["from"] for row in rows)


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ("stop=stabel", "option 'stop': there is no stop rule 'stabel'. Did you mean 'stable'?"),
        ("history=0", "option 'history': the history rule 'tokens', option 'limit': it is at least 1"),
        ('stop={"rule": "majority", "shares": 1}', "the stop rule 'majority' has no option 'shares'."),
    ],
)
def test_a_wrong_rule_is_a_mistake_of_the_command_line(
    option: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(numbered(1))
    refused = typed(capsys, *TALK, "--set", option)
    assert refused.code == 2
    assert problem in refused.err
