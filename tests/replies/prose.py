"""Reasons: paragraphs and lists of sentences from reasons.py, with noise among them."""

import re
from collections.abc import Mapping, Sequence
from random import Random

from replies.reasons import BULLETS, FAULTS, GENERAL, PAIRS, PRAISE
from replies.wording import fill

LENGTHS = (0, 1, 2, 4, 7, 12, 20, 30)
"""How many sentences reasons may have; thirty are some four hundred words."""
_WEIGHTS = (12, 16, 20, 20, 14, 10, 5, 3)

SPACES = ("\n\n", "\n\n", "\n\n", "\n", "\n", " ", "\n\n\n", "\r\n\r\n", " \n")
"""What may stand between the parts of a reply."""


def reasons(rng: Random, thing: str, slots: Mapping[str, str], numbers: Sequence[str], *, plain: bool = False) -> str:
    """Reasons about one text; `plain` ones are no list and hold no numbers."""
    bank = [*PRAISE[thing], *FAULTS[thing], *GENERAL]
    return _laid_out(rng, _drawn(rng, bank, slots, () if plain else numbers), plain=plain)


def comparison(
    rng: Random, labels: Sequence[str], slots: Mapping[str, str], numbers: Sequence[str], *, plain: bool = False
) -> str:
    """Reasons about several texts, with praise and blame for each."""
    sentences = []
    for sentence in _drawn(rng, PAIRS, {**slots, "X": "{X}", "Y": "{Y}"}, () if plain else numbers):
        one, other = rng.sample(list(labels), 2)
        sentences.append(fill(sentence, {"X": one, "Y": other}, rng) if "{X}" in sentence or "{Y}" in sentence else sentence)
    return _laid_out(rng, sentences, plain=plain)


def _drawn(rng: Random, bank: Sequence[str], slots: Mapping[str, str], numbers: Sequence[str]) -> list[str]:
    count = rng.choices(LENGTHS, _WEIGHTS)[0]
    drawn = rng.sample(list(bank), min(count, len(bank)))
    noise = rng.sample(list(numbers), min(rng.choice((0, 0, 1, 1, 2, 4)), len(numbers)))
    for sentence in noise if drawn else ():
        drawn.insert(rng.randrange(len(drawn) + 1), sentence)
    return [_slip(rng, fill(sentence, slots, rng)) for sentence in drawn]


def _slip(rng: Random, sentence: str) -> str:
    """The sentence, now and then with two letters of a word swapped, or a word in bold."""
    chance = rng.random()
    words = sentence.split(" ")
    k = rng.randrange(len(words))
    if chance < 0.04 and words[k].isalpha() and len(words[k]) > 5:
        words[k] = words[k][:2] + words[k][3] + words[k][2] + words[k][4:]
    elif chance < 0.08 and words[k].isalpha() and len(words[k]) > 3:
        words[k] = f"**{words[k]}**"
    return " ".join(words)


def _laid_out(rng: Random, sentences: Sequence[str], *, plain: bool) -> str:
    if not sentences:
        return ""
    chance = rng.random()
    if not plain and chance < 0.25:
        bullet = rng.choice(BULLETS)
        return "\n".join(re.sub(r"\d", str(k), bullet) + sentence for k, sentence in enumerate(sentences, 1))
    if chance < 0.6:
        return " ".join(sentences)
    size = rng.randint(1, 4)
    parts = [" ".join(sentences[k : k + size]) for k in range(0, len(sentences), size)]
    return "\n\n".join(parts)
