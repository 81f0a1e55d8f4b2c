"""Letters, or other words, as scores: a reply with the numbers of its grades in their place ("Grade: B+", "a solid B").

What a number has to do with a judgement, the grammar in reading/ knows. What is told here is only whether a letter can be
a grade at all. An article ("A good text"), a pronoun, and a letter that a text is called by ("Summary B", "vitamin C") are none.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from agentdebate.ballots.numbers import show
from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.reading.lexicon import APPROVING, FOLLOW, FOLLOWING_NOUNS, PARTS, PREPOSITIONS, RATED
from agentdebate.ballots.reading.names import NOUNS
from agentdebate.ballots.words import words_of
from agentdebate.tasks import Aspect, Grades

_MARKS = " \t\"'*`_([{<$~“”‘’«»|"
"""What may stand between a word and a grade, and mean nothing."""
_CLOSING = " \t\"'*`_|>$~”’»)]}.,;!"
"""What may follow a grade that fills in a form."""
_TIES = frozenset(":：=→|–—-#>")
"""Marks behind which a form has its value."""
_ENDS = frozenset(".,;:!?)]}\"'*`_|<>/\\$~“”‘’«»=→–—(")
_ARTICLES = frozenset("AIO")
"""Letters that are English words as well."""
_DETERMINERS = words_of("a an")
_BEFORE = (
    frozenset(word for word, parts in PARTS.items() if word[0].isalpha() and parts != "o")
    | PREPOSITIONS
    | words_of(
        "it this that not only and or than from but text's between below above under over then now so no"
    )
) - (NOUNS - words_of("one"))
"""Words that may stand before a grade. Any other may be what the letter is a name of: "vitamin C", "plan B"."""
_BEHIND_ARTICLE = words_of(
    "because since for as is was seems feels looks in on at to or and overall rather but here minus plus due here"
)
"""What may follow a grade, and no article."""
_BEHIND = (_BEHIND_ARTICLE | FOLLOW | FOLLOWING_NOUNS) - (
    APPROVING | RATED | words_of("it this that would could a an")
)
_LISTED = 2
"""Grades in brackets from which on they are a list, that repeats the scale."""

_WORD_BEFORE = pattern(r"([^\W\d_]+(?:[-'’][^\W\d_]+)*)\Z")
_WORD_BEHIND = pattern(r"[ \t\"'*`_)\]}”’»]*([^\W\d_]+)?")
_INITIAL = pattern(r"\.\s?[A-Z]\.")
"""Behind the first letter of a name: "A. B. Yates"."""
_DASHED = pattern(r"[ ]?[-‐‑−–—][ ]")
_ALIKE = {"+": r"(?:\s?\+|[\s-]plus\b)", "-": r"(?:[-‐‑−–](?![\w-])|[\s-]minus\b)"}


def with_numbers(text: str, aspects: Sequence[Aspect], grades: Grades) -> str:
    """The text with a number in the place of each letter that can be one of these grades.

    `aspects` are those that are asked for: their names are left as they are, and where one ends in a letter ("Summary A"), letters
    count in forms alone. Words of several letters ("good") count in forms alone as well. A grade with a sign that is not
    among these ("B+" where there is B) stays, and so is not a score.
    """
    if not grades:
        return text
    letters = _letters(
        grades, tuple(dict.fromkeys(name for one in aspects for name in (one.title, one.name)))
    )
    return letters.pattern.sub(letters.read, letters.ranges.sub(letters.scale, text))


class _Letters:
    """The grades of a scale as a text may have them."""

    __slots__ = ("pattern", "ranges", "read", "scale")

    def __init__(self, grades: Grades, titles: Sequence[str]) -> None:
        numbers = {name.lower(): show(number) for name, number in grades}
        names = sorted(numbers, key=len, reverse=True)
        grade = "|".join(_written(name) for name in names)
        known = "|".join(re.escape(title) for title in sorted(titles, key=len, reverse=True) if title)
        self.pattern = re.compile(
            rf"(?P<title>\b(?:{known or '(?!)'})\b)|(?<![\w&+/-])(?<!\w['’])(?P<grade>{grade})(?![\w+&]|['’](?!\W|\Z)|[-‐‑−]|[\s-]{{1,3}}(?:plus|minus)\b)",
            re.IGNORECASE,
        )
        separator = (
            r"(?:\s{0,3}[,/;|]\s{0,3}(?:or\s{1,3})?|\s{1,3}(?:or|to|through|and)\s{1,3}|\s{0,3}[-–—]\s{0,3})"
        )
        listed = rf"(?<![\w&+])(?:{grade})(?:{separator}(?:{grade})){{{_LISTED - 1},40}}(?![\w+&])"
        self.ranges = re.compile(
            rf"(?P<bracket>[(\[])\s{{0,3}}(?:from\s)?{listed}\s{{0,3}}[)\]]|(?<=\bfrom )(?P<from>{listed})|(?<=\bscale of )(?P<of>{listed})",
            re.IGNORECASE,
        )
        # A scale that is repeated says what its ends are.
        ends = f"{show(grades[0][1])}-{show(grades[-1][1])}"
        self.scale: Callable[[re.Match[str]], str] = lambda found: (
            f"({ends})" if found["bracket"] else found[0]
        )
        lettered = any(title[-2:-1].isspace() or title[-2:-1] == "_" for title in titles)
        self.read: Callable[[re.Match[str]], str] = lambda found: _read(found, numbers, only_forms=lettered)


@lru_cache(maxsize=128)
def _letters(grades: Grades, titles: tuple[str, ...]) -> _Letters:
    return _Letters(grades, titles)


def _written(name: str) -> str:
    """The pattern of a grade's name: "b+" is "B +" and "B plus" as well."""
    stem = name.rstrip("+-")
    return r"\s".join(re.escape(word) for word in stem.split()) + "".join(
        _ALIKE[sign] for sign in name[len(stem) :]
    )


