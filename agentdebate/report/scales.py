"""On which scales judges and people scored, where their errors are shown."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judgements import Judgements, is_score
from agentdebate.meta.scales import Apart, Reach, reach


def scales_told(judgements: Sequence[Judgements], missing: Missing = LEFT_OUT) -> Iterator[str]:
    """On which scales both sides score, as declared or as far as their scores reach, and a warning where these are not the same.

    Over the texts that count, where a `missing` judgement counts as it is said.
    """
    imputed = missing != LEFT_OUT
    found = [
        (f"{one.judge}, {one.aspect}", there) for one in judgements if (there := reach(one, imputed=imputed))
    ]
    yield from _told(found)
    broken = [name for name, one in found if one.broken]
    if broken:
        yield f"Scores lie beyond the scale that is declared for them ({'; '.join(broken)}): see to scale=...."
    for apart, words in _APART.items():
        sure = [name for name, one in found if one.apart == apart]
        if sure:
            yield f"{words[0]} ({'; '.join(sure)}){words[1]} {_MEANS}"
    unsure = [name for name, one in found if one.unlike and not one.apart]
    if unsure:
        yield f"These look like different scales ({'; '.join(unsure)}): if they are, {_MEANS[:1].lower()}{_MEANS[1:]}"


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


_MEANS = (
    "Bias, errors, calibration and alpha compare numbers that do not mean the same, and only correlations and pairwise "
    "accuracy say something; bring the scores to one scale first."
)


_APART: Mapping[Apart, tuple[str, str]] = {
    "declared": ("Judge and people are declared to be on different scales", "."),
    "people beyond": ("People's scores lie beyond the judge's scale", ": these are different scales."),
    "judge beyond": ("The judge's scores lie beyond people's scale", ": these are different scales."),
}
"""What to say of sides that are known to score on different scales, before and after who they are."""


def _told(found: Sequence[tuple[str, Reach]]) -> Iterator[str]:
    """The scales: declared ones, and how far the scores reach where none is."""
    declared = [f"{name} on {one.scale.ends}, people's {_of_people(one)}" for name, one in found if one.scale]
    seen = [
        f"{name} {_range(one.score)}, people's {_of_people(one)}"
        for name, one in found
        if not one.scale and one.score is not None and (one.human != one.score or declared or one.people)
    ]
    if declared:
        yield f"Scales, as declared{'' if all(one.people for _, one in found) else ' for the judge'}: {'; '.join(declared)}."
    if seen:
        whose = " for the judge" if any(one.people for _, one in found) else ""
        yield f"No scale is declared{whose}, and scores reach, in {'; in '.join(seen)}."


def _of_people(one: Reach) -> str:
    """Where people's scores are: on their scale, if it is declared, and how far they reach."""
    return f"on {one.people.ends} (scores {_range(one.human)})" if one.people else _range(one.human)


def _range(ends: tuple[float, float]) -> str:
    return f"from {ends[0]:.4g} to {ends[1]:.4g}"
