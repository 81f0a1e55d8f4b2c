"""Features of content: what a text takes over from its source, and what it adds."""

from itertools import pairwise

from agentdebate.offline.finding import Finding, mean, ramp
from agentdebate.offline.phrasing import fill, say
from agentdebate.offline.reading import Reading
from agentdebate.offline.source import COPY, Source
from agentdebate.offline.text import Sentence, Text

_PAIRS_QUOTED = 6
_MANY = 2
_PLAIN, _NAME = 0.5, 3.0
"""What a word weighs that the source lacks."""


def coverage(reading: Reading) -> Finding | None:
    """How much of what the source stresses (often said, or said first) the text takes up."""
    source = reading.basis
    if source is None or not source.salient:
        return None
    total = sum(source.salience[stem] for stem in source.salient)
    covered = sum(source.salience[stem] for stem in source.salient if stem in reading.stems)
    missed = source.heaviest(reading.stems)
    weak = missed and say(
        source.text, missed, "The source puts weight on {}, and the text leaves most of that out."
    )
    strong = _richest(reading.text, source)
    return Finding("coverage", ramp(covered / total, 0.2, 0.85), weak or "", strong)


def focus(reading: Reading) -> Finding | None:
    """Whether the words of the text are among those that the source stresses."""
    source, text = reading.conversation or reading.ground, reading.text
    if source is None or not reading.stems:
        return None
    heads = set(source.salient)
    shares = [
        (mean([float(stem in heads) for stem in text.content(sentence)]), sentence)
        for sentence in text.sentences
        if text.content(sentence)
    ]
    worst = min(shares, key=lambda each: each[0])[1]
    best = max(shares, key=lambda each: each[0])[1]
    return Finding(
        "focus",
        ramp(mean([share for share, _ in shares]), 0.2, 0.9),
        say(text, worst, "{} spends its words on side matters that the source hardly stresses."),
        say(text, best, "{} stays with the main subject, in the very words that the source keeps using."),
    )


def support(reading: Reading) -> Finding | None:
    """Whether each sentence has one place in the source that says it, rather than scraps from many."""
    source, text = reading.ground, reading.text
    if source is None:
        return None
    shares = [
        (source.best_place(text.content(sentence))[1], sentence)
        for sentence in text.sentences
        if text.content(sentence)
    ]
    if not shares:
        return None
    worst = min(shares, key=lambda each: each[0])[1]
    best, best_sentence = max(shares, key=lambda each: each[0])
    value = 0.5 * (mean([share for share, _ in shares]) + min(share for share, _ in shares))
    place = source.text.sentences[source.best_place(text.content(best_sentence))[0]]
    strong = source.text.quote_sentence(place) if best > 0 else ""
    return Finding(
        "support",
        ramp(value, 0.3, 1.0),
        say(text, worst, "No single passage of the source says what {} says."),
        fill("{} rests on one passage of the source, {}.", text.quote_sentence(best_sentence), strong),
    )


def unsupported(reading: Reading) -> Finding | None:
    """Names and other content words of the text that its source never uses, or not so often.

    A name or a number cannot be said in other words, and weighs six times as much as a plain word. A plain word that
    begins as one of the source's is taken for a form of that. A word is backed as often as the source says it, as in
    BLEU's modified precision: what a text says over and over has no basis there.
    """
    source, text = reading.ground, reading.text
    if source is None or not reading.stems:
        return None
    known = set(source.places) | (set(reading.conversation.places) if reading.conversation else set())
    lacking = [at for at, stem in enumerate(text.stems) if stem and stem not in known]
    named = _names(text, lacking)
    strange = [at for at in lacking if at in named or not source.akin(text.stems[at])]
    again = _said_again(text, source)
    content = sum(1 for stem in text.stems if stem)
    share = (_PLAIN * (len(strange) - len(named) + len(again)) + _NAME * len(named)) / content
    weak = ""
    if strange:
        worst = (named or strange)[0]
        words = _listed(text, named or strange)
        weak = fill("The source never mentions {}: {} has no basis in it.", words, text.quote_around(worst))
    elif again:
        weak = fill(
            "{} is said more often than in the source: nothing there backs it once more.",
            text.quote(again[0], again[0] + 1),
        )
    first = text.quote_sentence(text.sentences[0])
    strong = fill("Every name and nearly every word of {} can be found in the source.", first)
    return Finding("unsupported", ramp(share, 0.3, 0.0), weak, strong if not named else "")


def numbers(reading: Reading) -> Finding | None:
    """Whether the numbers of the text are numbers of the source. No finding where the text has none."""
    source, text = reading.ground, reading.text
    places = [at for at, word in enumerate(text.words) if word[0].isdigit()]
    if source is None or not places:
        return None
    known = set(source.text.words)
    wrong = [at for at in places if text.words[at] not in known]
    right = [at for at in places if text.words[at] in known]
    weak = (
        fill("The figure in {} does not occur in the source.", text.quote_around(wrong[0])) if wrong else ""
    )
    strong = fill("The figure in {} is the source's own.", text.quote_around(right[0])) if right else ""
    return Finding("numbers", len(right) / len(places), weak, strong if not wrong else "")


