"""Whether what a strategy ends with is a verdict on what it was given to judge."""

from collections.abc import Iterator, Sequence
from math import isfinite

from pydantic import ValidationError

from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import Rating
from agentdebate.codec import read
from agentdebate.errors import StrategyError
from agentdebate.talk.messages import Verdict
from agentdebate.wrong_values import in_words


def check_verdict(verdict: object, title: str, subject: Subject) -> Verdict:
    """The verdict, with its types checked. Raises StrategyError for what is no verdict, and for one that rates nothing, or something else than what is asked for.

    A verdict that abstains rates nothing. A single aspect may lack a rating, and scores that were computed need not lie on a
    scale.
    """
    if not isinstance(verdict, Verdict):
        raise StrategyError(f"{title} returned no verdict; end with floor.verdict(...)")
    try:
        found = read(Verdict, verdict)
    except ValidationError as error:
        raise StrategyError(f"{title} returned a verdict that is none: {in_words(error)}") from error
    problem = next(_problems(found, subject), None)
    if problem is not None:
        raise StrategyError(f"{title} returned a verdict that {problem}")
    return found


def _problems(verdict: Verdict, subject: Subject) -> Iterator[str]:
    """What is wrong with a verdict, the plainest first."""
    rated = [(rating.aspect, rating.candidate) for rating in verdict.ratings]
    if verdict.abstained and rated:
        yield f"abstains and rates {_names(verdict.ratings)}: it is one or the other"
    once = set(rated)
    if len(once) < len(rated) or not once.issubset(_asked(subject)) or not (rated or verdict.abstained):
        asked = [Rating(aspect=aspect, candidate=one, score=0.0) for aspect, one in _asked(subject)]
        yield f"rates {_names(verdict.ratings)}: it has to rate these, each once, or abstain: {_names(asked)}"
    for rating in verdict.ratings:
        if not isfinite(rating.score):
            yield f"gives {rating.score} for {rating.name}, which is not a finite number"
    strange = [winner for winner in verdict.winners if winner not in subject.order]
    if strange:
        yield f"names the winner {strange[0]!r}, which is not among the texts: {', '.join(subject.order) or 'none are compared'}"


def _asked(subject: Subject) -> list[tuple[str, str | None]]:
    """Everything that is to be rated: aspects, and of which texts where several are compared."""
    candidates: Sequence[str | None] = subject.order or (None,)
    return [(aspect.name, candidate) for aspect in subject.aspects for candidate in candidates]


def _names(ratings: Sequence[Rating]) -> str:
    return ", ".join(rating.name for rating in ratings) or "nothing"
