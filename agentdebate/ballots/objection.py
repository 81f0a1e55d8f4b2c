"""Whether a critic objects to a score, or says the stop word.

DEBATE ends when the critic's feedback says NO ISSUE (its Algorithm 1, line 8; Appendix E.1 writes NO_ISSUES). Looking
for these letters anywhere would end debates on "I cannot say NO ISSUE". The rules, the first that applies decides:

1. Alone on the last line, or all of the last sentence, the stop word is agreement, whatever the reasons before it weigh:
   "The score was too high at first. NO ISSUE".
2. Elsewhere it is agreement as well ("I see NO ISSUE with this score", "NO ISSUE. The score is fair"), unless it is
   negated, under a condition, in a question, quoted, reported of somebody else, or about a part ("Grammar: no issue").
3. A plain demand for another score beside the stop word, or criticism of the score after it, contradicts it: the critic
   has to say which of the two is meant. What lies behind ("I asked for a 2, and it is a 2 now") is no demand.
4. Agreement in other words ("The score is acceptable") is neither: the critic is asked to say it by the stop word.
5. Everything else is an objection.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agentdebate.ballots.demand import approves, criticises, demands, objected
from agentdebate.ballots.excerpt import Ends, excerpt
from agentdebate.ballots.fold import fold, spoken
from agentdebate.ballots.mention import STOP_WORD, Mention, mentions_of
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.sentences import Sentence, sentences_of
from agentdebate.tasks import Aspect

Sense = Literal["clear", "contradictory", "in other words"]
"""Whether a reply says plainly which of the two it is; if not, what keeps it from that."""


@dataclass(frozen=True, slots=True)
class Objection:
    """What a critic's reply comes to: agreement or an objection, and whether it says so plainly.

    `ends` is as in ballot.Reading: how much of a very long reply was read.
    """

    no_issue: bool
    reading: Sense = "clear"
    ends: Ends | None = None


AGREES = Objection(no_issue=True)
OBJECTS = Objection(no_issue=False)
CONTRADICTS = Objection(no_issue=False, reading="contradictory")
IN_OTHER_WORDS = Objection(no_issue=True, reading="in other words")


def read_objection(text: str, *, aspects: Sequence[Aspect] = ()) -> Objection | Problem:
    """Whether a critic's reply agrees or objects; a Problem where it is empty or declines to answer.

    The `aspects` debated tell a score that is proposed ("it should be 2") from other numbers. Raises nothing.
    """
    part = excerpt(spoken(text))
    if part.is_empty:
        return Problem("too_long", "The reply is too long, in too long lines, to be read as a critique.")
    found = _read(fold(part.text), aspects)
    return found if isinstance(found, Problem) or part.ends is None else replace(found, ends=part.ends)


def _read(said: str, aspects: Sequence[Aspect]) -> Objection | Problem:
    sentences = sentences_of(said)
    if not sentences:
        return Problem("nothing", "The reply was empty: it neither agrees nor objects.")
    mention = _deciding(mentions_of(sentences))
    if mention is not None:
        return CONTRADICTS if _contradicted(mention, sentences, aspects) else AGREES
    if _agrees_in_other_words(sentences, aspects):
        return IN_OTHER_WORDS
    if declines(said):
        return Problem("refusal", "The reply declined to answer: it neither agrees nor objects.")
    return OBJECTS


def _deciding(mentions: Iterable[Mention]) -> Mention | None:
    """The last mention that says the stop word, unless a later one denies it."""
    said = None
    for mention in mentions:
        if mention.sense in {"alone", "said"}:
            said = mention
        elif mention.sense == "negated":
            said = None
    return said


def _contradicted(mention: Mention, sentences: Sequence[Sentence], aspects: Sequence[Aspect]) -> bool:
    """Whether a plain demand stands beside the stop word, or criticism of the score follows it."""
    following = [mention.after, *(one.own_words for one in sentences[mention.at + 1 :])]
    if any(_without(one) and criticises(_without(one), aspects) for one in following):
        return True
    beside = [mention.before, *(one.own_words for one in sentences[max(mention.at - 1, 0) : mention.at])]
    return any(demands(one, aspects, still=True) for one in beside)


def _without(sentence: str) -> str:
    return STOP_WORD.sub(" ", sentence)


def _agrees_in_other_words(sentences: Sequence[Sentence], aspects: Sequence[Aspect]) -> bool:
    """Whether a reply says that the score may stand, without the stop word and without anything against it."""
    own = [_without(one.own_words) for one in sentences if not one.asks]
    return any(map(approves, own)) and not any(_is_against(one, aspects) for one in own)


def _is_against(sentence: str, aspects: Sequence[Aspect]) -> bool:
    against = objected(sentence).strip(" ,")
    return criticises(sentence, aspects) or (bool(against) and not approves(against))
