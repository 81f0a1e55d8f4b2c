"""Replies that our reader refuses, as a model is asked about them (`read="model=NAME"`), and what came of that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from agentdebate.tasks import Aspect


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
