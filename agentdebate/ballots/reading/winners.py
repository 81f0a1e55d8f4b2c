"""What stands before a name and makes it the choice: "Winner: B", "the better answer is A", "I prefer B"."""

from collections.abc import Sequence

from agentdebate.ballots.reading.beside import before_reminder, is_joined, is_key, opens_entry
from agentdebate.ballots.reading.choice_words import (
    ACTING,
    BEST_NOUNS,
    BETTER,
    CHOOSING,
    INFERIOR,
    JUDGING,
    SUBJECTS,
    VOW_LEAD,
    WINNER_LEAD,
    WINNERS,
)
from agentdebate.ballots.reading.lexicon import AUXILIARIES, NEGATION, PARTS
from agentdebate.ballots.reading.names import NOUNS, PLAYER, is_owner, named
from agentdebate.ballots.reading.noun_phrase import is_chosen, is_described, is_named_so
from agentdebate.ballots.reading.placement import OPEN
from agentdebate.ballots.reading.predicates import predicate
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality
from agentdebate.ballots.reading.vetoes import clause_before, finality_of, is_attribute, is_kept, joins_others
from agentdebate.ballots.withdrawal import WITHDRAWN
from agentdebate.ballots.words import words_of

_Found = tuple[Rule, Finality]
_REACH = 12
ENDS = frozenset("\n.,;!)]\"'|-(:") | words_of(
    "because since as over due for given on overall instead is with here"
)


def winner_of(words: Sequence[str], at: int, end: int) -> _Found | None:
    """A noun for what is chosen that is tied to the name: "Winner: B", "the better answer is A"."""
    i, tied = at - 1, False
    while i >= 0 and at - i <= _REACH and (words[i] in WINNER_LEAD or words[i] in OPEN or _is_made(words, i)):
        tied |= words[i] in _TYING
        i -= 1
    noun = before_reminder(words, i)
    if words[at - 1] == ":" and (kept := _of_kept(words, at, end)) is not None:
        return kept
    if noun > 0 and words[noun] in _STANDINGS and "my" in words[max(noun - 3, 0) : noun] and tied:
        return "winner", finality_of(words, at, Finality.PROSE)
    if noun < 0 or (
        words[noun] not in WINNERS and not (words[noun] in NOUNS and _is_better_noun(words, noun))
    ):
        return _output(words, at, end)
    if is_key(words, at, end) or (
        words[end : end + 1] and words[end] not in ENDS - {"is"} and not opens_entry(words, end)
    ):
        return None
    if (
        not (tied or _is_kept_vote(words, noun) or _is_all_leaning(words, noun))
        or is_joined(words, at, end)
        or not is_chosen(words, noun)
    ):
        return None
    return _of_phrase(words, noun, at)


_TYING = words_of(": = is goes falls remains stays lies → - es ist be est geht va e") | {"\n"}
"""Between a noun for what is chosen and a name, these tie the two."""


def _of_phrase(words: Sequence[str], noun: int, at: int) -> _Found | None:
    """The choice by a noun that is tied to a name, unless the words before the noun deny it or make it provisional."""
    start = noun
    while start > 0 and noun - start < _PHRASE - 1 and words[start - 1] not in _PHRASE_ENDS:
        start -= 1
    phrase = words[start : noun + 1]
    if not NEGATION.isdisjoint(phrase) or not _PROVISIONAL.isdisjoint(phrase):
        return None
    if any("f" in PARTS.get(word, "") for word in phrase[:-1]):
        return "winner", Finality.FINAL
    own_line = start == 0 or words[start - 1] == "\n"
    colon = not {":", "\n"}.isdisjoint(words[noun:at])
    return "winner", Finality.FORM if own_line or colon else finality_of(words, at, Finality.PROSE)


_PHRASE = 5
"""Words of a noun for what is chosen, with those before it that say which one it is."""
_PHRASE_ENDS = frozenset("\n.;,")


_STANDINGS = words_of("position stance view mind stand money bet ballot")
"""Of the judge's own: what they are is its choice."""


