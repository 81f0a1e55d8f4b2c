"""Predicates behind a name that call its text better ("B is the better answer", "A wins"), or another one worse."""

from collections.abc import Sequence

from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.choice_words import (
    ATTRIBUTES,
    BETTER,
    BETTER_OF,
    FREE,
    PREDICATE_LEAD,
    RESTRICTING,
    ROUNDS,
    WIN_VERBS,
    WINNING,
)
from agentdebate.ballots.reading.lexicon import NEGATION
from agentdebate.ballots.reading.names import NOUNS, PLURALS, SIGNS, named
from agentdebate.ballots.reading.placement import CLOSE
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality
from agentdebate.ballots.reading.wins import TAKING, serves_best, takes_it
from agentdebate.ballots.words import words_of

_REACH = 12
_AFTER_BETTER = words_of(
    "because over since as due owing overall by and but here though although while given when which so to at "
    "that, considering where it that i"
)


def is_beaten(words: Sequence[str], at: int) -> bool:
    """Whether another text is said to be worse than the named one, or not as good."""
    if at == 0 or words[at - 1] not in _BEFORE_WINNER:
        return False
    left = list(words[max(at - 8, 0) : at])
    if _is_unbeaten(words, at):
        return True
    if left[-2:] in _LOSING or left[-3:] in _LOSING or (left[-3:-2] == ["less"] and left[-1:] == ["than"]):
        return (
            (
                NEGATION.isdisjoint(left)
                or not {
                    "compete",
                    "match",
                    "beat",
                    "rival",
                    "surpass",
                    "outdo",
                    "equal",
                    "touch",
                    "top",
                    "keep",
                }.isdisjoint(left)
            )
            and _is_name(left)
            and not clause.is_asked(words, at)
        )
    return (
        left[-3:] == ["as", "good", "as"]
        and not {"not", "isn't"}.isdisjoint(left[-5:])
        and _is_name(left)
        and not clause.is_asked(words, at)
    )


def _is_unbeaten(words: Sequence[str], at: int) -> bool:
    """Whether no other text is said to be as good as the named one: "nothing beats B", "none of the others is as good as B"."""
    start = sentence_start(words, at)
    left = list(words[start:at])
    if clause.is_asked(words, at) or not {"if", "that", "think"}.isdisjoint(left):
        return False
    nobody = left[:1] in (["none"], ["nothing"], ["nobody"]) or left[:2] == ["no", "other"]
    rest = not {"rest", "others"}.isdisjoint(left) and not {"cannot", "can't"}.isdisjoint(left)
    verb = left[-1:] != [] and left[-1] in _MATCHING
    equal = left[-3:] in (
        ["as", "good", "as"],
        ["as", "strong", "as"],
        ["keep", "up", "with"],
        ["comes", "close", "to"],
        ["compares", "to", "it"],
    )
    behind = list(words[at + 1 : at + 2])
    return (
        (nobody or rest)
        and (verb or equal or left[-2:] in (["compete", "with"], ["compares", "to"], ["close", "to"]))
        and behind not in (["in"], ["on"], ["for"])
    )


_MATCHING = words_of("beats matches match equals surpasses rivals touches tops betters outperforms")
_LOSING = (
    ["worse", "than"],
    ["inferior", "to"],
    ["weaker", "than"],
    ["loses", "to"],
    ["no", "match", "for"],
    ["cannot", "compete", "with"],
    ["fails", "to", "beat"],
    ["falls", "short", "of"],
    ["cannot", "match"],
    ["can't", "match"],
    *[
        [no, verb]
        for no in ("cannot", "can't")
        for verb in ("beat", "rival", "surpass", "outdo", "equal", "touch", "top")
    ],
    ["compete", "with"],
    ["keep", "up", "with"],
    ["pales", "next", "to"],
    ["pales", "beside"],
    ["second", "to"],
    ["second-best", "to"],
    *[
        [verb, "by"]
        for verb in (
            "outperformed",
            "outdone",
            "beaten",
            "surpassed",
            "outclassed",
            "eclipsed",
            "overshadowed",
            "bested",
            "outshone",
        )
    ],
)
"""Words after which the text that is better is named."""
_BEFORE_WINNER = _MATCHING | {phrase[-1] for phrase in _LOSING} | {"as", "than", "it", "with", "to"}
"""The last of these words, and of those that say that no other text is as good."""


