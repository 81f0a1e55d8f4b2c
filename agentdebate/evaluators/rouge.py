"""ROUGE (Lin, 2004) over the rouge-score package: the share of n-grams, or of the longest common subsequence."""

from functools import lru_cache
from statistics import fmean
from typing import Any, ClassVar, Literal

from pydantic import Field, PrivateAttr

from agentdebate.errors import UsageError
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.overlap import Overlap, read
from agentdebate.extras import optional

_KEPT = 1024
"""Number of texts that are kept as tokens: a hypothesis meets each of its references, and a reference every system."""


class Rouge(Overlap):
    """ROUGE's F over the tokens of a text and of its references.

    With the defaults it is the ROUGE of Fusion-Eval, Table 2: rouge-score's tokens, Porter stems, and the mean over the
    references. The ROUGE-L of DEBATE, Table 1, has whitespace tokens, no stems and beta 1.2. "Lsum" takes each line for
    a sentence. Raises MissingExtra without rouge-score.
    """

    distribution: ClassVar[str] = "rouge-score"
    range: ClassVar[Range] = Range(0.0, 1.0)

    kind: Literal["1", "2", "L", "Lsum"] = "L"
    """Single words, pairs of words, longest common subsequence, or its union over sentences."""
    stem: bool = True
    """True to cut words of four letters and more to their Porter stems; only rouge-score's tokens can be cut."""
    references: Literal["mean", "max"] = "mean"
    """Rule for several references: their mean F, or the highest."""
    tokens: Literal["rouge", "whitespace"] = "rouge"
    """Lower-case letters and digits only, as rouge-score has it, or whatever stands between white space."""
    beta: float = Field(default=1.0, gt=0, allow_inf_nan=False)
    """Weight of recall, in multiples of that of precision."""

    _scorer: Any = PrivateAttr()
    _tokens: Any = PrivateAttr()

    @property
    def name(self) -> str:
        """Name under which the kind is registered, such as "rouge-l"."""
        return f"rouge-{self.kind.lower()}"

    def _load(self) -> None:
        scorer = optional("rouge_score.rouge_scorer", "metrics")
        if self.stem and self.tokens == "whitespace":
            raise UsageError(f"evaluator {self.name!r}: tokens=whitespace goes with stem=false")
        self._tokens = _Tokens(self.tokens, stem=self.stem)
        self._scorer = scorer.RougeScorer([self._type], tokenizer=self._tokens)

    @property
    def _type(self) -> str:
        return f"rouge{self.kind}"

    def _compare(self, pair: Pair) -> float:
        scores = [self._f(reference, pair.hypothesis) for reference in pair.premise]
        return max(scores) if self.references == "max" else fmean(scores)

    def _f(self, reference: str, hypothesis: str) -> float:
        if self.kind in ("L", "Lsum"):
            self.check_words(self._tokens.tokenize(reference), self._tokens.tokenize(hypothesis))
        shared = self._scorer.score(reference, hypothesis)[self._type]
        weight = self.beta**2
        below = shared.recall + weight * shared.precision
        return (1 + weight) * shared.precision * shared.recall / below if below else 0.0


class _Tokens:
    """Tokenizer for rouge-score. The tokens of the last texts are kept."""

    def __init__(self, kind: str, *, stem: bool) -> None:
        rouge = optional("rouge_score.tokenizers", "metrics").DefaultTokenizer(stem).tokenize
        self.tokenize = lru_cache(_KEPT)(rouge if kind == "rouge" else str.split)


def rouge_1(rest: str, **options: Any) -> Rouge:
    """ROUGE-1: single words shared with the references. Raises UsageError for options that it does not have."""
    return read(Rouge, "rouge-1", rest, options, kind="1")


def rouge_2(rest: str, **options: Any) -> Rouge:
    """ROUGE-2: pairs of words shared with the references. Raises UsageError for options that it does not have."""
    return read(Rouge, "rouge-2", rest, options, kind="2")


def rouge_l(rest: str, **options: Any) -> Rouge:
    """ROUGE-L: the longest common subsequence with the references. Raises UsageError for options that it does not have."""
    return read(Rouge, "rouge-l", rest, options, kind="L")


def rouge_lsum(rest: str, **options: Any) -> Rouge:
    """ROUGE-Lsum: ROUGE-L line by line, each line being a sentence. Raises UsageError for options that it does not have."""
    return read(Rouge, "rouge-lsum", rest, options, kind="Lsum")
