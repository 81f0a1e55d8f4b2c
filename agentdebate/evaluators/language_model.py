"""The probability of a text given another, by a language model on this machine.

BARTScore (Yuan et al. 2021, Section 3) takes the mean log-probability of the text by a model that was fed the source;
GPTScore (Fu et al. 2023, Section 3) the same by a causal model with an instruction around the source; Fusion-Eval
(Section 3.1) the probability of a reply given dialogue and fact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Literal

from agentdebate.errors import DataError
from agentdebate.evaluators.base import Range
from agentdebate.evaluators.loading import Loaded
from agentdebate.evaluators.local import LocalEvaluator
from agentdebate.evaluators.model_options import HYPOTHESIS, Likelihood, LocalOptions, Template
from agentdebate.evaluators.references import Single, shown, too_long
from agentdebate.models.hub import from_hub
from agentdebate.options import read_options

PLACES = ("premise", HYPOTHESIS)
CAUSAL = "{premise}\n\n{hypothesis}"
SEQ2SEQ = "{premise}{hypothesis}"


class LanguageModelOptions(Likelihood, LocalOptions):
    """Options of the prompt before the text, and of the score from the text's log-probabilities."""

    template: str | None = None
    """Prompt of the model, with {premise} in it and {hypothesis} at its end; by default the premise and an empty
    line for a causal model. A seq2seq model reads what stands before {hypothesis}, and writes the hypothesis.
    """


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text's token numbers, and which of them are scored."""

    ids: list[int]
    scored: tuple[int, ...]


class LanguageModelScore(LocalEvaluator):
    """The log-probability or probability of the hypothesis after the premise, by a local model.

    A causal model goes on with a text; a seq2seq model reads one text and writes another, whose marks of beginning and end
    count as tokens, as they do in BARTScore.
    """

    def __init__(
        self, path: str, options: LanguageModelOptions, head: Literal["causal", "seq2seq"] = "causal"
    ) -> None:
        self._options, self._is_causal = options, head == "causal"
        text = options.template or (CAUSAL if self._is_causal else SEQ2SEQ)
        self._before = Template.read(text, PLACES).before_hypothesis()
        super().__init__("language-model" if self._is_causal else "bartscore", path, head, options)

    @property
    def range(self) -> Range:
        """Range of the scores: as given, else 0 to 1 for a probability, and -10 to 0 for a mean log-probability."""
        return self._options.expected

    @property
    def _uses_premise(self) -> bool:
        return "premise" in self._before.places

    def _scored(self, loaded: Loaded, singles: list[Single]) -> list[float]:
        found = (self._causal if self._is_causal else self._seq2seq)(loaded, singles)
        return [self._options.score(logprobs) for logprobs in found]

    def _causal(self, loaded: Loaded, singles: list[Single]) -> list[list[float]]:
        rows = [self._continued(loaded, single) for single in singles]
        inputs = loaded.texts([row.ids for row in rows])
        # What stands before the first scored token needs no logits, which are by far the largest tensor.
        first = min(row.scored[0] for row in rows) - 1
        width = inputs["input_ids"].shape[1] - first
        logits = loaded.model(**inputs, **_last(loaded.model, width)).logits[:, -width:]
        return [
            _logprobs(
                logits[number, [place - 1 - first for place in row.scored]], [row.ids[p] for p in row.scored]
            )
            for number, row in enumerate(rows)
        ]

    def _continued(self, loaded: Loaded, single: Single) -> Tokens:
        def encoded(premise: str) -> Tokens:
            return continuation(loaded.tokenizer, self._before.fill(premise=premise), single.hypothesis)

        return encoded(self._fitted(loaded, single, lambda premise: len(encoded(premise).ids)))

    def _seq2seq(self, loaded: Loaded, singles: list[Single]) -> list[list[float]]:
        targets = [self._target(loaded, single) for single in singles]
        sources = loaded.texts([self._read(loaded, single) for single in singles])
        logits = loaded.model(**sources, labels=loaded.tensor(targets, -100)).logits
        return [_logprobs(logits[number, : len(ids)], ids) for number, ids in enumerate(targets)]

    def _read(self, loaded: Loaded, single: Single) -> list[int]:
        def encoded(premise: str) -> list[int]:
            found: list[int] = loaded.tokenizer(self._before.fill(premise=premise))["input_ids"]
            return found

        return encoded(self._fitted(loaded, single, lambda premise: len(encoded(premise))))

    def _target(self, loaded: Loaded, single: Single) -> list[int]:
        ids: list[int] = loaded.tokenizer(text_target=single.hypothesis)["input_ids"]
        if len(ids) > loaded.limit:
            raise too_long(single.hypothesis, len(ids), loaded.limit, self.name)
        if not ids:
            raise _nothing(single.hypothesis)
        return ids


def continuation(tokenizer: Any, before: str, hypothesis: str) -> Tokens:
    """The tokens of both texts in one, and which of them hold any of the hypothesis.

    They are found by where they stand in the text: at the seam a token may hold the end of one and the beginning
    of the other, and then it is scored. Where nothing stands before the first, the model's mark of a beginning is
    put there. Raises DataError.
    """
    encoding = tokenizer(before + hypothesis, return_offsets_mapping=True, return_special_tokens_mask=True)
    ids, spans, marks = (encoding[name] for name in ("input_ids", "offset_mapping", "special_tokens_mask"))
    places = [place for place, mark in enumerate(marks) if not mark]
    begun = [place for place in places if spans[place][1] > max(len(before), spans[place][0])]
    if not begun:
        raise _nothing(hypothesis)
    scored = [place for place in places if place >= begun[0]]
    if scored[0] > 0:
        return Tokens(ids[: scored[-1] + 1], tuple(scored))
    mark = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    if mark is None:
        raise DataError(
            f"nothing stands before {shown(hypothesis)}, so its first token has no probability: use a template with"
            " some text before {hypothesis}"
        )
    return Tokens([mark, *ids[: scored[-1] + 1]], tuple(place + 1 for place in scored))


def _last(model: Any, width: int) -> dict[str, int]:
    """The keyword that spares the model all logits but the last, where it has one."""
    return {"logits_to_keep": width} if "logits_to_keep" in signature(model.forward).parameters else {}


def _logprobs(logits: Any, ids: Sequence[int]) -> list[float]:
    """The log-probability of each token under the logits of its row."""
    logits = logits.float()
    chosen = logits[range(len(ids)), list(ids)]
    found: list[float] = (chosen - logits.logsumexp(-1)).tolist()
    return found


def _nothing(hypothesis: str) -> DataError:
    return DataError(
        f"the model's tokenizer finds no token in {shown(hypothesis)}, so there is nothing to score"
    )


@from_hub
def open_language_model(path: str, **options: object) -> LanguageModelScore:
    """language-model/MODEL: how probable a local language model holds the text. The options are those of LanguageModelOptions. Raises UsageError."""
    return LanguageModelScore(path, read_options(LanguageModelOptions, options, of="language-model"))


@from_hub
def open_bartscore(path: str, **options: object) -> LanguageModelScore:
    """bartscore/MODEL: the mean log-probability of the text by a seq2seq model, as BARTScore takes it. The options are those of LanguageModelOptions."""
    return LanguageModelScore(path, read_options(LanguageModelOptions, options, of="bartscore"), "seq2seq")