def _is_name(words: Sequence[str]) -> bool:
    return any(named(word) is not None for word in words)


def predicate(  # noqa: PLR0911 - one for each kind of predicate
    words: Sequence[str], end: int, *, judged: bool = False
) -> Finality | None:
    """How final it is that what follows a name calls it better; None where it does not."""
    end = _past_aside(words, end)
    i = _head(words, end)
    if i == end and not judged and i < len(words) and _is_plain_verb(words, i):
        return None
    if words[i : i + 1] in (["."], ["\n"], []) and words[end:i] in (["is"], ["does"]):
        return _echoed(words, end)
    head = words[i] if i < len(words) else ""
    if takes_it(words, end) or serves_best(words, end) or words[i : i + 2] == ["number", "one"]:
        return Finality.PROSE
    if head in WINNING:
        return _of_win(words, i, alone=i == end)
    if head == "more" and i + 1 < len(words):
        return _of_more(words, i)
    if (head in BETTER and (i > end or judged)) or _is_settling(words, i):
        return _unrestricted(words, i + 1)
    if head == "first" and words[i + 1 : i + 2] == ["in"] and FREE.isdisjoint(words[i + 2 : i + 4]):
        return None
    if (past := _past_lesser_evil(words, i)) is not None:
        return _unrestricted(words, past)
    if words[max(i - 2, end) : i] == ["stands", "out"] and head in _AFTER_OUT:
        return Finality.PROSE
    return _of_rank(head, words[end:i], judged=judged)


def _is_plain_verb(words: Sequence[str], i: int) -> bool:
    """Whether what stands right behind a name cannot begin to call it better: "B names the mayor"."""
    word = words[i]
    return (
        word not in _PRAISING
        and not (word.endswith("s") and not {"best", "better"}.isdisjoint(words[i + 1 : i + _REACH]))
        and word.isalpha()
    )


def _past_aside(words: Sequence[str], end: int) -> int:
    """Where what is said of a name goes on, behind another one that it is not: "A, not B, is better", "A and not B"; or at "which"."""
    if words[end : end + 2] == ["and", "not"] and _is_name(words[end + 2 : end + 3]):
        return end + 3
    if words[end : end + 2] == [",", "not"] and "," in words[end + 2 : end + 7]:
        end = words.index(",", end + 2) + 1
    return end + 1 if words[end : end + 2] in ([",", "which"], [",", "who"]) else end


def _head(words: Sequence[str], end: int) -> int:
    """The place of the first word behind a name that is more than a copula, an adverb or an article."""
    i = end
    while (
        i < len(words)
        and i - end < _REACH
        and (words[i] in PREDICATE_LEAD or (words[i].endswith("ly") and words[i] not in NEGATION))
    ):
        i += 1
    return i


def _is_settling(words: Sequence[str], i: int) -> bool:
    """Whether a text is called the right one of those that are compared: "the right answer"."""
    named_so = words[i : i + 1] != [] and words[i] in _SETTLING and words[i - 1] == "the"
    return named_so and words[i + 1 : i + 2] != [] and words[i + 1] in NOUNS


def _past_lesser_evil(words: Sequence[str], i: int) -> int | None:
    """Where words end that call a text the better one of two bad ones: "less bad", "the lesser of two evils"; None for others."""
    if words[i : i + 1] == ["less"]:
        return i + 2 if words[i + 1 : i + 2] != [] and words[i + 1] in _BAD else None
    if words[i : i + 1] != ["lesser"]:
        return None
    return next((k + 1 for k, word in enumerate(words[i : i + _EVIL], i) if word in {"evil", "evils"}), None)


_SETTLING = words_of("right correct winning strongest")
"""With a noun: there is one right answer."""
_BAD = words_of("bad flawed problematic")
_EVIL = 6
"""Words of "lesser of the two evils"."""


_PRAISING = WINNING | TAKING | {"more", "first", "above", "number", "by", "just"}
_AFTER_OUT = frozenset(("", ".", "\n", "!", "among", "from", "amongst"))


