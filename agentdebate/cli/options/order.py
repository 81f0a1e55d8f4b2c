"""What is to be judged, by what, and how: the options of a command that holds debates, brought together."""

import shlex
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from agentdebate.agents.purse import NO_LIMITS, DebateLimits
from agentdebate.cli.console.output import say
from agentdebate.cli.options.cast import CastOptions
from agentdebate.cli.options.common import DebateOptions, ModelOptions, json_pairs, project_at
from agentdebate.cli.options.data import DataOptions
from agentdebate.cli.options.spending import SpendingOptions
from agentdebate.datasets.data_source import DataSource
from agentdebate.datasets.hub import is_fetched
from agentdebate.datasets.named_values import names
from agentdebate.datasets.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.models.base import Model
from agentdebate.models.composition import Around
from agentdebate.models.hub import hub
from agentdebate.models.own_model import shown as shown_model
from agentdebate.models.registry import check_provider, provider_of, usual_address_of
from agentdebate.models.secrets import without_pairs
from agentdebate.project.model_spec import ModelSpec, addressed
from agentdebate.project.trust import USER, CodeRefused, EndpointRefused, Trust, leads_out
from agentdebate.prompts.prompts import Prompts
from agentdebate.runs.agenda import Items
from agentdebate.runs.debate_setup import DebateSetup, chosen_aspects
from agentdebate.runs.evaluation import Evaluation, evaluate
from agentdebate.runs.forecast import Forecast, forecast
from agentdebate.runs.work import enqueue, work
from agentdebate.tasks import Item, Task

STORED = "the store"
"""Who said what is read from a store, in messages."""

_OURS = {"trust", "again", "dry"}
"""What of an order is never written down, nor read."""


