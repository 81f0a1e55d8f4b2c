"""On which scales judges and people scored, where their errors are shown."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from agentdebate.meta.imputation import Missing
from agentdebate.meta.judgements import Judgements, is_score


def scales_told(judgements: Sequence[Judgements]) -> Iterator[str]:
    """The scales that are declared for both sides, and a warning where they are not the same or scores lie beyond them."""
    named = {f"{one.judge}, {one.aspect}": one for one in judgements}
    declared = [
        f"{name} on {one.scale.ends}, people's {f'on {one.people_scale.ends}' if one.people_scale else 'not declared'}"
        for name, one in named.items()
        if one.scale
    ]
    if declared:
        yield f"Scales, as declared: {'; '.join(declared)}."
    else:
        yield "No scale is declared (scale=...): bias, errors, calibration and alpha take both sides to score on one."
    apart = [
        name
        for name, one in named.items()
        if one.scale and one.people_scale and one.scale.ends != one.people_scale.ends
    ]
    if apart:
        yield (
            f"Judge and people are declared to be on different scales ({'; '.join(apart)}). Bias, errors, calibration and alpha compare "
            "numbers that do not mean the same; bring the scores to one scale first."
        )
    beyond = [name for name, one in named.items() if _beyond(one)]
    if beyond:
        yield f"Scores lie beyond the scale that is declared ({'; '.join(beyond)}): see to scale=...."


def missing_told(
    judgements: Sequence[Judgements], statistics: AbstractSet[str], missing: Missing
) -> Iterator[str]:
    """What has to be said of scores that stand for missing ones: a number off the scale, and ends of the scale in a bias."""
    lacking = [one for one in judgements if any(not is_score(row.score) for row in one.rows)]
    if missing == "wrong" and "bias" in statistics and lacking:
        yield (
            "In a bias wrong has no direction: texts at both ends of the scale cancel out, and more missing judgements can make "
            "it smaller. The mean absolute error says what they cost."
        )
    if isinstance(missing, str):
        return
    off = [
        f"{one.judge}, {one.aspect}: {one.scale.ends}"
        for one in lacking
        if one.scale is not None and not one.scale.low <= missing <= one.scale.high
    ]
    if off:
        yield f"The score {missing:g} of what is missing is not on the scale ({'; '.join(off)})."


def _beyond(one: Judgements) -> bool:
    """Tell whether scores of either side lie beyond the judge's scale, or people's beyond their own."""
    sides = (
        (one.scale, [row.score for row in one.rows]),
        (one.people_scale or one.scale, [row.human for row in one.rows]),
    )
    return any(
        not scale.low <= score <= scale.high
        for scale, scores in sides
        if scale
        for score in scores
        if score is not None
    )
