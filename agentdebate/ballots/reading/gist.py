"""What of a reply may state a judgement: sentences without a sign of one are left out before it is taken to pieces.

Most of a reply is reasons, and to look for signs in a text is far quicker than to take it to words. Lines that are short, or
hold a quotation or a label, are kept whole.
"""

import re
from collections.abc import Iterable, Iterator

from agentdebate.ballots.numbers import NUMBER_WORDS
from agentdebate.ballots.reading.choice_words import STATING
from agentdebate.ballots.reading.lexicon import FOLLOW, UNITS

_SHORT = 160
"""Characters; a shorter line is kept as it is."""
_LABEL = 60
"""Characters at the start of a line in which a colon ends a label."""
_BEHIND_ONE = FOLLOW | UNITS
LEFT_OUT = "…."
"""Stands for sentences that are left out."""
_TAKING_BACK = (
    "wait", "actually", "correction", "hmm", "sorry", "oops", "nope", "no,", "edit:", "erratum", "apolog", "reconsider", "update:",
    "scratch ", "strike ", "second thought", "that back", "it back", "misread", "misjudg", "misspoke", "mean that", "never mind",
    "me correct", "me revise", "make that", "disregard", "ignore that", "reflection", "closer look",
)  # fmt: skip
"""With one of these in it, a reply is read in full: what it takes back may stand anywhere."""
_DIGIT = re.compile(r"[0-9]+")
_SIGN = re.compile(r"[\[▣▢<>=]")
_NUMBERS = tuple(sorted({*NUMBER_WORDS, "nan", "inf", "infinity"}))
_STEMS = tuple(word for word in STATING if not any(word != stem and word.startswith(stem) for stem in STATING))


def gist_of_scores(text: str) -> str:
    """The text without sentences that hold no number."""
    return _gist(text, _DIGIT, _NUMBERS, whole=True)


def gist_of_choices(text: str) -> str:
    """The text without sentences that hold no word of a choice."""
    return _gist(text, _SIGN, _STEMS, whole=False)


def _gist(text: str, sign: re.Pattern[str], words: Iterable[str], *, whole: bool) -> str:
    if len(text) <= _SHORT:
        return text
    present = [word for word in words if word in text]
    short = "\n".join(
        [_short(line, sign, present, whole=whole) if len(line) > _SHORT else line for line in text.split("\n")]
    )
    # Only what is said twice can be taken back.
    again = short.count(LEFT_OUT) > 1 or "\n" in text
    return text if again and any(word in text for word in _TAKING_BACK) else short


def _short(line: str, sign: re.Pattern[str], words: Iterable[str], *, whole: bool) -> str:
    """A long line's sentences that hold a sign, or a word, at the start of a word."""
    if '"' in line or ":" in line[:_LABEL]:
        return line
    places = sorted([*(found.start() for found in sign.finditer(line)), *_word_places(line, words, whole=whole)])
    kept, end = list[str](), 0
    for place in places:
        if place >= end:
            start = max(line.rfind(". ", end, place), line.rfind("! ", end, place), line.rfind("? ", end, place)) + 1 or end
            kept.append(LEFT_OUT if start > end else "")
            last = line.find(". ", place)
            end = len(line) if last < 0 else last + 1
            kept.append(line[start:end])
    return "".join(kept) + (LEFT_OUT if end < len(line) else "")


def _word_places(line: str, words: Iterable[str], *, whole: bool) -> Iterator[int]:
    """Where words begin; with `whole` they have to end there as well, and "one" must not stand for a thing."""
    for word in words:
        at = line.find(word)
        while at >= 0:
            end = at + len(word)
            begins = at == 0 or not line[at - 1].isalpha() or not word.isascii()
            if begins and not (whole and (line[end : end + 1].isalpha() or (word == "one" and _is_pronoun(line, end)))):
                yield at
            at = line.find(word, end)


def _is_pronoun(line: str, end: int) -> bool:
    """Whether "one" has another word behind it than may follow a score."""
    return line[end : end + 1] == " " and line[end + 1 : end + 2].isalpha() and line[end + 1 :].split(" ", 1)[0].strip(".,") not in _BEHIND_ONE
