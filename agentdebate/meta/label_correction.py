"""Means, shares and differences as people would have them, from many judgements of a judge and few labels of people.

Rows with people's judgement have to be drawn at random from all rows: they show how far off the judge is. PPI++ (Angelopoulos, Duchi and
Zrnic 2023, arXiv 2311.01453, section 6) adds that to the judge's mean over the other rows, and trusts the judge as far as its judgements go
with people's, so that it is hardly ever worse than people's labels alone. Texts of a source count as one draw; where no two texts share one
the intervals are those of the package ppi_py.

Rogan and Gladen ("Estimating prevalence from the results of a screening test", 1978) correct a share by the judge's sensitivity and
specificity. These may be known from labels that are not drawn at random, as long as texts that pass, and those that fail, are each like the
others. The interval is that of Lang and Reiczigel ("Confidence limits for prevalence of disease adjusted for estimated sensitivity and
specificity", 2014).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from agentdebate.errors import UsageError
from agentdebate.meta.arrays import Array, np, stats
from agentdebate.meta.columns import Places
from agentdebate.meta.judgements import Judged, Judgements, is_judgement
from agentdebate.meta.talk import grouped

FEWEST = 2
"""Labels from which the error of a judge has a spread."""

Value = Callable[[float | str], float]
"""The number that a judgement counts as."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A figure with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Correction:
    """One figure as the judge has it, as people's labels alone have it, and corrected."""

    judge: str
    aspect: str
    of: str
    """The figure: "mean", a SYSTEM's mean, "share of LABEL", or "ONE less OTHER"."""
    labels: int
    """Texts that people judged too; of a difference those of both systems."""
    others: int
    """Texts that the judge alone judged."""
    by_judge: float
    """The judge's figure over all texts."""
    by_people: float
    """People's over those that they judged."""
    corrected: Corrected
    """The figure by PPI++."""
    rogan_gladen: Corrected | str | None
    """A share by sensitivity and specificity, or the reason why that is refused; None of other figures."""


def corrections(entry: Judgements, *, confidence: float = 0.95) -> tuple[Correction, ...]:
    """Every figure of a judge on an aspect: of scores the mean, those of systems and differences of these; of choices the share of each
    label and the difference of two texts.

    Systems of fewer than two labels are in no figure. Differences are of systems next to each other by their corrected means. Scores that are
    all 0 or 1 are corrected as a share too. Raises UsageError where fewer than two texts have people's judgement, or all have it.
    """
    rows = [row for row in entry.rows if is_judgement(row.score)]
    places = Places.of(rows)
    whole = _Sample(rows, places.source, confidence)
    if not whole.sound:
        raise UsageError(
            f"correct=... takes {FEWEST} texts or more with people's judgement, and others without: {entry.judge}, {entry.aspect} has "
            f"{whole.known.sum()} with and {(~whole.known).sum()} without"
        )
    found = [whole.estimate(of, value, places.sources) for of, value in _figures(entry)]
    systems = grouped(range(len(rows)), lambda place: rows[place].system) if entry.labels is None else {}
    parts = [(name, whole.part(some)) for name, some in systems.items() if len(systems) > 1]
    means = [part.estimate(name, float, places.sources) for name, part in parts if part.sound]
    means.sort(key=lambda one: -one.figures[0])
    found += [*means, *(one.less(other) for one, other in pairwise(means))]
    return tuple(one.line(entry, confidence) for one in found)


def _figures(entry: Judgements) -> Iterator[tuple[str, Value]]:
    """The figures of a judge by name, as the mean of numbers that judgements count as."""
    if entry.labels is None:
        yield "mean", float
    for label in entry.labels or ():
        yield f"share of {label}", label.__eq__
    texts = [label for label in entry.labels or () if label != entry.tie]
    if len(texts) == 2:  # noqa: PLR2004 - one of the two is better, or neither
        yield " less ".join(texts), lambda said: float(said == texts[0]) - (said == texts[1])


