"""What people's own ratings are worth: reliability, the ceiling; and what a judge's scores stand for."""

import math
import random
from dataclasses import replace
from statistics import fmean
from typing import Any

import pytest

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import agree
from agentdebate.meta.calibration import calibration
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements, Rated, Ratings
from agentdebate.meta.reliability import ceiling, reliability, usual_reliability
from agentdebate.tasks import Scale

SMALL = Bootstrap(resamples=50)


def ratings(rows: list[tuple[float | None, ...]], per_source: int = 4) -> Ratings:
    return Ratings(
        "coherence",
        tuple(Rated(str(n), f"s{n // per_source}", f"m{n % per_source}", row) for n, row in enumerate(rows)),
    )


def noisy(count: int = 40) -> list[tuple[float | None, ...]]:
    chance = random.Random(4)
    true = [chance.randint(1, 5) for _ in range(count)]
    return [
        tuple(float(min(max(value + chance.choice([-1, 0, 0, 1]), 1), 5)) for _ in range(3)) for value in true
    ]


class TestFleiss:
    FLEISS = (
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    )  # fmt: skip
    """Fourteen raters of ten subjects in five classes: the example that textbooks give, kappa .210."""

    def test_the_textbook_example(self) -> None:
        rows = [
            tuple(float(label) for label, count in enumerate(row) for _ in range(count))
            for row in self.FLEISS
        ]
        found = reliability(ratings(list(rows)), "fleiss-kappa", bootstrap=SMALL)
        assert found.value == pytest.approx(0.210, abs=5e-4)
        assert found.low is not None

    def test_rows_with_another_number_of_ratings_are_left_out_and_counted(self) -> None:
        rows: list[Any] = [(1, 1, 2), (2, 2, 2), (1, 2, 1), (1, 1, None), (3, None, None), (1, 2, math.nan)]
        found = reliability(ratings(rows), "fleiss-kappa")
        assert found.value == reliability(ratings(rows[:3]), "fleiss-kappa").value
        assert (found.n, found.missing) == (3, 3)
        assert found.left_out == {"rows with another number of ratings than most": 3}


class TestReliability:
    @pytest.mark.parametrize(
        ("highest", "scale", "usual"),
        [
            (11, None, "alpha-ordinal"), (12, None, "alpha"), (5, "1-100", "alpha"),
            (5, "1-5 any", "alpha"), (12, "1-11", "alpha-ordinal"),
        ],
    )  # fmt: skip
    def test_ratings_on_a_scale_of_few_steps_are_taken_by_their_ranks(
        self, highest: int, scale: str | None, usual: str
    ) -> None:
        rows = ratings([(float(one), 1.0) for one in range(1, highest + 1)])
        assert usual_reliability(replace(rows, scale=Scale.parse(scale) if scale else None)) == usual

    def test_alpha_takes_rows_with_two_ratings_or_more(self) -> None:
        rows: list[Any] = [(1, 1, 2), (2, 3, None), (None, None, 5), (4, 4, 4)]
        found = reliability(ratings(rows), "alpha", bootstrap=SMALL)
        assert (found.n, found.missing) == (3, 1)
        assert found.value == reliability(ratings([rows[0], rows[1], rows[3]]), "alpha").value

    @pytest.mark.parametrize("statistic", ["alpha", "alpha-ordinal", "alpha-nominal", "fleiss-kappa"])
    def test_equal_ratings_have_no_reliability_and_a_reason(self, statistic: Any) -> None:
        found = reliability(ratings([(3, 3), (3, 3)]), statistic, bootstrap=SMALL)
        assert (found.value, found.left_out) == (None, {"all rows: all ratings equal": 2})
        assert reliability(ratings([]), statistic).value is None

    def test_an_unknown_statistic_is_an_error(self) -> None:
        with pytest.raises(UsageError, match="Did you mean 'fleiss-kappa'"):
            reliability(ratings([]), "fleis-kappa")


class TestCeiling:
    @pytest.mark.parametrize("level", ["pooled", "group", "system"])
    def test_each_annotator_is_held_against_the_mean_of_the_others(self, level: Any) -> None:
        rows = noisy()
        found = ceiling(ratings(rows), "spearman", level, bootstrap=SMALL)
        for number, one in enumerate(found.annotators):
            judged = tuple(
                Judged(row.id, row.source, row.system,
                       fmean(float(r) for k, r in enumerate(row.ratings) if k != number and r is not None), float(row.ratings[number] or 0))
                for row in ratings(rows).rows
            )  # fmt: skip
            expected = agree(Judgements(f"annotator {number + 1}", "coherence", judged), "spearman", level)
            assert one == expected
        assert found.mean.value == pytest.approx(fmean(one.value or 0 for one in found.annotators))
        assert (found.mean.low or 9) < (found.mean.value or 0) < (found.mean.high or -9)
        assert (found.mean.n, found.mean.resamples) == (40, 50)

    def test_rows_that_not_everyone_rated_are_left_out_and_counted(self) -> None:
        rows = [*noisy(12), (None, 2.0, 3.0), (math.inf, 1.0, 1.0), (1.0, 2.0)]
        found = ceiling(ratings(rows), "pearson", "pooled")
        assert found.mean.value == ceiling(ratings(noisy(12)), "pearson", "pooled").mean.value
        assert found.mean.left_out == {"rows with another number of ratings than most": 3}

    @pytest.mark.parametrize("rows", [[(1,), (2,)], []])
    def test_it_takes_two_annotators(self, rows: Any) -> None:
        with pytest.raises(UsageError, match="2 annotators or more"):
            ceiling(ratings(rows), "pearson", "pooled")


class TestCalibration:
    ROWS = ((1.0, 1.0), (1.4, 2.0), (2.0, 2.0), (5.0, 3.0), (4.8, 4.0))
    """The judge's score and people's."""

    def judged(self, rows: Any = ROWS) -> Judgements:
        return Judgements(
            "j", "a", tuple(Judged(str(n), "s", "m", human, score) for n, (score, human) in enumerate(rows))
        )

    def test_by_hand(self) -> None:
        """From 1 to 5 in four bins: two are empty."""
        found = calibration(self.judged(), 4)
        assert [(one.low, one.high, one.n) for one in found.bins] == [(1, 2, 2), (2, 3, 1), (4, 5, 2)]
        assert [(one.score, one.human) for one in found.bins] == [(1.2, 1.5), (2.0, 2.0), (4.9, 3.5)]
        assert found.error == pytest.approx((2 * 0.3 + 0 + 2 * 1.4) / 5)
        assert (found.n, found.missing) == (5, 0)

    def test_missing_scores_are_counted(self) -> None:
        found = calibration(self.judged([(None, 1.0), (2.0, math.nan), (3.0, 3.0)]))
        assert (found.n, found.missing, found.error) == (1, 2, 0)
        none = calibration(self.judged([(None, 1.0)]))
        assert (none.bins, none.error, none.missing) == ((), None, 1)

    def test_a_table_has_a_bin(self) -> None:
        with pytest.raises(UsageError, match="at least one bin"):
            calibration(self.judged(), 0)
