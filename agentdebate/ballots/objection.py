"""Decide whether a critic agrees, which it does by the stop word alone, or objects.

DEBATE ends when the critic's feedback says NO ISSUE (its Algorithm 1, line 8; Appendix E.1 writes NO_ISSUES). Looking
for these letters anywhere would end debates on "I cannot say NO ISSUE". The rules, the first that applies decides:

1. Alone on the last line, or all of the last sentence, the stop word is agreement, whatever the reasons before it weigh:
   "The score was too high at first. NO ISSUE".
2. Elsewhere it is agreement as well ("I see NO ISSUE with this score", "NO ISSUE. The score is fair"), unless it is
   negated, under a condition, in a question, quoted, reported of somebody else, or about a part ("Grammar: no issue").
3. A plain demand for another score beside the stop word, or criticism of the score or a "but" after it, contradicts it: the
   critic has to say which of the two is meant. What lies behind ("I asked for a 2, and it is a 2 now") is not a demand.
4. A stop word that is only quoted or reported is asked about.
5. Every other reply is an objection, in whatever words: without the stop word nothing is agreement.

mention.py tells how a reply mentions the stop word, demand.py what it holds against a score, and critic_words.py has their words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agentdebate.ballots.critic_words import ADVERSATIVE, OPENING_ADVERSATIVE
from agentdebate.ballots.demand import demands, is_held_against, is_settled
from agentdebate.ballots.excerpt import Ends, excerpt
from agentdebate.ballots.fold import fold, spoken
from agentdebate.ballots.markup import without_struck
from agentdebate.ballots.mention import Mention, mentions_of, without_stop_word
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.plain_words import plain
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sentences import Phrase, Sentence, sentences_of
from agentdebate.tasks import Aspect

Sense = Literal["clear", "contradictory", "unclear"]
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
UNCLEAR = Objection(no_issue=False, reading="unclear")

_TOLD = {"quoted", "reported", "unsure"}
"""Mentions of the stop word that may be the critic's own: it is asked."""
_BESIDE = 3
"""Sentences before the stop word in which a plain demand contradicts it."""
_TURN = pattern(rf"\b(?:{ADVERSATIVE})\b|(?:^\W{{0,8}}|[,;:] ?|\band )(?:{OPENING_ADVERSATIVE})\b")
"""Words that set what follows them against the stop word."""


def read_objection(text: str, *, aspects: Sequence[Aspect] = ()) -> Objection | Problem:
    """Whether a critic's reply agrees or objects; a Problem where it is empty or declines to answer.

    The `aspects` debated tell a score that is proposed ("it should be 2") from other numbers. Raises nothing.
    """
    part = excerpt(spoken(text))
    if part.is_empty:
        return Problem("missing", "The reply is too long, in too long lines, to be read as a critique.")
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
    return UNCLEAR if any(mention.sense in _TOLD for mention in mentions) else OBJECTS


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
    """Whether what follows the stop word is criticism of the score, or is set against it ("but ...")."""
    following = [
        f"no {mention.after}",
        *(one.own_words for one in sentences[mention.at + 1 :] if not one.asks),
    ]
    said = [without_stop_word(one) for one in following]
    return any(_TURN.search(one) or _is_against(Phrase(one), aspects) for one in said)


def _is_against(said: Phrase, aspects: Sequence[Aspect]) -> bool:
    return is_held_against(said, aspects) or demands(said, aspects)


def _demanded_before(mention: Mention, sentences: Sequence[Sentence], aspects: Sequence[Aspect]) -> bool:
    """Whether a plain demand stands before the stop word, and no sentence between them says that it is settled."""
    if demands(Phrase(mention.before), aspects):
        return True
    before = [
        Phrase(one.own_words) for one in sentences[max(mention.at - _BESIDE, 0) : mention.at] if not one.asks
    ]
    for at, one in enumerate(reversed(before)):
        if at and is_settled(before[-at]):
            return False
        if demands(Phrase(without_stop_word(one.text)), aspects):
            return True
    return False
