"""The choices that a reply states: each text that it says is better, chosen or the winner, or that there is none.

Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from agentdebate.ballots.markup import BOXED, DOUBLE
from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.choice_words import EQUAL, OPENERS, TIES
from agentdebate.ballots.reading.citation import is_cited
from agentdebate.ballots.reading.grades import find_grades
from agentdebate.ballots.reading.languages import eastern
from agentdebate.ballots.reading.lone_name import is_mislabelled, lone_choice
from agentdebate.ballots.reading.losers import LOSING, is_loser
from agentdebate.ballots.reading.names import NOUNS, PLAYER, SIGNS, TIE, Names, is_owner, named
from agentdebate.ballots.reading.noun_phrase import is_described
from agentdebate.ballots.reading.placement import (
    AFTER_LONE,
    heading_places,
    is_alternative_box,
    is_boxed,
    is_line,
    is_listed,
    is_settled,
    is_verbless,
)
from agentdebate.ballots.reading.predicates import is_beaten, predicate, sequel
from agentdebate.ballots.reading.preference_pairs import is_less_liked
from agentdebate.ballots.reading.preferences import closing_preference, is_set_aside
from agentdebate.ballots.reading.ranks import labelled_rank, rank_of
from agentdebate.ballots.reading.revision import replacing_name
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.reading.statement import Finality, Statement
from agentdebate.ballots.reading.tallies import tally
from agentdebate.ballots.reading.ties import tie_at
from agentdebate.ballots.reading.vetoes import finality_of, is_attribute, is_void, speaks_for_itself
from agentdebate.ballots.reading.winners import ENDS, is_amended, is_provisional_form, vow, winner_of
from agentdebate.ballots.reading.wins import takes_it

Pick = Statement[int]


def find_choices(words: Sequence[str], names: Names) -> Iterator[Pick]:
    """Every choice that is stated in a reply."""
    graded = (
        [one for one in find_grades(words, names) if not is_cited(words, one.at)]
        if not _ORDER.isdisjoint(words)
        else []
    )
    losing = not LOSING.isdisjoint(words) and names.are_two
    sought = names.sites
    sites = [i for i, word in enumerate(words) if word in sought]
    places = [i for i in sites if words[i] in SIGNS]
    heads, near_end, last = heading_places(words, places), *_last_sentences(words, places)
    taken = {at for pick in graded for at in range(pick.at, pick.at + 5)}
    yield from graded
    silent, spoke = not graded, bool(graded)
    for i in sites:
        pick = None if i in taken and words[i] not in _EVEN else _pick(words, i, names, heads, losing=losing)
        if pick is not None:
            early = pick.rule == "predicate" and pick.finality == Finality.PROSE and i < near_end
            silent &= i < last
            spoke |= pick.finality != Finality.HINT and not early
            yield replace(pick, finality=Finality.HINT) if early else pick
    if silent:
        found = None if spoke else tally(words, names, partial(is_void, words))
        if found is not None:
            yield found
            return
    closing = closing_preference(words, heads) if silent else None
    place = None if closing is None else named(words[closing])
    headed = closing is not None and len(heads) > 1 and heading_places(words, [closing])
    apart = closing is not None and (
        headed or is_listed(words, closing, closing + 1) or is_mislabelled(words, closing)
    )
    if closing is not None and place is not None and not (apart or is_described(words, closing)):
        yield Statement(0, place, "closing", Finality.PROSE, closing)
    elif not spoke and (lone := lone_choice(words, names)) is not None:
        yield lone


_EVEN = TIES | EQUAL | {"preference", "either"}
_ORDER = frozenset("<>=")


def _pick(words: Sequence[str], at: int, names: Names, heads: frozenset[int], *, losing: bool) -> Pick | None:
    """The choice that is stated by a name, a key or a word for a tie; `losing` says that one of two texts may be called worse."""
    word, place = words[at], named(words[at])
    if word == "a" and _is_article(words, at):
        return None
    if losing and (worse := names.keys.get(word) if place is None else place) in {0, 1}:
        found = is_loser(words, at, _name_end(words, at))
        if found is not None:
            return Statement(0, 1 - worse, *found, at)
    if place is not None:
        found = _of_name(words, at, heads)
    elif word in names.keys:
        place = names.keys[word]
        found = _of_key(words, at, heads, tie=place == TIE)
    else:
        place, found = TIE, tie_at(words, at)
    if found is None:
        return None
    rule, finality = found
    later = replacing_name(words, at, names)
    if later is not None and place != TIE:
        found_later = named(words[later])
        instead = names.keys[words[later]] if found_later is None else found_later
        return Statement(0, instead, "correction", Finality.FINAL, later)
    return Statement(0, place, rule if place != TIE or rule == "line" else "tie", finality, at)


def _last_sentences(words: Sequence[str], places: Sequence[int]) -> tuple[int, int]:
    """Where the last two sentences that name a text begin, and the last one."""
    if not places:
        return 0, 0
    last = sentence_start(words, places[-1])
    before = next((i for i in reversed(places) if i < last), last)
    return sentence_start(words, before), last


_Found = tuple[Rule, Finality]


def _of_name(words: Sequence[str], at: int, heads: frozenset[int]) -> _Found | None:
    """The choice that is stated by a text's full name."""
    end = _name_end(words, at)
    rank = rank_of(words, at)
    if rank is not None:
        return None if rank > 1 or is_void(words, at) else ("winner", Finality.FORM)
    found = _of_place(words, at, end, heads)
    if found is not None or _is_apart(words, at, end):
        return found
    if is_beaten(words, at):
        return "predicate", finality_of(words, at, Finality.PROSE)
    if is_amended(words, at, end):
        return "correction", Finality.FORM
    # "Not A but B": what is said of A with the "not" is said of B.
    other = at - 3 if words[at - 2 : at] == [",", "but"] else at - 2
    after_but = (
        words[at - 1 : at] == ["but"]
        and named(words[other]) is not None
        and words[other - 1 : other] == ["not"]
    )
    if is_set_aside(words, at) or is_less_liked(words, at):
        return None
    start = other - 1 if after_but else at
    if eastern(words, at):
        found = "winner", Finality.FORM
    else:
        found = next((found for rule in _RULES if (found := rule(words, start, end)) is not None), None)
    # To look for what keeps a sentence from choosing takes longest, so it is done last.
    return None if found is None or is_void(words, at) else found


