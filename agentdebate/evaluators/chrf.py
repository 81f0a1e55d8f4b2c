"""chrF and chrF++ (Popović, 2015 and 2017) over the sacrebleu package: the F of character n-grams."""

from typing import Any, ClassVar

from pydantic import Field, PrivateAttr

from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.overlap import Overlap, read
from agentdebate.extras import optional

_FULL = 100.0


class ChrF(Overlap):
    """chrF of one text, from 0 to 100; of several references the one with the highest counts.

    With `word_order` 2 it is chrF++. Raises MissingExtra without sacrebleu.
    """

    distribution: ClassVar[str] = "sacrebleu"
    name: ClassVar[str] = "chrf"
    range: ClassVar[Range] = Range(0.0, _FULL)

    char_order: int = Field(default=6, ge=1)
    """The longest n-grams of characters."""
    word_order: int = Field(default=0, ge=0)
    """The longest n-grams of words; 2 for chrF++."""
    beta: int = Field(default=2, ge=1)
    """Weight of recall, in multiples of that of precision."""
    lowercase: bool = False
    """True to ignore case."""
    whitespace: bool = False
    """True to count white space as characters."""

    _chrf: Any = PrivateAttr()

    def _load(self) -> None:
        options = self.model_dump(exclude={"premise"})
        self._chrf = optional("sacrebleu.metrics", "metrics").CHRF(**options)

    def _compare(self, pair: Pair) -> float:
        return min(float(self._chrf.sentence_score(pair.hypothesis, list(pair.premise)).score), _FULL)


def chrf(rest: str, **options: Any) -> ChrF:
    """chrF: runs of characters shared with the references; word_order=2 is chrF++. Raises UsageError for options that it does not have."""
    return read(ChrF, "chrf", rest, options)
