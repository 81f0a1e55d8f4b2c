"""The files for GitHub Actions and GitLab that a page shows: they are YAML of the right shape, and their commands run."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from anyio.from_thread import start_blocking_portal
from typed import typed

from agentdebate.store.reader import read_store
from agentdebate.testing.server import FaultServer

PAGE = (Path(__file__).parents[2] / "docs/how-to/keep-a-judge-open.md").read_text(encoding="utf-8")
GITHUB, GITLAB = (
    yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
)
ITEMS = re.findall(r"^```jsonl file=summaries.jsonl\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0]


def _commands(file: Any) -> list[str]:
    """The commands of the job, in their order."""
    if "jobs" in file:
        return [step["run"].strip() for step in file["jobs"]["judge"]["steps"] if "run" in step]
    return [command.strip() for command in file["judge"]["script"]]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    server = FaultServer()
    with start_blocking_portal() as portal:
        portal.call(server.start)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "secret-of-ci")
        yield server
        portal.call(server.aclose)


def test_every_step_of_github_does_one_thing_and_the_key_comes_from_a_secret() -> None:
    (job,) = GITHUB["jobs"].values()
    assert {"runs-on", "steps", "timeout-minutes"} <= job.keys()
    assert [("uses" in step) + ("run" in step) for step in job["steps"]] == [1] * len(job["steps"])
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]) for step in job["steps"] if "uses" in step)
    keys = [step["env"] for step in job["steps"] if "env" in step]
    assert keys == [{"OPENAI_API_KEY": "${{ secrets.OPENAI_API_KEY }}"}]
    assert GITHUB[True] == ["pull_request"], "YAML reads the key `on` as true, and GitHub as `on`"


def test_gitlab_has_one_job_whose_script_is_commands() -> None:
    (job,) = GITLAB.values()
    assert all(isinstance(command, str) for command in job["script"])
    assert job["cache"]["paths"] == ["agentdebate-cache.db"]
    assert job["artifacts"]["paths"] == ["ci.db"]


def test_both_run_the_same_commands() -> None:
    both = [
        [shlex.split(one) for one in _commands(file) if one.startswith("agentdebate")]
        for file in (GITHUB, GITLAB)
    ]
    shown = [
        [words[: words.index("--format")] if "--format" in words else words for words in each]
        for each in both
    ]
    assert shown[0] == shown[1]
    assert [words[:2] for words in shown[0]] == [["agentdebate", "run"], ["agentdebate", "gate"]]


def test_the_run_of_both_is_held_and_leaves_the_store_and_the_cache(
    endpoint: FaultServer, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("summaries.jsonl").write_text(ITEMS, encoding="utf-8")
    own = '[[models]]\nmatch = "openai/gpt-6-luna"\ninput = 1.0\noutput = 5.0\n'  # the provider's hold at its own host alone
    Path("prices.toml").write_text(own, encoding="utf-8")
    words, gate = (shlex.split(one) for one in _commands(GITHUB) if one.startswith("agentdebate"))
    came = typed(capsys, *words[1:])
    assert came.code == 0, came.err
    assert endpoint.requests > 0
    assert "secret-of-ci" not in came.out + came.err
    assert Path("agentdebate-cache.db").exists()
    with read_store("ci.db") as reader:
        assert reader.run("last").ended_debates == len(ITEMS.strip().splitlines())
    assert typed(capsys, *gate[1 : gate.index("--format")]).code == 3, "two texts do not decide"
    asked = endpoint.requests
    assert typed(capsys, *words[1:]).code == 0
    assert endpoint.requests == asked, "the next push takes them out of the cache"
