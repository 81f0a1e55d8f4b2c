"""Raw replies of any judge, read into scores and choices: by our ballot reader, or by a pattern."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from agentdebate.ballots.plain import bounded, plain, spoken
from agentdebate.ballots.replies.choices import read_choice
from agentdebate.ballots.replies.numbers import numbers_in
from agentdebate.ballots.replies.outcome import Class, Outcome, class_of
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.datasets.row import Row, kind_of
from agentdebate.errors import UsageError
from agentdebate.meta.talk import TIE, Value, grouped
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

    @property
    def as_aspect(self) -> Aspect:
        """The aspect as the ballot reader takes it. Raises UsageError where its scale is not known."""
        if self.scale is None:
            raise UsageError(
                f"reading replies takes the scale of {self.aspect!r}: scale='1-5', or scale='{self.aspect}=1-5'"
            )
        name = re.sub(r"[^a-z0-9]+", "_", self.aspect.lower()).strip("_")
        return Aspect(name=name if name[:1].isalpha() else f"aspect_{name}", scale=self.scale, criterion="")


@dataclass(frozen=True)
class Account:
    """Account of the replies about an aspect: how many were read in which way, and why some could not be read."""

    aspect: str
    read: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WAYS.values(), 0))
    unreadable: dict[str, int] = field(default_factory=dict)

    @property
    def unread(self) -> int:
        """Number of replies that could not be read."""
        return sum(self.unreadable.values())

    @property
    def replies(self) -> int:
        """Number of all replies."""
        return self.unread + sum(self.read.values())


Find = Callable[[str], tuple[Value | None, str]]
"""Finds the judgement in a reply, and says in which way; or None, and why there is none."""


@dataclass(frozen=True)
class Replies:
    """Reader of the replies about one aspect, which counts what becomes of them."""

    account: Account
    find: Find

    def read(self, row: Row, field: str, value: Any) -> Value | None:
        """The judgement in the reply that a field holds; None where it cannot be read. Raises DataError for anything but a text or a number."""
        if isinstance(value, bool) or not isinstance(value, str | int | float | None):
            raise row.error(f"a reply, or a list of replies, is wanted here, not {kind_of(value)}", field)
        return self.judgement("" if value is None else str(value))

    def judgement(self, text: str) -> Value | None:
        """The judgement in a reply; None where it cannot be read."""
        found, why = self.find(text)
        counts = self.account.unreadable if found is None else self.account.read
        counts[why] = counts.get(why, 0) + 1
        return found


def graded(scale: Scale | None, grades: Grades) -> Scale | None:
    """The scale with the letters, or other words, that replies give for scores, where it has none of its own."""
    if scale is None or scale.grades or not grades:
        return scale
    return Scale(low=scale.low, high=scale.high, step=scale.step, grades=grades)


def score_replies(asked: Sequence[AspectReplies], read: str) -> dict[str, Replies]:
    """A reader of the scores of each aspect; those that share a field are read together.

    `read` is "auto", for our ballot reader, or "pattern=REGEX", for the first match of a regular expression (its first group, where it has
    one), in which {aspect} stands for the aspect's name. In both ways a number off the scale is not a score. Raises UsageError, also where
    the way of reading needs a scale, or a reply for each aspect.
    """
    sharing = grouped(asked, lambda one: one.field)
    if read == "auto":
        together = {name: [one.as_aspect for one in some] for name, some in sharing.items()}
        finds: list[Find] = [partial(_read_score, one.as_aspect.name, together[one.field]) for one in asked]
    elif len(sharing) == len(asked) or _ASPECT in read:
        finds = [partial(_matched_score, _compiled(one.aspect, read), one.scale) for one in asked]
    else:
        raise UsageError(
            f"read={read!r} finds one number in a reply, and a field is to score several aspects: name a field for each "
            "(reply='coherence=FIELD'), or write {aspect} into the pattern"
        )
    return {one.aspect: Replies(Account(one.aspect), find) for one, find in zip(asked, finds, strict=True)}


def choice_replies(about: str, read: str, words: Collection[str] = ()) -> Replies:
    """A reader of the choice between two texts, by what the judge's `words` for them may be; a pattern finds a label.

    Raises UsageError for a way of reading that is not known.
    """
    find = partial(_read_choice, words) if read == "auto" else partial(_matched_label, _compiled(about, read))
    return Replies(Account(about), find)


def _read_score(name: str, aspects: Sequence[Aspect], text: str) -> tuple[float | None, str]:
    found = read_scores(text, aspects)
    score = found.scores.get(name)
    return score, _why(found) if score is None else WAYS[class_of(found.rule)]


def _matched_score(pattern: re.Pattern[str], scale: Scale | None, text: str) -> tuple[float | None, str]:
    numbers = numbers_in(plain(_matched(pattern, text)), scale)
    if not numbers:
        return None, NOTHING
    return numbers[0], OFF_SCALE if numbers[0] is None else WAYS["pattern"]


def _read_choice(words: Collection[str], text: str) -> tuple[str | None, str]:
    found = read_choice(text, _TEXTS)
    if found.problem is not None:
        return None, _why(found)
    called = _CALLED[found.choice or TIE]
    return next((name for name in called if name in words), called[0]), WAYS[class_of(found.rule)]


def _matched_label(pattern: re.Pattern[str], text: str) -> tuple[str | None, str]:
    label = _matched(pattern, text)
    return (label, WAYS["pattern"]) if label else (None, NOTHING)


def _why(found: Outcome) -> str:
    """The reason why a reply has no judgement, as captions name it."""
    return _KINDS.get(found.problem.kind, NOTHING) if found.problem else NOTHING


def _matched(pattern: re.Pattern[str], text: str) -> str:
    """The text that the pattern finds in a reply: in its first group, where it has one."""
    match = pattern.search(bounded(spoken(text)))
    return (match[min(pattern.groups, 1)] or "").strip() if match else ""


def _compiled(about: str, read: str) -> re.Pattern[str]:
    """The user's pattern for an aspect. Raises UsageError."""
    pattern = read.removeprefix(_PATTERN)
    if pattern in ("", read):
        raise UsageError(f"read=... is auto or pattern=REGEX, not {read!r}")
    name = r"[\s_-]*".join(re.escape(word) for word in re.split(r"[\s_-]+", about))
    try:
        return re.compile(pattern.replace(_ASPECT, f"(?i:{name})"))
    except re.error as error:
        raise UsageError(f"read=...: {pattern!r} is not a regular expression: {error}") from error
