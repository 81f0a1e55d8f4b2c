"""A run's verdicts and people's scores: as judgements, and as rows of a file, so that a run is one more judge."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from agentdebate.datasets.frame import Frame
from agentdebate.datasets.row import Row
from agentdebate.debates.outcome import outcome_of
from agentdebate.debates.record import OFFLINE, OFFLINE_NOTE, Record
from agentdebate.errors import StoreError, UsageError
from agentdebate.meta.joining import Naming
from agentdebate.meta.judgements import Choices, Judgements
from agentdebate.meta.labels import Labels, words_of
from agentdebate.meta.long_table import PEOPLE as OF_PEOPLE
from agentdebate.meta.long_table import Judgement, chosen, scored
from agentdebate.meta.talk import TIE, Value, choice_name, label, peoples_best
from agentdebate.store.reader import Reader, RunHead, read_store
from agentdebate.tasks import Scale

Debate = Mapping[str, Any]
"""A record, as Record.row() gives it."""


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


def ordered(rows: Sequence[Debate], items: Iterable[str], aspects: Iterable[str]) -> Sequence[Debate]:
    """The rows by the place of their item and then of their aspects in these orders."""
    place = {name: number for number, name in enumerate(dict.fromkeys(items))}
    rank = {name: number for number, name in enumerate(aspects)}

    def key(row: Debate) -> tuple[int, int]:
        first = row["aspects"][0] if row["aspects"] else ""
        return place.get(row["id"], len(place)), rank.get(first, len(rank))

    return sorted(rows, key=key)


def aspect_order(head: RunHead) -> list[str]:
    """The order of a run's aspects, as far as it is known."""
    aspects = head.configuration.get("aspects") or []
    return [aspects] if isinstance(aspects, str) else list(aspects)


def judged(
    rows: Sequence[Debate], judge: str, *, instead: Mapping[str, Mapping[str, Value]] | None = None
) -> tuple[Judgements | Choices, ...]:
    """One entry an aspect: scores where texts are judged by themselves, and choices where they are compared.

    A failed debate is a row without a score. `instead` takes values from elsewhere, by debate, in the place of those of
    the verdicts.
    """
    found: dict[str, list[Debate]] = {}
    for row in rows:
        for about in _abouts(row):
            found.setdefault(about, []).append(row)
    return tuple(_judged(some, about, judge, instead) for about, some in found.items())


def on_scales(
    entries: Iterable[Judgements | Choices], scales: Mapping[str, Scale]
) -> tuple[Judgements | Choices, ...]:
    """The entries with the scales of their aspects, as far as these are known. Choices have none."""
    return tuple(
        replace(one, scale=scales.get(one.aspect)) if isinstance(one, Judgements) else one for one in entries
    )


def scales_of(head: RunHead) -> Mapping[str, Scale]:
    """The scales of a run's aspects."""
    return {aspect.name: aspect.scale for task in head.tasks().values() for aspect in task.aspects}


def about_of(row: Debate) -> str:
    """Name the subject of a debate, one aspect or several together."""
    return choice_name(row["aspects"])


def choice_of(row: Debate) -> str | None:
    """The text that the verdict puts first, or TIE; None where it puts none first, as a failure does."""
    return label(row["winners"]) if row["winners"] and outcome_of(row).judged else None


def best_of_people(row: Debate) -> tuple[str, ...]:
    """The texts that people's scores put first: one, or all that tie; none where people did not score them all."""
    return peoples_best(row["human"], row["aspects"], row["candidates"])


def choice_of_people(row: Debate) -> str | None:
    """The text that people's scores put first, or TIE; None where people did not score them all."""
    best = best_of_people(row)
    return label(best) if best else None


def people_judged(entries: Iterable[Judgements | Choices]) -> tuple[Judgements | Choices, ...]:
    """Those on which people have said something."""
    return tuple(one for one in entries if any(row.human is not None for row in one.rows))


