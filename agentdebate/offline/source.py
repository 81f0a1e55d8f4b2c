"""A source text, analysed once for all texts that are judged beside it."""

import math
from collections import Counter
from dataclasses import dataclass
from itertools import islice

from agentdebate.offline.text import Sentence, Text, flat

_LEAD = 3
"""News tells its story in its first sentences."""
_LEAD_BONUS = 1.0
_SALIENT = 30
_PLACES = 24
"""Places kept for a word: enough to find its sentences, few enough to stay linear on long sources."""
_ROOT = 5
"""Letters that a word shares with its kin."""
COPY = 3
"""Words in a row that count as copied."""


@dataclass(slots=True)
class Source:
    """What a source stresses (`salience` by stem, the `salient` stems in order) and in which sentences it says what."""

    text: Text
    salience: dict[str, float]
    salient: list[str]
    places: dict[str, dict[int, int]]
    """By stem: how often which sentence says it, in the order of the sentences."""
    roots: frozenset[str]
    """How its longer words begin."""
    grams: set[tuple[str, ...]]
    line: str

    @classmethod
    def read(cls, raw: str) -> "Source":
        """Analyse a source."""
        text = Text.read(raw)
        salience = _salience(text)
        salient = sorted(salience, key=lambda stem: (-salience[stem], stem))[:_SALIENT]
        places = _places(text)
        roots = frozenset(filter(None, map(_root, places)))
        return cls(text, salience, salient, places, roots, set(text.grams(COPY)), flat(text.words))

    def akin(self, stem: str) -> bool:
        """Whether the source has a word that begins as this one does: "corrosion" for "corroded"."""
        return _root(stem) in self.roots

    def best_place(self, stems: list[str]) -> tuple[int, float]:
        """The source sentence (it and the next) that holds most of these stems: its number and the share held.

        A stem is held as often as the passage says it, as in BLEU's modified precision: a word said over and over is
        backed once.
        """
        alone, pairs = Counter[int](), Counter[int]()
        for stem, times in Counter(stems).items():
            said = self.places.get(stem, {})
            for place, count in said.items():
                alone[place] += min(times, count)
            for place in {max(0, place - step) for place in said for step in (0, 1)}:
                pairs[place] += min(times, said.get(place, 0) + said.get(place + 1, 0))
        if not pairs:
            return 0, 0.0
        best = min(pairs, key=lambda place: (-pairs[place], -alone[place], place))
        return best, pairs[best] / len(stems)

    def together(self, one: str, other: str) -> bool:
        """Whether some sentence of the source, or two neighbouring ones, holds both stems."""
        near = {place + step for place in self.places.get(one, ()) for step in (-1, 0, 1)}
        return any(place in near for place in self.places.get(other, ()))

    def heaviest(self, without: set[str]) -> Sentence | None:
        """The sentence, of those the judge remembers, that says most of what `without` leaves out."""
        loads: Counter[int] = Counter()
        for stem in self.salient:
            if stem not in without:
                for place in islice(self.places[stem], _LEAD):
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


def _places(text: Text) -> dict[str, dict[int, int]]:
    places: dict[str, dict[int, int]] = {}
    for number, sentence in enumerate(text.sentences):
        for stem, count in Counter(text.content(sentence)).items():
            known = places.setdefault(stem, {})
            if len(known) < _PLACES:
                known[number] = count
    return places


def _root(stem: str) -> str:
    """The first letters of a word that is long enough to have kin; empty for another, and for a number."""
    return stem[:_ROOT] if len(stem) >= _ROOT and stem.isalpha() and stem.isascii() else ""
