"""How well a judge's choices agree with people's: accuracy, Cohen's kappa and Krippendorff's alpha over labels."""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan
from typing import Literal, get_args

from agentdebate.errors import DataError, UsageError, nearest
from agentdebate.extras import optional
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.arrays import EXTRA, Array, np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap, Interval, interval
from agentdebate.meta.draws import Drawn
from agentdebate.meta.imputation import LEFT_OUT, ORDERED, Missing, imputed_choices
from agentdebate.meta.judged import Choices, Chosen
from agentdebate.meta.krippendorff import alpha
from agentdebate.meta.places import Places, places
from agentdebate.meta.wilson import interval_of_share

ChoiceStatistic = Literal[
    "accuracy", "kappa", "kappa-linear", "kappa-quadratic", "alpha-nominal", "alpha-ordinal", "alpha"
]
"""What can be asked of choices. "kappa" is Cohen's; "kappa-linear" and "kappa-quadratic" weigh how many labels apart two
choices are, and they, "alpha-ordinal" and "alpha" (Krippendorff's with interval distances) take the labels in their order.
"""

NO_HUMAN = "rows without a human choice"
NO_CHOICE = "rows without a predicted choice"
NOTHING = "all rows: there are none"
CERTAIN = "all rows: both always choose the same label, so nothing is left to chance"


def agree_on_choices(
    choices: Choices,
    statistic: ChoiceStatistic,
    *,
    bootstrap: Bootstrap | None = None,
    missing: Missing = LEFT_OUT,
) -> Agreement:
    """The agreement of one judge with people on what is best. A tie is a label like any other.

    Rows without people's choice are left out and counted; those without the judge's count as `missing` says: left out, a
    failure is no tie, and not wrong. The interval of accuracy is Wilson's; others resample sources. Raises UsageError for an unknown statistic, a bootstrap
    over systems or a `missing` that is none of the labels, DataError for a label that is not among `choices.labels`, and
    MissingExtra.
    """
    check_choices(choices, statistic, bootstrap)
    choices, filled = imputed_choices(choices, missing, statistic)
    rows, lacking = readable(choices)
    table = ChoiceTable.of(choices.labels, rows)
    value = _value(table, statistic)
    spread = NO_INTERVAL
    if bootstrap is not None and not isnan(value):
        spread = _spread(table, statistic, bootstrap)
    undefined = {} if not isnan(value) else {CERTAIN if rows else NOTHING: len(rows)}
    return Agreement(
        judge=choices.judge,
        aspect=choices.aspect,
        statistic=statistic,
        level="pooled",
        value=None if isnan(value) else value,
        n=len(rows),
        groups=1,
        left_out={**choices.left_out, **lacking, **undefined},
        missing=sum(lacking.values()),
        imputed=filled,
        labels=choices.labels if statistic in ORDERED else (),
    ).within(spread)


def _spread(table: "ChoiceTable", statistic: str, bootstrap: Bootstrap) -> Interval:
    """The interval of a statistic of choices: Wilson's of accuracy, which is a share, and resamples of the others."""
    if statistic == "accuracy":
        return interval_of_share(table.human == table.choice, table.places.source, bootstrap.confidence)
    if not bootstrap.can_vary(table.places):
        return NO_INTERVAL
    cells, many = ChoiceCells.of(table), MANY[statistic]
    draws = bootstrap.draw(table.places)
    found = draws.values(len(table.human), lambda drawn: many(cells.pairs, cells.counted(drawn)))
    return interval(found, bootstrap.confidence, draws)


def confusion(choices: Choices) -> dict[tuple[str, str], int]:
    """How often people chose one label and the judge another: (people's, the judge's) to a count, in the labels' order."""
    rows, _ = readable(choices)
    counted = Counter((row.human, row.choice) for row in rows)
    return {(human, choice): counted[human, choice] for human in choices.labels for choice in choices.labels}


@dataclass(frozen=True)
class ChoiceTable:
    """Choices as numbers of labels."""

    labels: tuple[str, ...]
    human: Array
    """People's, n."""
    choice: Array
    """The judge's, n."""
    places: Places

    @classmethod
    def of(cls, labels: tuple[str, ...], rows: Sequence[Chosen]) -> "ChoiceTable":
        """The table of rows that all have both choices."""
        place = {label: number for number, label in enumerate(labels)}
        return cls(
            labels,
            np.array([place[row.human or ""] for row in rows], dtype=int),
            np.array([place[row.choice or ""] for row in rows], dtype=int),
            places(rows),
        )