def _of_place(words: Sequence[str], at: int, end: int, heads: frozenset[int]) -> _Found | None:
    """The choice by where a name stands: in a box, or in a line of its own."""
    if is_boxed(words, at):
        void = is_alternative_box(words, at) or is_provisional_form(words, at) or is_cited(words, at)
        return None if void else ("boxed", Finality.FINAL)
    void = is_described(words, at) or speaks_for_itself(words, end)
    return ("line", Finality.FORM) if is_line(words, at, end, heads) and not void else None


def _of_sentence(words: Sequence[str], at: int, end: int) -> _Found | None:
    if end < len(words) and words[end] not in AFTER_LONE:
        return None
    said = is_verbless(words, at, end) or is_settled(words, at, end)
    return ("conclusion", Finality.FORM) if said and not is_described(words, at) else None


def _of_predicate(words: Sequence[str], at: int, end: int) -> _Found | None:
    better = predicate(words, end)
    if (better is None or better == Finality.HINT) and words[at - 1 : at] not in _OBJECT_OF:
        better = sequel(words, end) or better
    if better is None or is_attribute(words, at):
        return None
    return "predicate", finality_of(words, at, better)


_OBJECT_OF = (
    ["to"],
    ["than"],
    ["over"],
    ["of"],
    ["unlike"],
    ["against"],
    ["with"],
    ["from"],
    ["in"],
    ["for"],
    ["beyond"],
)
"""Before a name: the sentence goes on from another one."""


def _of_vow(words: Sequence[str], at: int, end: int) -> _Found | None:
    chosen = vow(words, at, end)
    if chosen is None:
        return None
    rule: Rule = "player" if PLAYER in words[sentence_start(words, at) : at] else "choosing"
    if chosen == Finality.HINT:
        return rule, chosen
    if list(words[end : end + 2]) in _IN_RESPECT and not clause.concludes(words, at):
        return rule, Finality.PROSE
    # What the judge says that it does is as final as a form, as with scores.
    return rule, Finality.FORM


