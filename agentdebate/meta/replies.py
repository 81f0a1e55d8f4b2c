"""Raw replies of any judge, read into scores and choices: by our ballot reader, by a pattern, or by a model that is asked."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
"""Reason why a reply could not be read."""
WAYS: Mapping[Class, str] = {"form": "the form", "JSON": "JSON", "pattern": "a pattern"}
"""The classes of rules as captions name them."""
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


def reply_text(row: Row, field: str, value: Any) -> str:
    """The text of one reply; empty where it is null. Raises DataError for anything else."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise row.error(f"a reply, or a list of replies, is wanted here, not {kind_of(value)}", field)
    return str(value)


class _Replies:
    """Reads replies one by one, and counts what becomes of those about each aspect."""

    def __init__(self, how: How) -> None:
        self._how = how
        self._replies, self._unreadable = Counter[str](), dict[str, Counter[str]]()
        self._rules = dict[str, Counter[str]]()

    @property
    def accounts(self) -> tuple[Account, ...]:
        """Accounts of the replies so far."""
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

    def __init__(self, asked: Sequence[Asked], how: How) -> None:
        self._asked = {one.aspect: one for one in asked}
        self._sharing = {
            one.field: [other.as_aspect for other in asked if other.field == one.field] for one in asked
        }
        _check(asked, how)
        self._known: dict[tuple[str, str], Scores] = {}
        super().__init__(how)

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
        return None, _KINDS.get(read.problem.kind, NO_SCORE) if read.problem else NO_SCORE

    def _read(self, field: str, text: str) -> Scores:
        key = field, text
        if key not in self._known:
            self._known[key] = read_scores(text, self._sharing[field])
        return self._known[key]


class ChoiceReplies(_Replies):
    """Reads the choice between two texts, by what the judge's words for them may be.

    A pattern finds a label, in its group where it has one. Raises UsageError for a pattern with several groups.
    """

    def __init__(self, how: How, words: Collection[str]) -> None:
        _check_groups(how)
        self._words = words
        super().__init__(how)

    def choice(self, about: str, text: str) -> str | None:
        """The word for the choice that a reply makes; None where it cannot be read."""
        found, rule = self._chosen(text) if self._how.by_reader else _label(text, self._how.compiled(about))
        self._count(about, rule, problem=found is None)
        return found

    def _chosen(self, text: str) -> tuple[str | None, str]:
        read = read_choice(text, _TEXTS)
        if read.problem is not None:
            return None, _KINDS.get(read.problem.kind, NO_CHOICE)
        names = _CALLED[read.choice or TIE]
        return next((name for name in names if name in self._words), names[0]), read.rule


def _check_groups(how: How) -> None:
    if how.compiled("aspect").groups > 1:
        raise UsageError(f"read=...: {how.pattern!r} has several groups; write (?:...) for all but one")


def _check(asked: Sequence[Asked], how: How) -> None:
    """Raise UsageError where the way of reading needs a scale, or a reply for each aspect."""
    _check_groups(how)
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
    label = (match[pattern.groups] or "").strip()
    return (label, "") if label else (None, NO_CHOICE)
