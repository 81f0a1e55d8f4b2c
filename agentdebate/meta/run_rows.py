"""A run's verdicts and people's scores: as judgements side by side, and as rows of a file, so that a run is one more judge."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.row import Row
from agentdebate.debates.outcome import ABSTAINED, outcome_of
from agentdebate.debates.record import Record, offline_note
from agentdebate.errors import UsageError
from agentdebate.meta.judgements import Judgements, reasons
from agentdebate.meta.labels import Labels
from agentdebate.meta.long_table import PEOPLE, Judgement, judgements
from agentdebate.meta.talk import TIE, Value, choice_name, grouped, label, peoples_best
from agentdebate.store.reader import Reader, read_store
from agentdebate.store.run_head import RunHead
from agentdebate.tasks import Scale

Debate = Mapping[str, Any]
"""A record, as Record.row() gives it."""
Values = Mapping[str, Mapping[str, Value]]
"""Scores, or choices, by debate and by what they are about."""
SCORES, WINNER = "scores", "winner"
"""The fields of a run's row: the verdict's scores by aspect, or where texts are compared its choice; of several choices, by aspect."""
NOT_ENDED = "debates that have not ended"
WITHHELD = "rows on which the judge abstained"
ALL_ABSTAINED = "the run abstained on every item: have people label them"
"""Reason why nothing can be said of its verdicts."""


class StoredRun(Protocol):
    """A run that was opened already, with the reader of its store."""

    @property
    def reader(self) -> Reader:
        """Reader of the store."""

    @property
    def head(self) -> RunHead:
        """The run, and how far it came."""


@contextmanager
def opened(run: str | StoredRun, store: str | Path) -> Iterator[tuple[Reader, RunHead]]:
    """The reader and the head of a run; `store` is where one that is named is. Raises UsageError and StoreError."""
    if isinstance(run, str):
        with read_store(store) as reader:
            yield reader, reader.run(run)
    else:
        yield run.reader, run.head


def aspect_order(head: RunHead) -> list[str]:
    """The order of a run's aspects, as far as it is known."""
    aspects = head.configuration.get("aspects") or []
    return [aspects] if isinstance(aspects, str) else list(aspects)


def scales_of(head: RunHead) -> Mapping[str, Scale]:
    """The scales of a run's aspects."""
    return {aspect.name: aspect.scale for task in head.tasks().values() for aspect in task.aspects}


def about_of(row: Debate) -> str:
    """Name the subject of a debate, one aspect or several together."""
    return choice_name(row["aspects"])


def choice_of(row: Debate) -> str | None:
    """The text that the verdict puts first, or TIE; None where it puts none first, as a failure does."""
    return label(row["winners"]) if row["winners"] and outcome_of(row).judged else None


def choice_of_people(row: Debate) -> str | None:
    """The text that people's scores put first, or TIE; None where people did not score them all."""
    best = peoples_best(row["human"], row["aspects"], row["candidates"])
    return label(best) if best else None


def judged(
    rows: Sequence[Debate], judge: str, *, instead: Values | None = None, scales: Mapping[str, Scale] = {}
) -> tuple[Judgements, ...]:
    """One entry an aspect: scores where texts are judged by themselves, and choices where they are compared.

    A failed debate is a row without a score; one that abstained has none, and is counted among what is left out. `instead` takes values
    from elsewhere, by debate, in the place of those of the verdicts, and has one of a debate that abstained or not; `scales` are those of
    the aspects, as far as they are known.
    """
    abouts = grouped(((about, row) for row in rows for about in _abouts(row)), lambda pair: pair[0])
    found = (_judged([row for _, row in some], about, judge, instead) for about, some in abouts.items())
    return tuple(replace(one, scale=scales.get(one.aspect)) for one in found)


def people_judged(entries: Iterable[Judgements]) -> tuple[Judgements, ...]:
    """Aspects on which people have said something."""
    return tuple(one for one in entries if any(row.human is not None for row in one.rows))


def _abouts(row: Debate) -> Sequence[str]:
    return [about_of(row)] if row["candidates"] else row["aspects"]


def _judged(every: Sequence[Debate], about: str, judge: str, instead: Values | None) -> Judgements:
    rows = [row for row in every if outcome_of(row) is not ABSTAINED or (instead or {}).get(row["debate"])]
    table = (one for number, row in enumerate(rows, 1) for one in _table(number, row, about, judge, instead))
    names = dict.fromkeys(name for row in every for name in row["candidates"])
    labels = Labels.given({name: name for name in (*names, TIE)}) if names else None
    left_out = reasons({WITHHELD: len(every) - len(rows)})
    return replace(judgements(judge, about, table, labels), left_out=left_out)


