"""Options that several commands share: what each is called, and in which part of the help it stands."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Group, Parameter

from agentdebate.datasets.json_objects import KeyTwiceError, once
from agentdebate.datasets.named_values import pairs
from agentdebate.errors import UsageError
from agentdebate.project.my_folders import is_mine
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.store.place import USUAL_STORE

DATA = Group("What is judged", sort_key=1)
MODEL = Group("The model", sort_key=2)
STRATEGY = Group("The strategy", sort_key=3)
LIMITS = Group("Speed and cost", sort_key=4)
CONSENT = Group("Files, code and endpoints of others", sort_key=5)
OUTPUT = Group("The store and what is printed", sort_key=6)

STORE = USUAL_STORE
"""The store in the current folder."""

StorePath = Annotated[
    str, Parameter(name="--store", group=OUTPUT, help="The store: a SQLite file, or a database URL.")
]
ProjectPath = Annotated[
    Path | None,
    Parameter(
        name="--project", group=CONSENT, help="The folder with your agents/, strategies/ and prompts/ [here]."
    ),
]
Json = Annotated[bool, Parameter(name="--json", group=OUTPUT, help="Print the result as JSON.")]
Quiet = Annotated[
    bool, Parameter(name=["--quiet", "-q"], group=OUTPUT, help="Print the result, warnings and errors only.")
]
Log = Annotated[
    Path | None,
    Parameter(
        name="--log",
        group=OUTPUT,
        help="A file that gets every event as a line of JSON, behind what it holds.",
    ),
]
Raw = Annotated[
    bool,
    Parameter(
        name="--raw",
        group=OUTPUT,
        help="For CSV: write all text as it is, for programs. In a spreadsheet a cell may then run as a formula.",
    ),
]
Output = Annotated[Path | None, Parameter(name=["--output", "-o"], group=OUTPUT)]


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True)
class RunOutput:
    """The store of a run, and what is printed and logged while it goes on."""

    store: StorePath = STORE
    as_json: Json = False
    quiet: Quiet = False
    log: Log = None


def project_at(path: Path | None, trust: Trust = USER, *, looks: bool = False) -> Project:
    """Open the project in a folder, or the current one. Raises UsageError.

    Its files may do what `trust` allows. They may name code in a folder that the user named, unless the command only `looks` at
    it, and in one of the user's own.
    """
    if path is not None and not path.is_dir():
        raise UsageError(f"--project: there is no folder {path}")
    root = path or Path.cwd()
    named = path is not None and trust.is_user and not looks
    return Project(root, trust.allowed, allow_code=named or trust.code or is_mine(root))


def json_pairs(texts: Sequence[str], option: str) -> dict[str, Any]:
    """Read KEY=VALUE arguments whose values are JSON where they can be, and text otherwise. Raises UsageError."""
    found: dict[str, Any] = {}
    for key, value in pairs(tuple(texts), option).items():
        try:
            found[key] = json.loads(value, object_pairs_hook=once)
        except KeyTwiceError as error:
            raise UsageError(f"{option} {key}: {error}") from error
        except json.JSONDecodeError:
            found[key] = value
    return found
