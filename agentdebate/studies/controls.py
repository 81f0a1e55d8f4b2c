"""Controls of a run: the vote of its openings, which costs nothing more, and the sampling of a single judge."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agentdebate.ballots.merge import Merge, Rule, rule_of
from agentdebate.debates.outcome import FAILURE, VERDICT, OutcomeCounts
from agentdebate.debates.record import OFFLINE
from agentdebate.meta.run_rows import judged, scales_of
from agentdebate.meta.talk import Talk, openings, voted
from agentdebate.meta.talks import talks_of
from agentdebate.models.prices import PriceTable
from agentdebate.store.reader import Reader, RunHead
from agentdebate.strategies.base import MOST_SAMPLES
from agentdebate.studies.cells import Cell, Kind, cost_of, inside

NO_BALLOTS = "the strategy has no ballots of single agents that could be merged"
NONE = (
    "no ballot was cast before the talk; strategies with the option ballots ask for some with ballots=every"
)


def openings_cell(reader: Reader, head: RunHead, prices: PriceTable, cell: Cell) -> Cell:
    """The vote of the ballots that the agents of a run cast before they heard anybody; nothing is asked of any model.

    They are merged as the strategy merges. Debates without such a ballot are among those without a score.
    """
    talks, how = talks_of(reader, head).talks, rule_of(_merge(head.configuration.get("strategy", {})))
    first = {talk.debate: openings(talk) for talk in talks}
    votes = {talk.debate: voted(first[talk.debate], talk.about, how, ranks=talk.ranks) for talk in talks}
    with_vote = [debate for debate, values in votes.items() if values]
    asked = {(debate, stand.asked) for debate, some in first.items() for stand in some}
    return replace(
        cell,
        kind="openings",
        judged=judged(list(reader.rows(head.id)), cell.label, instead=votes, scales=scales_of(head)),
        outcomes=OutcomeCounts({VERDICT.name: len(with_vote), FAILURE.name: cell.debates - len(with_vote)}),
        cost=cost_of(reader, head, prices, asked=asked),
        note=_note(talks, first, with_vote, how),
        beside=cell.label,
    )


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
    talks: tuple[Talk, ...], first: Mapping[str, tuple[Any, ...]], with_vote: list[str], how: Rule
) -> str:
    if not with_vote:
        return NONE if any(talk.stands for talk in talks) else NO_BALLOTS
    ballots = sum(len(first[debate]) for debate in with_vote) / len(with_vote)
    agents = sum(len({stand.agent for stand in talk.stands}) for talk in talks) / len(talks)
    alike = ", each with the same weight" if how.weights != "unused" else ""
    return (
        f"{how} of the ballots cast before hearing anybody{alike}, {ballots:.3g} a debate "
        f"(agents with a ballot: {agents:.3g})"
    )


def _merge(strategy: Mapping[str, Any]) -> Merge:
    """Return the merge of the strategy, or of the one inside it."""
    named = [one.get("merge") for one in inside(strategy)]
    return next((how for how in named if isinstance(how, str | Mapping)), "average")
