"""Strategies made ready: everything that is the same for all items is read, opened and checked once."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

import anyio

from agentdebate.agents.common import Common
from agentdebate.agents.debate import Debate, Recorder
from agentdebate.agents.debate_settings import USUAL, DebateChanges, DebateSettings
from agentdebate.agents.seat import VACANT, Card, Cast, SeatPlan, load_card
from agentdebate.agents.subject import Subject
from agentdebate.debates.hold import hold
from agentdebate.debates.record import Record
from agentdebate.embedders.registry import asks_an_endpoint as embedder_asks
from agentdebate.errors import DataError, UsageError
from agentdebate.evaluators.registry import addresses
from agentdebate.models.base import Model, Sampling
from agentdebate.models.completion_check import checked
from agentdebate.models.event_loop import running_loop
from agentdebate.models.own_model import shown
from agentdebate.models.provider_keys import usual_address
from agentdebate.models.registry import model as open_model
from agentdebate.models.registry import model_name, usual_address_of
from agentdebate.models.replay import Earlier
from agentdebate.models.wrapper import abilities_of, in_words, unsent, way_out_of
from agentdebate.project.model_spec import OFFLINE, ModelSpec
from agentdebate.project.my_folders import how_to_own
from agentdebate.project.project import Project
from agentdebate.project.trust import Place
from agentdebate.prompts.prompts import Prompts
from agentdebate.strategies.ballot_strategy import BallotStrategy
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.code_prompts import check_inline_prompts
from agentdebate.strategies.load import strategy as load_strategy
from agentdebate.strategies.wrapper import inside, seating
from agentdebate.talk.bus import Listener
from agentdebate.talk.messages import Failure, Transcript
from agentdebate.tasks import Item, Task
from agentdebate.telemetry import ERROR, Span, own


@dataclass(frozen=True)
class ReadyStrategy:
    """A strategy made ready to be held over any item: its cast seated, its models open, its prompts at hand."""

    strategy: Strategy
    cast: Cast
    prompts: Prompts
    settings: DebateSettings = USUAL
    common: Common = field(default_factory=Common)
    """Things that all debates share."""

    def task(self, item: Item) -> Task:
        """The task of an item: the caller's own, or a file's. Raises UsageError where the item names none, and ContentError."""
        if not item.task:
            raise UsageError(f"item {item.id or '?'} names no task: Item(task='summarization', ...)")
        task = self.settings.tasks.get(item.task) or self.prompts.task(item.task)
        return task.rescaled(self.settings.scales)

    async def hold(
        self,
        item: Item,
        aspects: Sequence[str] | str | None = None,
        *,
        debate_id: str = "",
        listeners: Sequence[Listener] = (),
        record: Recorder | None = None,
        earlier: Earlier | None = None,
    ) -> Record:
        """Debate one item and return what is left of it; a failure of the debate is in the record, not raised.

        `aspects` None means the task's usual ones, in one debate. `listeners` see every message, `record` every call
        before its completion is used. `debate_id` is the record's id, the item's where there is none; `earlier` holds
        completions of this debate that were paid for already. Raises
        UserError for a task or aspect that does not exist.
        """
        task, name = self.task(item), debate_id or item.id
        asked = self.strategy.asked(task.choose(aspects))
        names, title = tuple([aspect.name for aspect in asked]), self.strategy.title
        about = {own("strategy"): title, own("aspects"): list(names)}
        with Span("debate", about, debate=name, item=item.id) as span:
            try:
                subject = Subject(task, item, asked, self.prompts, fences=self.strategy.fenced())
            except DataError as error:  # the item does not fit its task
                failed = Failure.of(error)
                return Record(
                    name, item, task.name, names, title, None, failed, Transcript(debate=name), error=error
                )
            debate = Debate(
                name, subject, self.cast, self.settings, self.common, record=record, earlier=earlier
            )
            debate.bus.listeners += listeners
            left = await hold(self.strategy, debate)
            debate.dissolve()
            if left.verdict is not None:
                self.common.first.end()
            if span.recorded:
                told = {
                    own(name): one for name, one in left.row().items() if isinstance(one, str | int | float)
                }
                span.tell({**told, ERROR: left.failure and left.failure.error})
        return left

    def check(self) -> None:
        """Raise UserError before the first call for prompts and personas that cannot be filled, for models that do not give what
        they would be asked for, and for prices that are unknown.
        """
        self.prompts.check()
        check_inline_prompts(self.strategy, self.prompts)
        check_abilities(self.strategy, self.cast)
        for card in self.cast.cards:
            self.prompts.prompt("agents", card.name, card.persona)
        for one in self.cast.models:
            self.settings.debate_limits.price(one.name, self.settings.prices)


@asynccontextmanager
async def ready(
    strategy: Strategy | str,
    *,
    model: Model | str = "offline",
    project: Project | None = None,
    opener: Callable[[str], Model] | None = None,
    lend: Callable[[Model], Model] | None = None,
    settings: DebateSettings | None = None,
    **changes: Unpack[DebateChanges],
) -> AsyncIterator[ReadyStrategy]:
    """A strategy made ready. Models that were named rather than given are opened here and closed at the end.

    `opener` opens a model by its name; None is `agentdebate.model`. `lend` says what speaks for one that is given. How debates are held is said by `settings`, by
    the fields of DebateSettings as keywords, or by both: keywords go before. Raises UserError; UsageError where the event loop is not
    asyncio's.
    """
    running_loop()
    how = (settings or USUAL).changed(changes)
    found = project or Project.here()
    chosen = load_strategy(strategy, project=found) if isinstance(strategy, str) else strategy
    opened, lent = dict[str, Model](), dict[int, Model]()

    def speaking(own: Model | str | None) -> Model:
        named = own or model
        if not isinstance(named, str):
            if how.rehearsal and opener:
                return opener(named.name)
            if id(named) not in lent:
                lent[id(named)] = checked(lend(named) if lend else named)
            return lent[id(named)]
        if named not in opened:
            opened[named] = (opener or open_model)(named)
        return opened[named]

    common = Common()
    try:
        if not how.rehearsal and model_name(model) == OFFLINE:
            check_unasked(chosen, found)
        chosen.require()
        chosen.check_files(())
        cast = Cast(chosen.seats(), found, speaking, how.sampling)
        made = ReadyStrategy(chosen, cast, Prompts(found), how, common)
        made.check()
        yield made
    finally:
        with anyio.CancelScope(shield=True):
            async with AsyncExitStack() as stack:  # what one of them raises keeps none of the others open
                for one in opened.values():
                    stack.push_async_callback(one.aclose)
                stack.push_async_callback(common.aclose)


def check_abilities(strategy: Strategy, cast: Cast) -> None:
    """Raise UsageError where a model is known to refuse what the strategy asks of it; warn of what will be left out."""
    for seat in cast.seats:
        layers = list(inside(strategy, seat.role))
        surely = any(
            isinstance(one, BallotStrategy) and one.confidence == "log-probabilities" for one in layers
        )
        beside = Sampling(logprobs=0) if surely else Sampling()
        abilities = None if seat.plan.relay else abilities_of(seat.model)
        if abilities is None:
            continue
        sampling = beside.overlaid(seat.sampling)
        for name in abilities.refuses(sampling):
            others = [one.no_logprobs for one in layers if name == "logprobs" and one.no_logprobs]
            others += ["another effort"] if name == "effort" else []
            others.append(f"another model for {seat.role!r} (models='{seat.role}=PROVIDER/NAME')")
            raise UsageError(
                f"{seat.model.name} gives no {in_words(name).removeprefix('a ')}{way_out_of(seat.model, name)}, which {strategy.title!r} as "
                f"it is set asks {seat.role!r} for: {', or '.join(others)}"
            )
        abilities.warn_of(sampling)


def unsent_by_model(cast: Cast) -> dict[str, list[str]]:
    """The parameters that were asked for and that requests go out without, by model."""
    seats = [seat for seat in cast.seats if not seat.plan.relay]
    asked = [(seat.model.name, one) for seat in seats for one in unsent(seat.model, seat.sampling)]
    return {model: [one for name, one in dict.fromkeys(asked) if name == model] for model, _ in asked}


def check_unasked(strategy: Strategy, project: Project) -> None:
    """Raise UsageError, which names the seats, where files name models behind endpoints that the user has not allowed.

    A debate that was given no model asks no endpoint because a file names one: the user alone sends texts and keys away.
    """
    told, hosts = dict[str, None](), dict[str, None]()
    for who, model, address, path in _named(strategy, project):
        if not project.trust(path).allows(address):
            told[f"{who} by {model} ({project.shown(path)})"] = None
            hosts[f", or allow_endpoints='{Place.read(address)}'"] = None
    if told:
        raise UsageError(
            f"no model was given, so no endpoint is asked; but files name models: {'; '.join(told)}. To have models asked, say which "
            f"with model=...{''.join(hosts)}{how_to_own(project.root)}"
        )


def _named(strategy: Strategy, project: Project) -> Iterator[tuple[str, str, str, Path]]:
    """Every model behind an endpoint that a file names for these debates: what it is for, its name, its address, and the file."""
    for role, plans in strategy.seats().items():
        for model, path in (_model_of(strategy, role, plan, project) for plan in plans):
            if path and isinstance(model, str) and model_name(model) != OFFLINE:
                spec = ModelSpec.parse(model)
                address = spec.options.get("base_url") or usual_address_of(spec.name)
                yield role, shown(model), str(address), path
    for one in inside(strategy):
        if path := one.said_by_file("evaluators"):
            for name, address in addresses(getattr(one, "evaluators", ())):
                yield "an evaluator", name, address, path
        path, embedder = one.said_by_file("embedder"), str(getattr(one, "embedder", ""))
        if path and embedder_asks(embedder):
            yield "the embedder", embedder, usual_address(), path


def _model_of(strategy: Strategy, role: str, plan: SeatPlan, project: Project) -> tuple[Any, Path | None]:
    """The model of a seat, and the file that names it, where one does."""
    card = plan.card
    if plan.model is None and isinstance(card, str):
        return (
            (None, None) if card == VACANT else (load_card(project, card).model, project.find("agents", card))
        )
    name = card if isinstance(card, str) else card.name
    paths = (
        one.said_by_file(key)
        for one, own in seating(strategy, role)
        for key in (
            (f"cast.{own}",)
            if plan.model is None
            else (f"models.{name}", f"models.{own}", f"models.{own.partition('.')[0]}")
        )
    )
    model = card.model if plan.model is None and isinstance(card, Card) else plan.model
    return model, next(filter(None, paths), None)
