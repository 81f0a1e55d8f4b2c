"""Raw replies of any judge, read into scores and choices: by our ballot reader, by a pattern, or by a model that is asked."""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from agentdebate.ballots.plain import bounded, plain, spoken
from agentdebate.ballots.replies.choices import read_choice
from agentdebate.ballots.replies.numbers import numbers_in
from agentdebate.ballots.replies.outcome import Class, Scores, class_of
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.datasets.row import Row, kind_of
from agentdebate.errors import UsageError
from agentdebate.meta.talk import TIE, grouped
from agentdebate.tasks import Aspect, Grades, Scale

NO_SCORE, NO_CHOICE, OFF_SCALE = "no score in it", "no choice in it", "no score of the scale"
_KINDS: Mapping[str, str] = {
    "nothing": "empty",
    "refusal": "declined",
    "cut_off": "cut off",
    "several": "several that differ",
    "off_scale": OFF_SCALE,
}
"""Reason why a reply could not be read."""
WAYS: Mapping[Class, str] = {"form": "the form", "JSON": "JSON", "pattern": "a pattern"}
"""The classes of rules as captions name them."""
ValueT = TypeVar("ValueT", bound=float | str)
_PATTERN, _ASPECT = "pattern=", "{aspect}"
_TEXTS = ("Answer A", "Answer B")
"""Names for the two texts in a reply; numbers, places and other nouns are known as well."""
_CALLED: Mapping[str, tuple[str, ...]] = {
    _TEXTS[0]: ("1", "A", "a"),
    _TEXTS[1]: ("2", "B", "b"),
    TIE: (TIE, "C", "c", "3"),
}
"""Judge's words for the choice of a text or of none; the first where none of these is known."""


@dataclass(frozen=True, slots=True)
class How:
    """Rule for the judgement in a reply.

    "auto" reads it as a ballot, "pattern" takes the first match of a regular expression (its group, where it has one). In both ways a
    number off the scale is not a score.
    """

    pattern: str = ""
    """Empty where our reader reads the replies."""

    @classmethod
    def parse(cls, text: str) -> "How":
        """Read "auto" or "pattern=REGEX", where {aspect} stands for the aspect's name. Raises UsageError."""
        if text == "auto":
            return cls()
        if not text.startswith(_PATTERN) or text == _PATTERN:
            raise UsageError(f"read=... is auto or pattern=REGEX, not {text!r}")
        how = cls(text.removeprefix(_PATTERN))
        how.compiled("aspect")
        return how

    @property
    def by_reader(self) -> bool:
        """True if our reader reads the replies, and not a pattern of the user's."""
        return not self.pattern

    def compiled(self, aspect: str) -> re.Pattern[str]:
        """The regular expression for an aspect. Raises UsageError."""
        name = r"[\s_-]*".join(re.escape(word) for word in re.split(r"[\s_-]+", aspect))
        try:
            return re.compile(self.pattern.replace(_ASPECT, f"(?i:{name})"))
        except re.error as error:
            raise UsageError(f"read=...: {self.pattern!r} is not a regular expression: {error}") from error

    def __str__(self) -> str:
        return f"pattern {self.pattern!r}" if self.pattern else "auto"


@dataclass(frozen=True, slots=True)
class AspectReplies:
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
    """Account of the replies about an aspect: their number, and the reasons why some could not be read."""

    aspect: str
    replies: int = 0
    unreadable: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, int] = field(default_factory=dict)
    """Number of replies that each rule of our reader read; empty where it read none."""

    @property
    def unread(self) -> int:
        """Number of replies that could not be read."""
        return sum(self.unreadable.values())

    @property
    def ways(self) -> Counter[str]:
        """Number of replies that our reader read by the form, by JSON and by a pattern."""
        found = Counter(dict.fromkeys(WAYS.values(), 0))
        for rule, count in self.rules.items():
            found[WAYS[class_of(rule)]] += count
        return found

    @property
    def record(self) -> dict[str, Any]:
        """The same as JSON has it."""
        rules, unreadable = dict(sorted(self.rules.items())), dict(sorted(self.unreadable.items()))
        return {"aspect": self.aspect, "replies": self.replies, "rules": rules, "unreadable": unreadable}


