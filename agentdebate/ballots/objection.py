"""Whether a critic objects to a score, or says the stop word.

DEBATE ends when the critic's feedback says NO ISSUE (its Algorithm 1, line 8; Appendix E.1 writes NO_ISSUES). Looking
for these letters anywhere would end debates on "I cannot say NO ISSUE". The rules, the first that applies decides:

1. Alone on the last line, or all of the last sentence, the stop word is agreement, whatever the reasons before it weigh:
   "The score was too high at first. NO ISSUE".
2. Elsewhere it is agreement as well ("I see NO ISSUE with this score", "NO ISSUE. The score is fair"), unless it is
   negated, under a condition, in a question, quoted, reported of somebody else, or about a part ("Grammar: no issue").
3. A plain demand for another score beside the stop word, or criticism of the score after it, contradicts it: the critic
   has to say which of the two is meant. What lies behind ("I asked for a 2, and it is a 2 now") is not a demand.
4. Agreement in other words ("The score is acceptable") is neither: the critic is asked to say it by the stop word.
5. Criticism of the score, a fault that nothing is set against, or the stop word only mentioned, is an objection.
6. Everything else says neither, and the critic is asked.

demand.py and fault.py tell what is held against a score, approval.py what is said for it, stance.py puts them together, and
critic_words.py has their words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from agentdebate.ballots.demand import demands, held_against, is_settled
from agentdebate.ballots.excerpt import Ends, excerpt
from agentdebate.ballots.fault import finds_fault
from agentdebate.ballots.fold import fold, spoken
from agentdebate.ballots.markup import without_struck
from agentdebate.ballots.mention import Mention, mentions_of, without_stop_word
from agentdebate.ballots.plain_words import plain
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.sentences import Phrase, Sentence, sentences_of
from agentdebate.ballots.stance import Remark, is_for, remarks_of, stance
from agentdebate.tasks import Aspect

Sense = Literal["clear", "contradictory", "in other words", "unclear"]
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
UNCLEAR = Objection(no_issue=False, reading="unclear")

_AGAINST = {"conditional", "question", "part"}
"""Mentions of the stop word that an objection leads to: a judge that agrees says it."""
_BESIDE = 3
"""Sentences before the stop word in which a plain demand contradicts it."""


def read_objection(text: str, *, aspects: Sequence[Aspect] = ()) -> Objection | Problem:
    """Whether a critic's reply agrees or objects; a Problem where it is empty or declines to answer.

    The `aspects` debated tell a score that is proposed ("it should be 2") from other numbers. Raises nothing.
    """
    part = excerpt(spoken(text))
    if part.is_empty:
        return Problem("too_long", "The reply is too long, in too long lines, to be read as a critique.")
    said = without_struck(part.text)
    if said != part.text and not any(map(str.isalnum, said)):
        return UNCLEAR
    found = _read(fold(said), aspects)
    return found if isinstance(found, Problem) or part.ends is None else replace(found, ends=part.ends)


def _read(said: str, aspects: Sequence[Aspect]) -> Objection | Problem:
    sentences = sentences_of(plain(said))
    if not sentences:
        return Problem("nothing", "The reply was empty: it neither agrees nor objects.")
    mentions = list(mentions_of(sentences))
    mention = _deciding(mentions)
    if mention is not None:
        return CONTRADICTS if _contradicted(mention, sentences, aspects) else AGREES
    if not mentions and declines(said):
        return Problem("refusal", "The reply declined to answer: it neither agrees nor objects.")
    return _by_other_words(mentions, sentences, aspects)


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
    return _is_taken_back(mention, sentences, aspects) or _demanded_before(mention, sentences, aspects)


def _is_taken_back(mention: Mention, sentences: Sequence[Sentence], aspects: Sequence[Aspect]) -> bool:
    """Whether what follows the stop word is criticism of the score, or sets a fault against it ("but ...")."""
    following = [
        f"no {mention.after}",
        *(one.own_words for one in sentences[mention.at + 1 :] if not one.asks),
    ]
    remarks = [remark for one in following for remark in remarks_of(_without(one))]
    if any(held_against(one.said, aspects).still or demands(one.said, aspects) for one in remarks):
        return True
    return any(_is_set_against(one, aspects) for one in remarks)


def _is_set_against(remark: Remark, aspects: Sequence[Aspect]) -> bool:
    return remark.weight == "turn" and finds_fault(remark.said) and not is_for(remark.said, aspects)


def _demanded_before(mention: Mention, sentences: Sequence[Sentence], aspects: Sequence[Aspect]) -> bool:
    """Whether a plain demand stands before the stop word, and no sentence between them says that it is settled."""
    if demands(Phrase(mention.before), aspects):
        return True
    before = [
        Phrase(one.own_words) for one in sentences[max(mention.at - _BESIDE, 0) : mention.at] if not one.asks
    ]
    for at, one in enumerate(reversed(before)):
        if at and (is_for(before[-at], aspects) or is_settled(before[-at])):
            return False
        if demands(_without(one.text), aspects):
            return True
    return False


def _by_other_words(
    mentions: Sequence[Mention], sentences: Sequence[Sentence], aspects: Sequence[Aspect]
) -> Objection:
    """What a reply comes to that does not say the stop word, or only speaks of it."""
    if any(mention.sense == "negated" for mention in mentions):
        return OBJECTS
    found = stance(chain.from_iterable(map(_remarks, sentences)), aspects)
    if found == "unknown":
        spoken_of = any(mention.sense in _AGAINST for mention in mentions)
        return OBJECTS if spoken_of or any(one.asks for one in sentences) else UNCLEAR
    return IN_OTHER_WORDS if found == "for" else OBJECTS


def _remarks(sentence: Sentence) -> Iterator[Remark]:
    return iter(()) if sentence.asks else remarks_of(_without(sentence.own_words))


def _without(sentence: str) -> Phrase:
    return Phrase(without_stop_word(sentence))
