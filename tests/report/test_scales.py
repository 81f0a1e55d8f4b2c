"""What a caption says of the scales of judge and people, and of how it is known whether two judges share one."""

from collections.abc import Sequence

import pytest

from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.comparison import Comparison
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.report.agreement_caption import comparison_caption
from agentdebate.report.scales import missing_told, scales_told
from agentdebate.tasks import Scale


def said(people: Sequence[float], judge: Sequence[float], scale: str | None = None) -> str:
    rows = tuple(Judged(str(n), "", "", *pair) for n, pair in enumerate(zip(people, judge, strict=True)))
    return " ".join(scales_told([Judgements("j", "x", rows, scale=Scale.parse(scale) if scale else None)]))


def comparison(statistic: str = "spearman", **more: object) -> Comparison:
    known = {
        "first": "a",
        "second": "b",
        "aspect": "x",
        "statistic": statistic,
        "level": "pooled",
        "difference": 0.1,
    }
    rest = {"low": None, "high": None, "p": 0.5, "williams": None, "n": 8, "groups": 1}
    return Comparison(**{**known, **rest, "permutations": 9, "test": "permutation", **more})  # type: ignore[arg-type]  # names and values of its fields


def caption(*comparisons: Comparison) -> str:
    return comparison_caption(comparisons, Bootstrap())


@pytest.mark.parametrize("people", [(4, 5) * 20, (1, 2), (3, 3.5)])
def test_people_who_use_a_part_of_a_declared_scale_are_not_on_another(people: tuple[float, ...]) -> None:
    judge = [1.0, 5.0] * (len(people) // 2)
    assert "different scales" not in said(people, judge, "1-5")


def judged(*pairs: tuple[float, float | None]) -> Judgements:
    return Judgements(
        "j",
        "x",
        tuple(Judged(str(n), "", "", *pair) for n, pair in enumerate(pairs)),
        scale=Scale(low=1, high=5),
    )


def test_a_number_off_the_scale_and_a_bias_of_what_is_wrong_are_said() -> None:
    one = judged((1, 2), (5, None))
    assert "The score 9 of what is missing is not on the scale (j, x: 1 to 5)" in " ".join(
        missing_told([one], set(), 9)
    )
    assert "In a bias wrong has no direction" in " ".join(missing_told([one], {"bias"}, "wrong"))
    assert not [
        *missing_told([one], {"spearman"}, "wrong"),
        *missing_told([one], {"bias"}, 3),
        *missing_told([judged((1, 2))], {"bias"}, "wrong"),
    ]
