"""A yes-or-no question about the text, put to a language model: how much more probable "yes" is than "no".

UniEval (Zhong et al. 2022, Section 3) asks a T5 model that was trained for it one question an aspect and takes
P(yes) / (P(yes) + P(no)) at the answer's first token. Here any local seq2seq model is asked any question;
UniEval's trained models want their own questions and template.
"""

from typing import Any

from agentdebate.errors import UsageError
from agentdebate.evaluators.base import Range
from agentdebate.evaluators.loading import Loaded
from agentdebate.evaluators.local import LocalEvaluator
from agentdebate.evaluators.model_options import HYPOTHESIS, LocalOptions, Template
from agentdebate.evaluators.references import Single
from agentdebate.models.hub import from_hub
from agentdebate.options import read_options

TEMPLATE = (
    "Read the source and the text, then answer the question with yes or no.\n\nSource: {premise}\n\nText: {hypothesis}"
    "\n\nQuestion: {question}\nAnswer:"
)
_PLACES = ("premise", HYPOTHESIS, "question")


class YesNoOptions(LocalOptions):
    """Options of the question and the prompt around it."""

    question: str
    """Question to the model, such as "Is the text free of mistakes and easy to read?"."""
    template: str = TEMPLATE
    """Prompt of the model, with {hypothesis}, and with {premise} and {question} where they are wanted."""


class YesNo(LocalEvaluator):
    """The share of "yes" in the probability of "yes" and "no" as a local model's first word, from 0 to 1.

    Spellings with and without a space before, in lower case, with a capital, and in capitals are counted together,
    as far as each is one token.
    """

    range = Range(0.0, 1.0)

    def __init__(self, path: str, options: YesNoOptions) -> None:
        self._options = options
        self._template = Template.read(self._options.template, _PLACES)
        super().__init__("yes-no", path, "seq2seq", options)

    @property
    def _uses_premise(self) -> bool:
        return "premise" in self._template.places

    def _scored(self, loaded: Loaded, singles: list[Single]) -> list[float]:
        yes, no = answers(loaded.tokenizer, self._source.path)
        rows = [self._prompt(loaded, single) for single in singles]
        logits = self._first(loaded, rows).float()
        found: list[float] = (logits[:, yes].logsumexp(-1) - logits[:, no].logsumexp(-1)).sigmoid().tolist()
        return found

    def _prompt(self, loaded: Loaded, single: Single) -> list[int]:
        def encoded(premise: str) -> list[int]:
            texts = {"premise": premise, HYPOTHESIS: single.hypothesis, "question": self._options.question}
            ids: list[int] = loaded.tokenizer(self._template.fill(**texts))["input_ids"]
            return ids

        return encoded(self._fitted(loaded, single, lambda premise: len(encoded(premise))))

    def _first(self, loaded: Loaded, rows: list[list[int]]) -> Any:
        """The logits of the first token of each answer."""
        start = _beginning(loaded)
        begun = loaded.tensor([start] * len(rows), 0)
        return loaded.model(**loaded.texts(rows), decoder_input_ids=begun).logits[:, -1]


def _beginning(loaded: Loaded) -> list[int]:
    """The tokens that stand before an answer's first: the decoder's mark, and what the tokenizer puts in front."""
    encoding = loaded.tokenizer(text_target="yes", return_special_tokens_mask=True)
    words = encoding["special_tokens_mask"].index(0)
    return [loaded.model.config.decoder_start_token_id, *encoding["input_ids"][:words]]


def answers(tokenizer: Any, path: str) -> tuple[list[int], list[int]]:
    """The tokens that mean "yes" and those that mean "no". Raises UsageError where the vocabulary lacks either."""
    yes, no = (_single_tokens(tokenizer, word) for word in ("yes", "no"))
    for word, tokens in (("yes", yes - no), ("no", no - yes)):
        if not tokens:
            raise UsageError(
                f"{path}: {word!r} is not a token of its own in this model, so it cannot be asked like this"
            )
    return sorted(yes - no), sorted(no - yes)


def _single_tokens(tokenizer: Any, word: str) -> set[int]:
    spellings = [space + case for space in ("", " ") for case in (word, word.capitalize(), word.upper())]
    found = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in spellings]
    return {ids[0] for ids in found if len(ids) == 1} - {tokenizer.unk_token_id}


@from_hub
def open_yes_no(path: str, **options: object) -> YesNo:
    """yes-no/MODEL: the probability that a local model answers a question about the text with yes (UniEval). The options are those of YesNoOptions. Raises UsageError."""
    return YesNo(path, read_options(YesNoOptions, options, of="yes-no"))