def pairs(reading: Reading) -> Finding | None:
    """Whether words that stand side by side in the text are said together in the source too."""
    source, text = reading.ground, reading.text
    if source is None:
        return None
    joined: list[tuple[int, int]] = []
    apart: list[tuple[int, int]] = []
    for one, other in _neighbours(text):
        if text.stems[one] in source.places and text.stems[other] in source.places:
            same = source.together(text.stems[one], text.stems[other])
            (joined if same else apart).append((one, other))
    if not joined and not apart:
        return None
    weak = _quote_pair(
        text, apart, "{} joins what the source keeps apart: it never says these words together."
    )
    strong = _quote_pair(text, joined, "{} brings together what the source brings together, too.")
    return Finding("pairs", ramp(len(apart) / (len(apart) + len(joined)), 0.35, 0.0), weak, strong)


def copied(reading: Reading) -> Finding | None:
    """How much of the text repeats the source word for word. Copying is dull, and faithful."""
    source, text = reading.ground, reading.text
    grams = list(text.grams(COPY))
    if source is None or not grams:
        return None
    places = [at for at, gram in enumerate(grams) if gram in source.grams]
    own = next((at for at, gram in enumerate(grams) if gram not in source.grams), None)
    strong = fill("The wording of {} is taken straight from the source.", _longest_run(text, places))
    weak = ""
    if own is not None:
        sentence = next(each for each in text.sentences if own < each.last)
        weak = fill(
            "The wording of {} is the writer's own; the source does not put it so.",
            _clip(text, own, sentence),
        )
    return Finding("copied", ramp(len(places) / len(grams), 0.1, 0.95), weak, strong)


def length(reading: Reading) -> Finding | None:
    """Whether the text is neither a stub nor a retelling, beside the length of its source."""
    source, text = reading.ground, reading.text
    if source is None or reading.conversation is not None or not text.words:
        return None
    size, whole = len(text.words), len(source.text.words)
    value = min(ramp(size, 8, min(50, max(9, whole / 3))), ramp(size, max(160, whole), 90))
    ends = text.quote(0, _PAIRS_QUOTED), text.quote(max(0, size - _PAIRS_QUOTED), size)
    weak = fill("From {} to {} it is " + _size(size) + f" words, for a source of {whole}.", *ends)
    strong = fill(f"With {size} words for {whole}, from {{}} to {{}}, it has the room it needs.", *ends)
    return Finding("length", value, weak, strong)


def _richest(text: Text, source: Source) -> str:
    heads = set(source.salient)
    best = max(text.sentences, key=lambda each: len(heads & set(text.content(each))), default=None)
    if best is None or not heads & set(text.content(best)):
        return ""
    return say(text, best, "{} carries a main point of the source.")


def _names(text: Text, places: list[int]) -> list[int]:
    """Those of the places that hold a number, or a capital where no sentence starts."""
    starts = {sentence.first for sentence in text.sentences}
    found = []
    for at in places:
        initial = text.raw[text.spans[at][0]]
        if initial.isdigit() or (initial.isupper() and at not in starts):
            found.append(at)
    return found


def _said_again(text: Text, source: Source) -> list[int]:
    """The places of the text's words beyond the times that the source says them."""
    left = {stem: sum(said.values()) for stem, said in source.places.items()}
    found = []
    for at, stem in enumerate(text.stems):
        if stem in left:
            left[stem] -= 1
            if left[stem] < 0:
                found.append(at)
    return found


def _listed(text: Text, places: list[int]) -> str:
    quoted = dict.fromkeys(text.quote(at, at + 1) for at in places[:_PAIRS_QUOTED])
    few = [each for each in quoted if each][:_MANY]
    return " or ".join(few)


def _neighbours(text: Text) -> list[tuple[int, int]]:
    found = []
    for sentence in text.sentences:
        places = [at for at in range(sentence.first, sentence.last) if text.stems[at]]
        found += list(pairwise(places))
    return found


def _quote_pair(text: Text, pairs: list[tuple[int, int]], words: str) -> str:
    if not pairs:
        return ""
    one, other = pairs[0]
    return fill(words, text.quote(one, other + 1))


def _longest_run(text: Text, places: list[int]) -> str:
    best = run = (0, 0)
    for at in places:
        run = (run[0], at + COPY) if run[1] and at + COPY == run[1] + 1 else (at, at + COPY)
        best = max(best, run, key=lambda each: each[1] - each[0])
    return text.quote(*best)


def _clip(text: Text, at: int, sentence: Sentence) -> str:
    return text.quote(at, min(at + _PAIRS_QUOTED, max(sentence.last, at + 1)))


def _size(size: int) -> str:
    return f"only {size}" if size < 50 else f"{size}"  # noqa: PLR2004 - the length that `length` thinks ideal
