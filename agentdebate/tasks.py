"""Subjects of a judgement: items, tasks, aspects and their scales. Pure values; prompts.py loads tasks from files."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from agentdebate.errors import DataError, UsageError, nearest
from agentdebate.visible import LONGEST_REPR, is_blank, shortened
from agentdebate.wrong_values import SaysWhatIsWrong

_ENDS = re.compile(r"(-?[0-9.]+)(?:-|to)(-?[0-9.]+)")
"""The ends of a scale as it is written: "1-5", "-10-0"."""
_STEPS = {"": 1.0, "any": None}
"""Words behind a scale's ends, with the steps that they stand for."""
_MOST_STEPS = 10_000
"""Steps of a scale. Where log-probabilities are asked for, every score on it is written out."""


_GRADE = re.compile(r"[^\W\d_][^\W_ ]{0,29}(?: [^\W_]{1,30}){0,2}[+-]{0,2}")
"""A grade's name: "A", "B+", "very good"."""

Grades = tuple[tuple[str, float], ...]
"""The names of a scale's scores, lowest first, and the number of each."""


class Scale(BaseModel, metaclass=SaysWhatIsWrong):
    """The numbers an aspect may be rated with: `low` to `high`, in steps of `step` (None: any number between).

    `grades` are letters, or other words, that judges give instead: the number of each (`{"A": 5, "B": 4}`), or their names
    from the lowest step to the highest. A scale with grades holds their numbers alone, and its ends and step follow from them
    where they are not given (the lowest of names is 1 then).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    low: float
    high: float
    step: float | None = 1.0
    grades: Grades = ()

    @model_validator(mode="before")
    @classmethod
    def _with_numbers(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not data.get("grades"):
            return data
        grades = _numbered(data["grades"], data.get("low", 1), data.get("step") or 1)
        numbers = [number for _, number in grades]
        ends = {"low": numbers[0], "high": numbers[-1], "step": _least_gap(numbers)}
        return {**ends, **data, "grades": grades}

    @model_serializer(mode="wrap")
    def _without_none(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # A scale of numbers is written as it was before there were grades: runs are told apart by what is written.
        dumped: dict[str, Any] = dump(self)
        return dumped if self.grades else {key: value for key, value in dumped.items() if key != "grades"}

    @model_validator(mode="after")
    def _has_grades_on_it(self) -> Self:
        names = [name for name, _ in self.grades]
        for name in names:
            if not _GRADE.fullmatch(name):
                raise ValueError(f"a grade is a letter or a word, with + or - behind it or not; not {name!r}")
        if names and (self.grades[0][1], self.grades[-1][1]) != (self.low, self.high):
            reach = f"{self.grades[0][1]:g} to {self.grades[-1][1]:g}"
            raise ValueError(f"the grades go from {reach}, and their scale from {self.ends}")
        if len({name.lower() for name in names}) < len(names):
            raise ValueError(f"grades have names of their own: {', '.join(names)}")
        return self

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if not self.low < self.high:
            raise ValueError(f"a scale runs from low to high, not from {self.low:g} to {self.high:g}")
        if self.step is not None and self.step <= 0:
            raise ValueError(f"a step is positive, not {self.step:g}")
        if self.step is not None and (self.high - self.low) / self.step > _MOST_STEPS:
            raise ValueError(
                f"a scale has at most {_MOST_STEPS:,} steps; write 'any' behind its ends for every number between"
            )
        return self

    @classmethod
    def graded(cls, grades: Mapping[str, float] | Sequence[str]) -> "Scale":
        """A scale of letters, or other words, by the number of each or from the lowest (1) up. Raises WrongValue."""
        given: dict[str, Any] = {"grades": grades}
        return cls(**given)

    @classmethod
    def parse(cls, text: str) -> "Scale":
        """Read "1-5" (whole steps), "0-1" or "1-5 any" (every number between). Raises UsageError."""
        head, _, tail = text.strip().partition(" ")
        ends = _ENDS.fullmatch(head)
        try:
            low, high = ends.groups() if ends else ("", "")
            return cls(low=float(low), high=float(high), step=_STEPS[tail.strip()])
        except (ValueError, KeyError) as error:
            raise UsageError(
                f"{text!r} is not a scale; write it like 1-5, or '1-5 any' for fractions"
            ) from error

    def __contains__(self, value: float) -> bool:
        if not (math.isfinite(value) and self.low <= value <= self.high):
            return False
        if self.grades:
            return self.grade(value) is not None
        if self.step is None:
            return True
        steps = (value - self.low) / self.step
        return math.isclose(steps, round(steps), abs_tol=1e-9)

    def __str__(self) -> str:
        return f"{self.grades[0][0]} to {self.grades[-1][0]}" if self.grades else self.ends

    @property
    def ends(self) -> str:
        """The lowest and the highest number, also where the scale has grades: "1 to 5"."""
        return f"{self.low:g} to {self.high:g}"

    @property
    def wanted(self) -> str:
        """Words of a form for the value: "whole number from 1 to 5", "grade from E to A: E, D, C, B or A"."""
        if not self.grades:
            return f"{'whole number' if self.step == 1 else 'number'} from {self}"
        *others, last = [name for name, _ in self.grades]
        return f"grade from {self}: {', '.join(others)} or {last}"

    def grade(self, score: float) -> str | None:
        """The name of a score; None where it has none."""
        return next((name for name, number in self.grades if math.isclose(number, score, abs_tol=1e-9)), None)

    @property
    def values(self) -> tuple[float, ...] | None:
        """Every value on the scale, lowest first; None where any number between is allowed."""
        if self.grades:
            return tuple(dict.fromkeys(number for _, number in self.grades))
        if self.step is None:
            return None
        count = math.floor((self.high - self.low) / self.step + 1e-9) + 1
        return tuple(self.low + i * self.step for i in range(count))


def _numbered(grades: Any, low: float, step: float) -> Grades:
    """The grades with their numbers, lowest first. Raises ValueError."""
    try:
        pairs = list(grades.items()) if isinstance(grades, Mapping) else list(grades)
        if all(isinstance(one, str) for one in pairs):
            pairs = [(name, low + at * step) for at, name in enumerate(pairs)]
        found = [(str(name), float(number)) for name, number in pairs]
    except (TypeError, ValueError) as error:
        raise ValueError("grades are {A = 5, B = 4}, or names from the lowest to the highest") from error
    return tuple(sorted(found, key=lambda pair: pair[1]))


def _least_gap(numbers: Sequence[float]) -> float:
    """The smallest difference between neighbours; 1 where there is none."""
    return min((round(high - low, 9) for low, high in pairwise(numbers) if high > low), default=1.0)


def read_scale(value: object) -> object:
    """A scale as it is written, for pydantic to check; anything else as it is."""
    try:
        return Scale.parse(value) if isinstance(value, str) else value
    except UsageError as error:  # pydantic makes ValueErrors into errors that name the key
        raise ValueError(str(error)) from error


class Aspect(BaseModel, metaclass=SaysWhatIsWrong):
    """One criterion of a task, with its scale, what it asks, and the steps that lead to a score."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    scale: Annotated[Scale, BeforeValidator(read_scale)]
    """`1-5`, or `1-5 any` for fractions. With `grades` in place of it, or beside it, judges give letters: `{A: 5, B: 4}`, or
    `[E, D, C, B, A]` for the steps from the lowest."""
    criterion: str
    """Requirement of the aspect on a text, in a sentence or two."""
    steps: tuple[str, ...] = ()
    """Steps to a score, an entry each."""
    rank: bool = False
    """True if the number is a place among the candidates, 1 being the best, false if it is a score."""
    choice: bool = False
    """True if agents give no number for it: they choose a text, or mark its errors. Strategies say so; files do not."""
    label: str = ""
    """Name for people; the name as prose where it is empty."""

    @model_validator(mode="before")
    @classmethod
    def _with_grades(cls, data: Any) -> Any:
        """Files write an aspect's grades beside its scale, or without one."""
        if not isinstance(data, dict) or "grades" not in data:
            return data
        scale = read_scale(data.get("scale", {}))
        ends = scale.model_dump() if isinstance(scale, Scale) else scale
        if isinstance(scale, Scale) and isinstance(data["grades"], Mapping) and isinstance(ends, dict):
            del ends["step"]
        if not isinstance(ends, dict):
            return data
        rest = {key: value for key, value in data.items() if key != "grades"}
        return {**rest, "scale": {**ends, "grades": data["grades"]}}

    @property
    def title(self) -> str:
        """Name for people: "factual_consistency" is "Factual consistency"."""
        return self.label or self.name.replace("_", " ").capitalize()


