"""A source text, analysed once for all texts that are judged beside it."""

import math
from collections import Counter
from dataclasses import dataclass

from agentdebate.offline.text import Sentence, Text, flat

_LEAD = 3
"""News tells its story in its first sentences."""
_LEAD_BONUS = 1.0
_SALIENT = 30
_PLACES = 24
"""Places kept for a word: enough to find its sentences, few enough to stay linear on long sources."""
COPY = 3
"""Words in a row that count as copied."""


@dataclass(slots=True)
class Source:
    """What a source stresses (`salience` by stem, the `salient` stems in order) and in which sentences it says what."""

    text: Text
    salience: dict[str, float]
    salient: list[str]
    places: dict[str, list[int]]
    grams: set[tuple[str, ...]]
    line: str

    @classmethod
    def read(cls, raw: str) -> "Source":
        """Analyse a source."""
        text = Text.read(raw)
        salience = _salience(text)
        salient = sorted(salience, key=lambda stem: (-salience[stem], stem))[:_SALIENT]
        return cls(text, salience, salient, _places(text), set(text.grams(COPY)), flat(text.words))

    def best_place(self, stems: list[str]) -> tuple[int, float]:
        """The source sentence (or it and the next) that holds most of these stems: its number and the share held."""
        if not stems:
            return 0, 0.0
        hits: Counter[int] = Counter()
        for stem in dict.fromkeys(stems):
            for place in self.places.get(stem, ()):
                hits[place] += 1
        if not hits:
            return 0, 0.0
        place, found = min(hits.items(), key=lambda hit: (-hit[1], hit[0]))
        return place, found / len(set(stems))

    def together(self, one: str, other: str) -> bool:
        """Whether some sentence of the source, or two neighbouring ones, holds both stems."""
        near = {place + step for place in self.places.get(one, ()) for step in (-1, 0, 1)}
        return any(place in near for place in self.places.get(other, ()))

    def heaviest(self, without: set[str]) -> Sentence | None:
        """The sentence, of those the judge remembers, that says most of what `without` leaves out."""
        loads: Counter[int] = Counter()
        for stem in self.salient:
            if stem not in without:
                for place in self.places[stem][:_LEAD]:
                    loads[place] += round(100 * self.salience[stem])
        if not loads:
            return None
        place = min(loads, key=lambda each: (-loads[each], each))
        return self.text.sentences[place]


def _salience(text: Text) -> dict[str, float]:
    counts = Counter(stem for stem in text.stems if stem)
    lead = {stem for sentence in text.sentences[:_LEAD] for stem in text.content(sentence)}
    return {
        stem: math.log1p(count) + (_LEAD_BONUS if stem in lead else 0.0) for stem, count in counts.items()
    }


def _places(text: Text) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for number, sentence in enumerate(text.sentences):
        for stem in text.content(sentence):
            known = places.setdefault(stem, [])
            if len(known) < _PLACES and (not known or known[-1] != number):
                known.append(number)
    return places