def _read(found: re.Match[str], numbers: dict[str, str], *, only_forms: bool) -> str:
    """The number of a grade; the same text where it is none."""
    shown = found["grade"]
    if shown is None:
        return found[0]
    name = _name(shown)
    stem = name.rstrip("+-")
    signed, capital = stem != name, shown[0].isupper()
    in_form = _in_form(found)
    if in_form or (
        not only_forms and len(stem) == 1 and capital and _in_prose(found, stem.upper(), signed=signed)
    ):
        return numbers.get(name, found[0])
    return found[0]


def _name(shown: str) -> str:
    """A grade in small letters, with its signs as they are listed."""
    low = re.sub(r"[\s-]*plus\b", "+", re.sub(r"[\s-]*minus\b", "-", shown.lower()))
    return re.sub(r"\s*([+-])", r"\1", re.sub(r"[‐‑−–]", "-", " ".join(low.split())))


def _in_form(found: re.Match[str]) -> bool:
    """Whether a grade is all that a line has, or has behind a label."""
    text, start, end = found.string, found.start(), found.end()
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start].rstrip(_MARKS)
    stop = text.find("\n", end)
    behind = text[end : len(text) if stop < 0 else stop].lstrip(_CLOSING)
    if before.endswith((*_TIES, "\\boxed", "\\text")) or (before and "|" in text[line + len(before) : start]):
        return not behind or not behind[0].isalnum() or _goes_on(behind)
    return not before.strip(_MARKS + "#>\\") and not behind


def _goes_on(behind: str) -> bool:
    word = _WORD_BEHIND.match(behind)
    return word is not None and word[1] is not None and word[1].lower() in _BEHIND_ARTICLE


def _in_prose(found: re.Match[str], letter: str, *, signed: bool) -> bool:
    """Whether a capital in a sentence can be a grade, by the words and marks beside it."""
    text, start, end = found.string, found.start(), found.end()
    before = text[max(start - 60, 0) : start].rstrip(_MARKS)
    word = _WORD_BEFORE.search(before)
    previous = word[1].lower() if word else ""
    if word and previous not in _BEFORE:
        return False
    if not word and before and before[-1] not in ".,;!?:=→|–—->)\n":
        return False
    behind = text[end : end + 60]
    if _INITIAL.match(behind):
        return False
    following = _WORD_BEHIND.match(behind)
    if following is not None and following[1]:
        known = _BEHIND_ARTICLE if letter in _ARTICLES and previous not in _DETERMINERS else _BEHIND
        return signed or (letter != "I" and following[1].lower() in known)
    # "A: hello" names who speaks, and "A) ..." is an entry of a list.
    opens = not before or text[:start].rstrip(_MARKS).endswith("\n")
    rest = behind.lstrip(_MARKS + "”’»")
    if opens and not signed and rest[:1] in {":", ")", "("}:
        return False
    return letter != "I" and (
        not rest or rest[0] in _ENDS or rest[0] == "\n" or _DASHED.match(behind) is not None
    )
