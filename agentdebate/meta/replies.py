"""Raw replies of any judge, read into scores: one reply a row, or a list of samples, by our ballot reader or by a rule."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal, Protocol, cast, get_args

from agentdebate.ballots.plain import bounded, plain, spoken
from agentdebate.ballots.replies.numbers import numbers_in
from agentdebate.ballots.replies.outcome import Class, Scores, class_of
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.datasets.row import Row, kind_of
from agentdebate.errors import UsageError
from agentdebate.meta.fields import value_in
from agentdebate.tasks import Aspect, Grades, Scale


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


BY = "by "
"""How the rule of a model begins; no rule of our reader does."""
NOTHING = Extraction()


class Extractor(Protocol):
    """Asks a model about refused replies, each of them once."""

    def __call__(self, refused: Sequence[Refused], /) -> Extraction:
        """Give what was found in them. Raises UserError where the model cannot be asked at all."""
        ...


COUNTS = "replies that were read"
"""The field in which it stands, beside what was read, how many replies there were, and how many could not be read."""


def counted_in(row: Row, fields: Iterable[str]) -> tuple[int, int]:
    """The replies that fields of a row are from and those without a judgement; none where they are not from replies.

    A field is named as a whole, or by what it is called within the field of all that was read.
    """
    counts: Mapping[str, tuple[int, int]] = row.data.get(COUNTS, {})
    found = [counts.get(field) or counts.get(field.partition(".")[2], (0, 0)) for field in fields]
    return sum(replies for replies, _ in found), sum(unread for _, unread in found)


Way = Literal["auto", "first", "last", "pattern", "model"]
Policy = Literal["leave-out", "text", "lowest", "zero"]
"""What an unreadable sample is: left out of the mean, no score for its whole text, the scale's lowest score, or 0."""

READ = "score read from the reply"
"""The field in which a row's scores stand once its replies are read, by aspect."""

NO_SCORE = "no score in it"
OFF_SCALE = "no score of the scale"

_PATTERN, _MODEL = "pattern=", "model="
_ASPECT = "{aspect}"
KINDS: Mapping[str, str] = {
    "nothing": "empty",
    "refusal": "declined",
    "cut_off": "cut off",
    "missing": NO_SCORE,
    "several": "several that differ",
    "off_scale": OFF_SCALE,
}


@dataclass(frozen=True, slots=True)
class How:
    """How a score is found in a reply.

    "auto" reads it as a ballot, "first" and "last" take that number of the reply, "pattern" the number in the first match of
    a regular expression (in its group, where it has one). "model" is "auto", and asks a model about what that refuses. In all ways
    a number that is not on the scale is no score.
    """

    way: Way = "auto"
    pattern: str = ""
    model: str = ""

    @classmethod
    def parse(cls, text: str) -> "How":
        """Read "auto", "first", "last", "pattern=REGEX", where {aspect} stands for the aspect's name, or "model=NAME". Raises UsageError."""
        if text in get_args(Way) and text not in ("pattern", "model"):
            return cls(cast(Way, text))
        if text.startswith(_MODEL) and text != _MODEL:
            return cls("model", model=text.removeprefix(_MODEL))
        if not text.startswith(_PATTERN) or text == _PATTERN:
            raise UsageError(f"read=... is auto, first, last, pattern=REGEX or model=NAME, not {text!r}")
        how = cls("pattern", text.removeprefix(_PATTERN))
        how.compiled("aspect")
        return how

    @property
    def by_reader(self) -> bool:
        """Whether our reader reads the replies, and not a rule of the user's."""
        return self.way in ("auto", "model")

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


WAYS: Mapping[Class, str] = {"form": "the form", "JSON": "JSON", "pattern": "a pattern"}
"""The classes of rules as captions name them."""


@dataclass(frozen=True)
class Account:
    """What became of the replies about an aspect: how many there are, and why some could not be read."""

    aspect: str
    replies: int = 0
    unreadable: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, int] = field(default_factory=dict)
    """How many were read by each rule of the reader's grammar; only where it read them."""

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


@dataclass(frozen=True)
class ReadReplies:
    """The rows with the scores of their replies in the field READ, and an account of each aspect."""

    rows: tuple[Row, ...]
    accounts: tuple[Account, ...]
    extraction: Extraction = NOTHING
    """What a model found in those that the reader refused."""


Score = float | str
"""A score, or why there is none."""
Ruled = tuple[Score, str]
"""A score, or why there is none, and the rule by which it was read; no rule's name where a pattern found it."""


def read_replies(
    rows: Sequence[Row],
    asked: Sequence[Asked],
    how: How,
    policy: Policy = "leave-out",
    extractor: Extractor | None = None,
) -> ReadReplies:
    """Every row with the mean of what its replies give each aspect. `extractor` is asked about replies that the reader refuses.

    Raises UsageError where the way of reading needs a scale, or a reply for each aspect; DataError for what is no reply.
    """
    _check(asked, how, policy)
    extraction = extractor([*dict.fromkeys(_refusals(rows, asked))]) if extractor else NOTHING
    replies: Counter[str] = Counter()
    problems: dict[str, Counter[str]] = {one.aspect: Counter() for one in asked}
    rules: dict[str, Counter[str]] = {one.aspect: Counter() for one in asked}
    read: list[Row] = []
    for row in rows:
        scores: dict[str, float | None] = {}
        counts: dict[str, tuple[int, int]] = {}
        for aspect, ruled in _of_row(row, asked, how, extraction).items():
            found = [score for score, _ in ruled]
            rules[aspect].update(rule for _, rule in ruled if rule)
            replies[aspect] += len(found)
            unread = [one for one in found if isinstance(one, str)]
            problems[aspect].update(unread)
            counts[aspect] = len(found), len(unread)
            low = next((one.scale.low for one in asked if one.aspect == aspect and one.scale), 0.0)
            scores[aspect] = _settled(found, policy, low)
        read.append(Row(row.path, row.line, {**row.data, READ: scores, COUNTS: counts}))
    accounts = (
        Account(one.aspect, replies[one.aspect], dict(problems[one.aspect]), dict(rules[one.aspect]))
        for one in asked
    )
    return ReadReplies(tuple(read), tuple(accounts), extraction)


