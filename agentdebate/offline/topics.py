"""What a text is about: the names and words that it stresses, as they stand in it."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from agentdebate.offline.source import Source
from agentdebate.offline.text import Sentence, Text, quotable
from agentdebate.offline.vocabulary import CAPITALISED, DULL

_MOST_WORDS, _LONGEST = 3, 32
"""Words and characters of a topic."""
_SHORTEST = 3
"""Letters of a topic of one word in English; two are a word in many scripts."""
_OF_VERBS = ("ing", "ed")
_LEAD = 3
_LEAD_BONUS, _NAME_BONUS = 1.0, 1.0
_READ = 3000
"""Words of a text that are searched for its topics."""
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff]{2}")
_LETTERS = re.compile(r"[^\W\d_]")


def topics(source: Source, most: int) -> list[str]:
    """The topics of a text, the most salient first; fewer than `most` where it has not so many, none where it says nothing."""
    text = source.text
    names = {name: weight + _NAME_BONUS for name, weight in _names(text).items()}
    taken = {word for name in names for word in name.lower().split()}
    words = {word: weight for word, weight in _words(source) if word not in taken}
    weights = {**words, **names} or _signs(text)
    ordered = sorted(weights, key=lambda topic: (-weights[topic], topic))
    found: dict[str, str] = {}
    for topic in ordered:
        if len(found) == most:
            break
        if len(topic) <= _LONGEST and quotable(topic) == topic and _LETTERS.search(topic):
            found.setdefault(topic.casefold(), topic)
    return list(found.values())


def _names(text: Text) -> dict[str, float]:
    """Names with their weights: words in a row with capitals. "Depp" alone counts for "Johnny Depp"."""
    if text.raw.isupper():
        return {}
    runs = list(_runs(text))
    counts = Counter(name for name, _ in runs)
    lead = {name for name, place in runs if place < _LEAD}
    whole: dict[str, str] = {}
    for name in sorted((each for each in counts if " " in each), key=lambda each: (counts[each], each)):
        whole.update(dict.fromkeys(name.split(), name))
    weights: Counter[str] = Counter()
    for name, count in counts.items():
        weights[whole.get(name, name)] += count
    lead |= {whole[name] for name in lead if name in whole}
    return {name: math.log1p(count) + _LEAD_BONUS * (name in lead) for name, count in weights.items()}


def _runs(text: Text) -> Iterator[tuple[str, int]]:
    """Names as they come, each with the number of its sentence."""
    capital = [text.raw[first].isupper() for first, _ in text.spans[:_READ]]
    small = {word for word, large in zip(text.words, capital, strict=False) if not large}
    starts = {sentence.first for sentence in text.sentences}
    inside = {text.words[at] for at, large in enumerate(capital) if large and at not in starts}
    for number, sentence in enumerate(text.sentences):
        for run in _capitalised(text, sentence, capital, small):
            # A word alone at the start of a sentence may be any word.
            if run[0] != sentence.first or len(run) > 1 or text.words[run[0]] in inside:
                yield from _named(text, run, number)


def _capitalised(
    text: Text, sentence: Sentence, capital: Sequence[bool], small: set[str]
) -> Iterator[list[int]]:
    """Words in a row that are capitalised."""
    run: list[int] = []
    for at in range(sentence.first, min(sentence.last, len(capital))):
        fits = capital[at] and _is_name(text, at, sentence, small)
        if run and not (fits and _goes_on(text, at)):
            yield run
            run = []
        if fits:
            run.append(at)
    if run:
        yield run


def _is_name(text: Text, at: int, sentence: Sentence, small: set[str]) -> bool:
    """Any word opens a sentence with a capital; it is a name only where the text never has it without."""
    word = text.words[at]
    return bool(text.stems[at]) and word not in CAPITALISED and (at > sentence.first or word not in small)


def _goes_on(text: Text, at: int) -> bool:
    """Whether a word belongs to the name that the word before it is of: "Russia's Victory Day" is two names."""
    joined = text.raw[text.spans[at - 1][1] : text.spans[at][0]] == " "
    return joined and _bare(text.words[at - 1]) == text.words[at - 1]


def _named(text: Text, run: Sequence[int], number: int) -> Iterator[tuple[str, int]]:
    words = [_bare(text.raw[slice(*text.spans[at])]) for at in run[-_MOST_WORDS:]]
    if any(len(word) >= _SHORTEST and word.lower() not in DULL for word in words):
        yield " ".join(words), number


def _words(source: Source) -> Iterator[tuple[str, float]]:
    """Content words that the text stresses, each in the form in which it has it first; forms of verbs say little."""
    text = source.text
    for each in source.salient:
        at = text.stems.index(each)
        word = _bare(text.words[at])
        says = word not in DULL and not word[0].isdigit() and not word.endswith(_OF_VERBS)
        if says and len(word) >= _SHORTEST - (not word.isascii()):
            yield word, source.salience[each]


def _signs(text: Text) -> dict[str, float]:
    """Pairs of characters, for scripts without spaces between words."""
    return {pair: float(count) for pair, count in Counter(_HAN.findall(text.raw[:_READ])).items()}


def _bare(word: str) -> str:
    return word.replace("’", "'").removesuffix("'s").removesuffix("'")
