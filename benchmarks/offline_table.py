"""What the offline judge makes of every built-in strategy on every dataset that it can judge: the honest baseline."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentdebate.errors import StrategyError
from agentdebate.evaluation import evaluate
from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.choices import ChoiceStatistic, agree_on_choices
from agentdebate.meta.judged import Choices, Chosen, Judged, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import Statistic
from agentdebate.project import Project
from agentdebate.prompts import Prompts
from agentdebate.results import Record
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item
from benchmarks.benchmark_data import (
    SUMMEVAL,
    TOPICAL_CHAT,
    answer_labels,
    answers,
    pairs,
    responses,
    summaries,
)

BOOTSTRAP = Bootstrap()


@dataclass(frozen=True)
class Section:
    """One dataset's table."""

    title: str
    caption: str
    lines: tuple[str, ...]
    seconds: float


def offline(data: Path) -> Iterator[Section]:
    """A table a dataset: a line a strategy, with 95 % intervals by source."""
    yield _scores("SummEval", summaries(data), SUMMEVAL, (("group", "spearman"), ("system", "kendall-b")))
    yield _scores(
        "Topical-Chat", responses(data), TOPICAL_CHAT, (("pooled", "spearman"), ("group", "spearman"))
    )
    labels = answer_labels(data)
    yield _choices(
        "FairEval",
        answers(data),
        labels,
        ("answer_1", "answer_2", "tie"),
        "answers of ChatGPT and Vicuna-13B",
    )
    found = pairs(data)
    best = {item.id: _best(item) for item in found}
    yield _choices(
        "Goyal et al. 2022, CNN", found, best, ("summary_1", "summary_2", "tie"), "best and worst summary"
    )


def _scores(
    title: str, items: Sequence[Item], aspects: Sequence[str], shown: Sequence[tuple[Level, Statistic]]
) -> Section:
    started = time.perf_counter()
    names = [f"{aspect}, {level} {statistic}" for level, statistic in shown for aspect in aspects]
    lines = [f"| strategy | {' | '.join(names)} | missing |", "| --- |" + " ---: |" * (len(names) + 1)]
    for name in strategies(items[0]):
        found = _judgements(name, items, aspects, held(items, name, aspects))
        cells = [
            agree(one, statistic, level, bootstrap=BOOTSTRAP) for level, statistic in shown for one in found
        ]
        lines.append(
            f"| {name} | {' | '.join(map(written, cells))} | {sum(one.missing for one in cells[: len(aspects)])} |"
        )
    texts = f"{len(items)} texts of {len({item.group for item in items})} sources, {len(aspects)} aspects"
    caption = (
        f"{texts}; each cell is the statistic with its 95 % interval (percentile bootstrap, {BOOTSTRAP.resamples:,} "
        "resamples of sources). At the group level constant sources are left out; (n) is the number of sources left."
    )
    return Section(title, caption, tuple(lines), time.perf_counter() - started)


def _choices(
    title: str, items: Sequence[Item], people: Mapping[str, str], labels: tuple[str, ...], what: str
) -> Section:
    started = time.perf_counter()
    statistics: tuple[ChoiceStatistic, ...] = ("accuracy", "kappa")
    lines = [
        f"| strategy | {' | '.join(statistics)} | ties | missing |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name in strategies(items[0]):
        found = _choices_of(name, people, labels, held(items, name, ("overall",)))
        cells = [agree_on_choices(found, statistic, bootstrap=BOOTSTRAP) for statistic in statistics]
        ties = sum(row.choice == "tie" for row in found.rows)
        lines.append(f"| {name} | {' | '.join(map(written, cells))} | {ties} | {cells[0].missing} |")
    caption = f"{len(items)} pairs: {what}. A tie is a label of its own; kappa is Cohen's, unweighted; 95 % intervals as above."
    return Section(title, caption, tuple(lines), time.perf_counter() - started)


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


def held(items: Sequence[Item], name: str, aspects: Sequence[str]) -> list[Outcome]:
    """The debates over all items on the offline judge."""

    async def hold() -> list[Outcome]:
        together = strategy(name).judges_together()
        async with evaluate(items, name, model="offline", aspects=aspects, together=together) as run:
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
    name: str, items: Sequence[Item], aspects: Sequence[str], outcomes: Sequence[Outcome]
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
                for item in items
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


def _best(item: Item) -> str:
    return next(key.partition(".")[2] for key, score in item.human.items() if score)
