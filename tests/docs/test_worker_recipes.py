"""The recipes for Slurm and Kubernetes of the page on many machines: what they start works as plain processes here."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typed import numbered, typed, write

from agentdebate.store.reader import read_store

PAGE = (Path(__file__).parents[2] / "docs/how-to/many-machines.md").read_text(encoding="utf-8")
SLURM, KUBERNETES = (
    re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0] for kind in ("bash", "yaml")
)
QUEUE = ("run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "coherence", "--queue")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> str:
    """A run of four debates in a queue."""
    write(numbered(4))
    assert typed(capsys, *QUEUE).code == 0
    with read_store("agentdebate.db") as reader:
        return reader.run("last").id


def has_ended() -> bool:
    with read_store("agentdebate.db") as reader:
        return reader.run("last").ended is not None


def program(name: str, line: str) -> None:
    path = Path("bin", name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\nexec {line}\n", encoding="utf-8")
    path.chmod(0o755)


def test_the_slurm_script_is_bash_and_its_step_holds_the_run(run: str) -> None:
    Path("job.sh").write_text(SLURM, encoding="utf-8")
    program("srun", '"$@"')  # as a step on the one node that there is
    program("agentdebate", f'{sys.executable} -m agentdebate "$@"')
    told = {
        **os.environ,
        "PATH": f"{Path('bin').absolute()}:{os.environ['PATH']}",
        "RUN": run,
        "STORE": "agentdebate.db",
    }
    subprocess.run(["bash", "-n", "job.sh"], check=True, timeout=60)
    subprocess.run(["bash", "job.sh"], check=True, env=told, timeout=180)
    assert has_ended()


def test_the_kubernetes_job_is_yaml_and_its_command_holds_the_run(
    run: str, capsys: pytest.CaptureFixture[str]
) -> None:
    job: dict[str, Any] = yaml.safe_load(KUBERNETES)
    pod = job["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert (job["apiVersion"], job["kind"], pod["restartPolicy"]) == ("batch/v1", "Job", "OnFailure")
    called, verb, name, *more = container["command"]
    assert (called, name.count("-")) == ("agentdebate", 3)
    words = [word.replace("$(STORE)", "agentdebate.db") for word in more]
    assert typed(capsys, verb, run, *words).code == 0
    assert has_ended()
