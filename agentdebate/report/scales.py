"""On which scales judges and people scored, where their errors are shown."""

from collections.abc import Iterator, Sequence

from agentdebate.meta.judged import Judgements
from agentdebate.meta.ranges import Reach, reach

ON_ONE_SCALE = frozenset({"bias", "mean-absolute-error", "root-mean-square-error", "alpha"})
"""The statistics that take judge and people to score on one scale."""


def scales_told(judgements: Sequence[Judgements]) -> Iterator[str]:
    """On which scales both sides score, as declared or as far as their scores reach, and a warning where these are not the same."""
    found = [(f"{one.judge}, {one.aspect}", there) for one in judgements if (there := reach(one))]
    yield from _told(found)
    broken = [name for name, one in found if one.broken]
    if broken:
        yield f"Scores lie beyond the scale that is declared for them ({'; '.join(broken)}): see to --scale."
    sure = [name for name, one in found if one.off_scale]
    if sure:
        yield f"People's scores lie beyond the judge's scale ({'; '.join(sure)}): these are different scales. {_MEANS}"
    unsure = [name for name, one in found if one.unlike and not one.off_scale]
    if unsure:
        yield f"These look like different scales ({'; '.join(unsure)}): if they are, {_MEANS[:1].lower()}{_MEANS[1:]}"


_MEANS = (
    "Bias, errors, calibration and alpha compare numbers that do not mean the same, and only correlations and pairwise "
    "accuracy say something; bring the scores to one scale first."
)


def _told(found: Sequence[tuple[str, Reach]]) -> Iterator[str]:
    """The scales: declared ones, and how far the scores reach where none is."""
    declared = [
        f"{name} on {one.scale.ends}, people's {_range(one.human)}" for name, one in found if one.scale
    ]
    seen = [
        f"{name} {_range(one.score)}, people's {_range(one.human)}"
        for name, one in found
        if not one.scale and (one.human != one.score or declared)
    ]
    if declared:
        yield f"Scales, as declared for the judge: {'; '.join(declared)}."
    if seen:
        yield f"No scale is declared, and scores reach, in {'; in '.join(seen)}."


def _range(ends: tuple[float, float]) -> str:
    return f"from {ends[0]:.4g} to {ends[1]:.4g}"