def sequel(words: Sequence[str], end: int) -> Finality | None:
    """How final it is what the rest of a sentence, which goes on to no other text, makes of a text: "..., which makes it the better answer"."""
    for i, word in enumerate(words[end : end + _SENTENCE], end):
        if word not in _SIGNS:
            continue
        if word in _ENDING:
            return None
        if word in _MAKING and words[i + 1 : i + 2] == ["it"]:
            return predicate(words, i + 2, judged=True)
        if words[i : i + 3] == ["which", "is", "why"]:
            return _of_choice(words, i + 3) or (
                Finality.PROSE if words[i + 3 : i + 4] == ["i"] and _of_choice(words, i + 4) else None
            )
        if word in {"and", "so", ",", ":"} and words[i + 1 : i + 2] and words[i + 1] in _GOING_ON:
            found = _of_choice(words, i + 1)
            if found is not None:
                return found
    return None


def _of_choice(words: Sequence[str], at: int) -> Finality | None:
    """What stands behind "and": "is therefore the better answer", "earns my vote", "choose it", "it is my choice"."""
    while words[at : at + 1] != [] and words[at] in {"i", "i'd", "we", "would", "therefore"}:
        at += 1
    follow = words[at : at + 4]
    if "my" in follow and not _CHOICES.isdisjoint(words[at : at + 6]):
        return Finality.PROSE
    if words[at] in _CHOOSING:
        return Finality.PROSE if "it" in follow else None
    while words[at : at + 1] != [] and words[at] in {"therefore", "thus", "so", "hence"}:
        at += 1
    if words[at : at + 1] != [] and words[at] in BETTER:
        return _unrestricted(words, at + 1)
    at += words[at : at + 1] == ["it"]
    return predicate(words, at) if words[at : at + 1] == ["is"] and "more" not in words[at : at + 3] else None


_SENTENCE = 40
_TURNING = words_of("but however yet while whereas although though if would could")
_MAKING = frozenset(("making", "makes", "make"))
_GOING_ON = words_of("is earns gets has deserves wins therefore thus so it i choose prefer pick")
_ENDING = SENTENCE_ENDS | SIGNS | NEGATION | _TURNING
"""Where what is said of a text is over, or turns."""
_SIGNS = _ENDING | _MAKING | {"which", "and", "so", ",", ":"}
"""Where a sentence may go on to call a text better, or to another one; all other words are passed over."""
_CHOICES = words_of("vote choice pick preference winner verdict")
_CHOOSING = frozenset(("choose", "prefer", "pick"))


def _of_win(words: Sequence[str], at: int, *, alone: bool) -> Finality | None:
    """A verb or a noun of winning: "wins", "is the winner"; right behind the name, only a verb."""
    if alone and words[at] not in WIN_VERBS:
        return None
    return Finality.HINT if _is_limited(words, at + 1) else Finality.PROSE


def _of_rank(head: str, lead: Sequence[str], *, judged: bool) -> Finality | None:
    """A place in an order ("comes first", "takes it"), or a relative clause of the judge's ("is the one I prefer")."""
    chosen = lead[-1:] in (["prefer"], ["choose"]) and "one" in lead
    if head in {"choose", "pick", "select", "favor", "favour"} or chosen:
        return Finality.PROSE if "i" in lead or "i'd" in lead else None
    first = head == "first" and lead[-1:] != [] and lead[-1] in {"comes", "ranks", "ranked", "takes", "in"}
    return (
        Finality.PROSE if first or lead[-1:] == ["takes"] or (judged and head in {"first", "above"}) else None
    )


def _is_limited(words: Sequence[str], at: int) -> bool:
    """Whether a win is one in a single respect: "wins on length", "beats B in style"."""
    i = at
    if words[at : at + 2] == ["a", "point"]:
        return True
    if words[at : at + 1] == ["the"] and not ROUNDS.isdisjoint(words[at + 1 : at + 4]):
        return True
    while i < len(words) and (
        words[i] in NOUNS or words[i] in {"the", "other", "others"} or named(words[i]) is not None
    ):
        i += 1
    if words[i : i + 1] == ["of"] and not _is_name(words[i : i + 3]):
        return _MINE_OR_ALL.isdisjoint(words[i + 1 : i + 4])
    if words[i : i + 1] == ["by"]:
        i = next((k for k in range(i, min(i + 7, len(words))) if words[k] == "in"), i)
    if words[i : i + 1] == [] or words[i] not in RESTRICTING or words[i] == "among":
        return False
    behind = words[i + 1 : i + 5]
    return not (_is_twofold(behind) or {"points", "margin", "against"} & set(behind)) and FREE.isdisjoint(
        behind[:3]
    )


