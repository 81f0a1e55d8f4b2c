"""The extra `all` keeps up with the others."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = {"deepeval", "inspect", "mlflow", "pydantic-evals"}
NOT_EVERYWHERE = {"adapters", "all", "dev", "local", "models", "ray", "sdk", *TOOLS}
"""Extras that have to be compiled, are ours, check us against others' packages, or are tools that their users have."""


def test_all_is_every_extra_that_installs_everywhere() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    (named,) = extras["all"]
    assert named == f"agentdebate[{','.join(sorted(set(extras) - NOT_EVERYWHERE))}]"
