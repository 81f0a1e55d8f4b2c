"""The judges of a pytest session, and what a test asks of one."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import ceil
from pathlib import Path
from shlex import quote

import anyio
import pytest

from agentdebate.debates.record import Record
from agentdebate.errors import AgentDebateError, DebateError, StoreError, UsageError, UserError, nearest
from agentdebate.integrations.pytest_plugin import MEASURES
from agentdebate.models.base import Completion
from agentdebate.models.prices import total_cost
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
"""Characters of a reason that are shown."""
_REPEAT = "#"
"""Text before the number of the repeat in an item's id."""


@dataclass(frozen=True)
class Mark:
    """Parameters of the marker `judged`. Raises UsageError."""

    strategy: Strategy | str = "debate"
    task: str = "summarization"
    aspect: str | None = None
    """The aspects, with commas; None for those of the task, each of which has to reach `at_least`."""
    at_least: float | None = None
    """The least score; None leaves it to the test to look at the verdict."""
    repeats: int = 1
    rule: str = "majority"
    """Share of the repeats that have to reach it: "majority", "all", or "rate:.8"."""

    @classmethod
    def of(cls, node: pytest.Item) -> "Mark":
        """The markers of a test, its own before those of its class and module."""
        given = {
            key: value
            for mark in reversed([*node.iter_markers("judged")])
            for key, value in mark.kwargs.items()
        }
        known = [field.name for field in fields(cls)]
        if wrong := given.keys() - known:
            raise UsageError(f"the marker judged has no {min(wrong)!r}. {nearest(min(wrong), known)}")
        return cls(**given)

    def __post_init__(self) -> None:
        if self.repeats < 1 or not 1 <= self.needed <= self.repeats:
            raise UsageError(
                f"judged(repeats=..., rule=...) take 1 or more and a share above 0, up to 1, not {self.repeats} and {self.rule!r}"
            )

    @property
    def needed(self) -> int:
        """Verdicts that have to reach `at_least`."""
        name, _, rate = self.rule.partition(":")
        try:
            return {
                "all": self.repeats,
                "majority": self.repeats // 2 + 1,
                "rate": ceil(float(rate or 0) * self.repeats - 1e-9),
            }[name]
        except (KeyError, ValueError) as error:
            raise UsageError(
                f"judged(rule=...) is majority, all, or rate:SHARE such as rate:.8, not {self.rule!r}"
            ) from error


class Cassette:
    """Completions in a file, one for each repeat of a request; without `record` the file is only read, and what it lacks is refused."""

    def __init__(self, path: Path, *, record: bool) -> None:
        if not record and not path.is_file():
            raise UsageError(
                f"there is no cassette {path}: run pytest with --agentdebate-record once, and keep the file"
            )
        self._kept, self._record = CompletionCache(path), record

    async def get(self, key: str) -> Completion | None:
        """The completion under a key. Raises StoreError."""
        found = await self._kept.get(_repeated(key))
        if found is None and not self._record:
            raise StoreError(
                f"the cassette {self._kept.place} lacks a reply: run pytest with --agentdebate-record where the model may be asked"
            )
        return found

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        """Keep a completion under a key."""
        await self._kept.put(_repeated(key), completion, model=model)

    def close(self) -> None:
        """Close the file."""
        anyio.run(self._kept.aclose)


def _repeated(key: str) -> str:
    """The key of a request within the repeat that the debate under way is."""
    return f"{key}{_REPEAT}{about().get('item', '').rpartition(_REPEAT)[2].partition('~')[0]}"


