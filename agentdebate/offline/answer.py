"""Features of answers to questions: what shows on the surface whether an answer helps. Whether it is true does not."""

import re

from agentdebate.offline.finding import Finding, ramp
from agentdebate.offline.phrasing import fill, say
from agentdebate.offline.reading import Reading
from agentdebate.offline.sums import find_sums
from agentdebate.offline.text import Sentence, Text
from agentdebate.offline.vocabulary import DANGLING, EXAMPLES, HEDGES, INSTRUCTIONS, REFUSALS

_ITEM = re.compile(r"^[ \t]{0,12}(?:[-*•][ \t]|\d{1,3}[.)][ \t])", re.MULTILINE)
_BREAK = re.compile(r"\n[ \t]*\n")
_FENCE = "```"
_HALF_DETAIL = 40
"""Different content words at which an answer is half as detailed as any can be."""
_BRIEF = 100
"""Words below which an answer is brief."""
_HALF_CONCRETE = 6
"""Concrete things at which an answer is half as concrete as any can be."""
_BLOCK = 80
"""Words from which a text wants a break."""
_EARLY = 30
"""Words within which a refusal is the answer itself."""
_RUN = 6
"""Words in a row that are no chance repetition."""
_TELLING = 5
"""Content words from which a sentence tells something."""
_STUB = 4
"""Words of a last line that may be a signature or a heading."""


def aim(reading: Reading) -> Finding | None:
    """How many of the words that say what the question is about the answer takes up."""
    question, text = reading.question, reading.text
    if question is None or not question.places or not text.words:
        return None
    asked = question.text
    subject = {stem for stem, word in zip(asked.stems, asked.words, strict=True) if word not in INSTRUCTIONS}
    subject = subject - {""} or set(question.places)
    missed = [at for at, stem in enumerate(asked.stems) if stem in subject and stem not in reading.stems]
    taken = [at for at, stem in enumerate(text.stems) if stem in subject]
    share = len(subject & reading.stems) / len(subject)
    weak = strong = ""
    if missed:
        missing, opening = asked.quote_around(missed[0], 2), text.quote_sentence(_telling(text)[0])
        weak = fill("The question asks about {}, which {} and the rest do not take up.", missing, opening)
    if taken:
        strong = fill("{} takes up what was asked.", text.quote_around(taken[0]))
    return Finding("aim", ramp(share, 0.1, 0.8), weak, strong)


def detail(reading: Reading) -> Finding | None:
    """How much an answer says, in different content words; the more it says, the less a word more counts."""
    text = reading.text
    if reading.question is None or not text.words:
        return None
    size = len(reading.stems)
    richest = max(text.sentences, key=lambda each: len(set(text.content(each))))
    weak = ""
    if len(text.words) < _BRIEF:
        weak = say(
            text, text.sentences[-1], f"It is brief: in {len(text.words)} words it is done, with {{}}."
        )
    strong = say(text, richest, "{} goes into detail.") if size > _HALF_DETAIL / 2 else ""
    return Finding("detail", size / (size + _HALF_DETAIL), weak, strong)


def layout(reading: Reading) -> Finding | None:
    """Whether a long answer is set out in points or paragraphs. A short one needs neither."""
    text = reading.text
    if reading.question is None or not text.words:
        return None
    items = [match.end() for match in _ITEM.finditer(text.raw)]
    blocks = [match.end() for match in _BREAK.finditer(text.raw.strip())]
    if len(items) > 1:
        first, last = _line_at(text, items[0]), _line_at(text, items[-1])
        strong = fill(f"It is set out in {len(items)} points, from {{}} to {{}}.", first, last)
        return Finding("layout", 1.0, "", strong)
    if blocks:
        last = _line_at(text, blocks[-1] + len(text.raw) - len(text.raw.lstrip()))
        strong = fill("It is set out in paragraphs, from {} to {}.", text.quote(0, 6), last)
        return Finding("layout", 0.8, "", strong)
    if len(text.words) < _BLOCK:
        return Finding("layout", 0.6)
    weak = fill(f"{{}} opens a block of {len(text.words)} words without a break.", text.quote(0, 6))
    return Finding("layout", 0.2, weak)


def concrete(reading: Reading) -> Finding | None:
    """What there is to hold an answer to: numbers, names, examples."""
    text = reading.text
    if reading.question is None or not text.words:
        return None
    starts = {sentence.first for sentence in text.sentences}
    entries = {text.word_at(match.start()) for match in _ITEM.finditer(text.raw)}
    places = [at for at in range(len(text.words)) if at not in entries and _is_concrete(text, at, starts)]
    things = len({text.words[at] for at in places})
    weak = strong = ""
    if things < _HALF_CONCRETE:
        weak = say(text, _telling(text)[0], "{} stays general: hardly a number, a name or an example in it.")
    if places:
        strong = fill("{} is concrete: something that one can hold on to.", text.quote_around(places[-1]))
    return Finding("concrete", things / (things + _HALF_CONCRETE), weak, strong)


