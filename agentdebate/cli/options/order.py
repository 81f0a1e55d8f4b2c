"""The order of a run: the options of a command that holds debates, and the setup that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Self

from cyclopts import App, CycloptsError, Parameter

from agentdebate.cli.console.output import say
from agentdebate.cli.options.casting import CastOptions
from agentdebate.cli.options.common import CONSENT, DATA, ProjectPath, json_pairs, project_at
from agentdebate.cli.options.data import DataOptions
from agentdebate.cli.options.settings import SettingGroup, SettingOptions
from agentdebate.cli.options.words import (
    OWN,
    name_of,
    plain_word,
    recorded_words,
    values_of,
    without_repeated,
)
from agentdebate.datasets.data_source import DataSource
from agentdebate.datasets.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.models.registry import usual_address_of
from agentdebate.models.secrets import HIDDEN, without_keys
from agentdebate.options import OptionKind
from agentdebate.project.project import Project
from agentdebate.project.trust import Trust
from agentdebate.runs.agenda import DebateSetup
from agentdebate.runs.settings import Settings
from agentdebate.store.reader import RunHead
from agentdebate.tasks import Task

_AGAIN = OWN | {"--base-url", "--api-key-env"}
"""Options that are typed behind `resume RUN` or `work RUN`: a store says nothing of where keys go and whose code is run."""
_BUDGET = ("--budget-tokens", "--budget-money")


@Parameter(name="*", group=CONSENT)
@dataclass(frozen=True)
class Consent:
    """Permissions of the user for a project's files and for stores."""

    project: ProjectPath = None
    allow_endpoint: tuple[str, ...] = ()
    """HOST or HOST:PORT that a project's files, or a store, may have requests and keys sent to; the option again for more."""
    allow_code: bool = False
    """Import the Python files that strategies of the project in this folder use; --project FOLDER allows it as well where debates
    are held."""

    def trust(self, said_in: str | None = None) -> Trust:
        """Say what may be done by what stands in a project's files or, where `said_in` names one, in a store. Raises UsageError."""
        code = self.allow_code or (said_in is not None and self.project is not None)
        trust = Trust.allowing(self.allow_endpoint, code=code)
        return trust if said_in is None else trust.of(said_in)


@Parameter(name="*")
@dataclass(frozen=True)
class SaidAgain:
    """Words of the user that go before what the store says of a run: any setting, and consent, which no store gives."""

    settings: Annotated[SettingGroup, Parameter(show_default=False)] = SettingOptions()
    consent: Consent = Consent()


