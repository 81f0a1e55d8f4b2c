"""Cases: what a judge was asked to score, and the scores that it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from agentdebate.tasks import Aspect, Scale

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

SCALES: Mapping[str, tuple[Scale, int]] = {
    "1-5": (Scale(low=1, high=5), 35),
    "1-10": (Scale(low=1, high=10), 20),
    "0-100": (Scale(low=0, high=100), 10),
    "1-3": (Scale(low=1, high=3), 8),
    "1-7": (Scale(low=1, high=7), 7),
    "0-1": (Scale(low=0, high=1), 6),
    "0-1 any": (Scale(low=0, high=1, step=None), 6),
    "1-5 halves": (Scale(low=1, high=5, step=0.5), 5),
    "1-10 any": (Scale(low=1, high=10, step=None), 3),
}
"""Each scale, and how often it is drawn. Scales of letters are unknown to the project (tasks.Scale holds numbers)."""

ASPECTS: Mapping[str, tuple[str, ...]] = {
    "summary": ("coherence", "consistency", "fluency", "relevance", "factual_consistency"),
    "response": ("naturalness", "coherence", "engagingness", "groundedness", "overall_quality"),
    "story": ("relevance", "empathy", "surprise", "engagement", "complexity"),
    "answer": ("helpfulness", "accuracy", "depth", "clarity", "factual_accuracy"),
}
"""What is judged, and its aspects."""

_WIDE = str.maketrans("0123456789.", "０１２３４５６７８９．")


@dataclass(frozen=True, slots=True)
class Case:
    """The kind of text that is judged, the aspects that are asked for, and the score of each."""

    thing: str
    scale_name: str
    aspects: tuple[Aspect, ...]
    scores: tuple[float, ...]

    @property
    def scale(self) -> Scale:
        """The scale of the first aspect."""
        return self.aspects[0].scale

    @property
    def score(self) -> float:
        """The score of the first aspect."""
        return self.scores[0]


def case(rng: Random, need: Callable[[Case], bool] | None, *, several: bool) -> Case:
    """A case that a wording can put. Raises LookupError where none is found in many tries."""
    for _ in range(2000):
        drawn = _case(rng, several=several)
        if need is None or need(drawn):
            return drawn
    raise LookupError("no case fits what a wording needs")


def _case(rng: Random, *, several: bool) -> Case:
    thing = rng.choice(list(ASPECTS))
    name = rng.choices(list(SCALES), [weight for _, weight in SCALES.values()])[0]
    scale = SCALES[name][0]
    names = rng.sample(ASPECTS[thing], rng.choice((2, 2, 3, 4))) if several else [rng.choice(ASPECTS[thing])]
    aspects = tuple(
        Aspect(name=one, scale=scale, criterion=f"How good the {thing} is in this respect.") for one in names
    )
    return Case(thing, name, aspects, tuple(draw(rng, scale) for _ in aspects))


def compared(rng: Random) -> Case:
    """A case in which two or three texts are scored: an aspect for each, as the lines of a ballot have it."""
    one = _case(rng, several=False)
    noun = one.thing
    aspects = tuple(
        Aspect(
            name=f"{noun}_{letter.lower()}",
            label=f"{noun.capitalize()} {letter}",
            scale=one.scale,
            criterion="-",
        )
        for letter in "ABC"[: rng.choice((2, 2, 3))]
    )
    return Case(noun, one.scale_name, aspects, tuple(draw(rng, one.scale) for _ in aspects))


def draw(rng: Random, scale: Scale, besides: tuple[float, ...] = ()) -> float:
    """A number on a scale, other than some."""
    values = scale.values
    if values is None:
        places = 2 if scale.high <= 1 else 1
        values = tuple(
            round(scale.low + k / 10**places, places)
            for k in range(int((scale.high - scale.low) * 10**places) + 1)
        )
    left = [value for value in values if value not in besides]
    return rng.choice(left or list(values))


def shown(number: float) -> str:
    """A number as a judge writes it."""
    return f"{number:g}"


def slots(rng: Random, of: Case, index: int = 0) -> dict[str, str]:
    """Return what the slots of a wording stand for, for one of the aspects.

    n the score, w and W in words, low and top the scale's ends, o and p other numbers on the scale, m any number on it,
    a, A and AA the aspect, tag its name, b and B an aspect that was not asked for, thing and Thing what is judged.
    """
    aspect, score = of.aspects[index], of.scores[index]
    scale = aspect.scale
    other = draw(rng, scale, (score,))
    third = draw(rng, scale, (score, other))
    strange = rng.choice(
        [name for name in ASPECTS[of.thing] if not _alike(name, of) and "overall" not in name]
        or ["originality"]
    )
    return {
        "n": shown(score), "o": shown(other), "p": shown(third), "m": shown(draw(rng, scale)),
        "low": shown(scale.low), "top": shown(scale.high), "mid": shown((scale.low + scale.high) / 2),
        "a": _prose(aspect.name), "A": aspect.title, "AA": aspect.title.upper(), "tag": aspect.name,
        "b": _prose(strange), "B": _prose(strange).capitalize(),
        "thing": of.thing, "Thing": of.thing.capitalize(),
        "c": str(rng.randint(2, 9)), "q": str(rng.randint(35, 240)), "y": str(rng.randint(1971, 2023)), "i": str(index + 1),
        "r": str(rng.randint(5, 95)),
        **_in_words(score, other), **_in_signs(score, scale), **_in_parts(rng, score, scale),
    }  # fmt: skip


def _alike(name: str, of: Case) -> bool:
    """Tell whether an aspect's name shares a word with one that is asked for."""
    words = set(name.split("_"))
    return any(words & set(aspect.name.split("_")) for aspect in of.aspects)


