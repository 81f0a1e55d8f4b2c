"""Ballots: one agent's judgement as ratings of aspects, how it was given, how sure the agent was, and how it was read.

Every ballot has ratings, whatever was written: a ranking gives places, a set 1 and 0. So merges, tables and statistics
work on all of them alike, and `given` still says what the agent said. A package adds ways of giving a judgement (see
kinds.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint
from math import isfinite
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, FiniteFloat, PlainSerializer, PlainValidator, SerializationInfo

from agentdebate import plugins
from agentdebate.codec import plain, read

GROUP = "agentdebate.ballots"
"""The entry-point group under which packages register kinds of ballot: the name, and a `BallotKind`."""

OURS: Mapping[str, str] = {
    "ranking": "agentdebate.ballots.ranking:RANKING",
    "approval": "agentdebate.ballots.approval_ballot:APPROVAL",
    "points": "agentdebate.ballots.points:POINTS",
    "spans": "agentdebate.ballots.spans:SPANS",
}
"""The kinds of ballot that everybody has, and where each is, as packages write it too."""

Source = Literal["asked", "log-probabilities", "repeats"]
"""Source of a confidence: what the agent said of itself, the tokens of its judgement, or repeats of the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One number given for one aspect of the text under judgement, or of one of several that are compared."""

    aspect: str
    score: float
    candidate: str | None = None
    """The field of the item that holds the text, where several are compared."""
    probabilities: tuple[tuple[float, float], ...] = ()
    """Every score that could have been given with its probability, where the score is the expectation over them."""

    @property
    def name(self) -> str:
        """Name in tables: the aspect, with the candidate behind it where there are several."""
        return self.aspect if self.candidate is None else f"{self.aspect}.{self.candidate}"


def misrated(ratings: Sequence[Rating], things: Iterable[tuple[str, str | None]]) -> str:
    """Say what is wrong with ratings of which there is to be one for each thing, an aspect and a candidate; empty where nothing is."""
    asked, rated = [*things], [(rating.aspect, rating.candidate) for rating in ratings]
    if len(rated) != len(asked) or set(rated) != set(asked):
        told = ", ".join(rating.name for rating in ratings) or "nothing"
        names = ", ".join(Rating(aspect=aspect, candidate=one, score=0).name for aspect, one in asked)
        return f"rated {told}: it has to rate each of these once: {names}"
    wrong = next((rating for rating in ratings if not isfinite(rating.score)), None)
    return "" if wrong is None else f"gave {wrong.score} for {wrong.name}, which is not a finite number"


How = Literal["schema", "text", "repaired", "expected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Reading of a reply: the ballot's way out of it.

    `how` is "schema" (the endpoint held the reply to a JSON schema), "text" (found in free text or in JSON that no
    schema held), "repaired" (broken JSON was mended first) or "expected" (the score is the expectation over the tokens in
    which it was given; `mass` is the probability of those that are scores). `attempts` counts the replies it took: above 1, the agent
    was asked again, and `problems` says what was wrong with each earlier reply. `ends` says of a reply that was too long to
    be read in whole how many characters at its start and at its end were; it is None where all of it was read.
    """

    how: How
    rule: str = ""
    """The rule of docs/explanation/reading-replies.md by which the scores were found; one for each rating, with commas
    between, where they differ."""
    attempts: int = 1
    problems: tuple[str, ...] = ()
    mass: float | None = None
    ends: tuple[int, int] | None = None
    repeated: int = 0
    """Number of earlier replies that ended in a loop. Such a reply was left out of the question back, and a higher temperature
    was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """Confidence of an agent in its judgement, from 0 to 1, with its source.

    The sources are on scales of their own: what an agent says of itself, exp of the mean log-probability of the tokens in
    which the judgement was given, and the share of repeats that came to the same judgement.
    """

    value: Annotated[FiniteFloat, Field(ge=0, le=1)]
    source: Source
    repeats: int | None = None
    """Number of repeats that could be read, for a confidence from repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Form of the judgement on one aspect, where it was not given as a number for each text."""

    kind: ClassVar[str] = ""
    aspect: str

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """The numbers that it comes to."""
        return ()

    def line(self, labels: Mapping[str, str] | None = None) -> str:  # noqa: ARG002 - for those who have candidates
        """Format the ballot in a few words; `labels` says what the texts are called where that is not the name of their field."""
        return f"{self.aspect}: {self.kind}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherGiven(Given):
    """A judgement given in a way that no kind of ballot here knows. It is written back as it was read."""

    kind: str  # type: ignore[misc]  # of each, where those that are known have it of their class
    aspect: str = ""
    others: Mapping[str, Any] = field(default_factory=dict)
    """Further text about it."""


def kind_registered(name: str) -> Any:
    """The kind of ballot of that name, ours or a package's; None where there is none."""
    if name in OURS:
        return EntryPoint(name=name, value=OURS[name], group=GROUP).load()
    return plugins.extension(GROUP, name, ours=OURS)


