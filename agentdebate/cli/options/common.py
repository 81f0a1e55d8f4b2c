"""Options that several commands share."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from pydantic import ValidationError

from agentdebate.agents.debate_settings import Form
from agentdebate.datasets.json_objects import KeyTwiceError, once
from agentdebate.datasets.named_values import pairs
from agentdebate.errors import UsageError, nearest
from agentdebate.models.base import Sampling
from agentdebate.models.secrets import plain_address, without_secrets
from agentdebate.project.my_folders import is_mine
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.runs.settings import USUAL
from agentdebate.store.place import USUAL_STORE
from agentdebate.tasks import Scale, Task
from agentdebate.wrong_values import plain_problem

STORE = USUAL_STORE
"""The store in the current folder."""

StorePath = Annotated[str, Parameter(name="--store", help="The store: a SQLite file, or a database URL.")]
ProjectPath = Annotated[
    Path | None,
    Parameter(name="--project", help="The folder with your agents/, strategies/ and prompts/ [here]."),
]
Allowed = Annotated[
    tuple[str, ...],
    Parameter(
        name="--allow-endpoint",
        help="HOST or HOST:PORT that a project's files, or a store, may have requests and keys sent to; the option again "
        "for more.",
        negative="",
        show_default=False,
    ),
]
AllowCode = Annotated[
    bool,
    Parameter(
        name="--allow-code",
        help='Import the Python files that strategies of the project in this folder use (uses = "./courts.py:Courtroom"); '
        "where debates are held, --project FOLDER allows it as well.",
        negative="",
        show_default=False,
    ),
]
Json = Annotated[
    bool, Parameter(name="--json", negative="", show_default=False, help="Print the result as JSON.")
]
Raw = Annotated[
    bool,
    Parameter(
        name="--raw",
        negative="",
        show_default=False,
        help="For CSV: write all text as it is, for programs. In a spreadsheet a cell may then run as a formula.",
    ),
]


@Parameter(name="*")
@dataclass(frozen=True)
class ModelOptions:
    """Which model speaks, and how."""

    model: Annotated[
        str,
        Parameter(
            name=["--model", "-m"],
            help='"offline", "openai/NAME" for any chat-completions endpoint, "anthropic/NAME", "gemini/NAME" ... (list models).',
        ),
    ] = "offline"
    base_url: Annotated[
        str | None,
        Parameter(
            help="The endpoint's address up to /v1 [the provider's own, or the environment's, such as OPENAI_BASE_URL]."
        ),
    ] = None
    api_key_env: Annotated[
        str | None,
        Parameter(
            help="The environment variable that holds the key [the provider's own, such as OPENAI_API_KEY]."
        ),
    ] = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: Annotated[int | None, Parameter(help="Tokens a reply may have.")] = None
    seed: int | None = None
    timeout: Annotated[float | None, Parameter(help="Seconds that a call may take.")] = None
    client: Annotated[
        Literal["httpx", "aiohttp"] | None,
        Parameter(
            help="What carries the calls: httpx, or aiohttp (extra fast), which takes a quarter of its CPU time [httpx].",
            show_choices=False,
        ),
    ] = None
    prompt_cache: Annotated[
        str | None,
        Parameter(
            help="Whether prompts are kept in the endpoint's cache: auto, off; of openai/... also on [auto]."
        ),
    ] = None
    extra: Annotated[
        tuple[str, ...],
        Parameter(help="KEY=JSON: a further field of the request's body.", negative="", show_default=False),
    ] = ()

    tokenizer: Annotated[
        str | None,
        Parameter(help="What counts the tokens of --model: a tokenizer.json [tiktoken]."),
    ] = None

    @property
    def options(self) -> dict[str, Any]:
        """The options of the model that were given, as `model` takes them. Raises UsageError."""
        given = {
            "base_url": self.base_url,
            "api_key_env": self.api_key_env,
            "timeout": self.timeout,
            "client": self.client,
            "prompt_cache": self.prompt_cache,
        }
        options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return options | ({"extra": json_pairs(self.extra, "--extra")} if self.extra else {})

    def described(self) -> dict[str, Any]:
        """The options as JSON for the record, without keys that stand in the address or in what goes into the body."""
        extra = without_secrets(json_pairs(self.extra, "--extra"))
        shown = {"extra": [f"{name}={json.dumps(value)}" for name, value in extra.items()]}
        address = plain_address(self.base_url) if self.base_url else None
        return {**asdict(self), **shown, "base_url": address}

    @property
    def sampling(self) -> Sampling:
        """The sampling parameters that were given. Raises UsageError."""
        names = ("temperature", "top_p", "max_tokens", "seed")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        try:
            return Sampling(**given)
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0]).replace("_", "-")
            raise UsageError(f"--{name}: {plain_problem(first)}, not {first['input']!r}") from error


@Parameter(name="*")
@dataclass(frozen=True)
class DebateOptions:
    """How debates are held."""

    scale: Annotated[
        tuple[str, ...], Parameter(help="ASPECT=SCALE, such as fluency=1-3.", negative="", show_default=False)
    ] = ()
    together: Annotated[
        bool | None,
        Parameter(
            help="Judge all aspects in one debate, or each in its own [as the strategy does].",
            negative="--apart",
            show_default=False,
        ),
    ] = None
    form: Annotated[
        Form, Parameter(help="How ballots are wanted: auto, text or schema.", show_choices=False)
    ] = USUAL.form
    patience: Annotated[int, Parameter(help="Replies an agent may give to one question before it fails.")] = (
        USUAL.patience
    )
    deadline: Annotated[float, Parameter(help="Seconds that a turn may take, retries included.")] = (
        USUAL.deadline
    )

    def rescaled(self, task: Task) -> Task:
        """The task with the scales that were given."""
        return task.rescaled(
            {name: Scale.parse(scale) for name, scale in pairs(self.scale, "--scale").items()}
        )


def project_at(path: Path | None, trust: Trust = USER, *, looks: bool = False) -> Project:
    """The project in a folder, or the current one; its files may do what `trust` allows, and name code in a folder that the user
    named, unless the command only `looks` at it, or in one of the user's own. Raises UsageError.
    """
    if path is not None and not path.is_dir():
        raise UsageError(f"--project: there is no folder {path}")
    named = path is not None and trust.is_user and not looks
    root = path or Path.cwd()
    return Project(root, trust.allowed, allow_code=named or trust.code or is_mine(root))


def listed_pairs(texts: Iterable[str], known: Sequence[str], option: str, task: str) -> dict[str, str]:
    """KEY=VALUE arguments, several in one where a comma stands before a known key. Raises UsageError for other keys."""
    keys = "|".join(map(re.escape, known))
    parts = tuple(part for text in texts for part in re.split(rf",\s*(?=(?:{keys})=)", text))
    found = pairs(parts, option)
    for name in found:
        if name not in known:
            raise UsageError(f"{option}: task {task!r} has no {name!r}. {nearest(name, known)}")
    return found


def json_pairs(texts: tuple[str, ...], option: str) -> dict[str, Any]:
    """KEY=VALUE arguments whose values are JSON where they can be, and text otherwise."""
    found: dict[str, Any] = {}
    for key, value in pairs(texts, option).items():
        try:
            found[key] = json.loads(value, object_pairs_hook=once)
        except KeyTwiceError as error:
            raise UsageError(f"{option} {key}: {error}") from error
        except json.JSONDecodeError:
            found[key] = value
    return found
