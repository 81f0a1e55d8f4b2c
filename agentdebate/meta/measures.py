"""What can be said of two columns of numbers: every statistic by its name, for the data and for resamples of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from typing import Any, Literal, get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.extras import optional
from agentdebate.meta import correlations, krippendorff, pair_accuracy
from agentdebate.meta.arrays import EXTRA, Array, np
from agentdebate.meta.weighted import Kendall, Pearson, Spearman, unit

Statistic = Literal[
    "pearson",
    "spearman",
    "kendall-b",
    "kendall-c",
    "pairwise-accuracy",
    "alpha",
    "alpha-ordinal",
    "alpha-nominal",
    "bias",
    "mean-absolute-error",
    "root-mean-square-error",
]
"""What can be asked of scores. "alpha" is Krippendorff's with interval distances; it and the errors take both scores to be on
the same scale. "bias" is the mean of the judge's score less people's.
"""

CORRELATIONS = frozenset({"pearson", "spearman", "kendall-b", "kendall-c"})
"""Those that are not defined where one side is constant."""

RANKED = frozenset({"spearman", "kendall-b", "kendall-c", "pairwise-accuracy"})
"""Those that only ask which score is the higher, or nearly so."""

ERRORS = frozenset({"bias", "mean-absolute-error", "root-mean-square-error"})

TOO_FEW = "fewer than two rows"
CONSTANT_HUMAN = "constant human scores"
CONSTANT_SCORE = "constant predicted scores"
CONSTANT_BOTH = "constant human and predicted scores"
ALL_EQUAL = "all scores equal"
"""Why a statistic is not defined."""


@dataclass(frozen=True)
class Measure:
    """One statistic of people's scores and the judge's."""

    name: Statistic
    plain: Callable[[Array, Array], float]
    """Of n scores each."""
    many: Callable[[Array, Array, Array], Array]
    """Of many resamples: people's scores, the judge's, weights; b values."""
    weighted: Callable[[Array, Array], Callable[[Array], Array]] | None = None
    """Made from n scores each, the statistic of many weights; None where nothing can be done once for all of them."""
    of_cells: bool = True
    """Whether rows that say the same may be put together as one of a greater weight."""

    def of_weights(self, human: Array, score: Array) -> Callable[[Array], Array]:
        """The statistic of n scores each as a function of weights, b x n: b values."""
        return self.weighted(human, score) if self.weighted else partial(self.many, human, score)

    def undefined(self, human: Array, score: Array) -> str | None:
        """Why the statistic has no value; None where it has one."""
        if self.name in ERRORS:
            return None if len(human) else TOO_FEW
        if len(human) < 2 and (self.name in CORRELATIONS or self.name == "pairwise-accuracy"):  # noqa: PLR2004 - a pair
            return TOO_FEW
        if self.name in CORRELATIONS:
            return _CONSTANT[_constant(human), _constant(score)]
        if self.name != "pairwise-accuracy" and _constant(np.concatenate([human, score])):
            return ALL_EQUAL if len(human) else TOO_FEW
        return None

    def of(self, human: Array, score: Array) -> float:
        """The value; NaN where it is not defined."""
        if self.undefined(human, score):
            return float("nan")
        value = float(self.plain(human, score))
        return value if isfinite(value) else float("nan")


def measure(statistic: str, epsilon: float = 0.0) -> Measure:
    """A statistic by its name; `epsilon` is that of pairwise accuracy. Raises UsageError for an unknown name."""
    if statistic not in get_args(Statistic):
        raise UsageError(
            f"there is no statistic {statistic!r} of scores. {nearest(statistic, get_args(Statistic))}"
        )
    if statistic == "pairwise-accuracy":
        found = _from_many("pairwise-accuracy", partial(pair_accuracy.accuracy, epsilon=epsilon))
        made = partial(pair_accuracy.Accuracy, epsilon=epsilon)
        return replace(found, weighted=made, of_cells=False)  # a row makes no pair with its copy
    return _MEASURES[statistic]


def _scipy(name: str, **options: Any) -> Callable[[Array, Array], float]:
    def value(human: Array, score: Array) -> float:
        return float(getattr(optional("scipy.stats", EXTRA), name)(human, score, **options).statistic)

    return value


def _pearson(human: Array, score: Array) -> float:
    # scipy squares what it is given, and scores can be tiny or huge: log-probabilities, sums, logits.
    return _scipy("pearsonr")(unit(human), unit(score))


def _from_many(name: Statistic, many: Callable[[Array, Array, Array], Array]) -> Measure:
    return Measure(name, lambda human, score: float(many(human, score, np.ones((1, len(human))))[0]), many)


def _alpha(human: Array, score: Array, w: Array, kind: krippendorff.Measure) -> Array:
    return krippendorff.alpha(np.stack([human, score], axis=-1), w, kind)


def _error(human: Array, score: Array, w: Array, kind: Callable[[Array], Array]) -> Array:
    total = w.sum(axis=1)
    return np.where(total > 0, (w * kind(score - human)).sum(axis=1), np.nan) / np.maximum(total, 1)


def _root_mean_square(human: Array, score: Array, w: Array) -> Array:
    return np.sqrt(_error(human, score, w, lambda error: error**2))


def _constant(values: Array) -> bool:
    return bool(values.min(initial=np.inf) >= values.max(initial=-np.inf))


_CONSTANT = {
    (False, False): None,
    (True, False): CONSTANT_HUMAN,
    (False, True): CONSTANT_SCORE,
    (True, True): CONSTANT_BOTH,
}

_MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("pearson", _pearson, correlations.pearson, Pearson),
        Measure("spearman", _scipy("spearmanr"), correlations.spearman, Spearman),
        Measure("kendall-b", _scipy("kendalltau"), correlations.kendall_b, lambda x, y: Kendall(x, y).b),
        Measure(
            "kendall-c",
            _scipy("kendalltau", variant="c"),
            correlations.kendall_c,
            lambda x, y: Kendall(x, y).c,
        ),
        _from_many("alpha", partial(_alpha, kind="interval")),
        _from_many("alpha-ordinal", partial(_alpha, kind="ordinal")),
        _from_many("alpha-nominal", partial(_alpha, kind="nominal")),
        _from_many("bias", partial(_error, kind=lambda error: error)),
        _from_many("mean-absolute-error", partial(_error, kind=abs)),
        _from_many("root-mean-square-error", _root_mean_square),
    )
}