def reply_text(row: Row, field: str, value: Any) -> str:
    """The text of one reply; empty where it is null. Raises DataError for anything else."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise row.error(f"a reply, or a list of replies, is wanted here, not {kind_of(value)}", field)
    return str(value)


class _Replies(ABC, Generic[ValueT]):
    """Reads replies one by one, and counts what becomes of those about each aspect."""

    def __init__(self, how: How) -> None:
        if how.compiled("aspect").groups > 1:
            raise UsageError(f"read=...: {how.pattern!r} has several groups; write (?:...) for all but one")
        self._how = how
        self._unreadable, self._rules = dict[str, Counter[str]](), dict[str, Counter[str]]()

    def account(self, about: str) -> Account:
        """Account of the replies about an aspect so far."""
        unreadable, rules = self._unreadable.get(about, Counter()), self._rules.get(about, Counter())
        return Account(
            about, unreadable.total() + rules.total(), unreadable, Counter(filter(None, rules.elements()))
        )

    def read(self, about: str, row: Row, field: str, value: Any) -> ValueT | None:
        """The judgement in the reply that a field holds; None where it cannot be read."""
        return self.judgement(about, reply_text(row, field, value))

    def judgement(self, about: str, text: str) -> ValueT | None:
        """The judgement in a reply; None where it cannot be read."""
        found, rule = self._found(about, text)
        counted = self._unreadable if found is None else self._rules
        counted.setdefault(about, Counter())[rule] += 1
        return found

    @abstractmethod
    def _found(self, about: str, text: str) -> tuple[ValueT | None, str]:
        """The judgement and the rule by which it was read, or the reason why there is none."""

    def _matched(self, about: str, text: str) -> str:
        """The part of a reply that the user's pattern finds."""
        match = self._how.compiled(about).search(bounded(spoken(text)))
        return (match[match.re.groups] or "") if match else ""


class ScoreReplies(_Replies[float]):
    """Reads scores of aspects; those that share a field are read together.

    Raises UsageError where the way of reading needs a scale, or a reply for each aspect.
    """

    def __init__(self, asked: Sequence[AspectReplies], how: How) -> None:
        super().__init__(how)
        self._asked = {one.aspect: one for one in asked}
        self._sharing = grouped(asked, lambda one: one.field)
        self._known: dict[tuple[str, str], Scores] = {}
        for field_, sharing in self._sharing.items():
            if how.by_reader and (lacking := next((one for one in sharing if one.scale is None), None)):
                raise UsageError(
                    f"read='{how}' has to know the scale of {lacking.aspect!r}: scale='1-5', or scale='{lacking.aspect}=1-5'"
                )
            if len(sharing) > 1 and not how.by_reader and _ASPECT not in how.pattern:
                raise UsageError(
                    f"read='{how}' finds one number in a reply, and {field_!r} is to score {len(sharing)} aspects: name a field for each "
                    "(reply='coherence=FIELD'), or write {aspect} into the pattern"
                )

    def _found(self, about: str, text: str) -> tuple[float | None, str]:
        asked = self._asked[about]
        if not self._how.by_reader:
            scale = asked.as_aspect.scale if asked.scale else None
            numbers = numbers_in(plain(self._matched(about, text)), scale)
            return (numbers[0], OFF_SCALE if numbers[0] is None else "") if numbers else (None, NO_SCORE)
        read, name = self._read(asked.field, text), asked.as_aspect.name
        if name in read.scores:
            return read.scores[name], read.rule
        return None, _KINDS.get(read.problem.kind, NO_SCORE) if read.problem else NO_SCORE

    def _read(self, field: str, text: str) -> Scores:
        key = field, text
        if key not in self._known:
            self._known[key] = read_scores(text, [one.as_aspect for one in self._sharing[field]])
        return self._known[key]


class ChoiceReplies(_Replies[str]):
    """Reads the choice between two texts, by what the judge's words for them may be; a pattern finds a label."""

    def __init__(self, how: How, words: Collection[str] = ()) -> None:
        super().__init__(how)
        self._words = words

    def _found(self, about: str, text: str) -> tuple[str | None, str]:
        if not self._how.by_reader:
            label = self._matched(about, text).strip()
            return (label, "") if label else (None, NO_CHOICE)
        read = read_choice(text, _TEXTS)
        if read.problem is not None:
            return None, _KINDS.get(read.problem.kind, NO_CHOICE)
        names = _CALLED[read.choice or TIE]
        return next((name for name in names if name in self._words), names[0]), read.rule
