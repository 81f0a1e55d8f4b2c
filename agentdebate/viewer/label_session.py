"""A person labels items blind: without names, systems and judges, in an order that a seed decides; what a run left to people comes first."""

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from threading import Lock
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.tasks import Aspect, Item
from agentdebate.viewer.label_file import MARK, LabelFile
from agentdebate.viewer.label_set import LabelSet

CHOICE = "choice"
"""The field of the text that was chosen, as the field's name; "tie" where none was better."""
TIE = "tie"
_LEFT = "All are labelled on which the run abstained. A cascade's thresholds"
_BUTTONS = 9
"""Steps of a scale that have a key each; a scale with more of them takes a number."""


class NotALabel(UsageError):
    """Error for a label that is not a score on the scale, or not a choice."""


@dataclass(frozen=True)
class Step:
    """A score that can be given, with its key."""

    key: str
    value: str
    label: str


@dataclass(frozen=True)
class Question:
    """One aspect, or the choice among texts."""

    name: str
    title: str
    criterion: str
    hint: str
    steps: tuple[Step, ...]
    """Empty where a number is typed."""
    low: float = 0
    high: float = 0
    step: float | None = None
    choice: bool = False
    """True if a text is chosen, and no number given."""


@dataclass(frozen=True)
class Sheet:
    """An item as it is put before a person."""

    number: int
    """Place in the order of the seed, which stands for its name."""
    about: str
    given: Mapping[str, str]
    """Texts that go with the judged ones."""
    judged: Mapping[str, str]
    """The texts under judgement, by what they are called here."""
    questions: tuple[Question, ...]


class LabelSession:
    """One person's way through a set of items. Every label is in the file before the next item is shown."""

    def __init__(self, wanted: LabelSet, file: LabelFile, *, seed: int = 0) -> None:
        """Go on where the file ends. Raises UsageError where the file is about other items."""
        self._wanted, self._file, self._seed = wanted, file, seed
        self._items = sorted(
            wanted.items, key=lambda one: (one.id not in wanted.abstained, self._lot(one.id))
        )
        self._places = {item.id: place for place, item in enumerate(self._items, 1)}
        self._named = {row["id"] for row in file.rows}
        self._lock = Lock()
        _check_same(self._places, file)

    def __repr__(self) -> str:
        return f"<LabelSession {self.done} of {self.total}>"

    @property
    def total(self) -> int:
        """Number of items."""
        return len(self._items)

    @property
    def done(self) -> int:
        """Number of items that have a label."""
        return len(self._places.keys() & self._named)

    @property
    def file(self) -> str:
        """Path of the labels' file."""
        return str(self._file.path)

    @property
    def commands(self) -> dict[str, str]:
        """The command lines that take the labels, each with what it tells; RUN stands where the items are of no run, FIRST for one without thresholds.

        Thresholds follow once all items have a label on which the run abstained, and its agreement once all have.
        """
        words = [self._wanted.run or "RUN", *self._wanted.where, "--data", self.file]
        told = dict[str, list[str]]()
        if self._wanted.abstained and self._wanted.abstained <= self._named:
            others = (one for one in self._items if one.id not in self._wanted.abstained)
            if any(one.human or one.id in self._named for one in others):  # at which no later stage was held
                told[f"{_LEFT}, FIRST being the run that was held without any"] = [
                    "calibrate",
                    "FIRST",
                    *words,
                ]
            else:
                told[_LEFT] = ["calibrate", *words]
        if self.done == self.total:
            told["How well a run agrees with the labels"] = ["agree", *words, "--on", "id"]
        return {title: shlex.join(["agentdebate", *line]) for title, line in told.items()}

    @property
    def rows(self) -> int:
        """The labels in the file."""
        return len(self._file.rows)

    def sheet(self, after: int = 0) -> Sheet | None:
        """The next item without a label behind the place `after`, or else from the beginning; None where all have one."""
        order = (*self._items[after:], *self._items[:after])
        return next((self._sheet(one) for one in order if one.id not in self._named), None)

    def label(self, number: int, said: Mapping[str, str]) -> int:
        """Take the answers about an item; the place behind which to go on. Raises NotALabel and UsageError."""
        if not 1 <= number <= self.total:
            raise NotALabel(f"there is no item {number}")
        item = self._items[number - 1]
        answers = {question.name: _answer(question, said) for question in self._sheet(item).questions}
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        told = {"id": item.id, "group": item.group, "system": item.system, **answers, MARK: moment}
        with self._lock:
            if item.id in self._named:
                raise NotALabel(_twice(number, answers))
            self._file.append({name: value for name, value in told.items() if value is not None})
            self._named.add(item.id)
        return number

    def undo(self, rows: int) -> int:
        """Take the last label back, for a page that shows `rows` labels; the place before its item.

        Raises NotALabel where another label was given since: it stays.
        """
        with self._lock:
            if self.rows != rows:
                raise NotALabel(
                    "A label was given elsewhere since this page was shown. Nothing was taken back."
                )
            row = self._file.undo()
            self._named = {one["id"] for one in self._file.rows}
        return self._places.get(row["id"], 1) - 1 if row else 0

    def _lot(self, name: str) -> bytes:
        """Return the sort key of an item: it stays in its place when others are added."""
        return sha256(f"{self._seed}\n{name}".encode("utf-8", "backslashreplace")).digest()

    def _sheet(self, item: Item) -> Sheet:
        task = self._wanted.tasks[item.task]
        shown = task.shown(item)
        sides = sorted(
            (name for name in shown if name in task.candidates),
            key=lambda side: self._lot(f"{item.id}\n{side}"),
        )
        letters = {name: f"Text {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[at % 26]}" for at, name in enumerate(sides)}
        judged = letters or {task.judged: task.judged.replace("_", " ").capitalize()}
        given = [name for name in shown if name not in judged]
        return Sheet(
            number=self._places[item.id],
            about=task.about,
            given={name.replace("_", " ").capitalize(): item.fields[name] for name in given},
            judged={title: item.fields[name] for name, title in judged.items()},
            questions=(_choice(letters),)
            if letters
            else tuple(map(_question, self._wanted.aspects[item.task])),
        )


