"""Kinds of ballot: how a judgement is asked for, read, and turned into ratings. Ours and those of packages are alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from agentdebate import plugins
from agentdebate.ballots.ballot import GROUP, OURS, Given, How, Rating, kind_registered, misrated
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.codec import checked
from agentdebate.errors import StrategyError, nearest
from agentdebate.tasks import Aspect
from agentdebate.visible import shortened

RATINGS = "ratings"
"""Name of a ballot of plain numbers where a kind of ballot is chosen."""
_LONGEST = 200
"""Characters of a wrong answer that an error shows."""


@dataclass(frozen=True, slots=True)
class BallotPaper:
    """Judgements that a reader found on a ballot: the judgement on each aspect, and the reason."""

    given: tuple[Given, ...]
    reason: str
    how: How = "text"
    ends: tuple[int, int] | None = None
    """Rule by which it was read."""


class BallotReader(Protocol):
    """Reads a reply. `structured` says that it was held to the schema, `cut_off` that it stopped at the length limit."""

    def __call__(
        self, text: str, spec: ReplySpec, *, structured: bool, cut_off: bool
    ) -> BallotPaper | Problem:
        """Read a ballot, or say why there is none. Raises nothing, whatever the text."""
        ...


@dataclass(frozen=True, slots=True)
class BallotKind:
    """A kind of ballot. `form` and `structured` are prompt parts by their names, or the texts of templates.

    It is asked for by its name in a purpose, `Purpose("vote", Score, "ranking")`, and by the option `ballot` of the strategies
    that have it.
    """

    name: str
    given: type[Given]
    """Class of its judgements."""
    read: BallotReader
    form: str
    """Required end of a reply in text."""
    structured: str = ""
    """Required form of a reply that is held to `schema`."""
    schema: Callable[[ReplySpec], dict[str, Any]] | None = None
    turn: str = "vote"
    """The turn prompt with which a single judge is asked for it."""
    compares: bool | None = None
    """True if it is about texts that are compared, false if about a single one; None where it can be about both."""
    alone: bool = False
    """True if it is about one aspect at a time."""
    judged: Callable[[Aspect], Aspect] = lambda aspect: aspect
    """An aspect as it is judged by such ballots: with the scale of the ratings that they come to, and without what leads to
    another one."""
    example: Callable[[ReplySpec, int], str] | None = None
    """A reply that can be read, for rehearsals; numbers that follow each other give others."""

    def asked(self, aspects: Sequence[Aspect]) -> tuple[Aspect, ...]:
        """The aspects as they are judged by such ballots, which is what a strategy's `asked` returns."""
        of = f"`judged` of the kind of ballot {self.name!r}"
        return tuple(plugins.call(of, self.judged, aspect) for aspect in aspects)

    def paper(
        self, text: str, spec: ReplySpec, *, structured: bool, cut_off: bool
    ) -> tuple[BallotPaper, tuple[Rating, ...]] | Problem:
        """Read a reply, with the ratings that it comes to.

        Raises StrategyError where the reader or what it found raises, and where the ratings are not those that are asked for.
        """
        reader = f"the reader of the kind of ballot {self.name!r}"
        paper = plugins.call(reader, self.read, text, spec, structured=structured, cut_off=cut_off)
        if isinstance(paper, Problem):
            return paper
        if not isinstance(paper, BallotPaper):
            raise StrategyError(
                f"{reader} returned {shortened(repr(paper), _LONGEST)}: it returns a BallotPaper or a Problem"
            )
        found = f"what {reader} found"
        given = plugins.call(found, lambda: tuple(map(checked, paper.given)))
        ratings = plugins.call(found, lambda: tuple(checked(one) for part in given for one in part.ratings))
        _check_ratings(ratings, spec, reader)
        return replace(paper, given=given), ratings

    def check(self, aspects: Sequence[Aspect], *, several: bool) -> None:
        """Raise StrategyError where such a ballot cannot be cast; `several` says that texts are compared."""
        if self.compares is not None and self.compares != several:
            wants = "texts that are compared" if self.compares else "a single text"
            has = "several that are compared" if several else "a single text"
            raise StrategyError(
                f"a ballot of the kind {self.name!r} is about {wants}, and the task has {has}"
            )
        if self.alone and len(aspects) > 1:
            raise StrategyError(
                f"a ballot of the kind {self.name!r} is about one aspect: judge one at a time"
            )
        strange = [aspect.name for aspect in aspects if self.judged(aspect) != aspect]
        if strange:
            raise StrategyError(
                f"{strange[0]} is not judged as a ballot of the kind {self.name!r} gives it: let the strategy's asked() return"
                f" ballot_kind({self.name!r}).asked(aspects)"
            )


def _check_ratings(ratings: Sequence[Rating], spec: ReplySpec, reader: str) -> None:
    """Raise StrategyError unless there is one rating for each line of the ballot, a number on its scale."""
    lines = {(line.rated, line.candidate): line for line in spec.lines}
    wrong = misrated(ratings, lines)
    if wrong:
        raise StrategyError(f"{reader} {wrong}")
    for rating in ratings:
        aspect = lines[rating.aspect, rating.candidate].aspect
        if not aspect.choice and not aspect.scale.low <= rating.score <= aspect.scale.high:
            raise StrategyError(
                f"{reader} gave {rating.score:g} for {rating.name}, which lies off its scale: {aspect.scale}; `judged` can give it another one"
            )


def ballot_kind(name: str) -> BallotKind:
    """The kind of ballot of that name: ours, or a package's. Raises StrategyError where there is none."""
    found = kind_registered(name)
    if found is None:
        raise StrategyError(f"there is no kind of ballot {name!r}. {nearest(name, kinds())}")
    if not isinstance(found, BallotKind):
        raise StrategyError(f"what a package registers as {name!r} under {GROUP} is not a BallotKind.")
    if found.name != name:
        raise StrategyError(
            f"the BallotKind that a package registers as {name!r} under {GROUP} is called {found.name!r}: give both one name."
        )
    return found


def kinds() -> tuple[str, ...]:
    """The names of all kinds of ballot, plain ratings first."""
    return tuple(dict.fromkeys((RATINGS, *OURS, *plugins.registered(GROUP))))
