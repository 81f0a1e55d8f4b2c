"""The options of evaluators that hold a model."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agentdebate.evaluators.base import Range

_NUMBER = r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)"
_RANGE = re.compile(rf"\s*({_NUMBER})\s*(?:-|\.\.|,|to)\s*({_NUMBER})\s*")


def _range(value: object) -> object:
    """A range as it is written: "0-1", "-10..0"."""
    if not isinstance(value, str):
        return value
    found = _RANGE.fullmatch(value)
    if not found:
        raise ValueError("write a range as its two ends: '0-1', '-10..0'")
    low, high = map(float, found.groups())
    if low >= high:
        raise ValueError("a range starts with its lower end: '0-1', '-10..0'")
    return Range(low, high)


ReadRange = Annotated[Range, BeforeValidator(_range)]
"""A range, or its two ends in text."""


class PremiseOptions(BaseModel):
    """What the text is compared with, or given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    premise: str = "source"
    """The item's field that holds it."""
    references: Literal["mean", "max"] = "mean"
    """What several premises of one text come to: the mean of the scores, or the highest."""


class LocalOptions(PremiseOptions):
    """What an evaluator with a model on this machine can be told."""

    device: str = "cpu"
    """Where the model runs: "cpu", "cuda", "cuda:1"."""
    batch_size: int = Field(default=8, ge=1)
    """Texts evaluated at once. It changes speed and memory, and scores by less than 0.00001."""
    max_length: int | None = Field(default=None, ge=4)
    """Tokens that one text may have, with all that stands around it; by default what the model takes."""
    keep: Literal["start", "end"] = "start"
    """Which end of a premise stays when it has to be cut; for a dialogue, the end is what counts."""
    revision: str | None = None
    """The commit, tag or branch of a model that is named by its hub name."""
