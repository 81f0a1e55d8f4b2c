"""The order of a run: the options of a command that holds debates, and the settings that they fill."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Self

from cyclopts import Parameter
from pydantic import TypeAdapter, ValidationError

from agentdebate.cli.console.output import say
from agentdebate.cli.options.again import Consent, SaidAgain
from agentdebate.cli.options.common import DATA, LIMITS, json_pairs, project_at
from agentdebate.cli.options.data import DataOptions
from agentdebate.cli.options.settings import (
    CacheOptions,
    CastOptions,
    DebateOptions,
    ModelOptions,
    SpendingOptions,
)
from agentdebate.datasets.data_source import DataSource
from agentdebate.datasets.named_values import names, pairs
from agentdebate.datasets.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.models.own_model import shown as shown_model
from agentdebate.models.registry import usual_address_of
from agentdebate.models.secrets import HIDDEN, without_pairs
from agentdebate.project.model_spec import ModelSpec
from agentdebate.project.project import Project
from agentdebate.project.trust import Trust
from agentdebate.prompts.prompts import Prompts
from agentdebate.runs.agenda import DebateSetup
from agentdebate.runs.settings import Settings
from agentdebate.store.reader import RunHead
from agentdebate.tasks import Task

_NOT_STORED = {"consent", "caching", "said_in", "looks"}
"""Fields of an order that no record of a run holds: the user says them, each time."""


@Parameter(name="*", group=DATA)
@dataclass(frozen=True)
class Order:
    """All that a run needs to be resumed: data, strategy, models, limits."""

    strategy: Annotated[str, Parameter(parse=False)] = ""
    data: Annotated[str, Parameter(parse=False)] = ""
    task: str | None = None
    """The kind of item, such as summarization (list tasks)."""
    aspects: str | None = None
    """Aspects to judge, with commas [the task's usual ones]."""
    source: DataOptions = DataOptions()
    models: ModelOptions = ModelOptions()
    casting: CastOptions = CastOptions()
    debates: DebateOptions = DebateOptions()
    concurrency: Annotated[int, Parameter(name=["--concurrency", "-c"], group=LIMITS)] = 64
    """Debates held at once."""
    spending: SpendingOptions = SpendingOptions()
    caching: CacheOptions = CacheOptions()
    consent: Consent = Consent()
    said_in: Annotated[str | None, Parameter(parse=False)] = None
    """The store that says this; None: the user does."""
    looks: Annotated[bool, Parameter(parse=False)] = False
    """True if no debate is held, so that naming a folder allows none of its code."""

    @classmethod
    def stored(cls, head: RunHead, said: SaidAgain) -> Self:
        """Read the order of a run out of its record, with what the user says once more. Raises UserError."""
        told = head.configuration.get("command")
        if not isinstance(told, Mapping):
            raise UsageError(
                f"run {head.id} was not begun by agentdebate run. Go on with a sweep by the same agentdebate sweep, and with a run of "
                "Python there, by evaluate or work with its name"
            )
        plain = {name: value for name, value in told.items() if name not in {"folder", *_NOT_STORED}}
        try:
            order = TypeAdapter(cls).validate_python(plain)
        except ValidationError as error:
            place = ".".join(map(str, error.errors()[0]["loc"]))
            raise UsageError(
                f"run {head.id}: the store does not say how it was held ({place}); begin a new run"
            ) from error
        where = f"run {head.id} in the store"
        order = replace(order, consent=said.consent, caching=said.caching, said_in=where)
        if said.concurrency is not None:
            order = replace(order, concurrency=said.concurrency)
        return order.said_again(said, head.id)

    def described(self) -> dict[str, Any]:
        """Describe the order as JSON, with the folder in which it was given, and without secrets."""
        plain: dict[str, Any] = TypeAdapter(Order).dump_python(self, mode="json", exclude=_NOT_STORED)
        plain["casting"]["option"] = [without_pairs(text) for text in self.casting.option]
        plain["casting"]["agent_model"] = [_plain_pair(text) for text in self.casting.agent_model]
        return {"folder": str(Path.cwd()), **plain, "models": self.models.described()}

    def prepared(self) -> DebateSetup:
        """Look up the task, the strategy and the settings. Raises UserError."""
        task, settings = self.judged_task(), self.settings()
        return DebateSetup(
            task, self.casting.strategy(self.strategy, self.found_project, self.trust), settings
        )

    def settings(self) -> Settings:
        """Fill the settings. Raises UserError."""
        self._check_addresses()
        task, project = self.judged_task(), self.found_project
        return Settings(
            form=self.debates.form,
            patience=self.debates.patience,
            deadline=self.debates.deadline,
            debate_limits=self.spending.debate_limits(project),
            sampling=self.models.sampling,
            tasks={task.name: task},
            model=self.models.model,
            model_options=self.models.options,
            tokenizer=self.models.tokenizer,
            aspects=None if self.aspects is None else names(self.aspects),
            together=self.debates.together,
            concurrency=self.concurrency,
            limits=self.spending.limits,
            budget=self.spending.budget(project),
            cache=self.caching.cache_file,
            cache_mode=self.caching.cache,
            project=project,
            configuration={"command": self.described()},
        )

    def judged_task(self) -> Task:
        """Look up the task, and give it the scales that were named. Raises UserError."""
        return self.debates.rescaled(Prompts(self.found_project).task(self.source.task(self.task)))

    @property
    def trust(self) -> Trust:
        """The trust in these options: the user's own, or a store's with what the user allows."""
        return self.consent.trust(self.said_in)

    @property
    def found_project(self) -> Project:
        """The project with the content files, and what these may do. Raises UsageError."""
        return project_at(self.consent.project, self.trust, looks=self.looks)

    def data_source(self, task: Task) -> DataSource:
        """Describe where the items are, and how they are read. Raises UsageError."""
        return self.source.source(self.data, task, seed=self.models.seed)

    async def supply(self, task: Task, *, quiet: bool = False) -> Supply:
        """Read the items, and say what came out of a published file, unless `quiet`. Raises UserError."""
        supply = await self.data_source(task).supply()
        for line in () if quiet else self.source.account(supply.taken):
            say(line)
        return supply

    def again_words(self, *, secrets: bool = False) -> tuple[str, ...]:
        """Write what has to be typed behind `resume RUN` or `work RUN`: a store says nothing of where keys go and whose code is run."""
        models = self.models
        said = SaidAgain(
            models.base_url, models.api_key_env, models.extra, caching=self.caching, consent=self.consent
        )
        return said.words(secrets=secrets)

    def said_again(self, said: SaidAgain, run: str) -> Self:
        """Lay what the user says once more over what the store says, and check what is left of that. Raises UserError."""
        stored, again = self.models, pairs(said.extra, "--extra")
        kept = tuple(text for text in stored.extra if text.partition("=")[0] not in again)
        merged = replace(
            stored,
            base_url=said.base_url or stored.base_url,
            api_key_env=said.api_key_env or stored.api_key_env,
            extra=(*kept, *said.extra),
        )
        texts = (merged.base_url or "", *merged.extra, *self.casting.option)
        if any(HIDDEN in text for text in texts):
            raise UsageError(
                f"run {run} was begun with a secret, and secrets are not kept: give --base-url or --extra again; for --set, begin a new run"
            )
        # A variable that the store names goes to the address that is used, whoever names that.
        address = None if said.base_url and (said.api_key_env or not stored.api_key_env) else merged.base_url
        self._check_stored(address, None if said.api_key_env else stored.api_key_env, kept)
        return replace(self, models=merged)

    def _check_stored(self, address: str | None, key: str | None, extra: tuple[str, ...]) -> None:
        """Raise UserError where what the store says sends or fetches what the user has not allowed."""
        model, trust = self.models.model, self.trust
        trust.check_model(model, "--model")
        for pair in self.casting.agent_model:
            trust.check_model(pair.partition("=")[2], "--agent-model")
        usual = address or (usual_address_of(model) if key or extra else "")
        trust.check_address(address, key, "--base-url", usual=usual)
        trust.check_options(json_pairs(extra, "--extra"), "--extra", usual=usual)

    def _check_addresses(self) -> None:
        """Raise UsageError where a model of --agent-model would not go to the address that was given for --model."""
        models, provider = self.models, self.models.model.partition("/")[0]
        others = (ModelSpec.parse(pair.partition("=")[2]) for pair in self.casting.agent_model)
        alike = (one for one in others if one.name.startswith(f"{provider}/"))
        if (models.base_url or models.api_key_env) and any("base_url" not in one.options for one in alike):
            raise UsageError(
                f"--base-url and --api-key-env are for --model alone: say --agent-model critic={provider}/NAME:base_url=... too, or set "
                "the address in the environment for all of them"
            )


def _plain_pair(text: str) -> str:
    """Write AGENT=MODEL without secrets."""
    agent, equals, model = text.partition("=")
    return f"{agent}{equals}{shown_model(model)}"