def _of_kept(words: Sequence[str], at: int, end: int) -> _Found | None:
    """A name alone behind a clause and a colon: the judge still holds it, or holds it with others."""
    start = sentence_start(words, at)
    label = words[start : at - 1]
    over = end >= len(words) or words[end] in SENTENCE_ENDS
    return (
        ("winner", Finality.FORM)
        if over and (is_kept(label) or joins_others(list(reversed(label))))
        else None
    )


_KEEPING = words_of("second support renew repeat keep stand maintain cast stick give")
"""Verbs with a vote as their object: "I keep my vote for B"."""


def _is_kept_vote(words: Sequence[str], noun: int) -> bool:
    """Whether a verb before a noun for the choice has it for its object; in "the second referee" there is none."""
    return any(words[i] in _KEEPING and words[i - 1 : i] != ["the"] for i in range(max(noun - 4, 0), noun))


def _is_all_leaning(words: Sequence[str], noun: int) -> bool:
    """Whether a sentence says no more than which text is preferred, and how much: "Slight preference for A"."""
    start = sentence_start(words, noun)
    leaning = words[noun] in {"preference", "edge", "nod"} and words[noun + 1] in {"for", "to"}
    return leaning and _DEGREES.issuperset(words[start:noun])


_DEGREES = words_of("a my slight small strong clear mild weak marginal narrow definite overall")
_PROVISIONAL = words_of(
    "initial previous first-round earlier original preliminary provisional tentative former old draft before early interim impression prior runner example sample expected rejected possible predicted hypothetical"
)
"""In a label: what it names is not the last word."""


def is_provisional_form(words: Sequence[str], at: int) -> bool:
    """Whether a label before a name in brackets says that it is not the last word, or another: "Draft: [[A]]", "Shorter answer: [[A]]"."""
    i = at - 1
    while i >= 0 and words[i] in OPEN:
        i -= 1
    if words[i : i + 1] != [":"]:
        return False
    return is_described(words, at) or not (_PROVISIONAL | _DESCRIBING).isdisjoint(words[max(i - 3, 0) : i])


_DESCRIBING = INFERIOR | words_of("more less least second third last next loser")
"""Before a colon: the text that follows has this, and is not chosen."""