def _is_twofold(behind: Sequence[str]) -> bool:
    """Whether a preposition leads to two respects, which are more than one: "in both helpfulness and accuracy"."""
    return behind[:1] == ["both"] and "and" in behind


_MINE_OR_ALL = words_of("two three four all both these them mine this comparison")


def _echoed(words: Sequence[str], end: int) -> Finality | None:
    """Whether "is" and "does" stand for what was denied of another text: "A does not win. B does."."""
    before = words[max(end - _ECHO, 0) : end]
    denied = not NEGATION.isdisjoint(before) or ("longer" in before and "no" in before)
    said = not (BETTER | WINNING | {"win", "worse"}).isdisjoint(before)
    return Finality.PROSE if denied and said else None


_ALL_OTHERS = words_of("every each either all other others any both two rival")
_ECHO = 14
"""Words before a name in which what is echoed stands."""


def _of_more(words: Sequence[str], at: int) -> Finality | None:
    """A quality: "more convincing" is a choice where nothing but quality is meant, and a hint where it is one quality."""
    rest = words[at : sentence_end(words, at)]
    helpful = words[at - 1 : at + 2] == ["the", "more", "helpful"] and _TURNING.isdisjoint(rest)
    sure = words[at + 1] in {"convincing", "preferable", "compelling"} or "overall" in words[at + 2 : at + 4]
    return Finality.PROSE if sure or helpful else Finality.HINT


def is_restricted(words: Sequence[str], at: int) -> bool:
    """Whether what follows "better" says that it is so in one respect only."""
    meets = not _WHOLE.isdisjoint(words[at : at + 6])
    return not meets and _unrestricted(words, at) == Finality.HINT


_WHOLE = words_of(
    "criteria instructions instruction task request question prompt overall whole requirements needs"
)
"""What a text as a whole meets: to meet it better is more than one respect."""


def _unrestricted(words: Sequence[str], at: int) -> Finality | None:
    """How far "better" goes: all the way, or in one respect only."""
    i = at
    while i < len(words) and (
        words[i] in PLURALS or words[i] in NOUNS or words[i] in BETTER_OF or named(words[i]) is not None
    ):
        i += 1
    word, passed = (words[i] if i < len(words) else "\n"), words[at:i]
    if "job" in passed:
        # "a better job of naming the sources" is one respect; "of answering the question" is the whole.
        return Finality.HINT if passed[-1] == "of" and word not in FREE else Finality.PROSE
    if (word in ATTRIBUTES and not _WHOLE.isdisjoint(words[i : i + 6])) or (
        word == "suited" and (i + 1 >= len(words) or words[i + 1] in CLOSE)
    ):
        return Finality.PROSE
    if _is_beyond_another(passed, word) or words[i : i + 2] == ["as", "far"]:
        return Finality.HINT
    if word in RESTRICTING:
        return Finality.PROSE if _is_free(word, words[i + 1 : i + 5]) else Finality.HINT
    if word in _AFTER_BETTER or word in CLOSE or word in {"\n", ",", ";", "(", "-", ":", "?"}:
        return Finality.PROSE
    ends = word.endswith(("ed", "s", "ly", "ing"))
    return Finality.HINT if word in ATTRIBUTES or ends or i == at else Finality.PROSE


def _is_beyond_another(passed: Sequence[str], word: str) -> bool:
    """Whether it is better than something that is not compared: "better than its title"."""
    return "than" in passed and not _is_name(passed) and _ALL_OTHERS.isdisjoint([*passed, word])


_BAD = words_of(
    "wrong vague bad false incorrect inaccurate misleading unclear dull boring confusing unhelpful"
)
"""What a text may be best at being, and is worse for it."""


def _is_free(preposition: str, behind: Sequence[str]) -> bool:
    """Whether what a preposition leads to does not restrict: "in general", "for all these reasons", "at answering it"."""
    follow = [*behind, ""]
    doing = follow[0].endswith("ing") and not (follow[0] == "being" and follow[1] in _BAD)
    if _is_twofold(behind) or (follow[0] in FREE and (preposition != "at" or doing)):
        return True
    return preposition in {"in", "for", "on"} and not FREE.isdisjoint(follow[:3])
