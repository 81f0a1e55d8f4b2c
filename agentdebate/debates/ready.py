"""Strategies made ready: everything that is the same for all items is read, opened and checked once."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import anyio

from agentdebate import plugins
from agentdebate.agents.agent import Recorder
from agentdebate.agents.common import Common
from agentdebate.agents.debate import Debate
from agentdebate.agents.debate_settings import USUAL, DebateChanges, DebateSettings
from agentdebate.agents.seat import Cast
from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import GROUP as BALLOT_GROUP
from agentdebate.ballots.ballot import OURS as BALLOTS
from agentdebate.debates.checks import check_abilities, check_unasked
from agentdebate.debates.hold import failure, hold
from agentdebate.debates.record import Record
from agentdebate.errors import DataError, UsageError
from agentdebate.models.base import Model
from agentdebate.models.event_loop import running_loop
from agentdebate.models.families import OFFLINE
from agentdebate.models.registry import model as open_model
from agentdebate.models.registry import model_name
from agentdebate.models.resumed import Earlier
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.inline_prompts import check_inline_prompts
from agentdebate.strategies.load import strategy as load_strategy
from agentdebate.talk.bus import Listener
from agentdebate.talk.envelope import GROUP as MESSAGE_GROUP
from agentdebate.talk.messages import KINDS as MESSAGES
from agentdebate.tasks import Item, Task
from agentdebate.telemetry import ERROR, INPUT_TOKENS, OUTPUT_TOKENS, Span, own

BUILT_IN = {MESSAGE_GROUP: MESSAGES, BALLOT_GROUP: BALLOTS}
"""Built-in kinds beside the registered ones, by the entry-point group of packages."""


@dataclass(frozen=True)
class ReadyStrategy:
    """A strategy made ready to be held over any item: its cast seated, its models open, its prompts at hand."""

    strategy: Strategy
    cast: Cast
    prompts: Prompts
    settings: DebateSettings = USUAL
    common: Common = field(default_factory=Common)
    """Things that all debates share."""

    def with_models(self, change: Callable[[Model], Model]) -> "ReadyStrategy":
        """The same with what `change` makes of each model. Raises UsageError where it does."""
        return replace(self, cast=self.cast.with_models(change))

    def task(self, item: Item) -> Task:
        """The task of an item. Raises UsageError where the item names none."""
        if not item.task:
            raise UsageError(
                f"item {item.id or '?'} names no task; give it one: Item(task='summarization', ...)"
            )
        return self.task_named(item.task)

    def task_named(self, name: str) -> Task:
        """The task of this name: the caller's own, or a file's. Raises ContentError."""
        task = self.settings.tasks.get(name) or self.prompts.task(name)
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
                subject = Subject.of(task, item, asked, self.prompts, fences=self.strategy.fenced())
            except DataError as error:  # the item does not fit its task
                failed = failure(error, 0)
                return Record(name, item, task.name, names, title, None, failed, (), error=error)
            debate = self.debate(subject, name, record=record, earlier=earlier)
            for listener in listeners:
                debate.bus.listen(listener)
            left = await hold(self.strategy, debate)
            debate.dissolve()
            if left.verdict is not None:
                self.common.first.end()
            if span.recorded:
                span.tell(_told(left))
        return left

    def debate(
        self,
        subject: Subject,
        name: str,
        *,
        record: Recorder | None = None,
        earlier: Earlier | None = None,
    ) -> Debate:
        """A debate on a subject. No agent sits there yet."""
        return Debate(name, subject, self.cast, self.settings, self.common, record=record, earlier=earlier)

    def check(self) -> None:
        """Raise UserError before the first call for prompts and personas that cannot be filled, for models that do not give what
        they would be asked for, and for prices that are unknown.
        """
        self.prompts.check()
        check_inline_prompts(self.strategy, self.prompts)
        check_abilities(self.strategy, self.cast)
        for card in self.cast.cards:
            self.prompts.persona(card.name, card.persona)
        for one in self.cast.models:
            self.settings.debate_limits.price(one.name, self.settings.prices)


@asynccontextmanager
async def ready(
    strategy: Strategy | str,
    *,
    model: Model | str = "offline",
    project: Project | None = None,
    opener: Callable[[str], Model] | None = None,
    settings: DebateSettings | None = None,
    **changes: Unpack[DebateChanges],
) -> AsyncIterator[ReadyStrategy]:
    """A strategy made ready. Models that were named rather than given are opened here and closed at the end.

    `opener` opens a model by its name; None is `agentdebate.model`. How debates are held is said by `settings`, by the fields of
    DebateSettings as keywords, or by both: keywords go before. Raises UserError; UsageError where the event loop is not
    asyncio's.
    """
    running_loop()
    plugins.warn_of_clashes(BUILT_IN)
    how = (settings or USUAL).but(**changes)
    found = project or Project.here()
    chosen = load_strategy(strategy, project=found) if isinstance(strategy, str) else strategy
    opened: dict[str, Model] = {}

    def speaking(own: Model | str | None) -> Model:
        named = own or model
        if not isinstance(named, str):
            return opener(named.name) if how.rehearsal and opener else named
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


def _told(record: Record) -> dict[str, Any]:
    """Return the attributes of a debate's span."""
    usage, verdict = record.usage, record.verdict
    return {
        own("rounds"): verdict.rounds if verdict else None,
        own("ended"): verdict.ended if verdict else None,
        own("calls"): usage.calls,
        INPUT_TOKENS: usage.prompt_tokens,
        OUTPUT_TOKENS: usage.completion_tokens,
        ERROR: record.failure.error if record.failure else None,
    }
