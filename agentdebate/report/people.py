"""How well people agree among themselves, as a table and as records."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.ceiling import Ceiling
from agentdebate.meta.judgements import Raters
from agentdebate.meta.reliability import PEOPLE
from agentdebate.report.figures import NONE, figure, interval, statistic_name
from agentdebate.report.grid import Grid
from agentdebate.report.records import record


def reliability_grids(found: Sequence[Agreement], raters: Raters) -> tuple[Grid, ...]:
    """A table for each statistic, an aspect a row."""
    return tuple(
        _grid(statistic, [one for one in found if one.statistic == statistic], raters)
        for statistic in dict.fromkeys(one.statistic for one in found)
    )


def people_record(
    raters: Raters, ceilings: Sequence[Ceiling], reliabilities: Sequence[Agreement]
) -> Mapping[str, Any]:
    """Who rated, each annotator's own agreement with the others, and people's among themselves."""
    return {
        **asdict(raters),
        "annotators": [record(one) for each in ceilings for one in each.annotators],
        "reliability": [record(one) for one in reliabilities],
    }


def _grid(statistic: str, found: Sequence[Agreement], raters: Raters) -> Grid:
    title = f"{PEOPLE[:1].upper()}{PEOPLE[1:]} ({raters.kind}s): {statistic_name(statistic)}"
    rows = tuple(
        (one.aspect, figure(one.value), interval(one.low, one.high) or NONE, str(one.n)) for one in found
    )
    return Grid(title, ("aspect", "value", "interval", "n"), rows)
