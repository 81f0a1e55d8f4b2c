"""The judges of a pytest session, and what a test asks of one."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf, isnan, nan
from pathlib import Path
from shlex import quote

import anyio
import pytest

from agentdebate.debates.record import Record
from agentdebate.errors import AgentDebateError, StoreError, UsageError, UserError, nearest
from agentdebate.integrations.exchange import reasons
from agentdebate.models.base import Completion
from agentdebate.models.prices import total_cost
from agentdebate.models.registry import provider_of
from agentdebate.runs.judge import Judge
from agentdebate.runs.open_judge import JudgeOptions
from agentdebate.runs.settings import Settings
from agentdebate.store.cache import CompletionCache
from agentdebate.strategies.base import Strategy
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Item
from agentdebate.telemetry import about
from agentdebate.visible import shortened

_REASON = 600
"""Characters of a line of a reason that are shown."""
_REPEAT = "#"
"""Text before the number of the repeat in an item's id."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Mark:
    """Parameters of the marker `judged`. Raises UsageError."""

    strategy: Strategy | str = "debate"
    task: str = "summarization"
    aspect: str | None = None
    """The aspects, with commas; None for those of the task. Each has to reach `at_least`."""
    at_least: float = -inf
    """The least score; without one it is left to the test to look at the verdict."""
    repeats: int = 1
    rule: str | float = "majority"
    """Share of the repeats that have to reach it: "majority", "all", or a number such as .8."""

    @classmethod
    def of(cls, node: pytest.Item) -> "Mark":
        """The markers of a test, its own before those of its class and module."""
        marks = [*node.iter_markers("judged")]
        if unnamed := [one for mark in marks for one in mark.args]:
            raise UsageError(f"the marker judged takes names, such as strategy=..., not {unnamed[0]!r:.80}")
        given = dict(pair for mark in reversed(marks) for pair in mark.kwargs.items())
        for name in given:
            if name not in cls.__match_args__:
                raise UsageError(f"the marker judged has no {name!r}. {nearest(name, cls.__match_args__)}")
        return cls(**given)

    def __post_init__(self) -> None:
        if not isinstance(self.at_least, int | float) or isnan(self.at_least):
            raise UsageError(f"judged: at_least is a number, not {self.at_least!r:.80}")
        if not isinstance(self.repeats, int) or not 1 <= self.needed <= self.repeats:
            raise UsageError(
                f"judged: the rule is majority, all or a share such as .8, of 1 repeat or more, not {self.rule!r} of {self.repeats!r}"
            )

    @property
    def needed(self) -> int:
        """Verdicts that have to reach `at_least`; 0 where the rule means nothing."""
        if isinstance(self.rule, str):
            return {"all": self.repeats, "majority": self.repeats // 2 + 1}.get(self.rule, 0)
        share = self.rule if isinstance(self.rule, int | float) and 0 < self.rule <= 1 else 0
        return ceil(share * self.repeats - _ROUNDING)


class Cassette:
    """Completions in a file, one for each repeat of a request; unless it may `record`, what it lacks is refused."""

    def __init__(self, path: str, *, record: bool) -> None:
        self._kept, self._path, self._record = CompletionCache(path), path, record
        self._there = record or Path(path).is_file()  # to look into a file that is not there would make it

    async def get(self, key: str) -> Completion | None:
        """The completion under a key. Raises StoreError."""
        found = await self._kept.get(_repeated(key)) if self._there else None
        if found is None and not self._record:
            raise StoreError(
                f"the cassette {self._path} lacks a reply: run pytest once with --agentdebate-record, where the model may be asked"
            )
        return found

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        """Keep a completion under a key. Raises StoreError."""
        await self._kept.put(_repeated(key), completion, model=model)

    def close(self) -> None:
        """Close the file."""
        anyio.run(self._kept.aclose)


def _repeated(key: str) -> str:
    """The key of a request within the repeat that the current debate is."""
    return f"{key}{_REPEAT}{about()['item'].rpartition(_REPEAT)[2].partition('~')[0]}"


class Judges:
    """The judges of a session, opened as tests need them, and open until its end."""

    def __init__(self, settings: Settings, store: str, cassette: str | None, record: bool) -> None:
        if record and not cassette:
            raise UsageError("--agentdebate-record goes with --agentdebate-cassette FILE")
        name = settings.model_name
        if cassette and name.startswith("offline"):
            raise UsageError(
                "the offline judge takes no cassette: name the model that recorded it by --agentdebate-model"
            )
        self.cassette = Cassette(cassette, record=record) if cassette else None
        provider = None if record or not isinstance(settings.model, str) else provider_of(name)
        if cassette and provider and not os.environ.get(provider.key) and not settings.api_key_env:
            # Nobody is asked, so that a variable which is set, and holds no secret, stands in for the key that CI lacks.
            settings = settings.but(api_key_env="PYTEST_VERSION")
        self.settings = settings.but(cache="on", cache_file=self.cassette) if self.cassette else settings
        self.store = store
        self._open = dict[str, Judge]()

    def marked(self, node: pytest.Item) -> "MarkedJudge":
        """The judge that a test's markers describe. Raises UserError."""
        mark = Mark.of(node)
        for aspect in self.settings.task(mark.task).choose(mark.aspect):
            if not aspect.scale.low <= mark.at_least <= aspect.scale.high and mark.at_least > -inf:
                raise UsageError(
                    f"judged: at_least={mark.at_least:g} is not on the scale of {aspect.name}, {aspect.scale.ends}"
                )
        key = repr((mark.strategy, mark.task, mark.aspect))
        if key not in self._open:
            self._open[key] = Judge(
                mark.strategy, task=mark.task, store=self.store, settings=self.settings, aspects=mark.aspect
            )
        return MarkedJudge(node, self, self._open[key], mark)

    def close(self) -> None:
        """Close all of them."""
        for judge in self._open.values():
            judge.close()
        if self.cassette:
            self.cassette.close()


class MarkedJudge:
    """Judge of a test, as the fixture `judge` gives it: call it with the task's fields, or with an Item."""

    def __init__(self, node: pytest.Item, judges: Judges, judge: Judge, mark: Mark) -> None:
        self._node, self._judges, self._judge, self._mark = node, judges, judge, mark
        self.failure: AgentDebateError | None = None
        """Error of a debate that ended without a verdict."""

    def __call__(self, item: Item | Mapping[str, str] | None = None, /, **fields: str) -> Verdict:
        """Judge one item, until it is decided whether enough verdicts reach the least score; the first of them comes back.

        Raises AssertionError with the reasons, and where the transcripts are, and UserError for what is to be mended in the test.
        """
        __tracebackhide__ = True
        mark, needed, told, verdicts, short = self._mark, self._mark.needed, list[str](), list[Verdict](), 0
        while short <= mark.repeats - needed and len(verdicts) - short < needed:
            verdicts.append(self._asked(item, fields, len(verdicts) + 1, told))
            short += min(verdicts[-1].scores.values(), default=-inf) < mark.at_least
        if len(verdicts) - short < needed:
            heading = f"{short} of {len(verdicts)} verdicts are below {mark.at_least:g}, and {needed} of {mark.repeats} have to reach it"
            raise AssertionError("\n".join([heading, *told]))
        self._node.add_report_section("call", "judge", "\n".join(told))
        return verdicts[0]

    def _asked(
        self, item: Item | Mapping[str, str] | None, fields: Mapping[str, str], repeat: int, told: list[str]
    ) -> Verdict:
        """Ask once. A debate without a verdict skips the test, and leaves the error in `failure`."""
        mark, judges = self._mark, self._judges
        given = JudgeOptions(mark.strategy, judges.settings, mark.task).item(item, fields)
        try:
            [record] = self._judge.map(
                [given.model_copy(update={"id": f"{self._node.nodeid}{_REPEAT}{repeat}"})]
            )
            where = (
                f"agentdebate show {self._judge.run} {quote(record.item.id)} --store {quote(judges.store)}"
            )
            self._count(record, where)
            verdict = record.result()
            lines = [*reasons(verdict).splitlines(), where]
        except UserError:
            raise
        except AgentDebateError as error:
            self.failure = error
            pytest.skip(f"the judge failed: {type(error).__name__}: {error}")
        told += [f"  {shortened(line, _REASON)}" for line in lines]
        return verdict

    def _count(self, record: Record, where: str) -> None:
        """Note what a debate took, for JUnit's report and the summary."""
        paid = (
            (one.completion.model, one.completion.usage) for one in record.calls if not one.completion.cached
        )
        settings, usage = self._judges.settings, record.usage
        cost = total_cost(paid, settings.price_table, otherwise=settings.model_name)
        noted = {
            "calls": usage.calls,
            "cached": record.saved.calls,
            "tokens": usage.tokens,
            "cost": nan if cost is None else cost,
            "transcript": where,
        }
        self._node.user_properties += [(f"agentdebate.{name}", value) for name, value in noted.items()]
