"""What the offline judge makes of every built-in strategy on every dataset that it can judge: the honest baseline."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentdebate.debates.record import Record
from agentdebate.errors import DataError, StrategyError
from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.judgements import Choices, Chosen, Judged, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import ChoiceStatistic, Statistic
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import Prompts
from agentdebate.runs.evaluation import evaluate
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item
from benchmarks.benchmark_data import (
    HANNA,
    SUMMEVAL,
    TOPICAL_CHAT,
    best,
    items,
    pairs,
    responses,
    stories,
)

BOOTSTRAP = Bootstrap()


@dataclass(frozen=True)
class Section:
    """One dataset's table."""

    name: str
    title: str
    caption: str
    lines: tuple[str, ...]
    seconds: float


def offline(data: Path, names: Sequence[str]) -> Iterator[Section]:
    """A table a dataset: a line a strategy, with 95 % intervals by source."""
    for name in names:
        yield DATASETS[name](data)


def _summeval(data: Path) -> Section:
    shown: Shown = (("group", "spearman"), ("system", "kendall-b"))
    return _scores("summeval", "SummEval", items(data, "summeval", "summeval"), SUMMEVAL, shown)


def _topical_chat(data: Path) -> Section:
    shown: Shown = (("pooled", "spearman"), ("group", "spearman"))
    return _scores("topical_chat", "Topical-Chat", responses(data), TOPICAL_CHAT, shown)


def _hanna(data: Path) -> Section:
    title = f"HANNA, the stories of the first {PROMPTS} of its 96 prompts"
    return _scores("hanna", title, stories(data, PROMPTS), HANNA, (("group", "spearman"),))


def _faireval(data: Path) -> Section:
    labels = ("answer_1", "answer_2", "tie")
    title = "FairEval, ChatGPT (answer_1) or Vicuna-13B (answer_2)"
    return _choices("faireval", title, items(data, "faireval", "faireval"), labels)


def _goyal2022(data: Path) -> Section:
    labels = ("summary_1", "summary_2", "tie")
    return _choices("goyal2022", "Goyal et al. 2022, CNN, the best summary or the worst", pairs(data), labels)


PROMPTS = 24
"""Of HANNA: all 96 would take as long as SummEval."""

DATASETS: Mapping[str, Callable[[Path], Section]] = {
    "summeval": _summeval,
    "topical_chat": _topical_chat,
    "hanna": _hanna,
    "faireval": _faireval,
    "goyal2022": _goyal2022,
}
"""By the folder that each lies in."""

Shown = Sequence[tuple[Level, Statistic]]


def _scores(name: str, title: str, texts: Sequence[Item], aspects: Sequence[str], shown: Shown) -> Section:
    started = time.perf_counter()
    columns = [f"{aspect}, {level} {statistic}" for level, statistic in shown for aspect in aspects]
    lines = [f"| strategy | {' | '.join(columns)} | missing |", "| --- |" + " ---: |" * (len(columns) + 1)]
    able, unable = judges(texts[0], aspects)
    for judge in able:
        found = _judgements(judge, texts, aspects, held(texts, judge, aspects))
        cells = [
            agree(one, statistic, level, bootstrap=BOOTSTRAP) for level, statistic in shown for one in found
        ]
        missing = sum(one.missing for one in cells[: len(aspects)])
        lines.append(f"| {judge} | {' | '.join(map(written, cells))} | {missing} |")
    counts = f"{len(texts)} texts of {len({item.group for item in texts})} sources, {len(aspects)} aspects"
    caption = (
        f"{counts}; each cell is the statistic with its 95 % interval (bias-corrected and accelerated bootstrap, {BOOTSTRAP.resamples:,} "
        "resamples of sources). At the group level constant sources are left out; (n) is the number of sources left."
    )
    return Section(name, title, caption + _unable(unable), tuple(lines), time.perf_counter() - started)


