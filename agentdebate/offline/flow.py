"""Features of flow: how a text's sentences hang together."""

from itertools import pairwise

from agentdebate.offline.finding import Finding, mean, ramp
from agentdebate.offline.phrasing import fill, say
from agentdebate.offline.reading import Reading
from agentdebate.offline.text import Sentence, Text
from agentdebate.offline.vocabulary import BACKWARD, CONNECTIVES, PRONOUNS

_COMPARED = 40
"""Sentences that are compared with each other; more would take quadratic time and show nothing new."""
_ALIKE = 0.6
_GRAM = 4
_PLACED = 0.3
"""Share of a sentence's words that its passage must hold to tell where it comes from."""
_NEAR = 3
"""Sentences of the source between which a step is small."""


def cohesion(reading: Reading) -> Finding | None:
    """Whether each sentence takes something up from the one before: a word, or a pronoun."""
    text = reading.text
    if len(text.sentences) < 2:  # noqa: PLR2004 - a pair
        return None
    links = [(_link(text, one, other), one, other) for one, other in pairwise(text.sentences)]
    loose = min(links, key=lambda each: each[0])
    tight = max(links, key=lambda each: each[0])
    weak = strong = ""
    if loose[0] < _ALIKE:
        quotes = text.quote_sentence(loose[1]), text.quote_sentence(loose[2])
        weak = fill("Nothing carries over from {} to {}; the second starts afresh.", *quotes)
    if tight[0] > 0:
        quotes = text.quote_sentence(tight[1]), text.quote_sentence(tight[2])
        strong = fill("{} is taken up and carried on by {}.", *quotes)
    return Finding("cohesion", ramp(mean([link for link, _, _ in links]), 0.0, 0.8), weak, strong)


def order(reading: Reading) -> Finding | None:
    """Whether the text tells things in the order of its source."""
    source, text = reading.ground, reading.text
    if source is None or reading.conversation is not None:
        return None
    found = [(*source.best_place(text.content(each)), each) for each in text.sentences]
    placed = [(place, each) for place, share, each in found if share >= _PLACED]
    if len(placed) < 2:  # noqa: PLR2004 - a pair
        return None
    steps = [_step(after - at) for (at, _), (after, _) in pairwise(placed)]
    back = [(one, other) for (at, one), (after, other) in pairwise(placed) if after < at]
    fore = [(one, other) for (at, one), (after, other) in pairwise(placed) if after > at]
    weak = strong = ""
    if back:
        quotes = [text.quote_sentence(each) for each in back[0]]
        weak = fill("{} comes before {}, the reverse of the source's order.", *quotes)
    if fore:
        quotes = [text.quote_sentence(each) for each in fore[0]]
        strong = fill("From {} to {} it follows the order in which the source tells it.", *quotes)
    return Finding("order", mean(steps), weak, strong)


def redundancy(reading: Reading) -> Finding | None:
    """Whether the text says the same thing twice, in whole sentences or in runs of four words."""
    text = reading.text
    if not text.words:
        return None
    twin = _twins(text)
    seen: dict[tuple[str, ...], int] = {}
    again = [at for at, gram in enumerate(text.grams(_GRAM)) if seen.setdefault(gram, at) != at]
    share = len(again) / max(1, len(text.words) - _GRAM + 1)
    weak = ""
    if again:
        weak = fill("It says {} twice.", text.quote(again[0], again[0] + _run(again)))
    elif twin[0] >= _ALIKE:
        quotes = text.quote_sentence(twin[1]), text.quote_sentence(twin[2])
        weak = fill("{} says again what {} has said.", quotes[1], quotes[0])
    value = min(ramp(share, 0.25, 0.0), ramp(twin[0], 0.85, 0.3))
    strong = say(
        text,
        text.sentences[-1],
        "It does not repeat itself; even at its end, with {}, there is something new.",
    )
    return Finding("redundancy", value, weak, strong)


def reference(reading: Reading) -> Finding | None:
    """Whether the opening explains itself: no pronoun without a name before it, no connective with nothing before it."""
    text = reading.text
    if not text.sentences or reading.conversation is not None:
        return None
    opening = text.sentences[0]
    first = text.words[opening.first]
    weak = ""
    if first in PRONOUNS or first in BACKWARD:
        weak = say(
            text, opening, f"It opens with {{}}, and a reader cannot tell what “{first}” points back to."
        )
    bare = [each for each in text.sentences if not text.content(each)]
    if bare and not weak:
        weak = say(text, bare[0], "{} points at nothing that a reader can find.")
    named = bool(text.content(opening)) and not weak
    strong = say(text, opening, "It opens with {}, which needs nothing said before it.") if named else ""
    return Finding("reference", 0.0 if first in PRONOUNS else 0.3 if weak else 0.8, weak, strong)


def _step(step: int) -> float:
    """How well the next sentence follows: closely after the one before in the source, far after it, or back."""
    if step < 0:
        return 0.0
    return 1.0 if step <= _NEAR else 0.6


def _link(text: Text, one: Sentence, other: Sentence) -> float:
    before, after = set(text.content(one)), set(text.content(other))
    if before and before == after:
        return 0.0  # the same sentence again is no continuation
    opener = text.words[other.first]
    pointing = 0.6 if opener in PRONOUNS else 0.4 if opener in CONNECTIVES else 0.0
    shared = len(before & after) / max(1, min(len(before), len(after)))
    return min(1.0, max(pointing, ramp(shared, 0.0, 0.35)))


def _twins(text: Text) -> tuple[float, Sentence, Sentence]:
    contents = [(set(text.content(each)), each) for each in text.sentences[:_COMPARED]]
    best = (0.0, text.sentences[0], text.sentences[0])
    for number, (stems, sentence) in enumerate(contents):
        for earlier, twin in contents[:number]:
            size = min(len(stems), len(earlier))
            alike = len(stems & earlier) / size if size > 1 else 0.0
            if alike > best[0]:
                best = alike, twin, sentence
    return best


def _run(again: list[int]) -> int:
    run = 1
    while run < len(again) and again[run] == again[run - 1] + 1:
        run += 1
    return run + _GRAM - 1