@dataclass(frozen=True)
class ChoiceCells:
    """Choices counted: the pairs of labels that occur, and how many rows of each pair a source has.

    All figures are made of these counts. Sources that have the same counts are alike, and most have one row: so a resample
    is told by how many sources of each kind were drawn, and takes up no more than there are kinds.
    """

    pairs: ChoiceTable
    """A row for each pair of labels that occurs; their places mean nothing."""
    kinds: Array
    """How many rows of each pair a source of each kind has, kinds x pairs."""
    kind: Array
    """The kind of each source, by its number."""
    places: Places
    """Those of the rows that were counted."""

    @classmethod
    def of(cls, table: ChoiceTable) -> "ChoiceCells":
        """The counts of a table."""
        both = table.human * len(table.labels) + table.choice
        cells, cell = np.unique(both, return_inverse=True)
        sources = table.places.sources
        counts = np.bincount(table.places.source * len(cells) + cell, minlength=sources * len(cells))
        kinds, kind = np.unique(counts.reshape(sources, len(cells)), axis=0, return_inverse=True)
        human, choice = cells // len(table.labels), cells % len(table.labels)
        nowhere = np.zeros(len(cells), dtype=int)
        pairs = ChoiceTable(table.labels, human, choice, Places(nowhere, nowhere))
        return cls(pairs, kinds.astype(float), kind.reshape(-1), table.places)

    def counted(self, drawn: Drawn) -> Array:
        """How many rows of each pair are in each resample, b x pairs."""
        return drawn.sorted_into(self.kind, len(self.kinds)) @ self.kinds


def check_choices(choices: Choices, statistic: str, bootstrap: Bootstrap | None) -> None:
    """Raise UsageError for an unknown statistic or a bootstrap over systems, DataError for an unknown label."""
    if statistic not in get_args(ChoiceStatistic):
        raise UsageError(
            f"there is no statistic {statistic!r} of choices. {nearest(statistic, get_args(ChoiceStatistic))}"
        )
    if bootstrap is not None and bootstrap.over != "sources":
        raise UsageError("a choice among texts has no system of its own: resample the sources")
    for row in choices.rows:
        for label, field in ((row.human, "human"), (row.choice, "choice")):
            if label is not None and label not in choices.labels:
                raise DataError(
                    f"item {row.id!r} has the label {label!r}. {nearest(label, choices.labels)}", field=field
                )


def readable(choices: Choices) -> tuple[list[Chosen], dict[str, int]]:
    """The rows with both choices, in an order that is theirs, and how many lack one and why."""
    rows, missing = [], Counter[str]()
    for row in choices.rows:
        if row.human is None or row.choice is None:
            missing[NO_HUMAN if row.human is None else NO_CHOICE] += 1
        else:
            rows.append(row)
    return sorted(rows, key=lambda row: (row.source, row.id)), dict(missing)


def _value(table: ChoiceTable, statistic: str) -> float:
    if not len(table.human):
        return float("nan")
    if statistic in _WEIGHTS:
        return _kappa(table, _WEIGHTS[statistic])
    return float(MANY[statistic](table, np.ones((1, len(table.human))))[0])


def _kappa(table: ChoiceTable, weights: str | None) -> float:
    score = optional("sklearn.metrics", EXTRA).cohen_kappa_score
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", RuntimeWarning
        )  # nothing is left to chance: NaN, which is reported as such
        warnings.filterwarnings("ignore", module="sklearn")
        return float(score(table.human, table.choice, labels=range(len(table.labels)), weights=weights))


def _accuracy(table: ChoiceTable, w: Array) -> Array:
    total = w.sum(axis=1)
    return np.where(total > 0, (w * (table.human == table.choice)).sum(axis=1), np.nan) / np.maximum(total, 1)


def _many_kappas(table: ChoiceTable, w: Array, power: int) -> Array:
    """Cohen's kappa of each resample: one less the cost of what is seen over the cost by chance."""
    count = len(table.labels)
    apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    cost = apart**power if power else (apart > 0).astype(int)
    human, choice = (np.eye(count)[column] for column in (table.human, table.choice))
    seen = (w * cost[table.human, table.choice]).sum(axis=1) * w.sum(axis=1)
    chance = np.einsum("bi,ij,bj->b", w @ human, cost, w @ choice)
    return np.where(chance > 0, 1 - seen / np.where(chance > 0, chance, 1), np.nan)


def _many_alphas(table: ChoiceTable, w: Array, kind: Literal["interval", "ordinal", "nominal"]) -> Array:
    return alpha(np.stack([table.human, table.choice], axis=-1).astype(float), w, kind)


_WEIGHTS: Mapping[str, str | None] = {"kappa": None, "kappa-linear": "linear", "kappa-quadratic": "quadratic"}
MANY: Mapping[str, Callable[[ChoiceTable, Array], Array]] = {
    "accuracy": _accuracy,
    "kappa": partial(_many_kappas, power=0),
    "kappa-linear": partial(_many_kappas, power=1),
    "kappa-quadratic": partial(_many_kappas, power=2),
    "alpha-nominal": partial(_many_alphas, kind="nominal"),
    "alpha-ordinal": partial(_many_alphas, kind="ordinal"),
    "alpha": partial(_many_alphas, kind="interval"),
}
"""Every statistic of many resamples at once, from the weights of rows, b x n: b values, NaN where it is not defined."""
