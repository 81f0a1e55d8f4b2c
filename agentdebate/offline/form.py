"""Features of form: how a text is written, whatever it says."""

import re

from agentdebate.offline.finding import Finding, mean, ramp
from agentdebate.offline.phrasing import fill, say
from agentdebate.offline.reading import Reading
from agentdebate.offline.text import Sentence, Text
from agentdebate.offline.vocabulary import DANGLING

_SHORT, _LONG = 4, 34
"""Words; a sentence outside these bounds costs its reader an effort."""
_CLOSE = 4
"""Words within which the same word again reads as a stutter."""
_BROKEN = re.compile(r"<unk>|\bunk\b|[,;:]\s*[.,;:!?]|\.\s+\.|\(\s*\)|[\"'`]\s[\"'`]|\ufffd", re.IGNORECASE)
_REACH = 24
"""Characters quoted on either side of a broken mark."""


def stutter(reading: Reading) -> Finding | None:
    """Words said twice in a row, or almost so."""
    text = reading.text
    if not text.words:
        return None
    words = text.words
    faults = [at for at in range(1, len(words)) if words[at] == words[at - 1] and not words[at].isdigit()]
    faults += [
        at
        for at in range(2, len(text.words))
        if text.stems[at]
        and not text.stems[at].isdigit()
        and text.stems[at] in text.stems[max(0, at - _CLOSE) : at - 1]
    ]
    weak = fill("It stumbles over a repeated word in {}.", text.quote_around(faults[0])) if faults else ""
    middle = text.sentences[len(text.sentences) // 2]
    strong = "" if faults else say(text, middle, "{} reads without a stumble: no word is doubled.")
    return Finding("stutter", ramp(len(faults) / (len(text.words) + 8), 0.08, 0.0), weak, strong)


def marks(reading: Reading) -> Finding | None:
    """Punctuation: debris, and brackets and quotation marks left open. Tokenised spacing is a style, and no fault."""
    text = reading.text
    if not text.words:
        return None
    broken = _BROKEN.search(text.raw)
    faults = sum(1 for _ in _BROKEN.finditer(text.raw))
    opened = _left_open(text.raw)
    weak = ""
    if broken:
        weak = fill("The punctuation around {} is broken.", _around(text, broken.start()))
    elif opened is not None:
        weak = fill(
            "A mark opened near {} has no partner, which leaves the punctuation broken.",
            _around(text, opened),
        )
    cost = (faults + (opened is not None)) / (len(text.sentences) + 2)
    strong = "" if weak else say(text, text.sentences[0], "The punctuation in {} is in order.")
    return Finding("marks", ramp(cost, 0.5, 0.0), weak, strong)


def ending(reading: Reading) -> Finding | None:
    """Whether the text is finished: its last sentence has an end, and all of them do."""
    text = reading.text
    if not text.words:
        return None
    last = text.sentences[-1]
    tail = text.quote(max(last.first, last.last - 6), last.last)
    if text.words[-1] in DANGLING:
        return Finding("ending", 0.0, fill("It breaks off in mid-sentence, at {}.", tail))
    if not last.closed:
        return Finding("ending", 0.4, fill("It stops at {} with no mark to close it.", tail))
    return Finding("ending", 1.0, "", fill("It comes to a proper end with {}.", tail))


def shape(reading: Reading) -> Finding | None:
    """Whether the sentences have a length that reads well."""
    text = reading.text
    if not text.sentences:
        return None
    grades = [
        (min(ramp(len(each), 1, _SHORT + 2), ramp(len(each), 55, _LONG)), each) for each in text.sentences
    ]
    worst = min(grades, key=lambda each: each[0])
    best = max(grades, key=lambda each: each[0])
    weak = ""
    if len(worst[1]) < _SHORT:
        weak = say(text, worst[1], "{} is a fragment and no sentence.")
    elif len(worst[1]) > _LONG:
        weak = say(text, worst[1], f"The sentence that starts {{}} runs on for {len(worst[1])} words.")
    value = 0.5 * (worst[0] + mean([grade for grade, _ in grades]))
    return Finding("shape", value, weak, say(text, best[1], "{} has a length that is easy to read."))


def case(reading: Reading) -> Finding | None:
    """Whether capitals are used as they should be. A text wholly in one case has a style of its own: no finding."""
    text = reading.text
    if not text.sentences or text.raw.islower() or text.raw.isupper() or text.raw.lower() == text.raw.upper():
        return None
    small = [each for each in text.sentences if text.raw[text.spans[each.first][0]].islower()]
    good = [each for each in text.sentences if each not in small] if len(small) < _SHORT else []
    weak = say(text, small[0], "{} starts small although the text uses capitals elsewhere.") if small else ""
    strong = say(text, good[0], "{} is capitalised as it should be.") if good and not small else ""
    return Finding("case", 1.0 - len(small) / len(text.sentences), weak, strong)


def variety(reading: Reading) -> Finding | None:
    """How many different words a text uses for its length."""
    text = reading.text
    content = [stem for stem in text.stems if stem and not stem[0].isdigit()]
    if not content:
        return None
    counts: dict[str, int] = {}
    for stem in content:
        counts[stem] = counts.get(stem, 0) + 1
    favourite = max(counts, key=lambda stem: counts[stem])
    at = text.stems.index(favourite)
    often = counts[favourite]
    weak = (
        fill(f"It leans on {{}} {often} times, which wears the reader out.", text.quote(at, at + 1))
        if often > 2  # noqa: PLR2004 - twice is no habit
        else ""
    )
    # The share of different words falls with length, so a long text is measured by its root (Guiraud's index).
    different = (
        len(counts) / len(content)
        if len(content) < 2 * _LONG
        else ramp(len(counts) / len(content) ** 0.5, 0, 8)
    )
    return Finding(
        "variety",
        ramp(different, 0.45, 0.95),
        weak,
        say(text, _richest(text), "{} is varied in its wording."),
    )


def _left_open(raw: str) -> int | None:
    for opening, closing in ("()", "[]"):
        if raw.count(opening) != raw.count(closing):
            return max(raw.find(opening), raw.find(closing))
    return raw.find('"') if raw.count('"') % 2 else None


def _around(text: Text, place: int) -> str:
    inside = [
        at for at, span in enumerate(text.spans) if place - _REACH <= span[0] and span[1] <= place + _REACH
    ]
    return text.quote(inside[0], inside[-1] + 1) if inside else text.quote(0, _CLOSE)


def _richest(text: Text) -> Sentence:
    return max(text.sentences, key=lambda each: len(set(text.content(each))))