def _prose(name: str) -> str:
    return name.replace("_", " ")


def _in_words(score: float, other: float) -> dict[str, str]:
    words = {}
    for slot, number in (("w", score), ("v", other)):
        whole = WORDS[int(number)] if number <= 10 else shown(number)
        half = number % 1 == 0.5 and number <= 10
        words[slot] = f"{whole} and a half" if half else whole
    return {**words, "W": words["w"].capitalize()}


def _in_signs(score: float, scale: Scale) -> dict[str, str]:
    full, top = int(score), int(scale.high)
    return {
        "stars": "★" * full + "☆" * (top - full) if top <= 10 else "",
        "emoji": "⭐" * full if top <= 10 else "",
        "half": f"{full}½",
        "wide": shown(score).translate(_WIDE),
        "wtop": WORDS[top] if top <= 10 else str(top),
        "over": shown(scale.high * 2),
        "off": shown(scale.high + 2),
    }


def _in_parts(rng: Random, score: float, scale: Scale) -> dict[str, str]:
    """Three parts, each with its most, that make up the score; their mosts make up the scale's top."""
    most = [int(scale.high * share) for share in (0.3, 0.4)]
    most.append(int(scale.high) - sum(most))
    left, parts = int(score), []
    for k, limit in enumerate(most):
        rest = sum(most[k + 1 :])
        part = rng.randint(max(0, left - rest), min(limit, left))
        parts.append(part)
        left -= part
    spread = rng.randint(0, int(min(score - scale.low, scale.high - score)))
    return {
        **{f"p{k}": str(part) for k, part in enumerate(parts, 1)},
        **{f"t{k}": str(limit) for k, limit in enumerate(most, 1)},
        "d1": str(int(score) - spread),
        "d2": str(int(score) + spread),
    }


def _is_whole(of: Case) -> bool:
    return all(score.is_integer() for score in of.scores)


def middling(of: Case) -> bool:
    """Tell whether the score is neither the lowest nor the highest."""
    return of.scale.low < of.score < of.scale.high


NEEDS: Mapping[str, Callable[[Case], bool]] = {
    "whole": _is_whole,
    "wordy": lambda of: _is_whole(of) and of.scale.high <= 10,  # the scores can be said in a word
    "halved": lambda of: of.score % 1 == 0.5 and of.score >= 1 and of.scale.high <= 10,
    "starry": lambda of: _is_whole(of) and of.scale.high in (3, 5, 10) and of.score >= 1,
    "parted": lambda of: _is_whole(of) and of.scale.high in (10, 100) and of.score >= 3,  # a sum of parts
    "flawed": lambda of: of.score < of.scale.high,
    "percent": lambda of: of.scale.high == 100,
    "small": lambda of: of.scale.step == 1 and of.scale.high < 10,
    "stepped": lambda of: of.scale.step == 1,
    "wide": lambda of: of.scale.values is None or len(of.scale.values) > 2,
    "ten": lambda of: of.scale_name == "1-10",  # a 1 may be the beginning of a 10
    "particular": lambda of: "overall" not in of.aspects[0].name,  # judges rate that beside the others
}
"""What a wording needs of a case, by its name in wordings.jsonl."""
