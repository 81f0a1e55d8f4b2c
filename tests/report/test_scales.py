"""What a caption says of the scales of judge and people, and of how it is known whether two judges share one."""

from collections.abc import Sequence

import pytest

from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.comparison import Comparison
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.report.agreement_caption import comparison_caption
from agentdebate.report.compared import comparison_grids, corrected
from agentdebate.report.scales import missing_told, scales_told
from agentdebate.tasks import Scale


def said(people: Sequence[float], judge: Sequence[float], scale: str | None = None) -> str:
    rows = tuple(Judged(str(n), "", "", *pair) for n, pair in enumerate(zip(people, judge, strict=True)))
    return " ".join(scales_told([Judgements("j", "x", rows, scale=Scale.parse(scale) if scale else None)]))


def test_a_declared_scale_is_named_with_how_far_people_reach() -> None:
    assert (
        said((1, 4.5), (2, 3), "1-5")
        == "Scales, as declared for the judge: j, x on 1 to 5, people's from 1 to 4.5."
    )


@pytest.mark.parametrize(
    ("people", "judge", "scale", "words"),
    [
        (
            (1, 50),
            (2, 3),
            "1-5",
            "People's scores lie beyond the judge's scale (j, x): these are different scales.",
        ),
        ((1, 5), (30, 80), "0-100", "These look like different scales (j, x): if they are, bias,"),
        (
            (1, 5),
            (0.2, 0.9),
            "1-5",
            "Scores lie beyond the scale that is declared for them (j, x): see to scale=....",
        ),
        ((1, 5), (0.2, 0.9), "1-5", "These look like different scales (j, x)"),
        ((1, 5), (0.2, 0.9), None, "These look like different scales (j, x)"),
        (
            (1, 5),
            (0.2, 0.9),
            None,
            "No scale is declared, and scores reach, in j, x from 0.2 to 0.9, people's from 1 to 5.",
        ),
    ],
)
def test_different_scales_are_named(
    people: tuple[float, ...], judge: tuple[float, ...], scale: str | None, words: str
) -> None:
    assert words in said(people, judge, scale)


def test_scores_that_reach_as_far_as_peoples_need_no_word_where_no_scale_is_declared() -> None:
    assert said((1, 5), (5, 1)) == ""


def comparison(statistic: str = "spearman", **more: object) -> Comparison:
    known = {
        "first": "a",
        "second": "b",
        "aspect": "x",
        "statistic": statistic,
        "level": "pooled",
        "difference": 0.1,
    }
    rest = {"low": None, "high": None, "p": 0.5, "williams": None, "detectable": None, "n": 8, "groups": 1}
    return Comparison(**{**known, **rest, "permutations": 9, "test": "permutation", **more})  # type: ignore[arg-type]  # names and values of its fields


def caption(*comparisons: Comparison) -> str:
    return comparison_caption(comparisons, Bootstrap(), 0.8)


def test_a_caption_says_whether_scales_were_declared_or_guessed() -> None:
    known = caption(comparison(swapped="scores", scales="declared"))
    assert "goes by the scales that are declared for both." in known
    guessed = caption(comparison(swapped="ranks", scales="reached"))
    assert "is guessed from how far their scores reach" in guessed
    both = caption(
        comparison(swapped="scores", scales="declared"),
        comparison(second="c", swapped="ranks", scales="reached"),
    )
    assert "declared for both (of a and b)." in both
    assert "(scale=...) (of a and c)." in both
    assert "scale" not in caption(comparison("bias", swapped="scores"))


def test_what_is_swapped_is_told_by_statistic_where_that_decides() -> None:
    told = caption(comparison(swapped="ranks", scales="reached"), comparison("bias", swapped="scores"))
    assert "these ranks give (Spearman's rho). Swapped are the scores as they are (bias)." in told


def test_judges_without_a_text_in_common_are_not_compared() -> None:
    assert "judged no text in common" in caption(comparison(n=0, p=None, test="", permutations=0))


def test_a_table_of_differences_has_the_share_that_each_judge_lacks() -> None:
    (grid,) = comparison_grids(corrected([comparison(texts=10, missing=(0, 2))]))
    assert (grid.head[-1], grid.rows[0][-1]) == ("missing", "0.0% / 20.0%")
    (whole,) = comparison_grids(corrected([comparison(texts=10)]))
    assert whole.head[-1] == "n"


@pytest.mark.parametrize("people", [(4, 5) * 20, (1, 2), (3, 3.5)])
def test_people_who_use_a_part_of_a_declared_scale_are_not_on_another(people: tuple[float, ...]) -> None:
    judge = [1.0, 5.0] * (len(people) // 2)
    assert "different scales" not in said(people, judge, "1-5")


def test_many_people_none_of_whom_uses_the_upper_half_of_a_declared_scale_may_be_on_another() -> None:
    assert "These look like different scales" in said((1, 5) * 5, (1, 10) * 5, "1-10")


def judged(*pairs: tuple[float, float | None]) -> Judgements:
    return Judgements(
        "j",
        "x",
        tuple(Judged(str(n), "", "", *pair) for n, pair in enumerate(pairs)),
        scale=Scale(low=1, high=5),
    )


def test_peoples_reach_is_over_the_texts_that_count() -> None:
    one = judged((1, 2), (4, 3), (5, None))
    assert "from 1 to 4." in next(scales_told([one]))
    assert "from 1 to 5." in next(scales_told([one], "wrong"))
    assert "from 1 to 5." in next(scales_told([judged((1, None), (5, None))], "wrong"))


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
