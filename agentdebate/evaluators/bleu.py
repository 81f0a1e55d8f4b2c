"""BLEU of one text (Papineni et al., 2002) over the sacrebleu package, with a choice of smoothing."""

from math import exp, prod
from typing import Any, ClassVar, Literal

from pydantic import Field, PrivateAttr

from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.overlap import Overlap, read
from agentdebate.extras import optional

_FULL = 100.0
_TINY, _SMALL = 1e-15, 1e-9


class Bleu(Overlap):
    """BLEU of one text against its references, from 0 to 100.

    The brevity penalty goes by the reference that is nearest in length, and orders for which the text is too short are
    left out. Raises MissingExtra without sacrebleu.
    """

    distribution: ClassVar[str] = "sacrebleu"
    name: ClassVar[str] = "bleu"
    range: ClassVar[Range] = Range(0.0, _FULL)

    order: int = Field(default=4, ge=1)
    """The longest n-grams that are counted."""
    smoothing: Literal["exp", "floor", "add-k", "none", "1e-15"] = "exp"
    """Smoothing for n-grams of which none is shared: sacrebleu's ways with its own constants (0.1 for "floor", 1 for
    "add-k"), or a count of 1e-15 among as many n-grams and 1e-9 more, as in the BLEU-4 of ChatEval, Table 2."""
    tokenize: Literal["13a", "intl", "char", "zh", "whitespace"] = "13a"
    """sacrebleu's ways to find tokens, or whatever stands between white space."""
    lowercase: bool = False
    """True to ignore case."""

    _bleu: Any = PrivateAttr()

    def _load(self) -> None:
        self._bleu = optional("sacrebleu.metrics", "metrics").BLEU(
            lowercase=self.lowercase,
            tokenize="none" if self.tokenize == "whitespace" else self.tokenize,
            smooth_method="none" if self.smoothing == "1e-15" else self.smoothing,
            max_ngram_order=self.order,
            effective_order=True,
        )

    def _compare(self, pair: Pair) -> float:
        found = self._bleu.sentence_score(pair.hypothesis, list(pair.premise))
        score = _barely_smoothed(found) if self.smoothing == "1e-15" else found.score
        return min(float(score), _FULL)  # a sum of logarithms may end a last digit above


def _barely_smoothed(found: Any) -> float:
    """BLEU from sacrebleu's counts, with next to nothing in the place of counts that are zero."""
    if not found.sys_len:
        return 0.0
    shares = [
        shared / total if shared else _TINY / (total + _SMALL)
        for shared, total in zip(found.counts, found.totals, strict=True)
    ]
    brevity = exp(min(0.0, 1 - found.ref_len / found.sys_len))
    return float(_FULL * brevity * prod(share ** (1 / len(shares)) for share in shares))


def bleu(rest: str, **options: Any) -> Bleu:
    """BLEU of a single text: runs of up to four words shared with the references. Raises UsageError for options that it does not have."""
    return read(Bleu, "bleu", rest, options)
