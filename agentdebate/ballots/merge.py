"""Merging ballots into one set of ratings. Pure functions that say what they did with what was missing.

A merge is looked up by its name: ours (merges.py) and those of other packages come through the same door. Here is what holds
for all of them: a missing ballot is left out and counted, and is never a score; fewer ballots than the quorum is a Shortage,
not a result; and what a merge gives is checked.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import isabstract
from math import isfinite
from statistics import pstdev
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from agentdebate import plugins
from agentdebate.ballots.ballot import Ballot, Rating, misrated
from agentdebate.codec import checked
from agentdebate.errors import AgentDebateError, MergeFailed, UsageError
from agentdebate.options import OptionKind, check_names, read_options
from agentdebate.tasks import Aspect, Scale
from agentdebate.wrong_values import WrongValue

GROUP = "agentdebate.merges"
"""The entry-point group under which merges are registered, ours included: a function, or a MergeRule."""

RULE = "rule"
"""The key that names the merge, where its options are given too."""

Merge = str | Mapping[str, Any]
"""Choice of a merge: the name of a merge, or a table of its name, under `rule`, and its options."""

_ROUNDING = 1e-9
"""Share of its size by which a score may lie off its scale, where floats were rounded. It is put back on it."""


@dataclass(frozen=True, slots=True)
class Column:
    """Scores that ballots give one thing, in their order: an aspect of the text, or of one of several candidates."""

    aspect: str
    candidate: str | None
    scores: tuple[float, ...]
    weights: tuple[float, ...]
    """Weight of each score: 1 where no weights were given."""
    confidences: tuple[float | None, ...]
    """Confidence of each ballot, from 0 to 1; None where it does not say."""
    scale: Scale | None = None
    """The scale of the aspect, where it is known."""

    def rating(self, score: float) -> Rating:
        """The rating of this thing with that score."""
        return Rating(aspect=self.aspect, candidate=self.candidate, score=score)


@dataclass(frozen=True, slots=True)
class MergeContext:
    """Facts beside the ballots. `agents`, `weights` and `confidences` go with the ballots, one each."""

    aspects: tuple[Aspect, ...] = ()
    """Aspects that are rated, with their scales; empty where that is not known."""
    agents: tuple[str, ...] = ()
    """Agent that cast each ballot; empty where that is not known."""
    weights: tuple[float, ...] = ()
    """Weight of each ballot; empty where no weights were given, and for a merge that takes none."""
    confidences: tuple[float | None, ...] = ()
    """Confidence of each ballot, from 0 to 1, in the place of what the ballots say themselves; empty to take that."""
    quorum: int = 1
    """Least number of ballots."""
    missing: int = 0
    """Number of ballots that could not be had. They are not among the ballots."""
    rounds: int = 0
    """Number of rounds that were held; 0 where that is not known."""
    partial: bool = False
    """True if ballots may lack ratings: each thing is then merged from those that rate it."""

    def counting(
        self, ballots: Sequence[Ballot | None], weights: Sequence[float] | None, quorum: int
    ) -> "MergeContext":
        """The context of the ballots that are there. `weights`, and what it holds for each, go with all of `ballots`.

        Raises UsageError for weights that are not one a ballot, not finite, negative or all zero.
        """
        there = [place for place, ballot in enumerate(ballots) if ballot is not None]
        sure = self.confidences or tuple(map(_confidence, ballots))
        given = () if weights is None else _finite(weights, len(ballots))
        return replace(
            self,
            agents=tuple(self.agents[place] for place in there) if self.agents else (),
            weights=tuple(given[place] for place in there) if given else (),
            confidences=tuple(sure[place] for place in there),
            quorum=max(quorum, 1),
            missing=len(ballots) - len(there),
        )

    def columns(self, ballots: Sequence[Ballot]) -> tuple[Column, ...]:
        """Arrange the ballots in columns, one for each thing that was rated, in the order of the first ballot.

        Raises UsageError for ballots that do not rate the same things, unless they may be partial.
        """
        cells = _cells(ballots, partial=self.partial)
        weights = self.weights or (1.0,) * len(ballots)
        confidences = self.confidences or (None,) * len(ballots)
        scales = {aspect.name: aspect.scale for aspect in self.aspects if not aspect.choice}
        return tuple(
            Column(
                aspect,
                candidate,
                tuple(column.values()),
                tuple(weights[place] for place in column),
                tuple(confidences[place] for place in column),
                scales.get(aspect),
            )
            for (aspect, candidate), column in cells.items()
        )


_Thing = tuple[str, str | None]
"""An aspect, and the candidate where several are compared."""


def _cells(ballots: Sequence[Ballot], *, partial: bool) -> dict[_Thing, dict[int, float]]:
    """For each thing, the score of every ballot that rates it, by the ballot's place."""
    rated = ballots if partial else ballots[:1]
    cells: dict[_Thing, dict[int, float]] = {
        (rating.aspect, rating.candidate): {} for ballot in rated for rating in ballot.ratings
    }
    for place, ballot in enumerate(ballots):
        scores = {(rating.aspect, rating.candidate): rating.score for rating in ballot.ratings}
        if not partial and scores.keys() != cells.keys():
            raise UsageError(
                f"these ballots do not rate the same things: {sorted(map(str, scores))} and {list(cells)}"
            )
        for thing, score in scores.items():
            cells[thing][place] = score
    return cells


