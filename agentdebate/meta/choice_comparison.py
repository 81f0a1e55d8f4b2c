"""Whether one judge chooses as people do more often than another does, over the items on which both chose."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from agentdebate.errors import DataError, UsageError
from agentdebate.extras import optional
from agentdebate.meta.arrays import EXTRA, Array, np
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap
from agentdebate.meta.choices import (
    MANY,
    ChoiceStatistic,
    ChoiceTable,
    agree_on_choices,
    check_choices,
    readable,
)
from agentdebate.meta.comparison import Comparison, shared_keys, unjudged
from agentdebate.meta.imputation import LEFT_OUT, Missing, imputed_choices
from agentdebate.meta.judged import Choices, Chosen
from agentdebate.meta.label_order import sorted_labels
from agentdebate.meta.permutation import share
from agentdebate.meta.significance import smallest_difference


def compare_choices(
    first: Choices,
    second: Choices,
    statistic: ChoiceStatistic,
    *,
    bootstrap: Bootstrap = Bootstrap(),
    permutations: int = 1000,
    power: float = 0.8,
    missing: Missing = LEFT_OUT,
) -> Comparison:
    """The difference of two judges' agreement with people on what is best, and how sure it is.

    Only items on which both chose count, or that count as chosen by `missing`. Where every item is a source of its own, accuracy is tested by McNemar's exact test
    ("Note on the sampling error of the difference between correlated proportions or percentages", 1947; exact: the binomial
    test of the items on which only one of the judges is right), which is the permutation test over all swaps. Otherwise, and
    for all other statistics, the judges' choices are swapped at random for all items of a source.

    Raises UsageError and DataError as `agree_on_choices` does, and DataError where people chose otherwise with one judge.
    """
    if permutations < 0:
        raise UsageError(f"a permutation test takes no fewer than 0 permutations, not {permutations}")
    for one in (first, second):
        check_choices(one, statistic, bootstrap)
    texts, lacking = _lacking(first, second)
    first, second = (imputed_choices(one, missing, statistic)[0] for one in (first, second))
    two, left_out = _shared(first, second)
    values = [agree_on_choices(one, statistic) for one in (two.first, two.second)]
    known = values[0].value is not None and values[1].value is not None
    difference = values[0].value - values[1].value if known else None  # type: ignore[operator]  # neither is None
    spread = bootstrap.spread(two.tables[0].places, two.resampled(statistic)) if known else NO_INTERVAL
    p, swapped = two.tested(statistic, permutations, bootstrap.seed) if known else (None, 0)
    detectable = None
    if spread.error is not None:
        detectable = smallest_difference(spread.error, confidence=bootstrap.confidence, power=power)
    return Comparison(
        first=first.judge,
        second=second.judge,
        aspect=first.aspect,
        statistic=statistic,
        level="pooled",
        difference=difference,
        low=spread.low,
        high=spread.high,
        p=p,
        williams=None,
        detectable=detectable,
        n=values[0].n,
        groups=1,
        left_out=left_out,
        resamples=spread.resamples,
        degenerate=spread.degenerate,
        sources=spread.sources,
        permutations=swapped,
        test="" if p is None else "permutation" if swapped else "mcnemar",
        swapped="choices" if swapped else "",
        texts=texts,
        missing=lacking,
    )


def mcnemar(only_first: int, only_second: int) -> float:
    """The two-sided p of McNemar's exact test, from how often only the first, and only the second, is right."""
    count = only_first + only_second
    return float(optional("scipy.stats", EXTRA).binomtest(only_first, count).pvalue) if count else 1.0


@dataclass(frozen=True)
class _Two:
    """Two judges' choices on the same items, in the same order."""

    first: Choices
    second: Choices
    tables: tuple[ChoiceTable, ChoiceTable]

    @property
    def independent(self) -> bool:
        """Whether every item is a source of its own."""
        places = self.tables[0].places
        return bool(places.sources == len(places.source))

    def resampled(self, statistic: str) -> Callable[[Array], Array]:
        """The difference in each of many resamples, from the weights of items."""
        ours, theirs = self.tables
        return lambda w: MANY[statistic](ours, w) - MANY[statistic](theirs, w)

    def tested(self, statistic: str, permutations: int, seed: int) -> tuple[float | None, int]:
        """The p of a difference, and how many permutations it is of; 0 where the test is McNemar's."""
        if statistic == "accuracy" and self.independent:
            ours, theirs = (table.choice == table.human for table in self.tables)
            return mcnemar(int((ours & ~theirs).sum()), int((theirs & ~ours).sum())), 0
        if not permutations or self.tables[0].places.sources < 2:  # noqa: PLR2004 - two can be swapped apart
            return None, 0
        return self._permuted(statistic, permutations, seed), permutations

    def _permuted(self, statistic: str, permutations: int, seed: int) -> float:
        ours, theirs = self.tables
        w = np.ones((1, len(ours.human)))

        def value(choice: Array) -> float:
            return float(MANY[statistic](replace(ours, choice=choice), w)[0])

        found = np.empty(permutations)
        swaps = np.random.default_rng(seed).integers(0, 2, size=(permutations, ours.places.sources))
        for number, swap in enumerate(swaps.astype(bool)):
            turned = swap[ours.places.source]
            found[number] = value(np.where(turned, theirs.choice, ours.choice)) - value(
                np.where(turned, ours.choice, theirs.choice)
            )
        return share(found, value(ours.choice) - value(theirs.choice))


def _shared(first: Choices, second: Choices) -> tuple[_Two, dict[str, int]]:
    """The items on which both chose, and how many others there are."""
    known = [_by_key(one) for one in (first, second)]
    seen = {_key(row) for one in (first, second) for row in one.rows if row.human is not None}
    keys, left_out = shared_keys(known, seen, (first.judge, second.judge))
    labels = first.labels
    if first.labels != second.labels:  # which were not given then
        labels = sorted_labels((*first.labels, *second.labels), first.tie or second.tie)
    one, other = (
        replace(judge, labels=labels, rows=tuple(rows[key] for key in keys))
        for judge, rows in zip((first, second), known, strict=True)
    )
    tables = ChoiceTable.of(labels, one.rows), ChoiceTable.of(labels, other.rows)
    return _Two(one, other, tables), {reason: count for reason, count in left_out.items() if count}


def _lacking(first: Choices, second: Choices) -> tuple[int, tuple[int, int]]:
    both = (first, second)
    people = {_key(row) for one in both for row in one.rows if row.human is not None}
    return unjudged(people, [{_key(row) for row in one.rows if row.choice is not None} for one in both])


def _by_key(choices: Choices) -> dict[tuple[str, str], Chosen]:
    twice = [key for key, count in Counter(map(_key, choices.rows)).items() if count > 1]
    if twice:
        raise DataError(f"item {twice[0][0]!r} stands twice among the choices of {choices.judge}")
    return {_key(row): row for row in readable(choices)[0]}


def _key(row: Chosen) -> tuple[str, str]:
    return row.id, row.source
