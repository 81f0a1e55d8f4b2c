"""BERTScore: how well the tokens of two texts match in a language model's embeddings (Zhang et al. 2020).

The score is bert-score's own; what surrounds it is ours. The model is loaded like every other here, cut to the layers
that are asked for, which for models without a last norm is what bert-score does itself.
"""

import csv
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any, Literal

from agentdebate.errors import DataError, UsageError
from agentdebate.evaluators.base import Range
from agentdebate.evaluators.idf import Corpus, Weights
from agentdebate.evaluators.loading import Loaded
from agentdebate.evaluators.local import LocalEvaluator
from agentdebate.evaluators.model_options import LocalOptions
from agentdebate.evaluators.references import Single
from agentdebate.extras import optional
from agentdebate.models.hub import from_hub
from agentdebate.options import read_options

_PARTS = ("precision", "recall", "f")
_UNIT = Range(0.0, 1.0)


class BertScoreOptions(LocalOptions):
    """Which layer's embeddings are compared, how tokens weigh, and which of the three figures is the score."""

    premise: str = "reference"
    references: Literal["mean", "max"] = "max"
    layers: int
    """The layer whose embeddings are compared, counted from 1; bert-score lists the best for each model (17 for
    roberta-large, 9 for bert-base-uncased).
    """
    part: Literal["precision", "recall", "f"] = "f"
    """Precision looks for the text's tokens in the reference, recall for the reference's in the text."""
    idf: str | None = None
    """A file of texts, one a line, over which tokens get their weights; without, all weigh the same."""
    baseline: str | None = None
    """What unrelated texts score, to be taken off: a file in bert-score's form, or one that comes with it, such as
    "en/roberta-large".
    """


class BertScore(LocalEvaluator):
    """BERTScore with a model from a folder or by hub name."""

    packages = ("bert-score", "transformers", "torch")
    extra = "bertscore"

    def __init__(self, path: str, options: BertScoreOptions) -> None:
        super().__init__("bertscore", path, "encoder", options, layers=options.layers)
        self._options = options
        self._corpus = Corpus(options.idf) if options.idf else None
        self._baseline = _baseline(options.baseline, options.layers) if options.baseline else None
        self._weights: dict[int, float] | None = None

    @property
    def _files(self) -> dict[str, str]:
        weights = self._corpus.digest() if self._corpus else "none"
        return {"idf": weights, "baseline": str(self._baseline)}

    @property
    def range(self) -> Range:
        """0 to 1. A cosine may be below 0, and so may a score without its baseline; both are rare."""
        return _UNIT

    def _scored(self, loaded: Loaded, singles: list[Single]) -> list[float]:
        scoring = optional("bert_score.utils", self.extra)
        loaded.tokenizer.model_max_length = (
            loaded.limit
        )  # what bert-score cuts texts to, which they fit by now
        pairs = [(self._fitted_alone(loaded, single), single.hypothesis) for single in singles]
        references, texts = map(list, zip(*pairs, strict=True))
        weights = self._idf(loaded, scoring)
        device, size = loaded.model.device, len(pairs)
        found = scoring.bert_cos_score_idf(
            loaded.encoder,
            references,
            texts,
            loaded.tokenizer,
            weights,
            device=device,
            batch_size=size,
        )
        place = _PARTS.index(self._options.part)
        return [self._rescaled(value, place) for value in found[:, place].tolist()]

    def _rescaled(self, value: float, place: int) -> float:
        if self._baseline is None:
            return value
        return (value - self._baseline[place]) / (1 - self._baseline[place])

    def _idf(self, loaded: Loaded, scoring: Any) -> dict[int, float]:
        """bert-score's table of weights: those of marks are 0, as in its own."""
        if self._weights is None:
            tokenizer = loaded.tokenizer
            weights = Weights()
            if self._corpus:
                weights = Weights.of(self._corpus, partial(scoring.sent_encode, tokenizer))
            unseen = weights[-1]
            self._weights = defaultdict(
                lambda: unseen, {token: weights[token] for token in weights.counts or ()}
            )
            if not self._corpus:
                self._weights |= {tokenizer.sep_token_id: 0.0, tokenizer.cls_token_id: 0.0}
        return self._weights


def _baseline(named: str, layers: int) -> tuple[float, float, float]:
    """Precision, recall and F of unrelated texts at a layer. Raises UsageError and DataError."""
    path = Path(named).expanduser()
    if not path.is_file():
        package = Path(optional("bert_score", "bertscore").__file__).parent
        path = package / "rescale_baseline" / f"{named}.tsv"
    if not path.is_file():
        raise UsageError(f"baseline={named}: there is no such file, and none with bert-score by that name")
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), start=2):
            try:
                if int(row["LAYER"]) == layers:
                    return float(row["P"]), float(row["R"]), float(row["F"])
            except (KeyError, TypeError, ValueError) as error:
                raise DataError("a row holds LAYER, P, R and F", path=path, line=number) from error
    raise DataError(f"there is no row for layer {layers}", path=path)


@from_hub
def open_bertscore(path: str, **options: object) -> BertScore:
    """bert-score/MODEL: similarity of words in context to the references. The options are those of BertScoreOptions.

    Raises UsageError, and MissingExtra without bert-score.
    """
    return BertScore(path, read_options(BertScoreOptions, options, of="bert-score"))
