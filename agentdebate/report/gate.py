"""`gate`: whether a run keeps to limits and is not worse than another, in one call with the words of the command."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from agentdebate.errors import UsageError
from agentdebate.meta.gate import CONFIDENCE, Check, Decision, Limit, not_worse
from agentdebate.meta.run_rows import scales_of
from agentdebate.report.grid import Block, Grid, Number
from agentdebate.report.markup import as_markdown
from agentdebate.report.prose import counted
from agentdebate.report.result import Result
from agentdebate.runs.configuration import check_same
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, Reader, read_store
from agentdebate.store.run_head import RunHead
from agentdebate.tasks import Scale
from agentdebate.visible import shortened, visible

CODES: Mapping[Decision, int] = {"pass": 0, "fail": 1, "inconclusive": 3}
"""Exit codes of a gate."""
_SHARE = 0.1
"""Share of the scale that a mean may have gone down, where no margin is given."""
_MOST = 20
"""Items that are listed."""
_NAMED = 300
"""Characters of the items that are named."""


@dataclass(frozen=True, repr=False)
class Gate(Result):
    """The checks of a run: print it, or take its `rows`."""

    run: str
    checks: tuple[Check, ...]

    @property
    def decision(self) -> Decision:
        """The decision: "fail" where any check fails, and "pass" where all pass."""
        found = {one.decision for one in self.checks}
        return "fail" if "fail" in found else "inconclusive" if "inconclusive" in found else "pass"

    @property
    def title(self) -> str:
        """The decision, with the run."""
        return f"gate of {self.run}: {self.decision}"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each check."""
        return [asdict(one) for one in self.checks]

    def to_dict(self) -> dict[str, Any]:
        """The decision and the checks as JSON has them."""
        return {"run": self.run, "decision": self.decision, "checks": self.rows()}

    def blocks(self) -> Iterator[Block]:
        """The table of checks, and for each comparison the debates that got worse."""
        rows = [(one.rule, one.decision, _figure(one), one.n, one.more) for one in self.checks]
        yield Grid(
            self.title,
            ("check", "decision", "figure", "n", "more items"),
            rows,
            ("figure", "n", "more items"),
            notes=[f"{one.rule}: {told}" for one in self.checks for told in _notes(one)],
        )
        for one in self.checks:
            if one.worse:
                notes = [f"{len(one.worse) - _MOST} more"] if len(one.worse) > _MOST else []
                yield ""
                yield Grid(f"worse: {one.rule}", ("debate", "before", "now"), one.worse[:_MOST], notes=notes)

    def to_markdown(self) -> str:
        """The tables in Markdown, for a comment on a pull request."""
        return as_markdown([one for one in self.blocks() if isinstance(one, Grid)])

    def to_junit(self) -> str:
        """A JUnit report: a test case a check. A check that is left open is an error, which no reader takes for a pass."""
        kinds: Mapping[Decision, str] = {"fail": "failure", "inconclusive": "error"}
        sums = Counter(one.decision for one in self.checks)
        suite = ET.Element("testsuite", name="agentdebate gate", tests=str(len(self.checks)))
        for decision, kind in kinds.items():
            suite.set(f"{kind}s", str(sums[decision]))
        for one in self.checks:
            case = ET.SubElement(suite, "testcase", classname=visible(self.run), name=visible(one.rule))
            if one.decision != "pass":
                more = [f"{counted(one.more, 'more item')} would decide"] if one.more else []
                told = [f"{one.decision}: {_figure(one)}, n = {one.n}", *more, *_notes(one)]
                problem = ET.SubElement(case, kinds[one.decision], message=visible("; ".join(told)))
                problem.text = "\n".join(
                    visible(f"{name}: {then:g} -> {now:g}") for name, then, now in one.worse
                )
        return f"{ET.tostring(suite, encoding='unicode')}\n"


def _figure(check: Check) -> Number:
    return Number(check.value, check.spread.low, check.spread.high)


def _notes(check: Check) -> Iterator[str]:
    """Notes of a check: what its figures do not say."""
    if lost := sum(check.without.values()):
        how = ", ".join(f"{count} {how}" for how, count in check.without.items())
        yield f"{lost} of {check.n + lost} without a score: {how}"
    if check.decision == "inconclusive" and check.more is None and check.spread.low is not None:
        yield "more items are not likely to decide"


