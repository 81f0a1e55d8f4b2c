"""Whether one judge agrees with people better than another does, over the texts that both scored."""

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Literal, TypeVar

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.agreement import agree, resamples_of
from agentdebate.meta.bootstrap import NO_INTERVAL, Bootstrap, Interval, interval
from agentdebate.meta.columns import Columns, columns, is_score, why_missing
from agentdebate.meta.imputation import LEFT_OUT, Missing, imputed
from agentdebate.meta.judged import Chosen, Judged, JudgedRows, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import Statistic, measure
from agentdebate.meta.permutation import asks_for_a_scale, declared, permuted, swapped_as
from agentdebate.meta.significance import smallest_difference, williams

Key = TypeVar("Key", bound=tuple[str, ...])

ONLY_ONE = "rows that only one of the judges scored"
NEITHER = "rows that neither judge scored"
UNDEFINED = "groups in which one of the judges has no value"
"""What has no part in a comparison, and why."""


@dataclass(frozen=True)
class Comparison:
    """The difference of two judges' agreement, the first less the second, over what both have."""

    first: str
    second: str
    aspect: str
    statistic: str
    level: str
    difference: float | None
    """None where either judge's agreement is not defined."""
    low: float | None
    """The lower end of the percentile bootstrap interval of the difference, both judges on the same resamples."""
    high: float | None
    p: float | None
    """Two-sided, of the test that `test` names; None where none is made."""
    williams: float | None
    """Two-sided p of Williams' test: Pearson and Spearman, pooled and over systems; it takes rows to be independent."""
    detectable: float | None
    """The smallest true difference that this data would show with the power asked for."""
    n: int
    groups: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    resamples: int = 0
    degenerate: int = 0
    sources: int = 0
    """Sources that the resamples are drawn from."""
    systems: int = 0
    """Systems that they are drawn from."""
    permutations: int = 0
    test: Literal["permutation", "mcnemar", ""] = ""
    """What `p` is of: the permutation test that swaps the judges source by source, or McNemar's exact test (of accuracy, where
    every item is a source of its own); empty where there is no p.
    """
    swapped: Literal["scores", "ranks", "choices", ""] = ""
    """What the permutation test swaps: scores as they are, or their ranks among all texts where the judges do not score on
    the same scale; of judges that choose, choices. Empty where there is no such test.
    """
    scales: Literal["declared", "reached", ""] = ""
    """Whence it is known whether the judges share a scale: declared for both, or seen by how far their scores reach. Empty where
    that makes no difference to what is swapped.
    """
    texts: int = 0
    """Texts that people judged, of those that either judge has a row of."""
    missing: tuple[int, int] = (0, 0)
    """How many of them the first judge has no judgement of, and the second, whatever a missing one counts as."""


def compare(
    first: Judgements,
    second: Judgements,
    statistic: Statistic,
    level: Level,
    *,
    bootstrap: Bootstrap = Bootstrap(),
    permutations: int = 1000,
    power: float = 0.8,
    missing: Missing = LEFT_OUT,
) -> Comparison:
    """The difference of two judges' agreement with people on one aspect, and how sure it is.

    Only rows that both scored count, or that count as scored by `missing`, and at the group level only sources in which both have a value, so the difference can
    be another than that of the judges' own tables. The permutation test asks how often a difference at least as large
    comes about when the two judges' scores are swapped at random for all texts of a source (Deutsch, Dror and Roth 2021,
    PERM-INPUTS). Where both score on the same scale, scores are swapped as they are; where they do not, their ranks among
    all texts are, and the test is of the difference that these give. It is not made for pooled pairwise accuracy.

    Raises UsageError as `agree` does, and DataError where the judges' rows have different human scores.
    """
    if permutations < 0:
        raise UsageError(f"a permutation test takes no fewer than 0 permutations, not {permutations}")
    texts, lacking = _lacking(first, second)
    first, second = imputed(first, missing)[0], imputed(second, missing)[0]
    ours, theirs, left_out = _shared(first, second, statistic, level)
    values = [agree(one, statistic, level) for one in (ours, theirs)]
    known = values[0].value is not None and values[1].value is not None
    difference = values[0].value - values[1].value if known else None  # type: ignore[operator]  # neither is None
    spread = _spread(ours, theirs, statistic, level, bootstrap) if known else NO_INTERVAL
    tables = columns(ours), columns(theirs)
    p = permuted(*tables, statistic, level, permutations=permutations, seed=bootstrap.seed) if known else None
    return Comparison(
        first=first.judge,
        second=second.judge,
        aspect=first.aspect,
        statistic=statistic,
        level=level,
        difference=difference,
        low=spread.low,
        high=spread.high,
        p=p,
        williams=_williams(ours, theirs, statistic, level) if known else None,
        detectable=None
        if spread.error is None
        else smallest_difference(spread.error, confidence=bootstrap.confidence, power=power),
        n=values[0].n,
        groups=values[0].groups,
        left_out=left_out,
        resamples=spread.resamples,
        degenerate=spread.degenerate,
        sources=spread.sources,
        systems=spread.systems,
        permutations=permutations if p is not None else 0,
        test="" if p is None else "permutation",
        swapped="" if p is None else swapped_as(*tables, statistic, level),
        scales=_scales(*tables) if p is not None and asks_for_a_scale(statistic, level) else "",
        texts=texts,
        missing=lacking,
    )


