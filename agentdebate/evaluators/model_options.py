"""The options of evaluators that hold a model: premises, templates, and what becomes of log-probabilities."""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from agentdebate.errors import UsageError
from agentdebate.evaluators.base import Range

_NUMBER = r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)"
_RANGE = re.compile(rf"\s*({_NUMBER})\s*(?:-|\.\.)\s*({_NUMBER})\s*")


def _range(value: object) -> object:
    """A range as it is written: "0-1", "-10..0"."""
    if not isinstance(value, str):
        return value
    found = _RANGE.fullmatch(value)
    if not found:
        raise ValueError("write a range as its two ends: '0-1', '-10..0'")
    return Range(*map(float, found.groups()))


ReadRange = Annotated[Range, BeforeValidator(_range)]
"""A range, or its two ends in text."""


class PremiseOptions(BaseModel):
    """Options of the premise that the text is compared with, or given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    premise: str = "source"
    """The item's field that holds it."""
    references: Literal["mean", "max"] = "mean"
    """Score of a text with several premises: the mean of the scores, or the highest."""


class LocalOptions(PremiseOptions):
    """Options of an evaluator with a model on this machine."""

    device: str = "cpu"
    """Device that the model runs on: "cpu", "cuda", "cuda:1"."""
    batch_size: int = Field(default=8, ge=1)
    """Texts evaluated at once. It changes speed and memory, and scores by less than 0.00001."""
    max_length: int | None = Field(default=None, ge=4)
    """Tokens that one text may have, with all that stands around it; by default what the model takes."""
    keep: Literal["start", "end"] = "start"
    """End of a premise that stays when it has to be cut; for a dialogue, the end is what counts."""
    revision: str | None = None
    """The commit, tag or branch of a model that is named by its hub name."""


HYPOTHESIS = "hypothesis"


@dataclass(frozen=True, slots=True)
class Template:
    """Text and the names of places in turn: the even parts are text. Other braces are text too."""

    parts: tuple[str, ...]

    @classmethod
    def read(cls, text: str, places: Collection[str]) -> "Template":
        """A template in which `places` may stand, the hypothesis once. Raises UsageError."""
        found = cls(tuple(re.split(rf"\{{({'|'.join(map(re.escape, places))})\}}", text)))
        if found.places.count(HYPOTHESIS) != 1:
            raise UsageError(
                "the template has to hold {hypothesis}, once: it is where the text to score stands"
            )
        return found

    @property
    def places(self) -> tuple[str, ...]:
        """The names of its places, in order."""
        return self.parts[1::2]

    def before_hypothesis(self) -> "Template":
        """Text before the hypothesis, which has to be the end. Raises UsageError.

        A model that reads from left to right cannot see what comes later, so it would count for nothing.
        """
        if self.parts[-1] or self.places[-1] != HYPOTHESIS:
            raise UsageError(
                "the template has to end with {hypothesis}: what follows cannot change its probability"
            )
        return Template(self.parts[:-2])

    def fill(self, **texts: str) -> str:
        """The text with everything in its place; what is put in is never read as a template."""
        return "".join(texts[part] if number % 2 else part for number, part in enumerate(self.parts))


_MEAN = Range(-10.0, 0.0)
"""A mean of -10 is what guessing among 22,000 words gives."""


class Likelihood(BaseModel):
    """Options for a score from token log-probabilities (natural logarithm).

    The mean belongs to BARTScore (Yuan et al. 2021, Section 3) and GPTScore (Fu et al. 2023, Section 3); the
    exponential of the mean is a probability a token, and of the sum that of the whole text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    normalise: Literal["mean", "sum"] = "mean"
    """Mean over the tokens, which puts long texts on a par with short ones, or their sum."""
    output: Literal["logprob", "probability"] = "logprob"
    """The log-probability, or the probability from 0 to 1."""
    range: ReadRange | None = None
    """The scores to expect. Log-probabilities have no lowest value, so the sum needs one to be mapped to 0-1."""

    @model_validator(mode="after")
    def _has_range(self) -> "Likelihood":
        if self.output == "logprob" and self.normalise == "sum" and self.range is None:
            raise ValueError(
                "a sum of log-probabilities has no lowest value: say what to expect with range='-300..0'"
            )
        return self

    @property
    def expected(self) -> Range:
        """The range that was given, else 0 to 1 for a probability, and -10 to 0 for a mean log-probability."""
        return self.range or (Range(0.0, 1.0) if self.output == "probability" else _MEAN)

    def score(self, logprobs: Sequence[float]) -> float:
        """The score of a text whose tokens have these log-probabilities."""
        value = fmean(logprobs) if self.normalise == "mean" else math.fsum(logprobs)
        return math.exp(value) if self.output == "probability" else value
