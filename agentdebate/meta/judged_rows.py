"""The rows of a run as judgements or choices, beside people's: what its agreement is computed from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentdebate.debates.outcome import outcome_of
from agentdebate.meta.judgements import Choices, Chosen, Judged, Judgements
from agentdebate.meta.labels import in_order
from agentdebate.meta.talk import TIE, Value, choice_name, label, peoples_best
from agentdebate.store.reader import RunHead
from agentdebate.tasks import Scale

Row = Mapping[str, Any]
"""A record, as Record.row() gives it."""


def judged(
    rows: Sequence[Row], judge: str, *, instead: Mapping[str, Mapping[str, Value]] | None = None
) -> tuple[Judgements | Choices, ...]:
    """One entry an aspect: scores where texts are judged by themselves, and choices where they are compared.

    A failed debate is a row without a score. `instead` takes values from elsewhere, by debate, in the place of those of
    the verdicts.
    """
    found: dict[str, list[Row]] = {}
    for row in rows:
        for about in _abouts(row):
            found.setdefault(about, []).append(row)
    return tuple(
        _choices(some, about, judge, instead)
        if any(row["candidates"] for row in some)
        else Judgements(judge, about, tuple(_judged(row, about, instead) for row in some))
        for about, some in found.items()
    )


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


def about_of(row: Row) -> str:
    """What a debate is about, one aspect or several together."""
    return choice_name(row["aspects"])


def choice_of(row: Row) -> str | None:
    """The text that the verdict puts first, or TIE; None where it puts none first, as a failure does."""
    return label(row["winners"]) if row["winners"] and outcome_of(row).judged else None


def best_of_people(row: Row) -> tuple[str, ...]:
    """The texts that people's scores put first: one, or all that tie; none where people did not score them all."""
    return peoples_best(row["human"], row["aspects"], row["candidates"])


def choice_of_people(row: Row) -> str | None:
    """The text that people's scores put first, or TIE; None where people did not score them all."""
    best = best_of_people(row)
    return label(best) if best else None


def people_judged(entries: Iterable[Judgements | Choices]) -> tuple[Judgements | Choices, ...]:
    """Those on which people have said something."""
    return tuple(one for one in entries if any(row.human is not None for row in one.rows))


def _abouts(row: Row) -> Sequence[str]:
    return [about_of(row)] if row["candidates"] else row["aspects"]


def _choices(
    rows: Sequence[Row], about: str, judge: str, instead: Mapping[str, Mapping[str, Value]] | None
) -> Choices:
    labels = in_order([*(name for row in rows for name in row["candidates"]), TIE])
    return Choices(judge, about, labels, tuple(_chosen(rows, about, instead)), tie=TIE)


def _judged(row: Row, about: str, instead: Mapping[str, Mapping[str, Value]] | None) -> Judged:
    value = row["scores"].get(about) if instead is None else instead.get(row["debate"], {}).get(about)
    score = None if isinstance(value, str) else value
    return Judged(row["id"], row["group"] or "", row["system"] or "", row["human"].get(about), score)


def _chosen(
    rows: Iterable[Row], about: str, instead: Mapping[str, Mapping[str, Value]] | None
) -> Iterator[Chosen]:
    for row in rows:
        value = choice_of(row) if instead is None else instead.get(row["debate"], {}).get(about)
        choice = value if isinstance(value, str) else None
        yield Chosen(row["id"], row["group"] or "", choice_of_people(row), choice)
