"""Base of assistant evaluators: pairs of texts in, scores out (Fusion-Eval, Section 3.1)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from agentdebate.errors import DataError
from agentdebate.tasks import Item, Task
from agentdebate.visible import is_blank

NOT_THEIRS = ("as",)
"""Options that may stand with those of any evaluator: the registry reads them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Pair of texts that an evaluator compares. The premise is what is given: a source, or one or several references."""

    premise: tuple[str, ...]
    hypothesis: str

    def __post_init__(self) -> None:
        if isinstance(self.premise, str):
            raise TypeError(
                "the premise of a pair is a tuple of one text or several: Pair((reference,), text)"
            )


@dataclass(frozen=True, slots=True)
class Range:
    """The scores that an evaluator can give, from worst to best. A score always means: the more, the better."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"a range runs from low to high, not from {self.low:g} to {self.high:g}")

    def share(self, score: float) -> float:
        """A score as a share of the range, from 0 to 1; what lies outside counts as the nearer end."""
        return min(max((score - self.low) / (self.high - self.low), 0.0), 1.0)


@runtime_checkable
class Evaluator(Protocol):
    """Scores texts. It is used from many debates at once, so `score` gets pairs of several items together."""

    @property
    def name(self) -> str:
        """Name in evidence and tables: "rouge-l"."""
        ...

    @property
    def version(self) -> str:
        """Version of everything but the texts that decides its scores: package, version and options. A cache trusts it."""
        ...

    @property
    def range(self) -> Range:
        """The scores that it can give."""
        ...

    @property
    def premise(self) -> str:
        """The item's field that it compares with: "source", or "reference"."""
        ...

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score a pair, in order. It does not keep the event loop from other work."""
        ...

    async def aclose(self) -> None:
        """Release models and connections. Safe to call twice."""
        ...


def pair_of(item: Item, task: Task, evaluator: Evaluator, candidate: str | None = None) -> Pair:
    """Find the pair that the evaluator compares in an item: its premise, and the text under judgement.

    The premise is the field that the evaluator names, or the fields of that name with a number behind it (reference_1,
    reference_2 ...). The text is the task's judged field, or the `candidate` where the task compares texts. Raises
    DataError that names item and field for a text that is missing or empty.
    """
    fields = [field for field in _premises(item, evaluator.premise) if not task.lacks(item, field)]
    if not fields:
        more = f"; give the item a field {evaluator.premise!r} (also='{evaluator.premise}=COLUMN')"
        raise _missing(item, evaluator.premise, f"evaluator {evaluator.name!r} compares with it", more)
    premise = tuple(_text(item, field, evaluator) for field in fields)
    return Pair(premise, _text(item, candidate or task.judged, evaluator))


def _premises(item: Item, name: str) -> list[str]:
    if name in item.fields:
        return [name]
    pattern = re.compile(rf"{re.escape(name)}_([0-9]+)")
    numbered = {field: match[1] for field in item.fields if (match := pattern.fullmatch(field))}
    return sorted(numbered, key=lambda field: (int(numbered[field]), field))


def _text(item: Item, field: str, evaluator: Evaluator) -> str:
    text = item.fields.get(field)
    if text is None:
        raise _missing(item, field, f"evaluator {evaluator.name!r} scores it")
    if is_blank(text):
        raise DataError(
            f"evaluator {evaluator.name!r} needs it, and item {item.id or '?'} has no text here", field=field
        )
    return text


def _missing(item: Item, field: str, why: str, more: str = "") -> DataError:
    have = ", ".join(item.fields) or "no fields"
    return DataError(f"{why}, and item {item.id or '?'} has {have}{more}", field=field)
