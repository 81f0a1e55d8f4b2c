"""Controls of a run: the vote of its openings, which costs nothing more, and the sampling of a single judge."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from agentdebate.ballots.merge import Merge, Rule, rule_of
from agentdebate.debates.outcome import ABSTAINED, FAILURE, VERDICT, OutcomeCounts, outcome_of
from agentdebate.debates.record import OFFLINE
from agentdebate.meta.run_rows import judged, scales_of
from agentdebate.meta.talk import TIE, Stand, Talk, Value, choice_name, openings, seat_of, voted
from agentdebate.meta.talks import talks_of
from agentdebate.models.prices import PriceTable
from agentdebate.store.reader import Reader, read_store
from agentdebate.store.run_head import RunHead
from agentdebate.strategies.base import MOST_SAMPLES
from agentdebate.studies.cells import Cell, Kind, cost_of, inside

_NOT_HELD: Mapping[Kind, str] = {
    "thinks longer": "no effort of its own is named (control_effort)",
    "hearing nobody": "the talk needs somebody to hear, or nobody hears anybody in it",
}
NO_BALLOTS = "the strategy has no ballots of single agents that could be merged"


@dataclass(frozen=True, slots=True)
class Vote:
    """Rule by which a run's strategy makes a verdict of ballots. Each ballot weighs the same."""

    merge: Rule
    by_votes: bool
    """True if the text that most put first is the choice."""

    @classmethod
    def of(cls, head: RunHead) -> Self:
        """The rule of the strategy, or of the one inside it."""
        layers = inside(head.configuration.get("strategy", {}))
        named = (one.get("merge") for one in layers)
        how: Merge = next((one for one in named if isinstance(one, str | Mapping)), "average")
        return cls(rule_of(how), any(one.get("by") == "votes" for one in layers))

    def on(self, talk: Talk, stands: Sequence[Stand]) -> dict[str, Value]:
        """Vote as if no one had spoken: scores by name, and the choice; empty without a ballot."""
        values, about = voted(stands, talk.about, self.merge, ranks=talk.ranks), choice_name(talk.about)
        if self.by_votes and isinstance(values.get(about), str):
            votes = Counter(stand.values[about] for stand in stands if about in stand.values)
            first = [one for one, count in votes.items() if count == max(votes.values())]
            values[about] = first[0] if len(first) == 1 else TIE
        return values


def no_openings(head: RunHead) -> str:
    """Say that a run has no openings, and how it would have some where its strategy can."""
    asks = any(one.get("ballots") == "last" for one in inside(head.configuration.get("strategy", {})))
    return "no ballot was cast before the talk" + ("; with ballots=every there are some" if asks else "")


def not_held(cells: Sequence[Cell]) -> list[str]:
    """Say in a line each why controls are not there, where all are asked for."""
    held = {(cell.beside, cell.kind) for cell in cells}
    without = {
        kind: sorted(name for name, one in held if one == "one judge" and (name, kind) not in held)
        for kind in _NOT_HELD
    }
    return [
        f"{kind}: not held of {'; '.join(names)}; {_NOT_HELD[kind]}"
        for kind, names in without.items()
        if names
    ]


def turns_of(first: Iterable[Sequence[Stand]]) -> set[tuple[str, int]]:
    """The agents and rounds of ballots."""
    return {(seat_of(stand.agent), stand.round) for some in first for stand in some}


def openings_cell(reader: Reader, head: RunHead, prices: PriceTable, cell: Cell) -> Cell:
    """The vote of the ballots that the agents of a run cast before they heard anybody; nothing is asked of any model.

    They are merged as the strategy merges, those of debates that abstained too. A debate without such a ballot has no vote: it counts as one
    that abstained if it did, and else as a failure.
    """
    rows, vote = list(reader.rows(head.id)), Vote.of(head)
    talks = talks_of(reader, head, rows, abstained=True).talks
    first = {talk.debate: openings(talk) for talk in talks}
    votes = {talk.debate: vote.on(talk, first[talk.debate]) for talk in talks}
    with_vote = [debate for debate, values in votes.items() if values]
    ends = [
        VERDICT if votes.get(row["debate"]) else ABSTAINED if outcome_of(row) is ABSTAINED else FAILURE
        for row in rows
    ]
    return replace(
        cell,
        kind="openings",
        judged=judged(rows, cell.label, instead=votes, scales=scales_of(head)),
        outcomes=OutcomeCounts(Counter(end.name for end in ends)),
        cost=cost_of(reader, head, prices, turns=turns_of(first.values())),
        note=_note(head, talks, first, with_vote, vote.merge),
        beside=cell.label,
    )


def samples_by_calls(store: str | Path, cell: Cell) -> int:
    """Compute the number of single-judge samples that make as many calls as a debate of the cell, but for those that were asked again.

    A sample whose reply cannot be read is asked again too.
    """
    with read_store(store) as reader:
        asked = sum(call.attempt == 1 for call in reader.asked(cell.run))
    return max(1, round(asked / max(1, cell.debates)))


def samples_by_tokens(cell: Cell, sampled: Cell, samples: int) -> int:
    """Compute the number of single-judge samples that take about as many tokens as a debate of the cell; `sampled` took so many `samples`."""
    each = sampled.tokens_each / samples
    return min(MOST_SAMPLES, max(1, round(cell.tokens_each / each))) if each else samples


def control_label(judge: str, samples: int, temperature: float, model: str, kind: Kind) -> str:
    """Name the single judge of a sweep for tables."""
    label = f"{judge} x{samples}, T={temperature:g}"
    label += "" if model == OFFLINE else f", {model}"
    return f"{label}, same tokens" if kind == "same tokens" else label


def _note(
    head: RunHead,
    talks: tuple[Talk, ...],
    first: Mapping[str, tuple[Any, ...]],
    with_vote: list[str],
    how: Rule,
) -> str:
    if not with_vote:
        return no_openings(head) if any(talk.stands for talk in talks) else NO_BALLOTS
    ballots = sum(len(first[debate]) for debate in with_vote) / len(with_vote)
    agents = sum(len({stand.agent for stand in talk.stands}) for talk in talks) / len(talks)
    alike = ", each with the same weight" if how.weights != "unused" else ""
    return (
        f"{how} of the ballots cast before hearing anybody{alike}, {ballots:.3g} a debate "
        f"(agents with a ballot: {agents:.3g})"
    )
