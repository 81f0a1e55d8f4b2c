"""Options that several commands share: what each is called, and in which part of the help it stands."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Group, Parameter

from agentdebate.datasets.json_objects import KeyTwiceError, once
from agentdebate.datasets.named_values import free_pairs, pairs
from agentdebate.errors import UsageError
from agentdebate.project.my_folders import is_mine
from agentdebate.project.project import Project
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


@Parameter(name="*", group=CONSENT)
@dataclass(frozen=True)
class Consent:
    """The user's project, and what its files, and stores, may do."""

    project: ProjectPath = None
    allow_endpoint: tuple[str, ...] = ()
    """HOST or HOST:PORT that a project's files, or a store, may have requests and keys sent to; the option again for more."""
    allow_code: bool = False
    """Import the Python files that strategies of the project in this folder use; --project FOLDER allows it as well where debates
    are held."""

    def found(self, *, looks: bool = False) -> Project:
        """Open the project. Raises UsageError.

        It may import code of a folder that the user named, unless the command only `looks` at it, and of one of the user's own.
        """
        if self.project is None:
            return Project.here(allow_endpoints=self.allow_endpoint, allow_code=self.allow_code)
        allows = self.allow_code or not looks or is_mine(self.project)
        return Project(self.project, self.allow_endpoint, allow_code=allows)


def json_pairs(texts: Sequence[str], option: str) -> dict[str, Any]:
    """Read KEY=VALUE arguments whose values are JSON where they can be, and text otherwise. Raises UsageError."""
    return {key: json_or_text(value, f"{option} {key}") for key, value in pairs(tuple(texts), option).items()}


def json_or_text(text: str, option: str) -> Any:
    """Read a value that is JSON, or else text. Raises UsageError."""
    try:
        return json.loads(text, object_pairs_hook=once)
    except KeyTwiceError as error:
        raise UsageError(f"{option}: {error}") from error
    except json.JSONDecodeError:
        return text
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{option}: a number of too many digits, or lists in too many lists") from error


def limits(texts: tuple[str, ...], option: str) -> dict[str, float]:
    """Read NAME=N, several with commas. Raises UsageError."""
    found = dict[str, float]()
    for name, text in free_pairs(texts, option).items():
        try:
            found[name] = float(text)
        except ValueError:
            found[name] = nan
        if not isfinite(found[name]):
            raise UsageError(f"{option} takes NAME=NUMBER, not {name}={text}")
    return found
