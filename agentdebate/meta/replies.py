"""Raw replies of any judge, read into scores and choices: by our ballot reader, by a pattern, or by a model that is asked."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from agentdebate.ballots.plain import bounded, plain, spoken
from agentdebate.ballots.replies.choices import read_choice
from agentdebate.ballots.replies.numbers import numbers_in
from agentdebate.ballots.replies.outcome import Class, Scores, class_of
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.datasets.row import Row, kind_of
from agentdebate.errors import UsageError
from agentdebate.meta.talk import TIE
from agentdebate.tasks import Aspect, Grades, Scale

NO_SCORE, NO_CHOICE, OFF_SCALE = "no score in it", "no choice in it", "no score of the scale"
_KINDS: Mapping[str, str] = {
    "nothing": "empty",
    "refusal": "declined",
    "cut_off": "cut off",
    "several": "several that differ",
    "off_scale": OFF_SCALE,
}
"""Why a reply could not be read."""
WAYS: Mapping[Class, str] = {"form": "the form", "JSON": "JSON", "pattern": "a pattern"}
"""The classes of rules as captions name them."""
BY = "by "
"""How the rule of a model begins; no rule of our reader does."""
_PATTERN, _MODEL, _ASPECT = "pattern=", "model=", "{aspect}"
_TEXTS = ("Answer A", "Answer B")
"""What the two texts of a reply may be called; numbers, places and other nouns are known as well."""
_CALLED: Mapping[str, tuple[str, ...]] = {
    _TEXTS[0]: ("1", "A", "a"),
    _TEXTS[1]: ("2", "B", "b"),
    TIE: (TIE, "C", "c", "3"),
}
"""What the choice of a text, or of none, may be called by a judge; the first where none of these is known."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A reply in which our reader found no score for these aspects, or no choice between texts under these labels."""

    text: str
    aspects: tuple[Aspect, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Extraction:
    """The judgements that a model found in refused replies, and what that took."""

    model: str = ""
    scores: Mapping[Refused, Mapping[str, float]] = field(default_factory=dict)
    """By aspect; one that the reply does not give is not in it."""
    choices: Mapping[Refused, str] = field(default_factory=dict)
    """A label, or "tie"."""
    calls: int = 0
    tokens: int = 0
    money: str = ""
    """What the calls cost, with the currency; empty where no price is known."""
    failures: tuple[str, ...] = ()
    """Why calls gave no answer."""
    unasked: int = 0
    """Replies that were not asked about, since the calls were used up."""

    @property
    def rule(self) -> str:
        """The name of the rule by which these judgements were read."""
        return f"{BY}{self.model}"


NOTHING = Extraction()


class Extractor(Protocol):
    """Asks a model about refused replies, each of them once."""

    def __call__(self, refused: Sequence[Refused], /) -> Extraction:
        """Give what was found in them. Raises UserError where the model cannot be asked at all."""
        ...


@dataclass(frozen=True, slots=True)
class How:
    """How a judgement is found in a reply.

    "auto" reads it as a ballot, "pattern" takes the first match of a regular expression (its group, where it has one). "model" is
    "auto", and asks a model about what that refuses. In all ways a number that is not on the scale is no score.
    """

    way: Literal["auto", "pattern", "model"] = "auto"
    pattern: str = ""
    model: str = ""

    @classmethod
    def parse(cls, text: str) -> "How":
        """Read "auto", "pattern=REGEX", where {aspect} stands for the aspect's name, or "model=NAME". Raises UsageError."""
        if text == "auto":
            return cls()
        if text.startswith(_MODEL) and text != _MODEL:
            return cls("model", model=text.removeprefix(_MODEL))
        if not text.startswith(_PATTERN) or text == _PATTERN:
            raise UsageError(f"read=... is auto, pattern=REGEX or model=NAME, not {text!r}")
        how = cls("pattern", text.removeprefix(_PATTERN))
        how.compiled("aspect")
        return how

    @property
    def by_reader(self) -> bool:
        """Whether our reader reads the replies, and not a pattern of the user's."""
        return self.way != "pattern"

    def compiled(self, aspect: str) -> re.Pattern[str]:
        """The regular expression for an aspect. Raises UsageError."""
        name = r"[\s_-]*".join(re.escape(word) for word in re.split(r"[\s_-]+", aspect))
        try:
            return re.compile(self.pattern.replace(_ASPECT, f"(?i:{name})"))
        except re.error as error:
            raise UsageError(f"read=...: {self.pattern!r} is not a regular expression: {error}") from error

    def __str__(self) -> str:
        named = {"pattern": f"pattern {self.pattern!r}", "model": f"{_MODEL}{self.model}"}
        return named.get(self.way, self.way)


@dataclass(frozen=True, slots=True)
class Asked:
    """An aspect, the field of the replies that score it, and its scale where that is known."""

    aspect: str
    field: str
    scale: Scale | None = None
    grades: Grades = ()
    """Letters, or other words, that replies give for scores, and their numbers."""

    @property
    def as_aspect(self) -> Aspect:
        """The aspect as the ballot reader takes it."""
        name = re.sub(r"[^a-z0-9]+", "_", self.aspect.lower()).strip("_")
        name = name if name[:1].isalpha() else f"aspect_{name}"
        scale = self.scale or Scale(low=0, high=1)
        if self.grades and not scale.grades:
            scale = Scale(low=scale.low, high=scale.high, step=scale.step, grades=self.grades)
        return Aspect(name=name, scale=scale, criterion="")


@dataclass(frozen=True)
class Account:
    """What became of the replies about an aspect: how many there are, and why some could not be read."""

    aspect: str
    replies: int = 0
    unreadable: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, int] = field(default_factory=dict)
    """How many were read by each rule of the reader's; only where it read them."""

    @property
    def unread(self) -> int:
        """How many could not be read."""
        return sum(self.unreadable.values())

    @property
    def ways(self) -> Counter[str]:
        """How many our reader read by the form, by JSON and by a pattern, and how many a model."""
        found = Counter(dict.fromkeys(WAYS.values(), 0))
        for rule, count in self.rules.items():
            found[rule.removeprefix(BY) if rule.startswith(BY) else WAYS[class_of(rule)]] += count
        return found


