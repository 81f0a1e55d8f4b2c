"""A run's verdicts and people's scores as rows of a file, so that a run is one more judge whose scores are compared."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentdebate.cli.rows import aspect_names, aspect_order, candidate_names, note_of, ordered
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.labels import words_of
from agentdebate.meta.predicted import Naming
from agentdebate.meta.talk import TIE
from agentdebate.report.judged_rows import about_of, choice_of, choice_of_people, scales_of
from agentdebate.store.reader import Reader, RunHead
from agentdebate.tasks import Scale

SCORES, HUMAN, WINNER, PEOPLE = "scores", "human", "winner", "people"
"""The fields of a run's row: the verdict's scores and people's by aspect; where texts are compared, whom the verdict and
whom people's scores put first.
"""

NOT_ENDED = "debates that have not ended"


@dataclass(frozen=True)
class RunRows:
    """A run as rows, one an item."""

    head: RunHead
    rows: tuple[Row, ...]
    aspects: tuple[str, ...]
    """What the verdicts are about; several that were judged together are one where texts are compared."""
    candidates: tuple[str, ...]
    left_out: Mapping[str, int]
    note: str | None
    """What has to be said beside the verdicts."""
    scales: Mapping[str, Scale] = field(default_factory=dict)
    """The scales of the aspects, as far as they are known."""

    @property
    def naming(self) -> Naming:
        """Which fields name an item. Where not all have a group or a system, nothing is known of them."""
        known = {name: all(row.data[name] is not None for row in self.rows) for name in ("group", "system")}
        return Naming(("id",), "group" if known["group"] else None, "system" if known["system"] else None)

    @property
    def judged_by_people(self) -> tuple[str, ...]:
        """The aspects of which there is a score of people's."""
        kind = PEOPLE if self.candidates else HUMAN
        return tuple(
            name for name in self.aspects if any(row.data[kind].get(name) is not None for row in self.rows)
        )


def run_rows(reader: Reader, name: str) -> RunRows:
    """A run of the store. Raises UsageError where there is none, and where no debate of it has ended."""
    head = reader.run(name)
    stored = list(reader.rows(head.id))
    if not stored:
        raise UsageError(
            f"no debate of run {head.id} has ended: agentdebate resume {shlex.quote(head.id)} goes on with it"
        )
    debates = ordered(stored, [row["id"] for row in stored], aspect_order(head))
    candidates = tuple(candidate_names(debates))
    items: dict[str, dict[str, Any]] = {}
    for debate in debates:
        own = items.setdefault(debate["id"], _bare(debate))
        own[HUMAN].update(debate["human"])
        own[SCORES].update(debate["scores"])
        if candidates:
            _add_choice(own, debate)
    place = f"run {head.id}"
    waiting = len(reader.debates(head.id)) - len(debates)
    return RunRows(
        head,
        tuple(Row(place, number, data) for number, data in enumerate(items.values(), 1)),
        tuple(_abouts(debates) if candidates else aspect_names(debates)),
        candidates,
        {NOT_ENDED: waiting} if waiting else {},
        note_of(debates),
        scales_of(head),
    )


def by_name(labels: Mapping[str, str], candidates: Sequence[str]) -> dict[str, str]:
    """Labels in which a candidate may be called by its number, from 1, with the names of the candidates. Raises UsageError."""
    places = {str(number): name for number, name in enumerate(candidates, 1)}
    named = {
        human: ",".join(places.get(word, word) for word in words_of(theirs))
        for human, theirs in labels.items()
    }
    for label in (word for theirs in named.values() for word in words_of(theirs)):
        if label not in (*candidates, TIE):
            raise UsageError(
                f"--labels: the run's verdicts choose {', '.join(candidates)} or {TIE}; there is no {label!r}"
            )
    return named


def _bare(debate: Mapping[str, Any]) -> dict[str, Any]:
    names = ("id", "group", "system", "task")
    return {**{name: debate[name] for name in names}, SCORES: {}, HUMAN: {}, WINNER: {}, PEOPLE: {}}


def _add_choice(own: dict[str, Any], debate: Mapping[str, Any]) -> None:
    own[WINNER][about_of(debate)] = choice_of(debate)
    own[PEOPLE][about_of(debate)] = choice_of_people(debate)


def _abouts(debates: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(about_of(debate) for debate in debates))