def gate(
    run: str = LAST,
    *,
    at_least: Mapping[str, float] = {},
    at_most: Mapping[str, float] = {},
    not_worse_than: str | None = None,
    margin: float | None = None,
    store: str | Path = USUAL_STORE,
) -> Gate:
    """Check a run of the store against limits, by name, and against another run of the same judge on the same items.

    Raises UsageError where nothing is to be checked, where a debate has not ended, and where the runs cannot be compared.
    """
    limits = [Limit(name, value, least=True) for name, value in at_least.items()]
    limits += [Limit(name, value, least=False) for name, value in at_most.items()]
    if not limits and not_worse_than is None:
        raise UsageError("name what is checked: at_least=..., at_most=... or not_worse_than=...")
    if margin is not None and (not_worse_than is None or not 0 <= margin < inf):
        raise UsageError(f"margin=... is 0 or more, and goes with not_worse_than=...: not {margin}")
    with read_store(store) as reader:
        head = reader.run(run)
        for limit in limits:
            check_scale(limit.name, limit.value, scales_of(head))
        rows = _ended(reader, head)
        checks = [limit.check(rows) for limit in limits]
        if not_worse_than is not None:
            checks += _compared(reader, head, rows, reader.run(not_worse_than), margin)
    return Gate(head.id, tuple(checks))


def check_scale(name: str, value: float, scales: Mapping[str, Scale]) -> None:
    """Raise UsageError for a limit that is not on the scale of its score, where that is known."""
    scale = scales.get(name.partition("@")[0].partition(".")[0])
    low, high, ends = (scale.low, scale.high, scale.ends) if scale else (-inf, inf, "any number")
    if not isinstance(value, int | float) or not low <= value <= high:
        raise UsageError(f"the limit {name}={value!r:.80} is not on its scale, {ends}")


def _ended(reader: Reader, head: RunHead) -> list[dict[str, Any]]:
    """The debates of a run, all of which have ended. Raises UsageError."""
    rows, waiting = list(reader.rows(head.id)), reader.not_ended(head)
    if waiting or head.ended is None:
        raise UsageError(
            f"run {head.id} has not ended ({counted(waiting, 'debate')} begun or left): go on with it before its gate"
        )
    if not rows:
        raise UsageError(f"run {head.id} has no debate that can be read")
    return rows


def _compared(
    reader: Reader, head: RunHead, rows: Sequence[dict[str, Any]], other: RunHead, margin: float | None
) -> list[Check]:
    """Compare each score with another run's. Raises UsageError where something else than the judged texts differs."""
    if other.id == head.id:
        raise UsageError(
            f"a run is not compared with itself: {head.id}. Name an earlier run (agentdebate list runs)"
        )
    others = _ended(reader, other)
    instead = "Compare with a run of this judge, prompts and items"
    check_same(other.id, other.configuration, head.configuration, here=True, instead=instead)
    if differ := sorted({name for name, *_ in _given(reader, head) ^ _given(reader, other)}):
        raise UsageError(
            f"run {other.id} has another set of items ({len(differ)} differ from those of {head.id}): "
            f"{shortened(', '.join(differ), _NAMED)}. Only the texts that are judged may differ"
        )
    names = list(dict.fromkeys(name for row in (*others, *rows) for name in row["scores"]))
    if not names:
        raise UsageError(f"runs {head.id} and {other.id} have no scores to compare")
    confidence = 1 - (1 - CONFIDENCE) / len(
        names
    )  # Bonferroni's: all together fail by chance as often as one
    scales = scales_of(head)
    return [not_worse(name, rows, others, _margin(scales, name, margin), confidence) for name in names]


def _margin(scales: Mapping[str, Scale], name: str, given: float | None) -> float:
    """The margin of a score: the given one, or a tenth of its scale. Raises UsageError where that is not known."""
    if given is not None:
        return given
    scale = scales.get(name.partition(".")[0])
    if scale is None:
        raise UsageError(f"the scale of {name!r} is not known: give margin=...")
    return _SHARE * (scale.high - scale.low)


def _given(reader: Reader, head: RunHead) -> set[tuple[str, str, str]]:
    """The texts of all items but for those that are judged, with the item's id and the field; the id alone stands for an item."""
    tasks = head.tasks()
    return {
        (item.id, field, text)
        for item in reader.items(head.id)
        for field, text in {"": "", **item.fields}.items()
        if not field or not (task := tasks.get(item.task)) or field not in (task.judged, *task.candidates)
    }
