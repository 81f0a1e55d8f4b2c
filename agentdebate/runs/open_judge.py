"""A judge within one event loop: a strategy made ready, places for so many debates at once, and the run that keeps them."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path

import anyio

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.debates.debate import Debate, ready
from agentdebate.debates.record import Record
from agentdebate.errors import UsageError, raise_only
from agentdebate.models.base import Model
from agentdebate.models.cache import Cached
from agentdebate.models.composition import Around
from agentdebate.models.limits.budget import Budget, Budgeted
from agentdebate.models.prices import built_in
from agentdebate.models.registry import opener
from agentdebate.project.project import Project
from agentdebate.runs.agenda import Job
from agentdebate.runs.budget_gate import budget_gate
from agentdebate.runs.configuration import configuration_of
from agentdebate.runs.evaluation import Evaluation, cost_of
from agentdebate.strategies.base import Strategy
from agentdebate.talk.bus import Listener
from agentdebate.tasks import Item, Task

_inside: ContextVar[bool] = ContextVar("inside", default=False)
"""Whether we are in a debate of a judge. One that is held for another takes no place, which that one may be holding."""


@dataclass(frozen=True)
class JudgeOptions:
    """What a judge is made of."""

    strategy: Strategy | str
    model: Model | str
    settings: DebateSettings
    task: str | None = None
    aspects: Sequence[str] | str | None = None
    concurrency: int = 64
    store: str | Path | None = None
    project: Project | None = None
    around: Around = field(default_factory=Around)
    cache: str | Path | None = None
    listeners: Sequence[Listener] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.concurrency, int) or self.concurrency < 1:
            raise UsageError(
                f"concurrency is how many debates are held at a time: 1 or more, not {self.concurrency!r}"
            )
        _check("model", self.model, (str, Model), "a name such as 'openai/gpt-4o-mini', or a Model")
        _check("strategy", self.strategy, (str, Strategy), "a name such as 'debate', or a Strategy")
        _check("task", self.task, (str, type(None)), "a name such as 'summarization', or a Task")
        _check("budget", self.around.budget, (Budget, type(None)), "a budget such as Budget(tokens=30_000)")

    def item(self, given: Item | Mapping[str, str] | None, fields: Mapping[str, str]) -> Item:
        """What is to be judged: an item, or the texts of one. Raises UsageError."""
        if isinstance(given, Item):
            if fields:
                raise UsageError(f"give an Item or its fields ({', '.join(fields)}), not both")
            return given if given.task else given.model_copy(update={"task": self._task()})
        if not isinstance(given, Mapping | type(None)):
            raise UsageError(
                f"an item is an Item or its fields by name, such as source=article and summary=text, not {type(given).__name__}"
            )
        texts = {**(given or {}), **fields}
        for name, text in texts.items():
            if not isinstance(text, str):
                raise UsageError(f"the field {name!r} is text, not {type(text).__name__}")
        return Item(fields=texts, task=self._task())

    def _task(self) -> str:
        if self.task is None:
            raise UsageError(
                "the judge has no task: Judge(..., task='summarization'), or name one in each Item"
            )
        return self.task


def _check(name: str, given: object, kinds: tuple[type, ...], wanted: str) -> None:
    if not isinstance(given, kinds):
        raise UsageError(f"{name} takes {wanted}, not {given!r:.80}")


class OpenJudge:
    """Holds debates, so many at a time. Each is about one item and all of the judge's aspects."""

    def __init__(self, debate: Debate, evaluation: Evaluation, options: JudgeOptions) -> None:
        self.evaluation = evaluation
        self._debate, self._aspects = debate, options.aspects
        self._places = anyio.Semaphore(options.concurrency)
        self._numbers = count(1)
        self._names: set[str] = set()

    def __repr__(self) -> str:
        return f"<OpenJudge {self._debate.strategy.title!r}, {self.evaluation.progress.ended} debates ended>"

    async def hold(self, item: Item) -> Record:
        """Debate one item. Raises UserError, and what every other debate would meet too."""
        number = next(self._numbers)
        named = item.model_copy(update={"id": self._name(item.id, number)})
        aspects = tuple(aspect.name for aspect in self._debate.task(named).choose(self._aspects))
        job = Job(f"{named.id}/{'+'.join(aspects)}", named, aspects, number, number)
        if _inside.get():
            return await self.evaluation.hold(job)
        async with self._places:
            with _debating():
                return await self.evaluation.hold(job)

    def _name(self, name: str, number: int) -> str:
        """An id that no item before had: what is judged once more has its number behind it."""
        wanted = name or str(number)
        while wanted in self._names:
            wanted = f"{wanted}~{number}"
        self._names.add(wanted)
        return wanted