@dataclass(frozen=True)
class Order:
    """What is to be judged, by what, and how: everything that a run needs to be taken up again."""

    strategy: str
    data: str
    task: str | None
    aspects: str | None
    concurrency: int
    project: Path | None
    source: DataOptions
    models: ModelOptions
    casting: CastOptions
    debates: DebateOptions
    spending: SpendingOptions = SpendingOptions()
    trust: Trust = USER
    """Whose options these are, and which hosts a project's files may reach. It is never read from a store."""
    again: tuple[str, ...] = ()
    """What the user said once more to go on with a run: options that a store could not hold, or may not decide."""

    dry: bool = False
    """Whether the order is only looked at: code of a project that the user named is imported only where the user allowed that too."""

    def described(self) -> dict[str, Any]:
        """The order as JSON, with the folder in which it was given."""
        plain: dict[str, Any] = TypeAdapter(Order).dump_python(self, mode="json", exclude=_OURS)
        plain["casting"]["option"] = [without_pairs(text) for text in self.casting.option]
        plain["casting"]["agent_model"] = [_plain_pair(text) for text in self.casting.agent_model]
        return {"folder": str(Path.cwd()), **plain, "models": self.models.described()}

    def prepared(self) -> DebateSetup:
        """What is looked up and checked. Raises UserError."""
        _ = self.checked_concurrency
        prepared = debate_setup(
            self.strategy,
            self.source.task(self.task),
            self.aspects,
            project=self.project,
            models=self.models,
            casting=self.casting,
            debates=self.debates,
            limits=self.spending.limits(self.project),
            trust=self.trust,
            looks=self.dry,
        )
        self.source.check_judged(prepared.task, prepared.aspects)
        return prepared

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

    def judged_task(self) -> Task:
        """The task with the scales that were given. Raises UserError."""
        found = project_at(self.project, self.trust)
        return self.debates.rescaled(Prompts(found).task(self.source.task(self.task)))

    @property
    def checked_concurrency(self) -> int:
        """Debates at once. Raises UsageError."""
        if self.concurrency < 1:
            raise UsageError("--concurrency is at least 1")
        return self.concurrency

    @asynccontextmanager
    async def _opened(self, around: Around) -> AsyncIterator[Model]:
        """The model, its tokens counted as the options say, while the context lasts. Raises UserError."""
        async with (
            self.models.counted(),
            aclosing(self.models.open(self.concurrency, around)) as model,
        ):
            yield model

    @asynccontextmanager
    async def evaluated(
        self,
        items: Items,
        prepared: DebateSetup,
        around: Around,
        *,
        store: str,
        configuration: Mapping[str, Any],
        in_order: bool = False,
        resume: str | None = None,
        retry_failed: bool = False,
        anyway: bool = False,
    ) -> AsyncIterator[Evaluation]:
        """Hold the debates of the order; the last four are those of `evaluate`. Raises AgentDebateError."""
        async with (
            self._opened(around) as model,
            evaluate(
                items,
                prepared.strategy,
                model=model,
                aspects=prepared.aspects,
                together=self.debates.together,
                concurrency=self.concurrency,
                store=store,
                configuration={**configuration, "command": self.described()},
                around=around,
                project=prepared.project,
                settings=prepared.settings,
                in_order=in_order,
                resume=resume,
                retry_failed=retry_failed,
                anyway=anyway,
                earlier=False,
            ) as evaluation,
        ):
            yield evaluation

    @asynccontextmanager
    async def worked(
        self, run: str, prepared: DebateSetup, around: Around, *, store: str, lease: float, anyway: bool
    ) -> AsyncIterator[Evaluation]:
        """Work on a run of this order that was entered as a queue. Raises AgentDebateError."""
        async with (
            self._opened(around) as model,
            work(
                run,
                prepared.strategy,
                store=store,
                model=model,
                aspects=prepared.aspects,
                together=self.debates.together,
                concurrency=self.concurrency,
                lease=lease,
                anyway=anyway,
                around=around,
                project=prepared.project,
                settings=prepared.settings,
            ) as evaluation,
        ):
            yield evaluation

    async def entered(
        self, items: Items, prepared: DebateSetup, *, store: str, configuration: Mapping[str, Any]
    ) -> str:
        """Enter the order as a queue, which any number of processes may work on; the run's name comes back."""
        async with self._opened(Around(in_flight=self.concurrency)) as model:
            return await enqueue(
                items,
                prepared.strategy,
                store=store,
                model=model,
                aspects=prepared.aspects,
                together=self.debates.together,
                concurrency=self.concurrency,
                configuration={**configuration, "command": self.described()},
                project=prepared.project,
                settings=prepared.settings,
            )

    def worker_words(self) -> list[str]:
        """What has to be typed behind `work RUN` to have a worker hold debates as is said here."""
        given = self.models
        said = {"--base-url": given.base_url, "--api-key-env": given.api_key_env}
        words = [f"{name}={value}" for name, value in said.items() if value]
        words += [f"--extra={text}" for text in given.extra]
        return [*shlex.split(self.again_words()), *words]

    async def foretold(
        self, items: Sequence[Item], prepared: DebateSetup, *, of: int | None = None
    ) -> Forecast:
        """What the order will cost at the most; `of` is how many items there are where these are some of them."""
        check_provider(self.models.model)
        self.casting.words.check_models()
        async with self.models.counted():
            return await forecast(
                items,
                prepared.strategy,
                prepared.task,
                model=addressed(self.models.model, self.models.base_url),
                aspects=prepared.aspects,
                together=self.debates.together,
                settings=prepared.settings,
                project=prepared.project,
                prices=self.spending.table(self.project),
                of=of,
            )

    @classmethod
    def read(cls, described: Mapping[str, Any], trust: Trust) -> "Order":
        """The order in JSON, which is not the user's: `trust` says whose, and what is allowed to it. Raises ValidationError."""
        told = {name: value for name, value in described.items() if name not in {"folder", *_OURS}}
        return replace(TypeAdapter(cls).validate_python(told), trust=trust)


def debate_setup(
    strategy: str,
    task: str,
    aspects: str | None,
    *,
    project: Path | None,
    models: ModelOptions,
    casting: CastOptions,
    debates: DebateOptions,
    limits: DebateLimits = NO_LIMITS,
    trust: Trust = USER,
    looks: bool = False,
) -> DebateSetup:
    """What the options name, looked up and checked. `trust` says whose options they are. Raises UserError."""
    found = project_at(project, trust, looks=looks)
    chosen = debates.rescaled(Prompts(found).task(task))
    settings = debates.settings(chosen, models.sampling, limits)
    check_addresses(models, casting)
    made = casting.strategy(strategy, found, trust)
    named = None if aspects is None else names(aspects)
    return DebateSetup(chosen, chosen_aspects(chosen, named), made, found, settings, debates.together)


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