def _twice(number: int, answers: Mapping[str, Any]) -> str:
    """Say that a label is there already, with the answers that are not kept."""
    said = ", ".join(f"{name} {value}" for name, value in answers.items())
    return (
        f"Item {number} was labelled in another tab or browser meanwhile, and one file keeps one label of an item: your answer "
        f"({said}) was not saved. To label the same items as somebody else, start the command with a file of your own."
    )


def _check_same(items: Mapping[str, int], file: LabelFile) -> None:
    rows = file.rows
    if rows and not any(row["id"] in items for row in rows):
        raise UsageError(f"{file.path} labels other items, such as {rows[0]['id']!r}: name another file")


def _question(aspect: Aspect) -> Question:
    scale = aspect.scale
    values = [number for _, number in scale.grades] if scale.grades else list(scale.values or ())
    steps = tuple(_steps(values, {number: name for name, number in scale.grades}))
    hint = f"{scale}" if steps else scale.wanted
    return Question(
        aspect.name, aspect.title, aspect.criterion, hint, steps, scale.low, scale.high, scale.step
    )


def _steps(values: Sequence[float], names: Mapping[float, str]) -> Iterable[Step]:
    """A key for each score: its own digit where every score is one, else its place."""
    if not 0 < len(values) <= _BUTTONS + 1:
        return
    own = all(value.is_integer() and 0 <= value <= _BUTTONS for value in values) and not names
    if not own and len(values) > _BUTTONS:
        return
    for place, value in enumerate(values, 1):
        key = f"{value:g}" if own else str(place)
        yield Step(key, f"{value:g}", names.get(value, f"{value:g}"))


def _choice(letters: Mapping[str, str]) -> Question:
    steps = [Step(str(at), name, title) for at, (name, title) in enumerate(letters.items(), 1)]
    return Question(
        CHOICE, "Which text is better?", "", "", (*steps, Step("0", TIE, "None is better")), choice=True
    )


def _answer(question: Question, said: Mapping[str, str]) -> Any:
    """A number on the scale, or the name of the text that was chosen. Raises NotALabel."""
    text = said.get(question.name, "").strip()
    if not text:
        raise NotALabel(f"{question.title} has no answer yet")
    if question.steps:
        if text not in {step.value for step in question.steps}:
            raise NotALabel(f"{question.title}: {text[:40]!r} cannot be chosen")
        return text if question.choice else _number(text)
    number = _number(text)
    on_step = question.step is None or math.isclose(
        (number - question.low) / question.step, round((number - question.low) / question.step), abs_tol=1e-9
    )
    if not (question.low <= number <= question.high and on_step):
        raise NotALabel(f"{question.title} takes a {question.hint}, not {text[:40]!r}")
    return number


def _number(text: str) -> float:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise NotALabel(f"{text[:40]!r} is not a number")
    return int(number) if number.is_integer() else number
