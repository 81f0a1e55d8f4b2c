"""Raw replies of any judge, read into scores and choices: by our ballot reader, or by a pattern."""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from agentdebate.ballots.plain import bounded, plain, spoken
from agentdebate.ballots.replies.choices import read_choice
from agentdebate.ballots.replies.numbers import numbers_in
from agentdebate.ballots.replies.outcome import Class, class_of
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.datasets.row import Row, kind_of
from agentdebate.errors import UsageError
from agentdebate.meta.talk import TIE, grouped
from agentdebate.tasks import Aspect, Grades, Scale

NOTHING, OFF_SCALE = "no judgement in it", "no score of the scale"
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
        scale = self.scale or Scale(low=0, high=1)
        if self.grades and not scale.grades:
            scale = Scale(low=scale.low, high=scale.high, step=scale.step, grades=self.grades)
        return Aspect(name=name if name[:1].isalpha() else f"aspect_{name}", scale=scale, criterion="")


@dataclass(frozen=True)
class Account:
    """Account of the replies about an aspect: how many were read in which way, and why some could not be read."""

    aspect: str
    read: Mapping[str, int] = field(default_factory=dict)
    unreadable: Mapping[str, int] = field(default_factory=dict)

    @property
    def unread(self) -> int:
        """Number of replies that could not be read."""
        return sum(self.unreadable.values())

    @property
    def replies(self) -> int:
        """Number of all replies."""
        return self.unread + sum(self.read.values())


def reply_text(row: Row, field: str, value: Any) -> str:
    """The text of one reply; empty where it is null. Raises DataError for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise row.error(f"a reply, or a list of replies, is wanted here, not {kind_of(value)}", field)
    return "" if value is None else str(value)


class _Replies(ABC, Generic[ValueT]):
    """Reads replies one by one, and counts what becomes of those about each aspect.

    `read` is "auto", for our ballot reader, or "pattern=REGEX", for the first match of a regular expression (its group, where it has
    one), in which {aspect} stands for the aspect's name. In both ways a number off the scale is not a score. Raises UsageError.
    """

    def __init__(self, read: str) -> None:
        self._how, self._pattern = read, read.removeprefix(_PATTERN)
        if self.by_reader and read != "auto":
            raise UsageError(f"read=... is auto or pattern=REGEX, not {read!r}")
        if not self.by_reader and self._compiled("aspect").groups > 1:
            raise UsageError(f"read=...: {read!r} has several groups; write (?:...) for all but one")
        self._read, self._unreadable = dict[str, Counter[str]](), dict[str, Counter[str]]()

    @property
    def by_reader(self) -> bool:
        """True if our reader reads the replies, and not a pattern of the user's."""
        return self._pattern in (self._how, "")

    def account(self, about: str) -> Account:
        """Account of the replies about an aspect so far."""
        ways = WAYS.values() if self.by_reader else [self._how]
        read = {**dict.fromkeys(ways, 0), **self._read.get(about, {})}
        return Account(about, read, dict(self._unreadable.get(about, {})))

    def read(self, about: str, row: Row, field: str, value: Any) -> ValueT | None:
        """The judgement in the reply that a field holds; None where it cannot be read."""
        return self.judgement(about, reply_text(row, field, value))

    def judgement(self, about: str, text: str) -> ValueT | None:
        """The judgement in a reply; None where it cannot be read."""
        found, why = (
            self._found(about, text) if self.by_reader else self._matched(about, self._match(about, text))
        )
        counted = self._unreadable if found is None else self._read
        counted.setdefault(about, Counter())[why] += 1
        return found

    @abstractmethod
    def _found(self, about: str, text: str) -> tuple[ValueT | None, str]:
        """The judgement and the way in which it was read, or the reason why there is none."""

    @abstractmethod
    def _matched(self, about: str, text: str) -> tuple[ValueT | None, str]:
        """The same in what the user's pattern finds."""

    def _match(self, about: str, text: str) -> str:
        match = self._compiled(about).search(bounded(spoken(text)))
        return (match[match.re.groups] or "").strip() if match else ""

    def _compiled(self, about: str) -> re.Pattern[str]:
        name = r"[\s_-]*".join(re.escape(word) for word in re.split(r"[\s_-]+", about))
        try:
            return re.compile(self._pattern.replace(_ASPECT, f"(?i:{name})"))
        except re.error as error:
            raise UsageError(f"read=...: {self._pattern!r} is not a regular expression: {error}") from error


class ScoreReplies(_Replies[float]):
    """Reads scores of aspects; those that share a field are read together.

    Raises UsageError where the way of reading needs a scale, or a reply for each aspect.
    """

    def __init__(self, asked: Sequence[AspectReplies], read: str) -> None:
        super().__init__(read)
        self._asked = {one.aspect: one for one in asked}
        self._sharing = grouped(asked, lambda one: one.field)
        lacking = [one.aspect for one in asked if self.by_reader and one.scale is None]
        if lacking:
            raise UsageError(
                f"reading replies takes the scale of {lacking[0]!r}: scale='1-5', or scale='{lacking[0]}=1-5'"
            )
        if len(self._sharing) < len(asked) and not self.by_reader and _ASPECT not in read:
            raise UsageError(
                f"read={read!r} finds one number in a reply, and a field is to score several aspects: name a field for each "
                "(reply='coherence=FIELD'), or write {aspect} into the pattern"
            )

    def _found(self, about: str, text: str) -> tuple[float | None, str]:
        asked = self._asked[about]
        found = read_scores(text, [one.as_aspect for one in self._sharing[asked.field]])
        score = found.scores.get(asked.as_aspect.name)
        if score is not None:
            return score, WAYS[class_of(found.rule)]
        return None, _KINDS.get(found.problem.kind, NOTHING) if found.problem else NOTHING

    def _matched(self, about: str, text: str) -> tuple[float | None, str]:
        asked = self._asked[about]
        numbers = numbers_in(plain(text), asked.as_aspect.scale if asked.scale else None)
        if not numbers:
            return None, NOTHING
        return numbers[0], self._how if numbers[0] is not None else OFF_SCALE


class ChoiceReplies(_Replies[str]):
    """Reads the choice between two texts, by what the judge's words for them may be; a pattern finds a label."""

    def __init__(self, read: str, words: Collection[str] = ()) -> None:
        super().__init__(read)
        self._words = words

    def _found(self, about: str, text: str) -> tuple[str | None, str]:  # noqa: ARG002 - a reply has one choice
        found = read_choice(text, _TEXTS)
        if found.problem is not None:
            return None, _KINDS.get(found.problem.kind, NOTHING)
        called = _CALLED[found.choice or TIE]
        return next((name for name in called if name in self._words), called[0]), WAYS[class_of(found.rule)]

    def _matched(self, about: str, text: str) -> tuple[str | None, str]:  # noqa: ARG002 - as above
        return (text, self._how) if text else (None, NOTHING)