_IN_RESPECT = (["for", "its"], ["for", "their"])
"""Behind a choice: it may be for one respect, so that a form outdoes it ("I prefer A for its length. Vote: B")."""


_RULES = (winner_of, _of_sentence, _of_predicate, _of_vow)
"""What makes a name in a sentence the choice, in the order in which it is looked for."""


def _past_tie(words: Sequence[str], end: int) -> int:
    """Where a word for a tie ends that only says what a tie's key stands for: "C (tie)", "3 - tie"."""
    i = end
    while i < len(words) and words[i] in "(-:,[":
        i += 1
    return i + 1 if i > end and i < len(words) and words[i] in TIES else end


def _of_key(words: Sequence[str], at: int, heads: frozenset[int], *, tie: bool = False) -> _Found | None:
    """The choice that is stated by a key alone, where nothing else can be meant."""
    end = _past_tie(words, at + 1) if tie else at + 1
    found = _of_place(words, at, end, heads)
    if found is not None or _is_apart(words, at, end):
        return found
    rank = labelled_rank(words, at) if words[at - 1 : at] == [":"] and not tie else None
    if rank is not None:
        return None if rank > 1 or is_void(words, at) else ("winner", Finality.FORM)
    found = None if is_less_liked(words, at) else _of_lone_key(words, at)
    return None if found is None or is_void(words, at) else found


def _of_lone_key(words: Sequence[str], at: int) -> _Found | None:
    """The choice of a key in a sentence, whether or not the sentence states it."""
    if list(words[at + 1 : at + 4]) in (["it", "is"], ["it", "is", "."]) and words[at - 1 : at] in (
        [],
        ["\n"],
        ["."],
        ["so"],
    ):
        return "conclusion", Finality.FORM
    if _is_enumerated(words, at):
        return None
    behind = words[at + 1] if at + 1 < len(words) else "\n"
    if behind in {"]", ")"} and words[at - 1 : at] in (["["], ["("]) and sentence_start(words, at) == at - 1:
        # As in: "[3] is better."
        found = (
            _of_predicate(words, at, at + 2)
            if words[at + 2 : at + 3] != [] and words[at + 2] in _VERBS
            else None
        )
        return found
    if words[at - 1 : at] == [":"] and behind in ENDS and eastern(words, at):
        return "winner", Finality.FORM
    rules = (winner_of, _of_sentence, _of_vow) if behind in ENDS else ()
    won = behind in _VERBS or (behind == "by" and takes_it(words, at + 1))
    if won and (at == 0 or words[at - 1] in OPENERS):
        rules = (*rules[:2], _of_predicate, *rules[2:])
    return next((found for rule in rules if (found := rule(words, at, at + 1)) is not None), None)


def _is_apart(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a name stands in a box or in a list of names: where that does not choose it, no sentence does."""
    return is_boxed(words, at) or is_listed(words, at, end)


_VERBS = frozenset(("is", "wins", "beats", "outperforms"))
"""Behind a key: then it is a name, and no article or number."""


def _name_end(words: Sequence[str], at: int) -> int:
    """Where a name ends, with the noun of what it owns ("Assistant 2's answer") and a closing mark."""
    end = at + 1
    if is_owner(words[at]) and words[end : end + 1] and words[end] in NOUNS:
        end += 1
    while end < len(words) and words[end] in {'"', ")", "]", "'"}:
        end += 1
    return end


def _is_article(words: Sequence[str], at: int) -> bool:
    """Whether "a" stands before a word that it is the article of, and is set apart by nothing."""
    behind = words[at + 1] if at + 1 < len(words) else ""
    boxed = at > 0 and words[at - 1] in _BEFORE_BOXED
    if behind == "by" and takes_it(words, at + 1):
        return False
    return behind.isalpha() and behind not in _BEHIND_KEY and named(behind) is None and not boxed


_BEHIND_KEY = ENDS | {"wins", "beats", "outperforms", "it"}
_BEFORE_BOXED = frozenset(("[", BOXED, DOUBLE))


def _is_enumerated(words: Sequence[str], at: int) -> bool:
    """Whether a key is the article "a", or a number in a list."""
    return (
        words[at] == "a"
        and words[at + 1 : at + 2] != []
        and words[at + 1] not in ENDS
        and words[at + 1] not in {"wins", "beats", "outperforms"}
    )