def is_amended(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a name replaces another one that was written by mistake: "I wrote A, but I meant B", "I said A, but it should be B"."""
    if not (end >= len(words) or words[end] in SENTENCE_ENDS or words[end] == ","):
        return False
    if at == 0 or words[at - 1] not in _MEANING:
        return False
    i = at - 1
    while i >= 0 and at - i <= _AMENDING and words[i] in _MEANING:
        i -= 1
    start = sentence_start(words, at)
    said = not _SAYING.isdisjoint(words[start:at]) and any(
        named(word) not in (None, named(words[at])) for word in words[start:at]
    )
    return said and (
        WITHDRAWN in words[i:at]
        or list(words[at - 2 : at]) in (["should", "be"], ["should", "read"], ["one", "is"])
    )


_AMENDING = 6
_MEANING = words_of("to write say put type read be is it should the : that") | {WITHDRAWN}
_SAYING = words_of(
    "wrote said put typed written named had gave answered mistakenly correction winner verdict choice answer vote"
)


def _is_made(words: Sequence[str], i: int) -> bool:
    """Whether a noun only says what a named text is: "the response from Assistant 1"."""
    return words[i] in NOUNS and words[i + 1] in {"of", "from", "by", "given", "provided"}


def _is_better_noun(words: Sequence[str], i: int) -> bool:
    before = list(words[max(i - 3, 0) : i])
    if "of" in before:
        # "the stronger of the two answers"
        i -= len(before) - before.index("of")
        return words[i - 1] in BETTER | BEST_NOUNS
    return not set(before[-2:]).isdisjoint(BETTER | BEST_NOUNS)


def _output(words: Sequence[str], at: int, end: int) -> _Found | None:
    """A form of one line: "Output: 2" in a line of its own, where the noun is what texts are called."""
    line = at - 2
    if line < 0 or words[at - 1] not in {":", "="} or words[line] not in _LINE_NOUNS:
        return None
    final = words[line] in _LAST_WORDS
    while line > 0 and words[line - 1] in _FINAL_ADJECTIVES:
        line -= 1
        final |= words[line] == "final"
    if (line == 0 or words[line - 1] in {"\n", "§", "."}) and (
        end >= len(words)
        or words[end] == "\n"
        or (words[end] == "." and words[end + 1 : end + 2] in ([], ["\n"]))
        or (words[end] in {".", ","} and list(words[end + 1 : end + 3]) == list(words[at - 2 : at]))
    ):
        return "winner", Finality.FINAL if final else Finality.FORM
    return None


_LINE_NOUNS = NOUNS | words_of("edit update final revised updated corrected now line preference overall")
"""What a line of one name may be labelled with: "Output: 2", "Bottom line: B"."""
_LAST_WORDS = words_of("edit update final revised updated corrected now")
"""Labels of their own: "Final: B"."""
_FINAL_ADJECTIVES = words_of("final my the selected chosen overall winning recommended preferred bottom")


def vow(  # noqa: PLR0911 - one for each thing that keeps a verb from choosing
    words: Sequence[str], at: int, end: int
) -> Finality | None:
    """How final it is that the judge chooses the name that a verb has for its object; None where it does not."""
    i = at - 1
    while i >= 0 and at - i <= _REACH and not _is_vowing(words, i):
        if words[at - 1] == "to" and named(words[i]) is not None and words[i - 1] == "from":
            i -= 2
            continue
        if named(words[i]) is not None or (words[i] not in VOW_LEAD and not _in_phrase(words, i, at)):
            return None
        i -= 1
    if i < 0 or at - i > _REACH or not _is_own(words, i) or (words[i] in _TURNING and words[at - 1] != "to"):
        return None
    if (
        is_key(words, at, end)
        or _is_shared(words[end : end + 2])
        or _is_worse(words[end : end + 3])
        or is_named_so(words, end)
    ):
        return None
    if (words[i] in _SCORING and _is_scored(words[end : end + 4])) or _is_for_part(words, end):
        return None
    if _is_no_object(words, i, end) or is_joined(words, at, end):
        return None
    if words[i] in JUDGING:
        return predicate(words, end, judged=True)
    if (is_owner(words[at]) and end == at + 1) or _is_limited(words, i, at, end):
        return Finality.HINT
    return Finality.PROSE


def _is_shared(follow: Sequence[str]) -> bool:
    """Whether another name or key is joined to a name."""
    joined = len(follow) > 1 and follow[0] in {"or", "and", "/"}
    return joined and (named(follow[1]) is not None or (len(follow[1]) == 1 and follow[1] != "i"))


def _is_worse(follow: Sequence[str]) -> bool:
    """Whether what follows a name behind a label calls it worse: "Vote: A is worse"."""
    return follow[:1] == ["is"] and not _WORSE.isdisjoint(follow)


_WORSE = words_of("worse weaker inferior worst weakest")


def _is_for_part(words: Sequence[str], end: int) -> bool:
    """Whether a choice is for one thing, and another text is chosen for another: "I prefer A for its order, but B for its words"."""
    last = sentence_end(words, end)
    later = next((i for i in range(end, last) if named(words[i]) is not None), last)
    return (
        words[end : end + 1] == ["for"]
        and "but" in words[end:later]
        and words[later + 1 : later + 2] == ["for"]
    )


_SCORING = words_of("give giving award rate rank see find judge put")
"""Verbs that give a text a score as well: "I give B a 3" does not choose it."""


def _is_scored(behind: Sequence[str]) -> bool:
    return any(word.isdigit() for word in behind[:2]) or (
        behind[:1] in (["a"], ["an"], ["the"])
        and not {"score", "rating", "grade", "mark"}.isdisjoint(behind[1:])
    )


def _is_no_object(words: Sequence[str], verb: int, end: int) -> bool:
    """Whether a name is not what the verb chooses: "I would pick A apart", "I choose to begin with A"."""
    wished = words[verb] in _CHOOSING_IF_WISHED or words[verb - 1] == "rather"
    if wished and words[verb] not in CHOOSING and words[end : end + 1] and words[end] not in _BEHIND_WISHED:
        return True
    return words[end : end + 1] == ["apart"] or (words[verb + 1] == "to" and words[verb + 2] in _DOING)


def _is_limited(words: Sequence[str], verb: int, at: int, end: int) -> bool:
    """Whether a choice is one for a case or in a respect: "for a bedtime reading", "where style counts", "the title of B"."""
    behind = words[end : end + 2]
    case = behind[:1] != [] and (
        behind[0] in _CASES or (behind[0] == "for" and behind[1:2] in (["a"], ["an"], ["those"]))
    )
    part = is_attribute(words, at) and "the" in words[verb:at] and words[verb] not in JUDGING
    return case or part


_DOING = words_of("begin start read look compare check turn see examine")
"""Verbs of what the judge chooses to do, which is not a choice of a text."""
_CASES = words_of("where when if unless provided")
_TURNING = words_of("change switch move revise switching switched shifting shift changing")
"""Verbs of what a vote turns to."""


def _is_vowing(words: Sequence[str], i: int) -> bool:
    """Whether a word is a verb of choosing; "my vote" and "Vote:" are nouns."""
    if words[i] == "vote":
        left = words[i - 1] if i else "\n"
        return left not in {"my", "the", "a"} and (
            words[i + 1] not in {":", "="} or left in {"i", "we", "would"}
        )
    if words[i - 1 : i] == ["rather"] and not _WISHING.isdisjoint(words[max(i - 3, 0) : i - 1]):
        return words[i].isalpha()
    if words[i] in _CHOOSING_IF_WISHED:
        return not _WISHING.isdisjoint(words[max(i - 2, 0) : i])
    if words[i] in {"drawn", "gravitate", "gravitating"}:
        return words[i + 1] in {"to", "toward", "towards", "more"}
    am_for = words[i : i + 2] in (["am", "for"], ["i'm", "for"]) and named(words[i + 2]) is not None
    if am_for or words[i : i + 3] == ["am", "still", "for"]:
        return True
    return words[i] in CHOOSING or words[i] in JUDGING or words[i] in ACTING


_WISHING = frozenset(("i'd", "would", "i'll"))
"""Before a verb: it is what the judge would do, and so chooses ("I'd rather read B", "I would take B")."""
_CHOOSING_IF_WISHED = words_of("take read publish keep send hand trust")
_BEHIND_WISHED = SENTENCE_ENDS | words_of(", over instead because since any than")
"""Behind a text that the judge would take: then it chooses it ("I would take B with a grain of salt" does not)."""


def _in_phrase(words: Sequence[str], i: int, at: int) -> bool:
    """Whether a word may stand in what is chosen: "the informative approach of B", "the response from A"."""
    return (
        words[at - 1] in {"of", "from", "by"}
        and (words[at - 1] != "from" or words[i] in NOUNS or i != at - 2)
        and words[i].isalpha()
        and words[i] not in {"but", "because", "while", "than", "over", "not"}
    )


def _is_own(words: Sequence[str], verb: int) -> bool:
    """Whether the judge is the subject of the verb; in the third person that is the player whose part of a poll it is."""
    i = verb - 1
    while i >= 0 and (
        words[i] in AUXILIARIES
        or words[i].endswith("ly")
        or words[i]
        in {
            "to",
            "have",
            "like",
            "end",
            "up",
            "inclined",
            "going",
            "more",
            "most",
            "rather",
            "much",
            "very",
            "myself",
            "find",
        }
    ):
        i -= 1
    subject = words[i] if i >= 0 else "\n"
    if subject == PLAYER or words[verb] in ACTING - CHOOSING:
        return subject == PLAYER
    if subject == "who" or (subject in {"others", "majority", "rest"} and words[verb].endswith("ing")):
        return joins_others(clause_before(words, i))
    if words[verb].endswith("ing") and (i < 0 or subject in SENTENCE_ENDS):
        # "Preferring A for its length would be wrong."
        return "would" not in words[verb : sentence_end(words, verb)]
    return subject in SUBJECTS
