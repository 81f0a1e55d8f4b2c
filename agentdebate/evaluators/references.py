"""Pairs with several premises: taken apart to be scored one by one, made to fit a model, and put together again."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

import anyio

from agentdebate.errors import DataError, raise_only
from agentdebate.evaluators.base import Pair
from agentdebate.evaluators.loading import Loaded
from agentdebate.visible import is_blank


@dataclass(frozen=True, slots=True)
class Single:
    """One premise and the hypothesis."""

    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class Singles:
    """Pairs taken apart. `sizes` says how many singles each pair has become."""

    singles: tuple[Single, ...]
    sizes: tuple[int, ...]

    def fold(self, scores: Sequence[float], how: Literal["mean", "max"]) -> list[float]:
        """One score a pair from one score a single, in order."""
        rest, put = iter(scores), max if how == "max" else fmean
        return [float(put([next(rest) for _ in range(size)])) for size in self.sizes]

    async def scored(
        self, score: Callable[[Single], Awaitable[float]], how: Literal["mean", "max"]
    ) -> list[float]:
        """Score all singles at once, and fold their scores. Raises what `score` raises."""
        scores = [0.0] * len(self.singles)

        async def one(number: int) -> None:
            scores[number] = await score(self.singles[number])

        try:
            async with anyio.create_task_group() as group:
                for number in range(len(scores)):
                    group.start_soon(one, number)
        except BaseExceptionGroup as errors:
            raise_only(errors)
        return self.fold(scores, how)


def take_apart(pairs: Sequence[Pair], *, field: str, uses_premise: bool = True) -> Singles:
    """The pairs, one premise each. Raises DataError for a pair without a premise or a hypothesis.

    Where the evaluator does not look at premises, a pair is one single, and may be without.
    """
    groups = [_of(pair, field) if uses_premise else [Single("", _text(pair))] for pair in pairs]
    return Singles(tuple(one for group in groups for one in group), tuple(map(len, groups)))


def _of(pair: Pair, field: str) -> list[Single]:
    hypothesis = _text(pair)
    if not pair.premise or any(map(is_blank, pair.premise)):
        raise DataError(
            f"there is nothing to compare {shown(hypothesis)} with: its premise is empty", field=field
        )
    return [Single(premise, hypothesis) for premise in pair.premise]


def _text(pair: Pair) -> str:
    if is_blank(pair.hypothesis):
        raise DataError("the text to score is empty; leave such items out, or give them no evidence")
    return pair.hypothesis


def shown(text: str) -> str:
    """The beginning of a text, for errors."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 40 else f"{line[:39]}…")  # noqa: PLR2004 - enough to find it by


Keep = Literal["start", "end"]


def fitted(single: Single, size: Callable[[str], int], loaded: Loaded, keep: Keep, model: str) -> str:
    """The premise, cut so far that all fits; `size` says how many tokens there are with a premise.

    Raises DataError where the rest alone is too long.
    """
    premise = single.premise
    while (excess := size(premise) - loaded.limit) > 0:
        if not premise:
            raise too_long(single.hypothesis, loaded.limit + excess, loaded.limit, model)
        premise = _cut(premise, excess, loaded.tokenizer, keep)
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