class Judges:
    """The judges of a session, opened as tests need them, and open until its end."""

    def __init__(self, settings: Settings, store: str, cassette: str | None, record: bool) -> None:
        if record and not cassette:
            raise UsageError("--agentdebate-record goes with --agentdebate-cassette FILE")
        self.cassette = Cassette(Path(cassette), record=record) if cassette else None
        self.settings = settings.but(cache="on", cache_file=self.cassette) if self.cassette else settings
        self.store = store
        self._open: list[tuple[Mark, Judge]] = []

    def marked(self, node: pytest.Item) -> "MarkedJudge":
        """The judge that a test's marker describes."""
        return MarkedJudge(node, self, Mark.of(node))

    def of(self, mark: Mark) -> Judge:
        """The judge with the strategy, task and aspects of a marker."""
        for other, judge in self._open:
            if (other.strategy, other.task, other.aspect) == (mark.strategy, mark.task, mark.aspect):
                return judge
        judge = Judge(
            mark.strategy, task=mark.task, store=self.store, settings=self.settings, aspects=mark.aspect
        )
        self._open.append((mark, judge))
        return judge

    def close(self) -> None:
        """Close all of them."""
        for _, judge in self._open:
            judge.close()
        if self.cassette:
            self.cassette.close()


class MarkedJudge:
    """What the fixture `judge` gives: call it with the task's fields, or with an Item."""

    def __init__(self, node: pytest.Item, judges: Judges, mark: Mark) -> None:
        self._node, self._judges, self._mark = node, judges, mark
        self.failure: AgentDebateError | None = None
        """Error of a debate that ended without a verdict."""

    def __call__(self, item: Item | Mapping[str, str] | None = None, /, **fields: str) -> Verdict:
        """Judge one item; the first of the verdicts comes back.

        Raises AssertionError, with the reasons and where the transcripts are, where too few verdicts reach the least score, and
        UserError for what is to be mended in the test.
        """
        __tracebackhide__ = True
        mark, told, verdicts = self._mark, list[str](), list[Verdict]()
        passed = failed = 0
        while len(verdicts) < mark.repeats and (
            mark.at_least is None or (passed < mark.needed and failed <= mark.repeats - mark.needed)
        ):
            verdicts.append(self._asked(item, fields, len(verdicts) + 1, told))
            reached = mark.at_least is None or min(verdicts[-1].scores.values()) >= mark.at_least
            passed, failed = passed + reached, failed + (not reached)
        if failed > mark.repeats - mark.needed:
            raise AssertionError(
                "\n".join(
                    [
                        f"{passed} of {len(verdicts)} verdicts are at least {mark.at_least:g}, and {mark.needed} have to be",
                        *told,
                    ]
                )
            )
        self._node.add_report_section("call", "judge", "\n".join(told))
        return verdicts[0]

    def _asked(
        self, item: Item | Mapping[str, str] | None, fields: Mapping[str, str], repeat: int, told: list[str]
    ) -> Verdict:
        """Ask once. A debate without a verdict skips the test, and leaves the error in `failure`."""
        mark, judges = self._mark, self._judges
        given = JudgeOptions(mark.strategy, judges.settings, mark.task).item(item, fields)
        try:
            judge = judges.of(mark)
            [record] = judge.map([given.model_copy(update={"id": f"{self._node.nodeid}{_REPEAT}{repeat}"})])
            where = f"agentdebate show {judge.run} {quote(record.item.id)} --store {quote(judges.store)}"
            self._count(record, where)
            verdict = record.result()
            if verdict.abstained:
                raise DebateError(f"the judge abstained: {verdict.abstained}")
        except UserError:
            raise
        except AgentDebateError as error:
            self.failure = error
            pytest.skip(f"the judge failed: {type(error).__name__}: {error}")
        latest = {cast.agent: cast.ballot.reason for cast in verdict.ballots}
        reasons = [f"  {agent}: {shortened(reason, _REASON)}" for agent, reason in latest.items() if reason]
        told += [verdict.line(), *reasons, f"  {where}"]
        return verdict

    def _count(self, record: Record, where: str) -> None:
        """Note what a debate took, for JUnit's report and the summary."""
        paid = [call.completion for call in record.calls if not call.completion.cached]
        settings = self._judges.settings
        cost = total_cost(
            [(one.model, one.usage) for one in paid], settings.price_table, otherwise=settings.model_name
        )
        usage = record.usage
        numbers = (usage.calls, record.saved.calls, usage.tokens, "unknown" if cost is None else cost)
        self._node.user_properties += [
            *zip(MEASURES, numbers, strict=True),
            ("agentdebate.transcript", where),
        ]