def _confidence(ballot: Ballot | None) -> float | None:
    return ballot.confidence.value if ballot and ballot.confidence else None


def _finite(weights: Sequence[float], ballots: int) -> tuple[float, ...]:
    given = tuple(weights)
    if len(given) != ballots:
        raise UsageError(f"{ballots} ballots need as many weights, not {len(given)}")
    if any(not isfinite(weight) or weight < 0 for weight in given) or (given and not any(given)):
        raise UsageError(
            f"weights are finite, not negative, and not all of them zero; these are {', '.join(map(str, given))}"
        )
    return given


MergeFunction = Callable[[Sequence[Ballot], MergeContext], Iterable[Rating]]
"""Ballots that are all there, and what is known beside them, to one rating for each thing that they rate."""

Weights = Literal["unused", "optional", "required"]
"""Use that a merge makes of weights."""


class MergeRule(BaseModel, ABC):
    """A merge with options: its fields are the options, and it is called with the ballots and their context.

    A merge without options can be a plain function. Either is pure: the same ballots give the same ratings, and the
    order of the ballots decides nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    weights: ClassVar[Weights] = "unused"
    """Use that it makes of the weights of ballots. Weights that do not count are refused by the strategies."""

    @abstractmethod
    def __call__(self, ballots: Sequence[Ballot], context: MergeContext) -> Iterable[Rating]:
        """One rating for each of `context.columns(ballots)`: `column.rating(score)`, on the column's scale."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A merge as it is used: its name, its options, and what merges."""

    name: str
    merge: MergeFunction
    weights: Weights = "unused"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value}" for name, value in sorted(self.options.items()))
        return f"{self.name} ({told})" if told else self.name


def rule_of(how: Merge | Rule) -> Rule:
    """The merge of that name, with its options. Raises UsageError for an unknown one, and for a wrong option.

    A caller that merges often looks it up once: the search for packages takes longer than a merge.
    """
    if isinstance(how, Rule):
        return how
    name, options = _named(how)
    point = plugins.find(GROUP, name, f"there is no merge {name!r}")
    found, of = plugins.load(point), f"merge {name!r}"
    if isinstance(found, type) and issubclass(found, MergeRule):
        if isabstract(found):
            raise UsageError(f"{of} is {point.value}, a MergeRule that merges nothing: give it a __call__.")
        return Rule(name, read_options(found, options, of=of), found.weights, options)
    if isinstance(found, type) or not callable(found):
        raise UsageError(f"{of} is {point.value}, which is neither a function nor a MergeRule")
    check_names(options, (), of=of)
    return Rule(name, found)


def _named(how: Merge) -> tuple[str, dict[str, Any]]:
    """The name of a merge, and its options."""
    if isinstance(how, str):
        return how, {}
    options = dict(how)
    name = options.pop(RULE, None)
    if not isinstance(name, str):
        raise UsageError(f"a merge with options is a table with its name under {RULE!r}, and has none here")
    return name, options


def _known(how: Merge) -> Merge:
    try:
        rule_of(how)
    except UsageError as error:  # pydantic makes ValueErrors into errors that name the key
        raise ValueError(str(error)) from error
    return how