def _abouts(row: Debate) -> Sequence[str]:
    return [about_of(row)] if row["candidates"] else row["aspects"]


def _judged(
    rows: Sequence[Debate], about: str, judge: str, instead: Mapping[str, Mapping[str, Value]] | None
) -> Judgements | Choices:
    if not any(row["candidates"] for row in rows):
        return scored(judge, about, _score_rows(rows, about, judge, instead))
    names = dict.fromkeys(name for row in rows for name in row["candidates"])
    labels = Labels.given({name: name for name in (*names, TIE)})
    return chosen(judge, about, _choice_rows(rows, about, judge, instead), labels)


def _score_rows(
    rows: Sequence[Debate], about: str, judge: str, instead: Mapping[str, Mapping[str, Value]] | None
) -> Iterator[Judgement]:
    for number, row in enumerate(rows, 1):
        text = number, row["id"], row["group"] or "", row["system"] or ""
        value = row["scores"].get(about) if instead is None else instead.get(row["debate"], {}).get(about)
        yield Judgement(*text, OF_PEOPLE, about, row["human"].get(about))
        yield Judgement(*text, judge, about, None if isinstance(value, str) else value)


def _choice_rows(
    rows: Sequence[Debate], about: str, judge: str, instead: Mapping[str, Mapping[str, Value]] | None
) -> Iterator[Judgement]:
    for number, row in enumerate(rows, 1):
        text = number, row["id"], row["group"] or "", row["system"] or ""
        value = choice_of(row) if instead is None else instead.get(row["debate"], {}).get(about)
        yield Judgement(*text, OF_PEOPLE, about, choice_of_people(row))
        yield Judgement(*text, judge, about, value if isinstance(value, str) else None)


SCORES, HUMAN, WINNER, PEOPLE = "scores", "human", "winner", "people"
"""The fields of a run's row: the verdict's scores and people's by aspect; where texts are compared, the choice of the verdict and
that of people's scores.
"""

NOT_ENDED = "debates that have not ended"


@dataclass(frozen=True)
class RunRows:
    """A run as rows, one an item."""

    head: RunHead
    rows: Sequence[Row]
    aspects: tuple[str, ...]
    """Subjects of the verdicts; aspects that were judged together are one where texts are compared."""
    candidates: tuple[str, ...]
    left_out: Mapping[str, int]
    note: str | None
    """A remark that has to stand beside the verdicts."""
    scales: Mapping[str, Scale] = field(default_factory=dict)
    """The scales of the aspects, as far as they are known."""

    @property
    def naming(self) -> Naming:
        """Fields that name an item. Where not all have a group or a system, nothing is known of them."""
        known = {name: not _lacking(self.rows, name) for name in ("group", "system")}
        return Naming(("id",), "group" if known["group"] else None, "system" if known["system"] else None)

    @property
    def judged_by_people(self) -> tuple[str, ...]:
        """The aspects of which there is a score of people's."""
        kind = PEOPLE if self.candidates else HUMAN
        return tuple(
            name for name in self.aspects if any(row.data[kind].get(name) is not None for row in self.rows)
        )


def run_rows(reader: Reader, head: RunHead) -> RunRows:
    """A run of the store. Raises UsageError where no debate of it has ended."""
    debates = _Debates(reader.rows(head.id), aspect_order(head))
    rows = Frame.of(debates.rows())
    if not rows:
        command = "work" if reader.crew(head.id) else "resume"
        raise UsageError(
            f"no debate of run {head.id} has ended: agentdebate {command} {shlex.quote(head.id)} goes on with it"
        )
    waiting = max(0, head.ended_debates + len(reader.going_on(head.id)) - debates.read)
    return debates.run(head, rows, {NOT_ENDED: waiting} if waiting else {})