@contextmanager
def _debating() -> Iterator[None]:
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


@asynccontextmanager
async def open_judge(options: JudgeOptions) -> AsyncIterator[OpenJudge]:
    """A judge, for as long as the context lasts: its connections, limits, budget, cache and run. Raises UserError and StoreError."""
    try:
        async with AsyncExitStack() as stack:
            around = await _with_cache(stack, options)
            debate = await stack.enter_async_context(
                ready(
                    options.strategy,
                    model=_shared(options.model, around),
                    project=options.project,
                    opener=opener(options.concurrency, around),
                    settings=options.settings,
                )
            )
            evaluation = await _evaluation(stack, debate, options, around)
            yield OpenJudge(debate, evaluation, options)
            evaluation.complete()
    except BaseExceptionGroup as error:  # of the store's task group
        raise_only(error)


async def _with_cache(stack: AsyncExitStack, options: JudgeOptions) -> Around:
    if options.cache is None:
        return options.around
    from agentdebate.store.cache import CompletionCache  # brings SQLAlchemy along

    cache = await stack.enter_async_context(CompletionCache(options.cache))
    return replace(options.around, cache=cache)


def _shared(model: Model | str, around: Around) -> Model | str:
    """The model with the judge's budget and cache around it, where it was given and not named: then it has limits of its own."""
    if isinstance(model, str):
        return model
    budgeted = model if around.budget is None else Budgeted(model, around.budget)
    return budgeted if around.cache is None else Cached(budgeted, around.cache, around.mode)


async def _evaluation(
    stack: AsyncExitStack, debate: Debate, options: JudgeOptions, around: Around
) -> Evaluation:
    """What holds the debates, and writes them down where there is a store."""
    tasks = _tasks(debate, options)
    name = options.model if isinstance(options.model, str) else options.model.name
    writer = None
    if options.store is not None:
        from agentdebate.store.writer import write_run  # brings SQLAlchemy along

        how = configuration_of(
            debate, aspects=options.aspects, together=True, concurrency=options.concurrency, tasks=tasks
        )
        run = write_run(
            options.store, strategy=debate.strategy.title, tasks=tuple(tasks), model=name, configuration=how
        )
        writer = await stack.enter_async_context(run)
        debate.common.remember({}, writer.found)
    send, receive = anyio.create_memory_object_stream[Record](0)
    send.close()
    stack.enter_context(receive)
    given = debate.settings.limits.prices or built_in()
    prices = around.budget.prices if around.budget else given
    cost = partial(cost_of, name=name, table=prices)
    gate = await stack.enter_async_context(budget_gate(debate, name, around))
    return Evaluation(debate, writer, receive, None, cost, listeners=options.listeners, gate=gate)


def _tasks(debate: Debate, options: JudgeOptions) -> dict[str, Task]:
    """The judge's task, where it has one. Raises UsageError for a task or an aspect that there is not."""
    if options.task is None:
        return dict(debate.settings.tasks)
    task = debate.task(Item(fields={}, task=options.task))
    task.choose(options.aspects)
    return {task.name: task}