def texts_in(row: Row, field: str) -> list[str]:
    """The replies in a field: one, or several samples; an empty text for one that is null. Raises DataError."""
    value = value_in(row, field)
    if value is None:
        return []
    return [_text(row, field, one) for one in (value if isinstance(value, list) else [value])]


def _text(row: Row, field: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise row.error(f"a reply, or a list of replies, is wanted here, not {kind_of(value)}", field)
    return str(value)


def _check(asked: Sequence[Asked], how: How, policy: Policy) -> None:
    if how.way == "pattern" and how.compiled("aspect").groups > 1:
        raise UsageError(
            f"read=...: {how.pattern!r} has several groups; write (?:...) for all but the score's"
        )
    unscaled = [one.aspect for one in asked if one.scale is None]
    needs = f"read='{how}'" if how.by_reader else "unreadable='lowest'" if policy == "lowest" else ""
    if needs and unscaled:
        raise UsageError(
            f"{needs} has to know the scale of {unscaled[0]!r}: scale='1-5', or scale='{unscaled[0]}=1-5'"
        )
    shared = Counter(one.field for one in asked)
    name, uses = max(shared.items(), key=lambda pair: pair[1])
    plain_number = how.way in ("first", "last") or (how.way == "pattern" and _ASPECT not in how.pattern)
    if uses > 1 and plain_number:
        raise UsageError(
            f"read='{how.way}' finds one number in a reply, and {name!r} is to score {uses} aspects: name a field for each "
            "(reply='coherence=FIELD'), read by auto, or by a pattern with {aspect} in it"
        )


def _of_row(row: Row, asked: Sequence[Asked], how: How, extraction: Extraction) -> dict[str, list[Ruled]]:
    """What each reply gives each aspect; aspects that share a reply are read together."""
    found: dict[str, list[Ruled]] = {one.aspect: [] for one in asked}
    for name in dict.fromkeys(one.field for one in asked):
        sharing = [one for one in asked if one.field == name]
        for text in texts_in(row, name):
            for one, ruled in zip(sharing, _read(text, sharing, how, extraction), strict=True):
                found[one.aspect].append(ruled)
    return found


def _refusals(rows: Sequence[Row], asked: Sequence[Asked]) -> Iterator[Refused]:
    """The replies that our reader refuses, but for those that say nothing."""
    for row in rows:
        for name in dict.fromkeys(one.field for one in asked):
            aspects = [one.as_aspect for one in asked if one.field == name]
            for text in texts_in(row, name):
                read = read_scores(text, aspects)
                if read.problem is not None and read.problem.kind != "nothing":
                    yield _refused(text, aspects, read)


def _refused(text: str, aspects: Sequence[Aspect], read: Scores) -> Refused:
    return Refused(text, tuple(one for one in aspects if one.name not in read.scores))


def _read(text: str, asked: Sequence[Asked], how: How, extraction: Extraction) -> Iterator[Ruled]:
    if how.by_reader:
        yield from _by_ballot(text, asked, extraction)
        return
    for one in asked:
        searched = bounded(spoken(text))
        if how.way == "pattern":
            match = how.compiled(one.aspect).search(searched)
            searched = (match[match.re.groups] or "") if match else ""
        yield _number(searched, one, last=how.way == "last"), ""


def _by_ballot(text: str, asked: Sequence[Asked], extraction: Extraction) -> Iterator[Ruled]:
    aspects = [one.as_aspect for one in asked]
    read = read_scores(text, aspects)
    unread = NO_SCORE if read.problem is None else KINDS[read.problem.kind]
    found = extraction.scores.get(_refused(text, aspects, read), {})
    for aspect in aspects:
        if aspect.name in read.scores:
            yield read.scores[aspect.name], read.rule
        elif aspect.name in found:
            yield found[aspect.name], extraction.rule
        else:
            yield unread, ""


def _number(text: str, asked: Asked, *, last: bool) -> Score:
    found = numbers_in(plain(text), asked.as_aspect.scale if asked.scale else None)
    if not found:
        return NO_SCORE
    score = found[-1 if last else 0]
    return OFF_SCALE if score is None else score


def _settled(found: Sequence[Score], policy: Policy, low: float) -> float | None:
    """The mean of the samples, with those that could not be read as the policy has them; None where there is none."""
    scores = [one for one in found if not isinstance(one, str)]
    if policy == "text" and len(scores) < len(found):
        return None
    if policy in ("lowest", "zero"):
        scores += [low if policy == "lowest" else 0.0] * (len(found) - len(scores))
    return fmean(scores) if scores else None
