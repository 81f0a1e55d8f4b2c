"""Two texts that a sentence holds against each other, with one word between them: "I prefer A to B" as "I prefer A over B".

Works on words and marks, in which a sign stands for each name of a text (see names.py). A key alone is a name there, too, since
nothing else has its place between such words.
"""

from collections.abc import Sequence

from agentdebate.ballots.reading.choice_words import BEST_NOUNS, INFERIOR, JUDGING
from agentdebate.ballots.reading.names import Names, named, sign_of
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.words import words_of

_JOINTS = (
    (("in", "preference", "to"), words_of("prefer choose chose pick picked select would take vote")),
    (("rather", "than"), words_of("prefer choose chose pick picked select take")),
    (("to",), words_of("prefer preferred preference")),
)
"""What stands between the two texts, and the words of which one has to stand before the first."""
_REACH = 6
"""Words before the first text in which the word of preference stands."""
_BRACKETS = frozenset("()[]\"'")
_ENDS = SENTENCE_ENDS | frozenset(
    (",", ")", "]", '"', "because", "since", "as", "for", "here", "overall", "-")
)


def with_over(words: list[str], names: Names) -> list[str]:
    """The words with "over" between two texts of which the first is preferred."""
    if _SIGNALS.isdisjoint(words):
        return words
    done, i = list[str](), 0
    while i < len(words):
        length = _joint(words, i, names) if words[i] in _STARTS else 0
        done += ["over"] if length else [words[i]]
        i += length or 1
    return done


_STARTS = frozenset(joint[0] for joint, _ in _JOINTS)
_SIGNALS = words_of("prefer preferred preference rather")
"""One of them stands in every text that has such a joint."""


def _joint(words: Sequence[str], at: int, names: Names) -> int:
    """How many words from this place join a preferred text to the other one; 0 where they do not."""
    for joint, verbs in _JOINTS:
        end = at + len(joint)
        if tuple(words[at:end]) != joint:
            continue
        first, second = _skip(words, at - 1, -1), _skip(words, end, 1)
        if not (first >= 0 and second < len(words)):
            continue
        left, right = _place(words, first, names), _place(words, second, names)
        closed = second + 1 >= len(words) or words[second + 1] in _ENDS or named(words[second]) is not None
        before = words[max(first - _REACH, sentence_start(words, at)) : first]
        if None not in (left, right) and left != right and closed and not verbs.isdisjoint(before):
            return len(joint)
    return 0


def with_preference(words: list[str], names: Names) -> list[str]:
    """The words with "prefer" where the judge likes a text more: "I like A more than B" as "I prefer A over B"."""
    if _LIKING.isdisjoint(words) or _MORE.isdisjoint(words):
        return words
    done, i = list[str](), 0
    while i < len(words):
        liked = _liked(words, i, names) if words[i] in _LIKING else None
        done += [words[i]] if liked is None else liked[0]
        i = i + 1 if liked is None else liked[1]
    return done


def _liked(words: Sequence[str], verb: int, names: Names) -> tuple[list[str], int] | None:
    """What a verb of liking says as a preference, and where it ends; None where it compares no texts."""
    first = _skip(words, verb + 1, 1)
    more = first + 1
    while more < len(words) and (words[more] in _DEGREES or words[more] in _BRACKETS):
        more += 1
    if more >= len(words) or words[more] not in _MORE or _place(words, first, names) is None:
        return None
    second = _skip(words, more + 2, 1)
    if words[more + 1 : more + 2] == ["than"] and second < len(words):
        left, right = (second, first) if words[more] in _LESS else (first, second)
        texts = _place(words, first, names), _place(words, second, names)
        closed = second + 1 >= len(words) or words[second + 1] in _ENDS
        compared = closed and None not in texts and texts[0] != texts[1]
        return (["prefer", words[left], "over", words[right]], second + 1) if compared else None
    closed = more + 1 >= len(words) or words[more + 1] in _ENDS
    return (["prefer", words[first]], more + 1) if closed and words[more] not in _LESS else None


_LIKING = words_of("like liked love loved enjoy enjoyed trust value valued")
_LESS = words_of("less least")
_MORE = words_of("more better best most") | _LESS


def with_signs(words: list[str], names: Names) -> list[str]:
    """The words with signs for the keys alone that are compared with each other: "A is worse than B", "I rank A above B"."""
    if _COMPARED.isdisjoint(words):
        return words
    done = list(words)
    for i in [k for k, word in enumerate(words) if word in names.keys]:
        own, opens = names.keys[words[i]], i == 0 or words[i - 1] in _OPENING
        if own < 0:
            continue
        if _is_text(words, i, opens=opens):
            done[i] = sign_of(own)
        for other in _others(words, i, names, opens=opens):
            place = _place(words, other, names)
            if place is not None and 0 <= place != own:
                done[i], done[other] = sign_of(own), sign_of(place)
    return done


def _others(words: Sequence[str], at: int, names: Names, *, opens: bool) -> list[int]:
    """The places of what may be the other text, where a key stands at this one and the words between them compare the two."""
    found = [
        at + 1 + phrase
        for phrase in _phrases(words, at, opens=opens)
        if at + 1 + phrase < len(words) and (at + 2 + phrase >= len(words) or words[at + 2 + phrase] in _ENDS)
    ]
    if words[at + 1 : at + 2] == ["and"] and words[at + 3 : at + 4] != [] and words[at + 3] in _TYING:
        found.append(at + 2)
    denied = _denied(words, at, names)
    return found if denied is None else [*found, denied]