def unjudged(people: Collection[Key], judged: Sequence[Collection[Key]]) -> tuple[int, tuple[int, int]]:
    """How many texts people judged, and how many of these each of two judges did not."""
    first, second = (sum(key not in each for key in people) for each in judged)
    return len(people), (first, second)


def _lacking(first: Judgements, second: Judgements) -> tuple[int, tuple[int, int]]:
    both = JudgedRows.of(first.rows), JudgedRows.of(second.rows)
    people = {key for one in both for key in compress(_names(one), map(is_score, one.human))}
    return unjudged(people, [set(compress(_names(one), map(is_score, one.score))) for one in both])


def _scales(first: Columns, second: Columns) -> Literal["declared", "reached"]:
    return "declared" if declared(first, second) else "reached"


def _shared(
    first: Judgements, second: Judgements, statistic: Statistic, level: Level
) -> tuple[Judgements, Judgements, dict[str, int]]:
    """The rows that both scored, and why others have no part."""
    known = [_Known(one) for one in (first, second)]
    seen = {key for one in known for key in compress(_names(one.rows), one.rows.human.known)}
    keys, left_out = shared_keys(known, seen, (first.judge, second.judge))
    rows = [one.rows.take(array("q", map(one.places.__getitem__, keys))) for one in known]
    if level == "group":
        lost = {source for one in rows for source in _undefined(replace(first, rows=one), statistic)}
        left_out[UNDEFINED] = len(lost)
        kept = array("q", (place for place, name in enumerate(rows[0].names.sources) if name not in lost))
        rows = [one.take(kept) for one in rows]
    ours, theirs = (replace(one, rows=own) for one, own in zip((first, second), rows, strict=True))
    return ours, theirs, {reason: count for reason, count in left_out.items() if count}


def shared_keys(
    known: Sequence[Mapping[Key, Judged | Chosen]], seen: Collection[Key], judges: Sequence[str]
) -> tuple[list[Key], dict[str, int]]:
    """What both judges have judged of all that was `seen`, and how much is left out.

    Keys begin with the item's id. Raises DataError where the two come with different people.
    """
    first, second = known
    keys = [key for key in first if key in second]
    for key in keys:
        people = first[key].human, second[key].human
        if people[0] != people[1]:
            raise DataError(
                f"of item {key[0]!r} people say {people[0]!r} with {judges[0]} and {people[1]!r} with {judges[1]}; both have "
                "to be compared with the same people"
            )
    either = {*first, *second}
    return keys, {ONLY_ONE: len(either) - len(keys), NEITHER: len(seen) - len(either)}


_Names = tuple[str, str, str]
"""The id, the source and the system of a row."""


def _names(rows: JudgedRows) -> Iterator[_Names]:
    """The names of all rows."""
    return zip(rows.names.ids, rows.names.sources, rows.names.systems, strict=True)


class _Known(Mapping[_Names, Judged]):
    """The rows of a judge that count, by their names. Raises DataError where a row that counts comes again."""

    def __init__(self, judgements: Judgements) -> None:
        self.rows = JudgedRows.of(judgements.rows)
        self.places: dict[_Names, int] = {}
        for place, (key, row) in enumerate(zip(_names(self.rows), self.rows, strict=True)):
            if key in self.places:
                raise DataError(f"item {row.id!r} stands twice among the rows of {judgements.judge}")
            if why_missing(row) is None:
                self.places[key] = place

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[_Names]:
        return iter(self.places)

    def __getitem__(self, key: _Names) -> Judged:
        return self.rows[self.places[key]]


def _undefined(judgements: Judgements, statistic: Statistic) -> set[str]:
    """The sources in which a judge's agreement is not defined."""
    table, asked = columns(judgements), measure(statistic)
    return {
        table.rows[rows[0]].source
        for rows in table.groups()
        if asked.undefined(table.human[rows], table.score[rows])
    }


def _spread(
    first: Judgements, second: Judgements, statistic: Statistic, level: Level, bootstrap: Bootstrap
) -> Interval:
    ours, theirs = (resamples_of(one, statistic, level, bootstrap) for one in (first, second))
    if ours is None or theirs is None:
        return NO_INTERVAL
    return interval(ours[0] - theirs[0], bootstrap.confidence, ours[1])


def _williams(first: Judgements, second: Judgements, statistic: Statistic, level: Level) -> float | None:
    if statistic not in ("pearson", "spearman") or level == "group":
        return None
    ours, theirs = JudgedRows.of(first.rows), JudgedRows.of(second.rows)  # in the order of _shared
    between = replace(first, rows=JudgedRows(ours.names, theirs.score, ours.score))
    found = [agree(one, statistic, level) for one in (first, second, between)]
    values = [one.value for one in found]
    if values[0] is None or values[1] is None or values[2] is None:
        return None
    return williams(values[0], values[1], values[2], found[0].groups if level == "system" else found[0].n)
