"""From the log-probabilities of a text's tokens to one score."""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

from agentdebate.evaluators.base import Range
from agentdebate.evaluators.model_options import ReadRange

_MEAN = Range(-10.0, 0.0)
"""A mean of -10 is what guessing among 22,000 words gives."""


class Likelihood(BaseModel):
    """How token log-probabilities (natural logarithm) become a score.

    The mean belongs to BARTScore (Yuan et al. 2021, Section 3) and GPTScore (Fu et al. 2023, Section 3); the
    exponential of the mean is a probability a token, and of the sum that of the whole text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    normalise: Literal["mean", "sum"] = "mean"
    """Whether long texts are put on a par with short ones: the mean over the tokens, or the sum."""
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