def _is_text(words: Sequence[str], at: int, *, opens: bool) -> bool:
    """Whether a key alone stands where only a text's name can: "B comes out ahead", "A is worse", "I consider A the better one"."""
    behind = words[at + 1] if at + 1 < len(words) else ""
    if opens and tuple(words[at + 1 : at + 4]) == _VOTE:
        return True
    if opens and (behind in _DOING or (behind in _OUTCOMES and words[at + 2 : at + 3] in _OVER)):
        return True
    if opens and behind in _SEEMING:
        return not _CALLED.isdisjoint(words[at + 2 : at + _REACH])
    judged = words[at - 1 : at] != [] and words[at - 1] in _NAMING
    return judged and (behind in {"the", "my", "as"} or tuple(words[at + 1 : at + 3]) == ("to", "be"))


_DOING = words_of(
    "comes has gets got takes earns receives scores deserves pulls leads stands edges turns proves strikes falls makes totals"
)
_OUTCOMES = words_of("loses lost leads")
_OVER: tuple[list[str], ...] = ([], ["."], ["\n"], ["!"], ["out"], [","])
_SEEMING = words_of("is seems looks appears")
_CALLED = INFERIOR | BEST_NOUNS
_NAMING = JUDGING | words_of("makes make making")
"""Verbs that say what a text is which they have for their object."""


def _denied(words: Sequence[str], at: int, names: Names) -> int | None:
    """The place of the other key in a sentence of two keys of which one is denied: "B, not A", "Not B but A"; None for any other."""
    end = sentence_end(words, at)
    said = words[at:end]
    start = sentence_start(words, at)
    if len(said) < _PAIR or len(said) > _PAIR + 1:
        return None
    last = end - 1
    places = names.keys[words[at]], names.keys.get(words[last], -1)
    if min(places) < 0 or places[0] == places[1]:
        return None
    turned = list(said[1:-1]) in ([",", "not"], ["and", "not"], [",", "never"]) and start == at
    set_right = list(said[1:-1]) in ([",", "but"], ["but"]) and list(words[start:at]) == ["not"]
    return last if turned or set_right else None


_PAIR = 3
"""Words of "B but A"."""


def _phrases(words: Sequence[str], at: int, *, opens: bool) -> list[int]:
    """How long the comparison is that stands behind a key, if one does."""
    if words[at + 1 : at + 2] == ["above"] and words[at - 1 : at] in (["rank"], ["put"], ["place"], ["rate"]):
        return [1]
    if not opens:
        return []
    verbs = [len(verb) for verb in _BEATING if tuple(words[at + 1 : at + 1 + len(verb)]) == verb]
    if verbs:
        return verbs
    if words[at + 1 : at + 2] not in (["is"], ["isn't"]):
        return []
    end = at + 2
    while end < len(words) and words[end] in _DEGREES:
        end += 1
    return [
        end + len(phrase) - at - 1
        for phrase in _COMPARISONS
        if tuple(words[end : end + len(phrase)]) == phrase
    ]


_VOTE = ("gets", "my", "vote")
_PASSIVES = words_of(
    "outperformed outdone beaten surpassed outclassed eclipsed overshadowed bested outshone topped trumped"
)
_COMPARISONS = (
    ("worse", "than"),
    ("better", "than"),
    ("weaker", "than"),
    ("stronger", "than"),
    ("inferior", "to"),
    ("superior", "to"),
    ("as", "good", "as"),
    *((verb, "by") for verb in _PASSIVES),
)
_TYING = words_of("tie tied draw")
"""What two texts do."""
_BEATING = (
    ("loses", "to"),
    ("trails", "behind"),
    ("falls", "short", "of"),
    ("rather", "than"),
    (",", "rather", "than"),
    ("instead", "of"),
    ("over",),
    *((verb,) for verb in ("surpasses", "outclasses", "eclipses", "trumps", "outshines")),
)
_COMPARED = (
    _TYING
    | _DOING
    | _OUTCOMES
    | _CALLED
    | _NAMING
    | frozenset(("than", "inferior", "superior", "good", "above", "vote", "short", "not"))
    | _PASSIVES
    | {verb[0] for verb in _BEATING if verb[0] != ","}
)
_DEGREES = words_of("not clearly much slightly far somewhat a bit little significantly considerably")
_OPENING = SENTENCE_ENDS | words_of(
    ", : overall so thus hence therefore that and but yet while whereas think believe say"
)


def _skip(words: Sequence[str], at: int, step: int) -> int:
    while 0 <= at < len(words) and words[at] in _BRACKETS:
        at += step
    return at


def _place(words: Sequence[str], at: int, names: Names) -> int | None:
    found = named(words[at])
    return found if found is not None else names.keys.get(words[at])


def is_less_liked(words: Sequence[str], at: int) -> bool:
    """Whether something is preferred to the text at this place: "I prefer the short one to B"."""
    first = _skip(words, at - 1, -1)
    if first < 1 or words[first] != "to":
        return False
    before = words[max(sentence_start(words, at), first - 2 * _REACH) : first]
    if not _TURNED.isdisjoint(before):
        return False
    verb = next((k for k in range(len(before) - 1, -1, -1) if before[k] in _PREFERRING), None)
    return (verb is not None and before[verb + 1 : verb + 2] != ["to"]) or before[-2:] == ["in", "preference"]


_TURNED = frozenset((",", "but", "and", "then", "now", "from"))
"""Before "to": the sentence goes on, and may say what was turned to."""
_PREFERRING = words_of("prefer prefers preferred preferring")