def reply_text(row: Row, field: str, value: Any) -> str:
    """The text of one reply; empty where it is null. Raises DataError for anything else."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise row.error(f"a reply, or a list of replies, is wanted here, not {kind_of(value)}", field)
    return str(value)


class _Replies:
    """Reads replies one by one, and counts what becomes of those about each aspect."""

    def __init__(self, how: How, extractor: Extractor | None, texts: Iterable[Refused]) -> None:
        self._how = how
        self.extraction = extractor([*dict.fromkeys(texts)]) if extractor else NOTHING
        self._replies, self._unreadable = Counter[str](), dict[str, Counter[str]]()
        self._rules = dict[str, Counter[str]]()

    @property
    def accounts(self) -> tuple[Account, ...]:
        """What became of the replies so far."""
        return tuple(
            Account(about, count, self._unreadable[about], self._rules[about])
            for about, count in self._replies.items()
        )

    def _count(self, about: str, rule: str, *, problem: bool) -> None:
        self._replies[about] += 1
        unreadable = self._unreadable.setdefault(about, Counter())
        rules = self._rules.setdefault(about, Counter())
        if rule:
            (unreadable if problem else rules)[rule] += 1


class ScoreReplies(_Replies):
    """Reads scores of aspects; those that share a field are read together."""

    def __init__(
        self,
        asked: Sequence[Asked],
        how: How,
        extractor: Extractor | None,
        texts: Mapping[str, Iterable[str]],
    ) -> None:
        self._asked = {one.aspect: one for one in asked}
        self._sharing = {
            one.field: [other.as_aspect for other in asked if other.field == one.field] for one in asked
        }
        _check(asked, how)
        self._known: dict[tuple[str, str], Scores] = {}
        super().__init__(how, extractor, self._refused(texts) if extractor else ())

    def score(self, aspect: str, text: str) -> float | None:
        """The score that a reply gives an aspect; None where it cannot be read."""
        found, rule = self._scored(self._asked[aspect], text)
        self._count(aspect, rule, problem=found is None)
        return found

    def _scored(self, asked: Asked, text: str) -> tuple[float | None, str]:
        """The score and the rule by which it was read, or the reason why there is none."""
        if not self._how.by_reader:
            return _by_pattern(text, asked, self._how)
        read, name = self._read(asked.field, text), asked.as_aspect.name
        if name in read.scores:
            return read.scores[name], read.rule
        found = self.extraction.scores.get(self._refusal(asked.field, text), {})
        if name in found:
            return found[name], self.extraction.rule
        return None, _KINDS.get(read.problem.kind, NO_SCORE) if read.problem else NO_SCORE

    def _read(self, field: str, text: str) -> Scores:
        key = field, text
        if key not in self._known:
            self._known[key] = read_scores(text, self._sharing[field])
        return self._known[key]

    def _refusal(self, field: str, text: str) -> Refused:
        read = self._read(field, text)
        return Refused(text, tuple(one for one in self._sharing[field] if one.name not in read.scores))

    def _refused(self, texts: Mapping[str, Iterable[str]]) -> Iterator[Refused]:
        """The replies that our reader refuses, but for those that say nothing."""
        for name, each in texts.items():
            for text in each:
                problem = self._read(name, text).problem
                if problem is not None and problem.kind != "nothing":
                    yield self._refusal(name, text)


class ChoiceReplies(_Replies):
    """Reads the choice between two texts, by what the judge's words for them may be.

    A pattern with one group finds a label. One with a group for each text finds scores, and the choice is the number of the text
    with the greatest, from 1, or a tie.
    """

    def __init__(
        self, how: How, extractor: Extractor | None, texts: Iterable[str], words: Collection[str]
    ) -> None:
        self._words = words
        super().__init__(how, extractor, _refused_choices(texts) if extractor else ())

    def choice(self, about: str, text: str) -> str | None:
        """The word for the choice that a reply makes; None where it cannot be read."""
        found, rule = self._chosen(text) if self._how.by_reader else _label(text, self._how.compiled(about))
        self._count(about, rule, problem=found is None)
        return found

    def _chosen(self, text: str) -> tuple[str | None, str]:
        read = read_choice(text, _TEXTS)
        choice, rule = read.choice or TIE, read.rule
        if read.problem is not None:
            found = self.extraction.choices.get(Refused(text, labels=_TEXTS))
            if found is None:
                return None, _KINDS.get(read.problem.kind, NO_CHOICE)
            choice, rule = found, self.extraction.rule
        names = _CALLED[choice]
        return next((name for name in names if name in self._words), names[0]), rule


def _check(asked: Sequence[Asked], how: How) -> None:
    """Raise UsageError where the way of reading needs a scale, or a reply for each aspect."""
    if not how.by_reader and how.compiled("aspect").groups > 1:
        raise UsageError(
            f"read=...: {how.pattern!r} has several groups; write (?:...) for all but the score's"
        )
    unscaled = [one.aspect for one in asked if one.scale is None]
    if how.by_reader and unscaled:
        raise UsageError(
            f"read='{how}' has to know the scale of {unscaled[0]!r}: scale='1-5', or scale='{unscaled[0]}=1-5'"
        )
    name, uses = Counter(one.field for one in asked).most_common(1)[0]
    if uses > 1 and not how.by_reader and _ASPECT not in how.pattern:
        raise UsageError(
            f"read='{how}' finds one number in a reply, and {name!r} is to score {uses} aspects: name a field for each "
            "(reply='coherence=FIELD'), or write {aspect} into the pattern"
        )


def _refused_choices(texts: Iterable[str]) -> Iterator[Refused]:
    for text in texts:
        problem = read_choice(text, _TEXTS).problem
        if problem is not None and problem.kind != "nothing":
            yield Refused(text, labels=_TEXTS)


def _by_pattern(text: str, asked: Asked, how: How) -> tuple[float | None, str]:
    match = how.compiled(asked.aspect).search(bounded(spoken(text)))
    found = (
        numbers_in(plain(match[match.re.groups] or ""), asked.as_aspect.scale if asked.scale else None)
        if match
        else ()
    )
    if not found:
        return None, NO_SCORE
    return (None, OFF_SCALE) if found[0] is None else (found[0], "")


def _label(text: str, pattern: re.Pattern[str]) -> tuple[str | None, str]:
    match = pattern.search(bounded(spoken(text)))
    if match is None:
        return None, NO_CHOICE
    if pattern.groups < 2:  # noqa: PLR2004 - two texts have two scores
        label = (match[pattern.groups] or "").strip()
        return (label, "") if label else (None, NO_CHOICE)
    scores = [_single_number(group) for group in match.groups()]
    known = [score for score in scores if score is not None]
    if len(known) < len(scores):
        return None, NO_SCORE
    best = [str(place) for place, score in enumerate(known, 1) if score == max(known)]
    return (best[0] if len(best) == 1 else TIE), ""


def _single_number(text: str | None) -> float | None:
    found = numbers_in(plain(text or ""), None)
    return found[0] if len(found) == 1 else None