@dataclass(frozen=True)
class _Estimate:
    """A figure by PPI++, and what each source adds to its error."""

    of: str
    figures: Array
    """The figure as it is corrected, the judge's and people's."""
    counts: Array
    errors: Array
    share: Corrected | str | None = None

    def less(self, other: "_Estimate") -> "_Estimate":
        """The difference of two systems. Texts that share a source err together."""
        parts = self.figures - other.figures, self.counts + other.counts, self.errors - other.errors
        return _Estimate(f"{self.of} less {other.of}", *parts)

    def line(self, entry: Judgements, confidence: float) -> Correction:
        """The figure with its interval."""
        reach = stats.norm.ppf((1 + confidence) / 2) * sqrt((self.errors**2).sum())
        value, judge, people = self.figures.tolist()
        found = Corrected(value, float(value - reach), float(value + reach))
        labels, others = self.counts.tolist()
        return Correction(
            entry.judge, entry.aspect, self.of, labels, others, judge, people, found, self.share
        )


class _Sample:
    """Texts that a judge judged, of which people judged some; `source` has a number each."""

    def __init__(self, rows: Sequence[Judged], source: Array, confidence: float) -> None:
        self._rows, self._source, self._confidence = rows, source, confidence
        self.known = np.array([is_judgement(row.human) for row in rows], dtype=bool)

    @property
    def sound(self) -> bool:
        """True if people judged enough of them, and not all."""
        return bool(FEWEST <= self.known.sum() < len(self._rows))

    def part(self, places: Sequence[int]) -> "_Sample":
        """Some of the texts."""
        return _Sample([self._rows[place] for place in places], self._source[places], self._confidence)

    def estimate(self, of: str, value: Value, sources: int) -> _Estimate:
        """The mean of a value by PPI++, tuned as in its section 6."""
        human = np.array([value(row.human) for row in self._rows if is_judgement(row.human)], dtype=float)
        score = np.array([value(row.score) for row in self._rows if is_judgement(row.score)], dtype=float)
        known, ours, others = self.known, score[self.known], score[~self.known]
        n, more = counts = np.array([len(ours), len(others)])
        spread = np.var(score, ddof=1) * (1 + n / more)
        tuning = float(np.clip(np.cov(human, ours, ddof=0)[0, 1] / spread, 0, 1)) if spread else 0.0
        off, errors = human - tuning * ours, np.empty(len(score))
        errors[known], errors[~known] = (off - off.mean()) / n, tuning * (others - others.mean()) / more
        figures = np.array([off.mean() + tuning * others.mean(), score.mean(), human.mean()])
        of_sources = np.bincount(self._source, errors, sources)
        passes = np.isin([*human, *score], (0, 1)).all()
        share = self._share(human == 1, ours == 1, others == 1) if passes else None
        return _Estimate(of, figures, counts, of_sources, share)

    def _share(self, *passes: Array) -> Corrected | str:
        try:
            return rogan_gladen(*passes, confidence=self._confidence)
        except UsageError as error:
            return str(error)


def rogan_gladen(human: Array, ours: Array, others: Array, *, confidence: float = 0.95) -> Corrected:
    """The share of texts that pass, by the judge's sensitivity and specificity.

    `human` and `ours` say which labelled texts pass by people and by the judge, `others` which of the rest pass by the judge. Raises
    UsageError where people let all of them pass, or none, and where sensitivity and specificity are together not above 1.
    """
    z = stats.norm.ppf((1 + confidence) / 2)
    right = np.array([ours[human].sum(), (~ours[~human]).sum(), others.sum()])
    count, more = np.array([human.sum(), (~human).sum(), len(others)]), np.array([1, 1, z**2 / 2])
    if not count.all():
        raise UsageError("people have to let some of the labelled texts pass, and not all")
    # As they are; and for the interval with a success and a failure more of each rate, and more of the share.
    rates = np.array([right / count, (right + more) / (count + 2 * more)])
    youden = rates[:, 0] + rates[:, 1] - 1
    if youden.min() <= 0:
        told = f"sensitivity {rates[0, 0]:.3f} and specificity {rates[0, 1]:.3f}"
        raise UsageError(f"{told} are together not far enough above 1 to correct a share by them")
    value, middle = (rates[:, 2] + rates[:, 1] - 1) / youden
    spread = rates[1] * (1 - rates[1]) / (count + 2 * more)
    shift = 2 * z**2 * (middle * spread[0] - (1 - middle) * spread[1])
    reach = z * sqrt(spread @ [middle**2, (1 - middle) ** 2, 1]) / youden[1]
    return Corrected(*np.clip([value, middle + shift - reach, middle + shift + reach], 0, 1).tolist())