def rows_of_records(records: Iterable[Record], name: str = "here") -> RunRows:
    """The records of a run, in whatever order they came. Raises UsageError where there are none."""
    found = [record.row() for record in records]
    if not found:
        raise UsageError("there is no record: agreement is about debates that have ended")
    head = RunHead(
        id=name,
        created=0.0,
        ended=0.0,
        strategy=found[0]["strategy"],
        task=found[0]["task"],
        model=", ".join(dict.fromkeys(model for row in found for model in row["models"])),
        configuration={},
        verdicts=sum(row["failure"] is None for row in found),
        failures=sum(row["failure"] is not None for row in found),
    )
    debates = _Debates(ordered(found, (row["id"] for row in found), ()), ())
    return debates.run(head, Frame.of(debates.rows()), {})


class _Debates:
    """The debates of a run, read one item after the other, and what they have in common."""

    def __init__(self, stored: Iterable[Debate], order: Sequence[str]) -> None:
        self._stored, self._order = stored, order
        self._abouts, self._candidates, self._models = dict[str, None](), dict[str, None](), set[str]()
        self.read = 0
        """Number of debates that can be read."""

    def rows(self) -> Iterator[Row]:
        """A row an item. Raises StoreError where the debates of an item do not stand together."""
        seen = set[str]()
        for number, (name, debates) in enumerate(groupby(self._stored, lambda debate: str(debate["id"])), 1):
            if name in seen:
                raise StoreError(f"the store is damaged: the debates about {name!r} do not stand together")
            seen.add(name)
            yield Row("the run", number, self._together(ordered(list(debates), [name], self._order)))

    def run(self, head: RunHead, rows: Sequence[Row], left_out: Mapping[str, int]) -> RunRows:
        """The run, its rows having been read."""
        notes = [*([OFFLINE_NOTE] if OFFLINE in self._models else ()), *_nameless(rows)]
        abouts, candidates = tuple(self._abouts), tuple(self._candidates)
        return RunRows(head, rows, abouts, candidates, left_out, " ".join(notes) or None, scales_of(head))

    def _together(self, debates: Sequence[Debate]) -> dict[str, Any]:
        first = debates[0]
        own: dict[str, Any] = {name: first[name] for name in ("id", "group", "system", "task")}
        own |= {SCORES: {}, HUMAN: {}, WINNER: {}, PEOPLE: {}}
        for debate in debates:
            self.read += 1
            self._models.update(debate["models"])
            self._abouts.update(dict.fromkeys(_abouts(debate)))
            self._candidates.update(dict.fromkeys(debate["candidates"]))
            own[HUMAN].update(debate["human"])
            own[SCORES].update(debate["scores"])
            if debate["candidates"]:
                own[WINNER][about_of(debate)] = choice_of(debate)
                own[PEOPLE][about_of(debate)] = choice_of_people(debate)
        return own


def _lacking(rows: Sequence[Row], name: str) -> int:
    return sum(row.data[name] is None for row in rows)


def _nameless(rows: Sequence[Row]) -> Iterator[str]:
    """A sentence where some items name their source or system, and others do not."""
    for name, what in (("group", "source"), ("system", "system")):
        if 0 < (lacking := _lacking(rows, name)) < len(rows):
            yield (
                f"{lacking:,} of {len(rows):,} items name no {what} (`{name}`), so no {what} counts, and intervals may be too narrow: "
                "give each item one."
            )


def by_name(labels: Mapping[str, str], candidates: Sequence[str]) -> dict[str, str]:
    """Labels in which a candidate may be called by its number, from 1, with the names of the candidates. Raises UsageError."""
    names = {str(number): name for number, name in enumerate(candidates, 1)}
    names |= {name: name for name in (*candidates, TIE)}
    for word in (word for theirs in labels.values() for word in words_of(theirs)):
        if word not in names:
            raise UsageError(
                f"labels=...: the run's verdicts choose {', '.join(candidates)} or {TIE}; there is no {word!r}"
            )
    return {ours: ",".join(names[word] for word in words_of(theirs)) for ours, theirs in labels.items()}