MergeOption = Annotated[Merge, AfterValidator(_known), OptionKind.TEXT]
"""The option of a strategy that names a merge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Spread of the ballots on one rating: their number, range and standard deviation."""

    aspect: str
    candidate: str | None = None
    ballots: int
    lowest: float
    highest: float
    deviation: float
    """Population standard deviation, in units of the scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Ballots merged: the ratings, how many ballots counted and how many were missing, and their spread."""

    ratings: tuple[Rating, ...]
    counted: int
    missing: int
    spread: tuple[Spread, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage:
    """Fewer ballots than the quorum, or none that has a weight: nothing was merged."""

    counted: int
    missing: int
    quorum: int
    weightless: bool = False
    """Tell whether there were ballots enough, and all of them had the weight 0."""

    def __str__(self) -> str:
        read = f"{self.counted} of {self.counted + self.missing} ballots could be read"
        return (
            f"{read}, and none of them has a weight"
            if self.weightless
            else f"{read}; the quorum is {self.quorum}"
        )


def merge(
    ballots: Sequence[Ballot | None],
    how: Merge | Rule = "average",
    *,
    weights: Sequence[float] | None = None,
    quorum: int = 1,
    partial: bool = False,
    context: MergeContext | None = None,
) -> Merged | Shortage:
    """Merge ballots; None stands for one that is missing. `weights` go with the ballots, one each.

    `how` is the name of a merge, or a table of its name, under `rule`, and its options. `partial` ballots may lack ratings, and
    each thing is merged from those that rate it. `context` is what is known beside the ballots: a merge may want it, and
    scores are checked against the scales of its aspects. A merge that takes no weights passes them over. Where only
    ballots of the weight 0 are left, that is a Shortage too. Raises UsageError for a merge
    that does not exist, for weights that are not one a ballot, not finite, negative or all zero, and for ballots that do not
    rate the same things; and MergeFailed where a merge raises, or gives something that is not a rating.
    """
    rule, given = rule_of(how), replace(context or MergeContext(), partial=partial)
    known = given.counting(ballots, weights if rule.weights != "unused" else None, quorum)
    there = [ballot for ballot in ballots if ballot is not None]
    short = shortage(known, len(there))
    if short is not None:
        return short
    columns = known.columns(there)
    ratings = _checked(rule, _merged(rule, there, known), columns)
    spread = tuple(_spread(column) for column in columns)
    return Merged(ratings=ratings, counted=len(there), missing=known.missing, spread=spread)


def shortage(context: MergeContext, ballots: int) -> Shortage | None:
    """Find what keeps so many ballots from a result: they are fewer than the quorum, or all of them have the weight 0."""
    weightless = bool(context.weights) and not any(context.weights)
    if ballots >= context.quorum and not weightless:
        return None
    enough = ballots >= context.quorum
    return Shortage(
        counted=ballots, missing=context.missing, quorum=context.quorum, weightless=enough and weightless
    )


def _merged(rule: Rule, ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
    """Call the merge. Raises MergeFailed for what it raises, but for an error of ours."""
    try:
        given = rule.merge(ballots, context)
        return list(given) if isinstance(given, Iterable) else [given]
    except AgentDebateError:
        raise
    except Exception as error:
        raise MergeFailed(f"merge {rule.name!r} raised {type(error).__name__}: {error}") from error


def _checked(rule: Rule, given: Sequence[object], columns: Sequence[Column]) -> tuple[Rating, ...]:
    """One rating for each column, in their order. Raises MergeFailed where the merge gave anything else."""
    ratings = list[Rating]()
    try:
        for one in given:
            if not isinstance(one, Rating):
                raise MergeFailed(
                    f"merge {rule.name!r} gave {one!r}: a merge gives ratings, column.rating(score)"
                )
            ratings.append(checked(one))
    except WrongValue as error:
        raise MergeFailed(f"merge {rule.name!r} gave {error}") from error
    wrong = misrated(ratings, ((column.aspect, column.candidate) for column in columns))
    if wrong:
        raise MergeFailed(f"merge {rule.name!r} {wrong}")
    found = {(rating.aspect, rating.candidate): rating for rating in ratings}
    return tuple(_on_scale(rule, found[column.aspect, column.candidate], column) for column in columns)


def _on_scale(rule: Rule, rating: Rating, column: Column) -> Rating:
    """The rating, if its score is neither below nor above all that it may be, where the scale is known."""
    if column.scale is None:
        return rating
    low, high = min(column.scale.low, *column.scores), max(column.scale.high, *column.scores)
    slack = _ROUNDING * max(abs(low), abs(high))
    if not low - slack <= rating.score <= high + slack:
        raise MergeFailed(
            f"merge {rule.name!r} gave {rating.score:g} for {rating.name}, which lies off its scale: {column.scale}"
        )
    within = min(max(rating.score, low), high)
    return rating if within == rating.score else column.rating(within)


def _spread(column: Column) -> Spread:
    return Spread(
        aspect=column.aspect,
        candidate=column.candidate,
        ballots=len(column.scores),
        lowest=min(column.scores),
        highest=max(column.scores),
        deviation=pstdev(column.scores),
    )