def _choices(name: str, title: str, texts: Sequence[Item], labels: tuple[str, ...]) -> Section:
    started = time.perf_counter()
    people = {item.id: best(item) for item in texts}
    statistics: tuple[ChoiceStatistic, ...] = ("accuracy", "kappa")
    lines = [
        f"| strategy | {' | '.join(statistics)} | ties | missing |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    able, unable = judges(texts[0], ("overall",))
    for judge in able:
        found = _choices_of(judge, people, labels, held(texts, judge, ("overall",)))
        cells = [agree(found, statistic, bootstrap=BOOTSTRAP) for statistic in statistics]
        ties = sum(row.choice == "tie" for row in found.rows)
        lines.append(f"| {judge} | {' | '.join(map(written, cells))} | {ties} | {cells[0].missing} |")
    caption = (
        f"{len(texts)} pairs. A tie is a label of its own; kappa is Cohen's, unweighted. 95 % intervals: Wilson's of accuracy, of "
        "kappa as above. "
        f"{_always(people, labels)}{_unable(unable)}"
    )
    return Section(name, title, caption, tuple(lines), time.perf_counter() - started)


def _always(people: Mapping[str, str], labels: Sequence[str]) -> str:
    """What a judge would come to that always chooses the same."""
    counts = Counter(people.values())
    most = max(labels, key=lambda label: counts[label])
    return f"To choose {most} always would be right on {counts[most]} ({counts[most] / len(people):.3f}, kappa 0)."


def _unable(names: Sequence[str]) -> str:
    if not names:
        return ""
    return f" Not there: {', '.join(names)}, whose evaluators compare with references, and there are none."


def judges(item: Item, aspects: Sequence[str]) -> tuple[list[str], list[str]]:
    """The built-in strategies that can judge an item, and those that would if it had references."""
    able: list[str] = []
    unable: list[str] = []
    for name in strategies(item):
        try:
            held([item], name, aspects)
        except DataError:
            unable.append(name)
        else:
            able.append(name)
    return able, unable


def strategies(item: Item) -> Iterator[str]:
    """The built-in strategies that can judge an item."""
    project = Project()
    task = Prompts(project).task(item.task)
    for name in project.names("strategies"):
        try:
            strategy(name, project=project).check(task, task.aspects[:1])
        except StrategyError:
            continue
        yield name


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a debate came to. Its transcript is let go: a dataset's together take a gigabyte."""

    item: str
    scores: Mapping[str, float]
    choice: str | None
    """The best text's field, or "tie"; None where the debate failed."""

    @classmethod
    def of(cls, record: Record) -> "Outcome":
        """What a record says."""
        choice = record.verdict.winner or "tie" if record.verdict else None
        return cls(record.item.id, dict(record.scores), choice)


def held(texts: Sequence[Item], name: str, aspects: Sequence[str]) -> list[Outcome]:
    """The debates over all items on the offline judge."""

    async def hold() -> list[Outcome]:
        together = strategy(name).judges_together()
        async with evaluate(texts, name, model="offline", aspects=aspects, together=together) as run:
            return [Outcome.of(record) async for record in run]

    return asyncio.run(hold())


def written(found: Agreement) -> str:
    """A number with its interval, and at the group level the sources that it is the mean over."""
    if found.value is None:
        return "-"
    value = (
        f"{found.value:.3f}"
        if found.low is None
        else f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
    )
    return f"{value} ({found.groups})" if found.level == "group" else value


def _judgements(
    name: str, texts: Sequence[Item], aspects: Sequence[str], outcomes: Sequence[Outcome]
) -> list[Judgements]:
    scores = {
        (outcome.item, aspect): score for outcome in outcomes for aspect, score in outcome.scores.items()
    }
    return [
        Judgements(
            name,
            aspect,
            tuple(
                Judged(
                    item.id,
                    item.group or "",
                    item.system or "",
                    item.human[aspect],
                    scores.get((item.id, aspect)),
                )
                for item in texts
            ),
        )
        for aspect in aspects
    ]


def _choices_of(
    name: str, people: Mapping[str, str], labels: tuple[str, ...], outcomes: Sequence[Outcome]
) -> Choices:
    chosen = (
        Chosen(outcome.item, outcome.item, people[outcome.item], outcome.choice) for outcome in outcomes
    )
    return Choices(name, "overall", labels, tuple(chosen))