@Parameter(name="*", group=DATA)
@dataclass(frozen=True)
class Order:
    """All that a run needs to be resumed: data, strategy, settings."""

    strategy: Annotated[str, Parameter(parse=False)] = ""
    data: Annotated[str, Parameter(parse=False)] = ""
    task: str | None = None
    """The kind of item, such as summarization (list tasks)."""
    source: DataOptions = DataOptions()
    casting: CastOptions = CastOptions()
    settings: SettingGroup = SettingOptions()
    consent: Consent = Consent()
    words: Annotated[tuple[str, ...], Parameter(parse=False)] = ()
    """The options as they were typed."""
    said_in: Annotated[str | None, Parameter(parse=False)] = None
    """The store that says this; None: the user does."""
    looks: Annotated[bool, Parameter(parse=False)] = False
    """True if no debate is held, so that naming a folder allows none of its code."""

    @classmethod
    def stored(cls, head: RunHead, said: SaidAgain, words: Sequence[str]) -> Self:
        """Read the order of a run out of its record, under the `words` with which the user said more. Raises UserError."""
        told = head.configuration.get("command")
        if not isinstance(told, Mapping):
            raise UsageError(
                f"run {head.id} was not begun by agentdebate run. Go on with a sweep by the same agentdebate sweep, and with a run of "
                "Python by evaluate or work there"
            )
        more = [word for word in words if name_of(word) in _options()]
        kept = without_repeated(recorded_words(told), more)
        strategy, data = told.get("strategy"), told.get("data")
        # Spelt otherwise, -m or --base_url, options would be parsed, and not seen by the check below.
        known = _options().issuperset(map(name_of, kept))
        if not (known and isinstance(strategy, str) and isinstance(data, str)):
            raise _unsaid(head.id, "strategy, data, options")
        if any(HIDDEN in word for word in kept):
            raise UsageError(
                f"run {head.id} was begun with a secret, and secrets are not kept: give --base-url or --extra again; for --set, begin a new run"
            )
        given = (*kept, *more)
        try:
            order: Self = _parser()(given, exit_on_error=False, print_error=False)
        except CycloptsError as error:
            raise _unsaid(head.id, str(error)) from error
        where = f"run {head.id} in the store"
        order = replace(order, strategy=strategy, data=data, consent=said.consent, words=given, said_in=where)
        order.check_stored(kept)
        return order

    def check_stored(self, kept: Sequence[str]) -> None:
        """Raise UserError where what the store says sends or fetches what the user has not allowed."""
        trust, extra = self.trust, json_pairs(values_of(kept, "--extra"), "--extra")
        for option in ("--model", "--agent-model"):
            for value in values_of(kept, option):
                trust.check_model(value.partition("=")[2] if option == "--agent-model" else value, option)
        # The key in a variable that the store names would go to whatever address is used, also to one that the user names.
        key = next(iter(values_of(kept, "--api-key-env")), None)
        address = self.settings.base_url if key or values_of(kept, "--base-url") else None
        model = self.settings.model
        assert isinstance(model, str), "it was typed"
        if address or key:
            trust.check_address(address or usual_address_of(model), key, "--base-url")
        trust.check_options(extra, lambda _: OptionKind.TEXT, "--extra")

    def described(self) -> dict[str, Any]:
        """Describe the order as JSON, with the folder in which it was given, and without secrets."""
        options = [plain_word(word) for word in self.words if name_of(word) in _options().difference(OWN)]
        return {"folder": str(Path.cwd()), "strategy": self.strategy, "data": self.data, "options": options}

    def prepared(self) -> DebateSetup:
        """Look up the task, the strategy and the settings. Raises UserError."""
        strategy = self.casting.words.strategy(self.strategy, self.found_project, self.trust)
        return DebateSetup(self.judged_task(), strategy, self.run_settings())

    def run_settings(self) -> Settings:
        """The settings with the task, the project and the record of this order. Raises UserError."""
        task = self.judged_task()
        return self.settings.but(
            tasks={task.name: task},
            project=self.found_project,
            configuration={"command": self.described()},
        )

    def judged_task(self) -> Task:
        """Look up the task, on the scales that were named. Raises UserError."""
        return self.settings.but(project=self.found_project).task(self.source.task(self.task))

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
        return self.source.source(self.data, task, seed=self.settings.sampling.seed)

    async def supply(self, task: Task, *, quiet: bool = False) -> Supply:
        """Read the items, and say what came out of a published file, unless `quiet`. Raises UserError."""
        supply = await self.data_source(task).supply()
        for line in () if quiet else self.source.account(supply.taken):
            say(line)
        return supply

    def again_words(self, *, secrets: bool = False, larger: bool = False) -> list[str]:
        """Write what has to be typed behind `resume RUN` or `work RUN`; without `secrets` what may be one is left out.

        `larger` asks for more than the budget that is spent; how much, the user has to say.
        """
        names = _AGAIN | {"--extra"} if secrets else _AGAIN
        words = [word for word in self.words if name_of(word) in names]
        more = [f"{name}=MORE" for name in _BUDGET if larger and values_of(self.words, name)]
        return [*(word for word in words if secrets or without_keys(word) == word), *more]


@cache
def _parser() -> App:
    """Make the parser of an order, as a record has it."""
    app = App(default_parameter=Parameter(negative=()), result_action="return_value", help_flags=())

    @app.default
    def order(*, order: Order = Order()) -> Order:
        return order

    return app


@cache
def _options() -> frozenset[str]:
    """List the options of an order by their first names, under which alone a record may say them."""
    return frozenset(one.name for one in _parser().assemble_argument_collection() if one.parse)


def _unsaid(run: str, what: str) -> UsageError:
    return UsageError(f"run {run}: the store does not say how it was held ({what}); begin a new run")
