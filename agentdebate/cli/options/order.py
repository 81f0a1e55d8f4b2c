"""The order of a run: the options of a command that holds debates, as they were typed or as a store kept them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Self

from cyclopts import App, CycloptsError, Parameter

from agentdebate.cli.console.output import say
from agentdebate.cli.options.common import DATA, Consent
from agentdebate.cli.options.settings import (
    CastGroup,
    CastOptions,
    DataGroup,
    DataOptions,
    SettingGroup,
    SettingOptions,
)
from agentdebate.cli.options.words import (
    OWN,
    name_of,
    plain_word,
    recorded_words,
    values_of,
    without_repeated,
)
from agentdebate.datasets.data_source import DataSource
from agentdebate.datasets.published import published
from agentdebate.datasets.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.models.secrets import HIDDEN, without_keys
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.report.dataset_table import account_lines
from agentdebate.runs.configuration import replaced_files
from agentdebate.runs.settings import Settings
from agentdebate.store.run_head import RunHead
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Task

_AGAIN = OWN | {"--base-url", "--api-key-env"}
"""Options that are typed behind `resume RUN` or `work RUN`: a store says nothing of where keys go and whose code is run."""
_READ = ("--prices", "--tokenizer")
"""Options that name files: a store may name those of the current folder."""
_BUDGET = ("--budget-tokens", "--budget-money")


@Parameter(name="*")
@dataclass(frozen=True)
class SaidAgain:
    """Words of the user that go before what the store says of a run: any setting, and consent, which no store gives."""

    settings: Annotated[SettingGroup, Parameter(show_default=False)] = SettingOptions()
    consent: Consent = Consent()


@Parameter(name="*", group=DATA)
@dataclass(frozen=True)
class Order:
    """Parts that a run needs to be resumed: data, strategy, settings."""

    name: Annotated[str, Parameter(parse=False)] = ""
    data: Annotated[str, Parameter(parse=False)] = ""
    task: str | None = None
    """The kind of item, such as summarization (list tasks)."""
    columns: DataGroup = DataOptions()
    casting: CastGroup = CastOptions()
    typed: SettingGroup = SettingOptions()
    consent: Consent = Consent()
    words: Annotated[tuple[str, ...], Parameter(parse=False)] = ()
    """The options as they were typed."""
    trust: Annotated[Trust, Parameter(parse=False)] = USER
    """Trust in what they say: the user's own words, or a store's."""
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
        trust = Trust.allowing(said.consent.allow_endpoint).of(f"run {head.id} in the store")
        for option in _READ:  # before they are read
            for value in values_of(kept, option):
                trust.path(value, Path.cwd(), option)
        try:
            order: Self = _parser()(given, exit_on_error=False, print_error=False)
            stored: Self = _parser()(kept, exit_on_error=False, print_error=False)
        except CycloptsError as error:
            raise _unsaid(head.id, str(error)) from error
        order.typed.check_trusted(trust, stored.typed)
        return replace(order, name=strategy, data=data, consent=said.consent, words=given, trust=trust)

    @cached_property
    def project(self) -> Project:
        """The project with the content files. Raises UsageError."""
        return self.consent.found(looks=self.looks)

    @property
    def settings(self) -> Settings:
        """The settings of the run. Raises UsageError."""
        return self.typed.but(project=self.project)

    @property
    def recorded(self) -> Settings:
        """The settings with the words by which `resume` and `work` go on, without secrets."""
        options = [plain_word(word) for word in self.words if name_of(word) in _options().difference(OWN)]
        told = {"folder": str(Path.cwd()), "strategy": self.name, "data": self.data, "options": options}
        return self.settings.but(configuration={"command": told})

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy. Raises UserError."""
        return self.casting.strategy(self.name, self.project, self.trust)

    @property
    def source(self) -> DataSource:
        """The items, and how they are read. Raises UsageError."""
        seed = self.typed.sampling.seed or 0
        return replace(self.columns, path=self.data, task=self.task, seed=seed)

    @cached_property
    def kind(self) -> Task:
        """The task as it is judged. Raises UserError."""
        return self.settings.task(self.source.kind)

    @property
    def replaced(self) -> list[str]:
        """The files of the project that stand in the place of built-in ones."""
        return replaced_files(self.strategy, self.project, [self.kind.name])

    async def supply(self, *, whole: bool = False, quiet: bool = False) -> Supply:
        """Read the items, and say what came out of a published file, unless `quiet`. Raises UserError."""
        supply = await self.source.supply(self.kind, whole=whole)
        if self.columns.dataset is not None and supply.taken is not None and not quiet:
            for line in account_lines(published(self.columns.dataset), supply.taken):
                say(line)
        return supply

    def again_words(self, *, secrets: bool = False, larger: bool = False) -> list[str]:
        """Write what has to be typed behind `resume RUN` or `work RUN`; without `secrets` what may be one is left out.

        `larger` asks for more than the budget that is spent; how much, the user has to say.
        """
        names = _AGAIN.union(_READ, {"--extra"} if secrets else ())
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