class Task(BaseModel, metaclass=SaysWhatIsWrong):
    """A kind of item and how to judge it. `brief` is the template of what every agent of a debate is shown first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    about: str = ""
    fields: tuple[str, ...]
    """The text fields an item must have."""
    optional: tuple[str, ...] = ()
    """Fields an item may have."""
    absent: tuple[str, ...] = ()
    """Values of an optional field that mean no text, such as "_nofact"; a blank field is absent too."""
    judged: str = ""
    """The field that holds the text under judgement."""
    candidates: tuple[str, ...] = ()
    """The fields that hold the texts to be compared, where there is not one text to be judged by itself."""
    aspects: tuple[Aspect, ...]
    usual: tuple[str, ...] = ()
    """The aspects that are judged where none is named; all of them where this is empty."""
    brief: str
    source: str = ""
    """The paper and section that the task follows."""
    differs: str = ""
    """Differences from it."""

    @model_validator(mode="after")
    def _judges_a_field(self) -> Self:
        if bool(self.judged) == bool(self.candidates):
            raise ValueError("a task has either a field that is judged, or candidates that are compared")
        if self.judged and self.judged not in self.fields:
            raise ValueError(
                f"judged names {self.judged!r}, which is not among the fields {', '.join(self.fields)}"
            )
        self._check_candidates()
        if not self.aspects:
            raise ValueError("a task needs at least one aspect")
        names = [aspect.name for aspect in self.aspects]
        if len(set(names)) < len(names):
            raise ValueError(f"aspects have names of their own: {', '.join(names)}")
        self._check_usual(names)
        return self

    def _check_usual(self, names: Sequence[str]) -> None:
        for name in self.usual:
            if name not in names:
                raise ValueError(
                    f"usual names {name!r}, which is none of the aspects. {nearest(name, names)}"
                )
            if self.usual.count(name) > 1:
                raise ValueError(f"usual names {name!r} twice")

    def _check_candidates(self) -> None:
        if not self.candidates:
            return
        unknown = [name for name in self.candidates if name not in {*self.fields, *self.optional}]
        if unknown:
            raise ValueError(f"candidates names {unknown[0]!r}, which is not among the fields")
        if len(set(self.fields) & set(self.candidates)) < 2:  # noqa: PLR2004 - one is compared with another
            raise ValueError(
                "at least two of the candidates have to be among the fields that an item must have"
            )

    def aspect(self, name: str) -> Aspect:
        """The aspect of that name. Raises UsageError with the nearest known one."""
        for aspect in self.aspects:
            if aspect.name == name:
                return aspect
        known = [aspect.name for aspect in self.aspects]
        raise UsageError(f"task {self.name!r} has no aspect {name!r}. {nearest(name, known)}")

    def choose(self, names: Sequence[str] | str | None) -> tuple[Aspect, ...]:
        """The aspects of these names, in this order; a text has commas between them, and None means the usual ones.

        Raises UsageError for an unknown name, for one that is there twice, and where there is none at all.
        """
        if names is None:
            return tuple(self.aspect(name) for name in self.usual) or self.aspects
        chosen = aspect_names(names)
        if not chosen:
            raise UsageError(
                f"there is no aspect to be judged; task {self.name!r} has {', '.join(a.name for a in self.aspects)}"
            )
        twice = [name for number, name in enumerate(chosen) if name in chosen[:number]]
        if twice:
            raise UsageError(f"the aspects to be judged name {twice[0]!r} twice")
        return tuple(map(self.aspect, chosen))

    def rescaled(self, scales: Mapping[str, Scale | str]) -> "Task":
        """The task with other scales for some aspects (summarization's fluency is 1 to 3 in some papers). Raises UsageError."""
        if not scales:
            return self
        wanted = {
            self.aspect(name).name: one if isinstance(one, Scale) else Scale.parse(one)
            for name, one in scales.items()
        }
        aspects = tuple(a.model_copy(update={"scale": wanted.get(a.name, a.scale)}) for a in self.aspects)
        return self.model_copy(update={"aspects": aspects})

    def lacks(self, item: "Item", field: str) -> bool:
        """Tell whether an optional field of an item is missing, blank, or holds a value that means no text."""
        if field not in item.fields:
            return True
        text = item.fields[field]
        return field in self.optional and (is_blank(text) or text.strip() in self.absent)

    def shown(self, item: "Item") -> tuple[str, ...]:
        """The fields of an item that agents are shown: what is given first, what is judged last."""
        given = [name for name in (*self.fields, *self.optional) if not self.lacks(item, name)]
        return tuple(sorted(given, key={self.judged, *self.candidates}.__contains__))

    def __repr__(self) -> str:
        fields = ", ".join((*self.fields, *self.optional))
        aspects = ", ".join(f"{one.name} {one.scale}" for one in self.aspects)
        return f"<Task {shortened(f'{self.name!r}: {fields}; {aspects}', LONGEST_REPR)}>"

    def check(self, item: "Item") -> None:
        """Raise DataError if the item lacks a field of this task, or a text under judgement is empty."""
        for field in self.fields:
            if field not in item.fields:
                have = ", ".join(sorted(item.fields)) or "none"
                raise DataError(
                    f"task {self.name!r} needs this field; item {item.id or '?'} has {have}", field=field
                )
        for field in self.candidates or (self.judged,):
            if field in item.fields and is_blank(item.fields[field]):
                raise DataError(f"item {item.id or '?'} has no text here to judge", field=field)


def aspect_names(given: object) -> tuple[str, ...]:
    """The names of aspects that are given as a list, or as a text with commas between them. Raises UsageError."""
    if isinstance(given, str):
        return tuple(filter(None, map(str.strip, given.split(","))))
    names = tuple(given) if isinstance(given, Iterable) else (given,)
    for name in names:
        if not isinstance(name, str):
            raise UsageError(f"aspects take names, such as ['coherence', 'fluency'], not {name!r:.80}")
    return names


class Item(BaseModel, metaclass=SaysWhatIsWrong):
    """One thing to judge: named text fields, with an id, its source group and system, and human scores where known."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    fields: dict[str, str]
    task: str = ""
    """The task's name; may stay empty where the task is given beside the item."""
    id: str = ""
    group: str | None = None
    """Source that items share (an article, a dialogue)."""
    system: str | None = None
    """System that wrote the text under judgement."""
    human: dict[str, float | None] = {}
    """People's scores by aspect ("overall.answer_1" where texts are compared)."""
    evidence: dict[str, float | None] = {}
    """Scores of evaluators that were computed elsewhere, by evaluator."""

    def __repr__(self) -> str:
        texts = ", ".join(
            f"{name} ({len(text):,} character{'' if len(text) == 1 else 's'})"
            for name, text in self.fields.items()
        )
        name = shortened(self.id, 60) if self.id else ""
        head = " ".join(filter(None, [name and repr(name), self.task and f"of {self.task}"]))
        return f"<Item {shortened(f'{head}: {texts}' if head else texts, LONGEST_REPR)}>"
