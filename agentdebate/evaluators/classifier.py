"""Models that classify or rate a pair of texts: natural language inference, BLEURT-style regressors.

Fusion-Eval (Section 3.1) uses three: NLI, the probability that the source entails the text (a model trained as
Bowman et al. 2015 describe); BLEURT (Sellam et al. 2020), a value that a model trained on human ratings gives;
and SumBLEURT, the same trained on ratings of summaries.
"""

from typing import Any, Literal

from agentdebate.errors import UsageError
from agentdebate.evaluators.base import Range
from agentdebate.evaluators.loading import Loaded
from agentdebate.evaluators.local import LocalEvaluator
from agentdebate.evaluators.model_options import LocalOptions, ReadRange
from agentdebate.evaluators.references import Single
from agentdebate.models.hub import from_hub
from agentdebate.options import read_options

_UNIT = Range(0.0, 1.0)


class ClassifierOptions(LocalOptions):
    """Options of a classifier: which of the model's outputs is the score. The model reads the premise first, as in NLI and BLEURT."""

    label: str | None = None
    """The label whose output counts, by the name that the model's configuration gives it, in any case; by default
    "entailment" for a probability, and the only output for a value.
    """
    output: Literal["probability", "value"] = "probability"
    """The label's probability among all labels (for a model of several labels at once, on its own), or the
    model's bare output.
    """
    range: ReadRange = _UNIT
    """The values to expect, where the output is a value: BLEURT's are mostly between 0 and 1."""


class Classifier(LocalEvaluator):
    """Any sequence-classification model over (premise, hypothesis), from a folder or by hub name."""

    def __init__(self, path: str, options: ClassifierOptions | None = None) -> None:
        self._options = options or ClassifierOptions()
        super().__init__("classifier", path, "classifier", self._options)

    @property
    def range(self) -> Range:
        """0 to 1 for a probability, and what was given for a value."""
        return _UNIT if self._options.output == "probability" else self._options.range

    def _scored(self, loaded: Loaded, singles: list[Single]) -> list[float]:
        label = self._label(loaded.model.config)
        if loaded.tokenizer.pad_token_id is None and len(singles) > 1:
            raise UsageError(f"{self._source.path} has a tokenizer without padding: say batch_size=1")
        premises = [self._fit(loaded, single) for single in singles]
        texts = [single.hypothesis for single in singles]
        inputs = loaded.tokenizer(premises, texts, padding=len(singles) > 1, return_tensors="pt")
        logits = loaded.model(**inputs.to(loaded.model.device)).logits.float()
        found: list[float] = self._outputs(logits, loaded.model.config)[:, label].tolist()
        return found

    def _outputs(self, logits: Any, config: Any) -> Any:
        if self._options.output == "value":
            return logits
        several = config.problem_type == "multi_label_classification"
        return logits.sigmoid() if several else logits.softmax(-1)

    def _fit(self, loaded: Loaded, single: Single) -> str:
        def size(premise: str) -> int:
            return len(loaded.tokenizer(premise, single.hypothesis)["input_ids"])

        return self._fitted(loaded, single, size)

    def _label(self, config: Any) -> int:
        """The number of the output that counts. Raises UsageError."""
        labels = {str(name).casefold(): int(number) for number, name in config.id2label.items()}
        value = self._options.output == "value"
        if not value and len(labels) == 1:
            raise UsageError(
                f"{self._source.path} has one output, which is not a probability: ask for output=value"
            )
        if value and self._options.label is None and len(labels) == 1:
            return 0
        wanted = (self._options.label or "entailment").casefold()
        if wanted not in labels:
            listed = ", ".join(map(str, config.id2label.values()))
            raise UsageError(
                f"{self._source.path} has no label {wanted!r}: say label=... with one of its labels: {listed}"
            )
        return labels[wanted]


@from_hub
def open_classifier(path: str, **options: object) -> Classifier:
    """nli/MODEL: the probability that a classifier gives a label, such as entailment. The options are those of ClassifierOptions. Raises UsageError."""
    return Classifier(path, read_options(ClassifierOptions, options, of="nli"))


@from_hub
def open_bleurt(path: str, **options: object) -> Classifier:
    """bleurt/MODEL: the value of a regressor with one output. The options are those of ClassifierOptions."""
    return Classifier(path, read_options(ClassifierOptions, {"output": "value", **options}, of="bleurt"))