def _table(number: int, row: Debate, about: str, judge: str, instead: Values | None) -> Iterator[Judgement]:
    """People's judgement and the verdict's of one thing that a debate was about."""
    text = number, row["id"], row["group"] or "", row["system"] or ""
    chooses = bool(row["candidates"])
    people = choice_of_people(row) if chooses else row["human"].get(about)
    value = choice_of(row) if chooses else row["scores"].get(about)
    if instead is not None:
        value = instead.get(row["debate"], {}).get(about)
    yield Judgement(*text, PEOPLE, about, people)
    yield Judgement(*text, judge, about, value if isinstance(value, str) == chooses else None)


def withheld(row: Mapping[str, Any], fields: Iterable[str]) -> bool:
    """Tell whether the judge abstained: in a row of a file of verdicts, or in these fields of a run's item."""
    return row.get("outcome") == ABSTAINED.name or not {*row.get("withheld", ())}.isdisjoint(fields)


@dataclass(frozen=True)
class RunRows:
    """The debates of a run that have ended, as agreement takes them."""

    head: RunHead
    debates: Sequence[Debate] = field(repr=False)
    scales: Mapping[str, Scale] = field(default_factory=dict)
    """The scales of the aspects, as far as they are known."""
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def note(self) -> str | None:
        """A remark that has to stand beside the verdicts."""
        return offline_note(model for debate in self.debates for model in debate["models"])

    @property
    def candidates(self) -> tuple[str, ...]:
        """The texts that are compared; none where texts are judged by themselves."""
        return tuple(dict.fromkeys(name for debate in self.debates for name in debate["candidates"]))

    @property
    def aspects(self) -> list[str]:
        """Subjects of the verdicts; aspects that were judged together are one where texts are compared."""
        abouts = dict.fromkeys(about for debate in self.debates for about in _abouts(debate))
        known = [name for name in aspect_order(self.head) if name in abouts]
        return [*known, *(name for name in abouts if name not in known)]

    @cached_property
    def items(self) -> Frame:
        """A row an item, as in a file of scores."""
        items = grouped(self.debates, lambda debate: str(debate["id"])).values()
        return Frame.of(Row("the run", number, _item(some)) for number, some in enumerate(items, 1))

    def judged(self, judge: str) -> tuple[Judgements, ...]:
        """The verdicts beside the scores of people that came with the items, in the order of the aspects."""
        entries, order = judged(self.debates, judge, scales=self.scales), self.aspects
        return tuple(sorted(entries, key=lambda one: order.index(one.aspect)))


def run_rows(reader: Reader, head: RunHead) -> RunRows:
    """A run of the store. Raises UsageError where no debate of it has ended, or it abstained on every item."""
    debates = list(reader.rows(head.id))
    if debates and all(outcome_of(row) is ABSTAINED for row in debates):
        raise UsageError(f"there is nothing to compare, since {ALL_ABSTAINED} (run {head.id})")
    if not debates:
        raise UsageError(f"no debate of run {head.id} has ended, so there is nothing to compare yet")
    waiting = max(0, head.ended_debates + reader.not_ended(head) - len(debates))
    return RunRows(head, debates, scales_of(head), reasons({NOT_ENDED: waiting}))


def rows_of_records(records: Iterable[Record]) -> RunRows:
    """The records of a run, in whatever order they came. Raises UsageError where there are none."""
    debates = [record.row() for record in records]
    if not debates:
        raise UsageError("there is no record: agreement is about debates that have ended")
    models = ", ".join(dict.fromkeys(model for row in debates for model in row["models"]))
    strategy, task = debates[0]["strategy"], debates[0]["task"]
    head = RunHead("here", 0.0, 0.0, strategy, task, models, {}, len(debates), 0)
    return RunRows(head, debates)


def _item(debates: Sequence[Debate]) -> dict[str, Any]:
    """The debates of one item as a row."""
    scores = {name: score for debate in debates for name, score in debate["scores"].items()}
    choices = {about_of(debate): choice_of(debate) for debate in debates if debate["candidates"]}
    winner = choices if len(choices) > 1 else next(iter(choices.values()), None)
    own = {name: debates[0][name] for name in ("id", "group", "system", "task")}
    names = [
        name
        for debate in debates
        if outcome_of(debate) is ABSTAINED
        for name in (
            WINNER,
            f"{WINNER}.{about_of(debate)}",
            *(f"{SCORES}.{one}" for one in debate["aspects"]),
        )
    ]
    return {**own, SCORES: scores, WINNER: winner, "withheld": names}