def commits(reading: Reading) -> Finding | None:
    """Whether an answer says something, or refuses, hedges, and keeps to phrases that fit any question."""
    text = reading.text
    if reading.question is None or not text.words:
        return None
    refusal = next((each for each in REFUSALS if f" {each} " in reading.line), "")
    hedges = [each for each in HEDGES if f" {each} " in reading.line]
    count = sum(reading.line.count(f" {each} ") for each in hedges)
    value = ramp(100 * count / (len(text.words) + 50), 4, 0)
    weak = fill("{} commits to nothing.", _phrase(reading, hedges[0])) if hedges else ""
    if refusal:
        early = reading.line[: reading.line.index(f" {refusal} ") + 1].count(" ") < _EARLY
        value = min(value, 0.1 if early else 0.5)
        weak = fill("{} commits to nothing: it holds back from the answer.", _phrase(reading, refusal))
    strong = "" if weak else say(text, _telling(text)[-1], "{} commits itself.")
    return Finding("commits", value, weak, strong)


def complete(reading: Reading) -> Finding | None:
    """Whether an answer is finished: no word left dangling, no line of prose without an end, no code left open."""
    text = reading.text
    if reading.question is None or not text.words:
        return None
    tail = text.quote(max(0, len(text.words) - 6), len(text.words))
    last = text.raw.rstrip().rpartition("\n")[2]
    if text.raw.count(_FENCE) % 2 or text.words[-1] in DANGLING:
        return Finding("complete", 0.0, fill("It is cut off in the middle, at {}.", tail))
    prose = len(last.split()) > _STUB and not _ITEM.match(last) and last[:1].strip()
    if prose and last[-1].isalnum() and not _is_code(last):
        return Finding("complete", 0.3, fill("It is cut off at {}, where no mark ends it.", tail))
    return Finding("complete", 1.0, "", fill("It is finished, down to {}.", tail))


def padding(reading: Reading) -> Finding | None:
    """How much of an answer stands in it twice, in runs of six words."""
    text = reading.text
    if reading.question is None or not text.words:
        return None
    seen: dict[tuple[str, ...], int] = {}
    again = [at for at, gram in enumerate(text.grams(_RUN)) if seen.setdefault(gram, at) != at]
    weak = fill("It repeats {} word for word.", text.quote(again[0], again[0] + _RUN)) if again else ""
    strong = "" if again else say(text, _telling(text)[-1], "It never repeats itself: {} is new as well.")
    return Finding("padding", ramp(len(again) / len(text.words), 0.15, 0.0), weak, strong)


def sums(reading: Reading) -> Finding | None:
    """Whether the arithmetic comes out. No finding where an answer writes none out."""
    text = reading.text
    found = list(find_sums(text.raw)) if reading.question is not None and text.words else []
    if not found:
        return None
    wrong = [each for each in found if not each.right]
    shown = (wrong or found)[0]
    quote = text.quote(text.word_at(shown.start), text.word_at(shown.end))
    value = 1.0 - len(wrong) / len(found)
    if wrong:
        return Finding("sums", min(value, 0.4), fill("The sum in {} does not come out.", quote))
    return Finding("sums", value, "", fill("The sum in {} comes out.", quote))


def unity(reading: Reading) -> Finding | None:
    """Whether an answer's sentences have to do with each other, or with the question."""
    question, text = reading.question, reading.text
    contents = [(set(text.content(each)), each) for each in text.sentences if text.content(each)]
    if question is None or len(contents) < 2:  # noqa: PLR2004 - one sentence has nothing to agree with
        return None
    counts: dict[str, int] = {}
    for stems, _ in contents:
        for stem in stems:
            counts[stem] = counts.get(stem, 0) + 1
    joined = [any(counts[stem] > 1 or stem in question.places for stem in stems) for stems, _ in contents]
    alone = [each for (_, each), tied in zip(contents, joined, strict=True) if not tied]
    weak = say(text, alone[0], "{} connects with nothing else that is said.") if alone else ""
    closing = next(each for _, each in reversed(contents))
    strong = say(text, closing, "{} comes back to what was said before.") if joined[-1] else ""
    return Finding("unity", ramp(sum(joined) / len(joined), 0.5, 1.0), weak, strong)


def _is_concrete(text: Text, at: int, starts: set[int]) -> bool:
    initial = text.raw[text.spans[at][0]]
    if initial.isdigit() or text.words[at] in EXAMPLES:
        return True
    return initial.isupper() and at not in starts and bool(text.stems[at])


def _telling(text: Text) -> list[Sentence]:
    """The sentences worth quoting: those that say something, or all where none does."""
    known = [sentence for sentence in text.sentences if len(text.content(sentence)) >= _TELLING]
    return known or text.sentences


def _line_at(text: Text, place: int) -> str:
    """The first words of what stands at this character, to the end of its sentence."""
    at = text.word_at(place)
    end = next((each.last for each in text.sentences if each.first <= at < each.last), at)
    return text.quote(at, min(end, at + 6))


def _phrase(reading: Reading, phrase: str) -> str:
    start = reading.line[: reading.line.index(f" {phrase} ")].count(" ")
    return reading.text.quote(start, start + len(phrase.split()) + 4)


def _is_code(line: str) -> bool:
    return any(mark in line for mark in "(){}[]=;<>") or line.endswith(_FENCE)