def given_in(data: object) -> Given:
    """The judgement in plain data, told apart by its kind, or with its types checked. Raises ValueError, of which ValidationError is one."""
    if isinstance(data, Given):
        return read(type(data), data)
    if not isinstance(data, Mapping) or not isinstance(
        data.get("kind"), str
    ):  # pydantic names the field of a ValueError
        raise ValueError("it is a table of names and values, with a kind")  # noqa: TRY004
    rest = {**data}
    name = rest.pop("kind")
    kind = kind_registered(name)
    if kind is not None:
        found: Given = read(kind.given, rest)
        return found
    known = {one: rest.pop(one) for one in ("aspect",) if one in rest}
    return read(OtherGiven, {"kind": name, **known, "others": rest})


def given_data(given: Given, *, defaults: bool = True) -> dict[str, Any]:
    """A judgement as plain data, with its kind. A package's says all of it, since it may be read where the package is not."""
    if isinstance(given, OtherGiven):
        aspect = {"aspect": given.aspect} if given.aspect else {}
        return {"kind": given.kind, **aspect, **given.others}
    return {"kind": given.kind, **plain(given, defaults=defaults or given.kind not in OURS)}


def _written(given: Given, info: SerializationInfo) -> dict[str, Any]:
    return given_data(given, defaults=not info.exclude_defaults)


AnyGiven = Annotated[Given, PlainValidator(given_in), PlainSerializer(_written)]
"""A judgement given in any way, told apart by `kind`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """One agent's judgement: a rating for each aspect it was asked for, its reason, and how it was read."""

    ratings: tuple[Rating, ...]
    reason: str = ""
    reading: Reading = Reading(how="text")
    given: tuple[AnyGiven, ...] = ()
    """Forms of the judgements, an aspect each, where it was not given as ratings."""
    confidence: Confidence | None = None
    """Confidence of the agent; None where it was not asked for, or where it cannot be told."""

    @classmethod
    def of(cls, given: Sequence[Given], *, reason: str = "", reading: Reading | None = None) -> Self:
        """The ballot with the ratings that a judgement comes to which was given in another way."""
        ratings = tuple(rating for one in given for rating in one.ratings)
        return cls(ratings=ratings, reason=reason, reading=reading or Reading(how="text"), given=tuple(given))

    @property
    def scores(self) -> dict[str, float]:
        """The score of each aspect by its name ("overall.answer_1" where candidates are compared)."""
        return {rating.name: rating.score for rating in self.ratings}

    def line(self) -> str:
        """The ballot in a few words: "coherence 4"."""
        said = [one.line() for one in self.given] or [
            f"{name} {score:g}" for name, score in self.scores.items()
        ]
        sure = [] if self.confidence is None else [f"confidence {self.confidence.value:.2f}"]
        return ", ".join([*said, *sure])

    @property
    def rules(self) -> dict[str, str]:
        """The rule by which each rating was found, by its name; empty names where that is not known."""
        rules = self.reading.rule.split(", ")
        if len(rules) != len(self.ratings):
            rules = rules[:1] * len(self.ratings)
        return {rating.name: rule for rating, rule in zip(self.ratings, rules, strict=True)}

    def after(self, problems: tuple[str, ...], *, repeated: int = 0) -> "Ballot":
        """The ballot as one that was had only after replies with these problems, of which so many ended in a loop."""
        reading = replace(self.reading, attempts=len(problems) + 1, problems=problems, repeated=repeated)
        return replace(self, reading=reading)
