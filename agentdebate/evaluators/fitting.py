"""Making texts fit a model: the premise is cut first, and alone."""

from collections.abc import Callable
from typing import Any, Literal

from agentdebate.errors import DataError
from agentdebate.evaluators.references import Single, shown

Keep = Literal["start", "end"]


def fitted(
    single: Single, *, size: Callable[[str], int], limit: int, tokenizer: Any, keep: Keep, model: str
) -> str:
    """The premise, cut so far that all fits; `size` says how many tokens there are with a premise.

    Raises DataError where the rest alone is too long.
    """
    premise = single.premise
    while (excess := size(premise) - limit) > 0:
        if not premise:
            raise too_long(single.hypothesis, limit + excess, limit, model)
        premise = _cut(premise, excess, tokenizer, keep)
    return premise


def too_long(hypothesis: str, tokens: int, limit: int, model: str) -> DataError:
    """The error for a text that does not fit, not even alone."""
    return DataError(
        f"the text {shown(hypothesis)} does not fit {model}: with what has to stand around it, it has {tokens} tokens"
        f" of {limit}. Use a model that takes more, or leave the item out"
    )


def _cut(text: str, tokens: int, tokenizer: Any, keep: Keep) -> str:
    """The text without so many tokens at one end, and at least one character less."""
    spans = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
    if tokens >= len(spans):
        return ""
    if keep == "start":
        return text[: min(spans[-tokens - 1][1], len(text) - 1)]
    return text[max(spans[tokens][0], 1) :]
