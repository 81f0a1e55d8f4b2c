"""What of a reply may state a judgement: sentences without a sign of one are left out before it is taken to pieces.

Most of a reply is reasons, and to look for signs in a text is far quicker than to take it to words. Lines that are short, or
hold a quotation or a label, are kept whole.
"""

from collections.abc import Iterable, Iterator

from agentdebate.ballots.numbers import NUMBER_WORDS
from agentdebate.ballots.reading.lexicon import FOLLOW, UNITS
from agentdebate.ballots.withdrawal import takes_back

_SHORT = 160
"""Characters; a shorter line is kept as it is."""
_LABEL = 60
"""Characters at the start of a line in which a colon ends a label."""
_BEHIND_ONE = FOLLOW | UNITS
LEFT_OUT = "…."
"""Stands for sentences that are left out."""
_DIGITS = tuple("0123456789")
_NUMBERS = tuple(sorted({*NUMBER_WORDS, "nan", "inf", "infinity"}))
_FAMILIES = {
    stem: tuple(word for word in _NUMBERS if stem in word)
    for stem in _NUMBERS
    if not any(word in stem for word in _NUMBERS if word != stem)
}
"""Number words by the one that they hold: a text without "six" is not looked through for "sixteen"."""


def gist_of_scores(text: str) -> str:
    """The text without sentences that hold no number."""
    if len(text) <= _SHORT:
        return text
    digits = [digit for digit in _DIGITS if digit in text]
    present = [word for stem, family in _FAMILIES.items() if stem in text for word in family if word in text]
    short = "\n".join(
        [_short(line, digits, present) if len(line) > _SHORT else line for line in text.split("\n")]
    )
    # Only what is said twice can be taken back.
    again = short.count(LEFT_OUT) > 1 or "\n" in text
    return text if again and takes_back(text) else short


def _short(line: str, digits: Iterable[str], words: Iterable[str]) -> str:
    """A long line's sentences that hold a digit, or a word for a number."""
    if '"' in line or ":" in line[:_LABEL]:
        return line
    places = sorted([*_digit_places(line, digits), *_word_places(line, words)])
    kept, end = list[str](), 0
    for place in places:
        if place >= end:
            start = (
                max(line.rfind(". ", end, place), line.rfind("! ", end, place), line.rfind("? ", end, place))
                + 1
                or end
            )
            kept.append(LEFT_OUT if start > end else "")
            last = line.find(". ", place)
            end = len(line) if last < 0 else last + 1
            kept.append(line[start:end])
    return "".join(kept) + (LEFT_OUT if end < len(line) else "")


def _digit_places(line: str, digits: Iterable[str]) -> Iterator[int]:
    for digit in digits:
        at = line.find(digit)
        while at >= 0:
            yield at
            at = line.find(digit, at + 1)


def _word_places(line: str, words: Iterable[str]) -> Iterator[int]:
    """Where words begin and end; "one" must not stand for a thing."""
    for word in words:
        at = line.find(word)
        while at >= 0:
            end = at + len(word)
            begins = at == 0 or not line[at - 1].isalpha() or not word.isascii()
            if begins and not (line[end : end + 1].isalpha() or (word == "one" and _is_pronoun(line, end))):
                yield at
            at = line.find(word, end)


def _is_pronoun(line: str, end: int) -> bool:
    """Whether "one" has another word behind it than may follow a score."""
    return (
        line[end : end + 1] == " "
        and line[end + 1 : end + 2].isalpha()
        and line[end + 1 :].split(" ", 1)[0].strip(".,") not in _BEHIND_ONE
    )
