"""A text under judgement, and its features: how good it is by each, and the sentences that argue from it. Each quotes the text, or is empty."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from agentdebate.offline.text import Text
from agentdebate.tasks import Item, Task

_CONVERSATION = ("dialogue", "dialog", "conversation", "history", "chat", "context")
_QUESTION = ("question", "query", "instruction", "prompt")
_PROMPT = 2
"""Times a text may be as long as its source before the source is but a prompt."""
_SHORT, _LONG = 4, 32
"""Words of a sentence; one outside these bounds costs its reader an effort."""
_RUN = 3
"""Words in a row that are a repetition where they come again."""
_HALF = 0.5
"""Length beside its source from which on a text is too long."""
_ENOUGH = {True: 60, False: 12}
"""Words of an answer to a question, and of any other text that stands by itself, that say enough."""
_PLACES = 24
"""Places kept of a word, so that long texts take no more than linear time."""


@dataclass(frozen=True, slots=True)
class ItemTexts:
    """The raw texts around one that is judged. An empty string stands for one that the item lacks."""

    judged: str
    source: str = ""
    """The text that the judged one draws on: an article, a fact."""
    conversation: str = ""
    """The conversation that it goes on with, one turn a line."""
    question: str = ""

    @classmethod
    def of(cls, task: Task, item: Item, field: str) -> "ItemTexts":
        """Sort the fields that the task shows around the text in `field`.

        One named like a conversation is one, and so with a question; the longest other one is the source.
        """
        texts = {task.judged, *task.candidates, field}
        others = {name: item.fields[name] for name in task.shown(item) if name not in texts}
        conversation = next((others.pop(name) for name in _CONVERSATION if name in others), "")
        question = next((others.pop(name) for name in _QUESTION if name in others), "")
        return cls(
            item.fields.get(field, ""), max(others.values(), key=len, default=""), conversation, question
        )


class JudgedText(Text):
    """A text under judgement, with what it is judged by. Its features are measured when they are first asked for."""

    def __init__(self, texts: ItemTexts) -> None:
        super().__init__(texts.judged)
        raw = [one for one in (texts.source, texts.conversation, texts.question) if one.strip()]
        self.basis = Text(max(raw, key=len, default=texts.judged))
        """The text that the whole is about: the longest that stands beside this one, or this one."""
        said = texts.conversation.strip().rpartition("\n")[2] or texts.question
        source = Text(texts.source)
        self.drawn = not texts.conversation.strip() and _PROMPT * len(source.words) >= len(self.words)
        """True if it is drawn from its source alone, as a summary is."""
        self.beside = source if self.drawn else Text(f"{said}\n{texts.source}")
        """The source, or what it answers together with what it may draw on."""
        self.asked = bool(texts.question)
        """True if it answers a question."""
        self._values: dict[str, FeatureValue | None] = {}

    def find(self, feature: str) -> "FeatureValue | None":
        """The value of a feature; None where it cannot be measured."""
        if feature not in self._values:
            self._values[feature] = FEATURES[feature](self) if self.words else None
        return self._values[feature]


@dataclass(frozen=True, slots=True)
class FeatureValue:
    """The value of a feature, from 0 (worst) to 1 (best), and a sentence for either direction."""

    feature: str
    value: float
    weak: str
    """The sentence that argues against the text."""
    strong: str = ""
    """The sentence that argues for it. To be without a fault is not a merit to argue from."""

    def towards(self, direction: int) -> str:
        """The sentence that argues upwards (1) or downwards (-1)."""
        return self.strong if direction > 0 else self.weak


def ramp(value: float, worst: float, best: float) -> float:
    """The place of a value between 0 at `worst` and 1 at `best`. `worst` may be the larger of the two."""
    return min(1.0, max(0.0, (value - worst) / (best - worst)))


def overlap(text: JudgedText) -> FeatureValue | None:
    """The share of what stands beside it most often that the text takes up."""
    beside = text.beside
    if not beside.salient:
        return None
    missing = [one for one in beside.salient if one not in text.content]
    weights = beside.content
    left_out = sum(weights[one] for one in missing) / sum(weights[one] for one in beside.salient)
    best = max(text.sentences, key=lambda one: sum(text.stems[at] in beside.salient for at in one))
    return FeatureValue(
        "overlap",
        ramp(left_out, 1.0, 0.35),
        _say("It leaves out {}.", beside.quote_around(beside.stems.index(missing[0])) if missing else ""),
        _say("{} takes up what matters.", text.quote(best) if len(missing) < len(beside.salient) else ""),
    )


def novelty(text: JudgedText) -> FeatureValue | None:
    """The share of content words that the source does not have."""
    source = text.beside
    if not text.drawn or not text.content:
        return None
    new = [at for at, one in enumerate(text.stems) if one and one not in source.content]
    old = [one for one in text.sentences if not any(at in one for at in new[:_PLACES])]
    return FeatureValue(
        "novelty",
        ramp(len(new) / text.content.total(), 0.8, 0.0),
        _say("The source says nothing of {}.", text.quote_around(new[0]) if new else ""),
        _say("{} is what the source says.", text.quote(old[0]) if old else ""),
    )


def figures(text: JudgedText) -> FeatureValue | None:
    """The names and figures that the source does not have."""
    source = text.beside
    if not text.drawn or not text.names:
        return None
    wrong = [at for at in text.names if text.stems[at] not in source.content]
    right = [at for at in text.names if text.stems[at] in source.content]
    return FeatureValue(
        "figures",
        1 - len(wrong) / len(text.names),
        _say("The source never mentions {}.", _name(text, wrong)),
        _say("The source mentions {}, too.", _name(text, right)),
    )


def repetition(text: JudgedText) -> FeatureValue | None:
    """Words said twice in a row, and runs of three words that come again."""
    words = text.words
    seen = set[tuple[str, ...]]()
    again: list[range] = []
    for at, word in enumerate(words):
        run = (*words[at : at + _RUN],)
        if at and word == words[at - 1]:
            again.append(range(at - 1, at + 1))
        elif run in seen:
            again.append(range(at, at + _RUN))
        if len(run) == _RUN:
            seen.add(run)
    value = ramp(len(again) / (len(words) + 4), 0.25, 0.0)
    return FeatureValue("repetition", value, _say("It says {} twice.", text.quote(again[0]) if again else ""))


def order(text: JudgedText) -> FeatureValue | None:
    """The share of sentences that go on where the one before stands in the source."""
    source = text.beside
    if not text.drawn:
        return None
    places = [(place, one) for one in text.sentences if (place := _place(text, one, source)) is not None]
    back = [one for (before, _), (place, one) in pairwise(places) if place < before]
    if len(places) < 2:  # noqa: PLR2004 - one alone is in order
        return None
    weak = _say(
        "The order is lost: {} goes back to what comes earlier in the source.",
        text.quote(back[0]) if back else "",
    )
    return FeatureValue("order", ramp(len(back) / (len(places) - 1), 0.75, 0.0), weak)


def length(text: JudgedText) -> FeatureValue | None:
    """The length of a text: beside the source that it is drawn from, else by itself."""
    words = len(text.words)
    ratio = words / len(text.beside.words) if text.drawn else 0.0
    if ratio:
        value = min(ramp(ratio, 0.0, 0.1), ramp(ratio, 1.0, _HALF))
    else:
        value = ramp(words, 1, _ENOUGH[text.asked])
    weak = (
        "It runs on to {}, where less would do." if ratio > _HALF else "It ends with {}, and has said little."
    )
    tail = text.quote(text.sentences[-1][-4:])
    if value > _HALF:
        return FeatureValue("length", value, "", _say("It has said enough when it ends with {}.", tail))
    return FeatureValue("length", value, _say(weak, tail))


def sentences(text: JudgedText) -> FeatureValue | None:
    """Sentences of a length that reads well, the last one finished."""
    grades = {one: min(ramp(len(one), 1, _SHORT + 1), ramp(len(one), 60, _LONG)) for one in text.sentences}
    worst = min(text.sentences, key=grades.__getitem__)
    fault = "{} is a fragment." if len(worst) <= _SHORT else "{} is too long for one sentence."
    weak = _say(fault, text.quote(worst)) if grades[worst] < 1 else ""
    if not weak and not text.ends:
        weak = _say("It breaks off at {}.", text.quote(text.sentences[-1][-4:]))
    return FeatureValue("sentences", 0.8 * fmean(grades.values()) + 0.2 * text.ends, weak)


FEATURES: Mapping[str, Callable[[JudgedText], FeatureValue | None]] = {
    one.__name__: one for one in (overlap, novelty, figures, repetition, order, length, sentences)
}


def _say(words: str, quote: str) -> str:
    return words.format(quote) if quote else ""


def _name(text: Text, places: list[int]) -> str:
    """The longest run of these words."""
    runs = list[range]()
    for at in places[:_PLACES]:
        if runs and at == runs[-1].stop:
            runs[-1] = range(runs[-1].start, at + 1)
        else:
            runs.append(range(at, at + 1))
    return text.quote(max(runs, key=len)) if runs else ""


def _place(text: Text, sentence: range, source: Text) -> int | None:
    """The sentence of the source that shares most with a sentence."""
    stems = {text.stems[at] for at in sentence}
    shared = Counter(place for one in stems for place in source.places.get(one, ()))
    return min(shared, key=lambda place: (-shared[place], place)) if shared else None
