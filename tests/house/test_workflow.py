"""The workflow of the code host does what .ci/run does, only a tag is published, and what names a version names this one."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from agentdebate import __version__

ROOT = Path(__file__).parents[2]
JOBS = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8"))["jobs"]
CI = (ROOT / ".ci/run").read_text(encoding="utf-8")
ELSEWHERE = {"test-version", "test-models"}
"""Targets for which a job has an interpreter of its own, and that need torch."""


def test_the_workflow_makes_every_target_that_ci_makes() -> None:
    made = set(re.findall(r"^ +make .*?(?<=\s)(test-[a-z]+|test)$", CI, re.MULTILINE)) | {
        "lint types pages",
        "wheel",
    }
    steps = [step.get("run", "") for job in JOBS.values() for step in job["steps"]]
    targets = {*JOBS["check"]["strategy"]["matrix"]["target"], *(run.rpartition(" ")[2] for run in steps)}
    assert made - targets <= ELSEWHERE
    assert len(made) > 6


def test_every_version_of_python_that_the_package_names_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [one.rpartition(" :: ")[2] for one in project["classifiers"] if ":: Python :: 3." in one]
    assert JOBS["test"]["strategy"]["matrix"]["python"] == named
    (tried,) = [
        step["with"]["python-version"] for step in JOBS["release"]["steps"] if "python-version" in str(step)
    ]
    assert sorted(tried.split()) == named
    assert project["requires-python"] == f">={named[0]}"


def test_the_changelog_and_the_citation_name_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(.+?)\]", changelog, re.MULTILINE)[0] == __version__
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation.get("version", __version__) == __version__


def test_the_table_of_licences_says_which_extra_brings_a_package() -> None:
    command = [sys.executable, str(ROOT / ".ci/licences.py")]
    *lines, absent = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    table = {name: (licence, by) for name, _, licence, by in (line.split("\t") for line in lines)}
    assert table["agentdebate"] == ("Apache-2.0", "base")
    assert table["httpcore"][1] == "base"
    assert table["scipy"][1].startswith("agree, ")
    assert absent.startswith("Extras that are not installed")


def test_only_a_tag_is_published_after_all_checks_and_without_a_token() -> None:
    release, publish = JOBS["release"], JOBS["publish"]
    assert release["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert set(release["needs"]) == JOBS.keys() - {"release", "publish", "publish-site"}
    assert "permissions" not in release
    assert publish["needs"] == ["release"]
    assert publish["permissions"] == {"id-token": "write"}
    assert "secrets." not in str(JOBS)


def test_the_container_runs_as_a_user_without_rights() -> None:
    lines = (ROOT / ".ci/Containerfile").read_text(encoding="utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER")]
    assert users == ["1000"]
    assert lines.index("USER 1000") > max(place for place, line in enumerate(lines) if line.startswith("RUN"))
