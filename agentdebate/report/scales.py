"""On which scales judges and people scored, where their errors are shown."""

from collections.abc import Iterator, Sequence

from agentdebate.meta.judged import Judgements
from agentdebate.meta.ranges import reach

ON_ONE_SCALE = frozenset({"bias", "mean-absolute-error", "root-mean-square-error", "alpha"})
"""The statistics that take judge and people to score on one scale."""


def scales_told(judgements: Sequence[Judgements]) -> Iterator[str]:
    """How far both sides' scores reach, where that is not the same, and a warning where these are different scales."""
    told, unlike = list[str](), list[str]()
    for one in judgements:
        found = reach(one)
        if found is None or found.human == found.score:
            continue
        name = f"{one.judge}, {one.aspect}"
        told.append(f"{name} {_range(found.score)}, people's {_range(found.human)}")
        if found.unlike:
            unlike.append(name)
    if told:
        yield f"Scores reach, in {'; in '.join(told)}."
    if unlike:
        yield (
            f"These look like different scales ({'; '.join(unlike)}): then bias, errors, calibration and alpha compare numbers "
            "that do not mean the same, and only correlations and pairwise accuracy say something. Bring the scores to one "
            "scale first."
        )


def _range(ends: tuple[float, float]) -> str:
    return f"from {ends[0]:.4g} to {ends[1]:.4g}"
