"""Aggregate of a run's evaluators without its judge, weighted by their correlation with people (Fusion-Eval's CorrW)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from agentdebate.ballots.ballot import Rating
from agentdebate.ballots.winners import winners
from agentdebate.debates.outcome import FAILURE, VERDICT, OutcomeCounts
from agentdebate.errors import UsageError
from agentdebate.meta.aggregation import Aggregate, Ended, Weighted, cases, cross_weight, ended, score_scales
from agentdebate.meta.run_rows import about_of, judged, scales_of
from agentdebate.meta.talk import Value, label
from agentdebate.store.reader import Reader
from agentdebate.store.run_head import RunHead
from agentdebate.studies.cells import Cell, Cost
from agentdebate.tasks import Scale

_FREE = Cost(calls=0, cached=0, prompt_tokens=0, completion_tokens=0, money=0.0)


def corrw_cell(reader: Reader, head: RunHead, cell: Cell) -> Cell | None:
    """The evaluators' scores weighted by their correlation with people in items of other sources; nothing is asked of any model.

    None where the run has no evaluators, or no scores of people to learn from.
    """
    try:
        debates = ended(reader, head)
    except UsageError:  # no debate has the scores of evaluators
        return None
    if all(score is None for one in debates for score in one.row["human"].values()):
        return None
    try:
        found = cross_weight(cases(debates, head))
    except (
        UsageError
    ) as error:  # nothing to learn from, or ranges that nobody has said: what was paid for is shown
        return _cell(head, cell, debates, {}, f"none: {error}")
    return _cell(head, cell, debates, _values(debates, found.rows, score_scales(head)), _note(found))


def _cell(
    head: RunHead, cell: Cell, debates: Sequence[Ended], values: Mapping[str, Mapping[str, Value]], note: str
) -> Cell:
    with_score = sum(bool(some) for some in values.values())
    return replace(
        cell,
        kind="corrw",
        judged=judged([one.row for one in debates], cell.label, instead=values, scales=scales_of(head)),
        outcomes=OutcomeCounts({VERDICT.name: with_score, FAILURE.name: cell.debates - with_score}),
        cost=_FREE,
        note=note,
        beside=cell.label,
    )


def _values(
    debates: Sequence[Ended], rows: Sequence[Aggregate], scales: Mapping[str, Scale]
) -> dict[str, dict[str, Value]]:
    """The scores and the choice of every debate; the rows are in the order of the debates."""
    left = iter(rows)
    found: dict[str, dict[str, Value]] = {}
    for one in debates:
        own = tuple(islice(left, len(one.row["aspects"]) * max(1, len(one.row["candidates"]))))
        found[one.row["debate"]] = dict(_of_debate(one, own, scales))
    return found


def _of_debate(
    debate: Ended, rows: Sequence[Aggregate], scales: Mapping[str, Scale]
) -> Iterator[tuple[str, Value]]:
    for row in rows:
        if row.score is not None:
            scale = scales.get(row.case.aspect, _SHARES)
            yield row.case.name, scale.low + row.score * (scale.high - scale.low)
    if debate.row["candidates"] and all(row.score is not None for row in rows):
        shares = [
            Rating(aspect=row.case.aspect, candidate=row.case.candidate, score=row.score or 0.0)
            for row in rows
        ]
        yield about_of(debate.row), label(winners(shares))


_SHARES = Scale(low=0, high=1, step=None)


def _note(found: Weighted) -> str:
    sources = f"{found.sources} sources"
    return (
        f"each item by the weights that Pearson's r with people gives the evaluators over items of other sources, of {sources}; "
        "no judge, and no call"
    )
