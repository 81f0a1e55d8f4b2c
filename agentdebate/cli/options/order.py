"""What is judged, by what, and how: the options of a command that holds debates, and the settings that they come to."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from pydantic import TypeAdapter

from agentdebate.cli.console.output import say
from agentdebate.cli.options.cast import CastOptions
from agentdebate.cli.options.common import (
    AllowCode,
    Allowed,
    DebateOptions,
    ModelOptions,
    ProjectPath,
    json_pairs,
    project_at,
)
from agentdebate.cli.options.data import DataOptions
from agentdebate.cli.options.spending import SpendingOptions
from agentdebate.datasets.data_source import DataSource
from agentdebate.datasets.hub import is_fetched
from agentdebate.datasets.named_values import names
from agentdebate.datasets.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.models.hub import hub
from agentdebate.models.own_model import shown as shown_model
from agentdebate.models.registry import provider_of, usual_address_of
from agentdebate.models.secrets import without_pairs
from agentdebate.project.model_spec import ModelSpec
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, CodeRefused, EndpointRefused, Trust, leads_out
from agentdebate.prompts.prompts import Prompts
from agentdebate.runs.agenda import DebateSetup
from agentdebate.runs.settings import Settings
from agentdebate.tasks import Task

STORED = "the store"
"""Who said what is read from a store, in messages."""

_OURS = {"trust", "again", "dry", "allow_endpoint", "allow_code"}
"""What of an order is never written down, nor read."""


@Parameter(name="*")
@dataclass(frozen=True)
class Order:
    """What is to be judged, by what, and how: everything that a run needs to be taken up again."""

    strategy: Annotated[str, Parameter(parse=False)] = ""
    data: Annotated[str, Parameter(parse=False)] = ""
    task: Annotated[
        str | None,
        Parameter(help='The kind of item; "agentdebate list tasks" shows them. Not needed with --as.'),
    ] = None
    aspects: Annotated[str | None, Parameter(help="Aspects with commas between them [the usual ones].")] = (
        None
    )
    concurrency: Annotated[int, Parameter(name=["--concurrency", "-c"], help="Debates held at once.")] = 64
    project: ProjectPath = None
    allow_endpoint: Allowed = ()
    allow_code: AllowCode = False
    source: DataOptions = DataOptions()
    models: ModelOptions = ModelOptions()
    casting: CastOptions = CastOptions()
    debates: DebateOptions = DebateOptions()
    spending: SpendingOptions = SpendingOptions()
    trust: Annotated[Trust, Parameter(parse=False)] = USER
    """Whose options these are, and which hosts a project's files may reach. It is never read from a store."""
    again: Annotated[tuple[str, ...], Parameter(parse=False)] = ()
    """What the user said once more to go on with a run: options that a store could not hold, or may not decide."""
    dry: Annotated[bool, Parameter(parse=False)] = False
    """Whether the order is only looked at: code of a project that the user named is imported only where the user allowed that too."""

    def of(self, strategy: str, data: str = "", *, dry: bool = False) -> "Order":
        """The order for a strategy and a file of items, by the user, who may only want to look at it. Raises UsageError."""
        trust = Trust.allowing(self.allow_endpoint, code=self.allow_code)
        return replace(self, strategy=strategy, data=data, trust=trust, dry=dry)

    def described(self) -> dict[str, Any]:
        """The order as JSON, with the folder in which it was given."""
        plain: dict[str, Any] = TypeAdapter(Order).dump_python(self, mode="json", exclude=_OURS)
        plain["casting"]["option"] = [without_pairs(text) for text in self.casting.option]
        plain["casting"]["agent_model"] = [_plain_pair(text) for text in self.casting.agent_model]
        return {"folder": str(Path.cwd()), **plain, "models": self.models.described()}

    @classmethod
    def read(cls, described: Mapping[str, Any], trust: Trust) -> "Order":
        """The order in JSON, which is not the user's: `trust` says whose, and what is allowed to it. Raises ValidationError."""
        told = {name: value for name, value in described.items() if name not in {"folder", *_OURS}}
        return replace(TypeAdapter(cls).validate_python(told), trust=trust)

    def prepared(self) -> DebateSetup:
        """The task, the strategy and the settings, looked up and checked. Raises UserError."""
        task, settings = self.judged_task(), self.settings()
        strategy = self.casting.strategy(self.strategy, self.found_project, self.trust)
        prepared = DebateSetup(task, strategy, settings)
        self.source.check_judged(task, prepared.aspects)
        return prepared

    def settings(self, **more: Any) -> Settings:
        """The settings that the options come to, with `more` in the run's configuration. Raises UserError."""
        check_addresses(self.models, self.casting)
        task, spending = self.judged_task(), self.spending
        return Settings(
            form=self.debates.form,
            patience=self.debates.patience,
            deadline=self.debates.deadline,
            debate_limits=spending.debate_limits(self.project),
            sampling=self.models.sampling,
            tasks={task.name: task},
            model=self.models.model,
            model_options=self.models.options,
            tokenizer=self.models.tokenizer,
            aspects=None if self.aspects is None else names(self.aspects),
            together=self.debates.together,
            concurrency=self.concurrency,
            limits=spending.limits,
            budget=spending.budget(self.project),
            cache=spending.cache_file,
            cache_mode=spending.cache,
            project=self.found_project,
            configuration={**more, "command": self.described()},
        )

    def judged_task(self) -> Task:
        """The task with the scales that were given. Raises UserError."""
        return self.debates.rescaled(Prompts(self.found_project).task(self.source.task(self.task)))

    @property
    def found_project(self) -> Project:
        """Where the content files are, with what they may do. Raises UsageError."""
        return project_at(self.project, self.trust, looks=self.dry)

    def check(self, trust: Trust) -> None:
        """Raise UserError where these options, said by whom `trust` says, send or fetch what the user has not allowed."""
        given = self.models
        trust.check_model(given.model, "--model")
        for pair in self.casting.agent_model:
            trust.check_model(pair.partition("=")[2], "--agent-model")
        said = (given.base_url, given.api_key_env, given.extra)
        usual = given.base_url or (usual_address_of(given.model) if any(said) else "")
        trust.check_address(given.base_url, given.api_key_env, "--base-url", usual=usual)
        trust.check_options(json_pairs(given.extra, "--extra"), "--extra", usual=usual)
        if is_fetched(self.data):
            trust.check_host(hub(), f"the data {self.data}")

    def again_words(self) -> str:
        """What has to be typed behind `resume RUN` to go on with this: a store says nothing of where keys go."""
        trust = self._allowed() if self.trust.is_user else self.trust
        words = [f"--allow-endpoint={host}" for host in trust.allowed]
        if trust.code:
            words += ["--allow-code" if self.project is None else f"--project={self.project}"]
        return "".join(f" {shlex.quote(word)}" for word in (*words, *self.again, *self._elsewhere()))

    def _allowed(self) -> Trust:
        """What has to be allowed where a store says what the user said here."""
        trust = Trust(STORED, self.trust.hosts)
        while True:
            try:
                self.check(trust)
                self.casting.strategy(self.strategy, project_at(self.project, trust), trust)
            except EndpointRefused as refused:
                trust = trust.plus(refused.host)
            except CodeRefused:
                trust = replace(trust, code=True)
            else:
                return trust

    def _elsewhere(self) -> tuple[str, ...]:
        """The cache, where it is not in the folder of the run."""
        file = self.spending.cache_file
        if self.spending.cache == "off" or not leads_out(file, Path.cwd()):
            return ()
        return (f"--cache-file={file}",)

    def check_dry(self) -> None:
        """Raise UsageError where even a dry run would have to fetch something."""
        if is_fetched(self.data):
            raise UsageError(
                f"--dry-run makes no request, and {self.data} is fetched from the hub: name a file, or a folder (hf:./FOLDER)"
            )

    def data_source(self, task: Task) -> DataSource:
        """Where the items are, and how they are read. Raises UsageError."""
        return self.source.source(self.data, task, seed=self.models.seed)

    async def supply(self, task: Task, *, quiet: bool = False) -> Supply:
        """The items, with a line or more on what came out of a published file, unless `quiet`. Raises UserError."""
        supply = await self.data_source(task).supply()
        for line in () if quiet else self.source.account(supply.taken):
            say(line)
        return supply

    def worker_words(self) -> list[str]:
        """What has to be typed behind `work RUN` to have a worker hold debates as is said here."""
        given = self.models
        said = {"--base-url": given.base_url, "--api-key-env": given.api_key_env}
        words = [f"{name}={value}" for name, value in said.items() if value]
        words += [f"--extra={text}" for text in given.extra]
        return [*shlex.split(self.again_words()), *words]


def check_addresses(models: ModelOptions, casting: CastOptions) -> None:
    """Raise UsageError where a model of --agent-model would not go to the address that was given for the other."""
    given = [name for name in ("base_url", "api_key_env") if getattr(models, name) is not None]
    provider = models.model.partition("/")[0]
    if given and any(_shares(pair.partition("=")[2], provider) for pair in casting.agent_model):
        theirs = provider_of(models.model)
        option, variable = {
            "base_url": ("--base-url", theirs and theirs.moved),
            "api_key_env": ("--api-key-env", theirs and theirs.key),
        }[given[0]]
        raise UsageError(
            f"{option} is for --model alone: give the others theirs, as in --agent-model critic={provider}/NAME:base_url=..., or set "
            f"{variable or 'the address'} in the environment for all of them"
        )


def _shares(model: str, provider: str) -> bool:
    """Whether a model goes where the provider's others go: it has no address of its own."""
    spec = ModelSpec.parse(model)
    return spec.name.startswith(f"{provider}/") and "base_url" not in spec.options


def _plain_pair(text: str) -> str:
    """AGENT=MODEL without secrets."""
    agent, equals, model = text.partition("=")
    return f"{agent}{equals}{shown_model(model)}"
