"""BERTScore: how well the tokens of two texts match in a language model's embeddings (Zhang et al. 2020).

The score is bert-score's own. The model is loaded like every other here, cut to the layers that are asked for, which for
models without a last norm is what bert-score does itself. All tokens weigh the same but the marks of a text's ends.
"""

from collections import defaultdict
from typing import Literal

from agentdebate.evaluators.base import Range
from agentdebate.evaluators.loading import Loaded
from agentdebate.evaluators.local import LocalEvaluator
from agentdebate.evaluators.model_options import LocalOptions
from agentdebate.evaluators.references import Single
from agentdebate.extras import optional
from agentdebate.models.hub import from_hub
from agentdebate.options import read_options

_F = 2
"""The place of F behind precision and recall in what bert-score returns."""


class BertScoreOptions(LocalOptions):
    """Options of BERTScore: the layer whose embeddings are compared."""

    premise: str = "reference"
    references: Literal["mean", "max"] = "max"
    layers: int
    """The layer whose embeddings are compared, counted from 1; bert-score lists the best for each model (17 for
    roberta-large, 9 for bert-base-uncased).
    """


class BertScore(LocalEvaluator):
    """BERTScore with a model from a folder or by hub name. A cosine may be below 0, which is rare."""

    packages = ("bert-score", "transformers", "torch")
    extra = "bertscore"
    range = Range(0.0, 1.0)

    def __init__(self, path: str, options: BertScoreOptions) -> None:
        super().__init__("bertscore", path, "encoder", options, layers=options.layers)

    def _scored(self, loaded: Loaded, singles: list[Single]) -> list[float]:
        tokenizer = loaded.tokenizer
        tokenizer.model_max_length = loaded.limit  # to which bert-score cuts texts, which fit by now
        weights = defaultdict(lambda: 1.0, {tokenizer.sep_token_id: 0.0, tokenizer.cls_token_id: 0.0})
        found = optional("bert_score.utils", self.extra).bert_cos_score_idf(
            loaded.encoder,
            [self._fitted_alone(loaded, single) for single in singles],
            [single.hypothesis for single in singles],
            tokenizer,
            weights,
            device=loaded.model.device,
            batch_size=len(singles),
        )
        scores: list[float] = found[:, _F].tolist()
        return scores


@from_hub
def open_bertscore(path: str, **options: object) -> BertScore:
    """bert-score/MODEL: similarity of words in context to the references. The options are those of BertScoreOptions.

    Raises UsageError, and MissingExtra without bert-score.
    """
    return BertScore(path, read_options(BertScoreOptions, options, of="bert-score"))
