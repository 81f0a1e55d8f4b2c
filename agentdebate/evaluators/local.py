"""Base of evaluators with a model on this machine: one thread a model, batches, several premises."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property

from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.loading import Head, Loaded, Source, load, packages
from agentdebate.evaluators.model_options import LocalOptions
from agentdebate.evaluators.references import Single, fitted, take_apart, too_long
from agentdebate.evaluators.worker import Worker
from agentdebate.log import get_log

_log = get_log(__name__)

_NO_MATTER = {"batch_size", "device", "premise"}
"""Options that decide no score once the texts are given."""


class LocalEvaluator(ABC):
    """An evaluator whose model is loaded at its first use and evaluated in a thread of its own."""

    packages: tuple[str, ...] = ("transformers", "torch")
    """The packages whose versions decide the scores."""
    extra = "transformers"
    """The extra that brings them."""

    def __init__(
        self, kind: str, path: str, head: Head, options: LocalOptions, *, layers: int | None = None
    ) -> None:
        self._packages = packages(*self.packages, extra=self.extra)
        self._kind, self._local = kind, options
        self._source = Source(path, head, options.device, options.revision, options.max_length, layers)
        _ = self._source.folder  # one that is missing is said before anything is judged
        self._told = False
        self._worker = Worker(lambda: load(self._source), self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._source.path}>"

    @property
    def name(self) -> str:
        """Kind of evaluator and name of the model: "classifier-deberta-mnli"."""
        return f"{self._kind}-{self._source.short.lower()}"

    @cached_property
    def version(self) -> str:
        """Packages, model and options. To read it the first time reads the smaller files of the model."""
        options = self._local.model_dump_json(exclude=_NO_MATTER)
        return f"{self._kind}; {self._packages}; {self._source.fingerprint()}; {options}"

    @property
    def premise(self) -> str:
        """The item's field that it compares with."""
        return self._local.premise

    @property
    @abstractmethod
    def range(self) -> Range:
        """The scores that it can give."""

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score a pair, in order.

        Raises DataError for a text that is empty or too long for the model, and UsageError where the model
        cannot be loaded or is of another kind.
        """
        apart = take_apart(pairs, field=self.premise, uses_premise=self._uses_premise)
        # Texts of like length together are padded less; the longest first, for they show whether memory suffices.
        lengths = [-len(single.premise) - len(single.hypothesis) for single in apart.singles]
        order = sorted(range(len(lengths)), key=lengths.__getitem__)
        scores = [0.0] * len(order)
        for start in range(0, len(order), self._local.batch_size):
            batch = order[start : start + self._local.batch_size]
            found = await self._batch([apart.singles[number] for number in batch])
            for number, score in zip(batch, found, strict=True):
                scores[number] = score
        return apart.fold(scores, self._local.references)

    async def aclose(self) -> None:
        """Release the model. Safe to call twice."""
        await self._worker.aclose()

    async def _batch(self, singles: list[Single]) -> list[float]:
        def work(loaded: Loaded) -> list[float]:
            with loaded.torch.inference_mode():
                return self._scored(loaded, singles)

        return await self._worker.run(work)

    @property
    def _uses_premise(self) -> bool:
        return True

    @abstractmethod
    def _scored(self, loaded: Loaded, singles: list[Single]) -> list[float]:
        """Scores of one batch, in the model's thread."""

    def _fitted(self, loaded: Loaded, single: Single, size: Callable[[str], int]) -> str:
        """The single's premise, cut so far that all fits; `size` counts the tokens with a premise."""
        premise = fitted(single, size, loaded, self._local.keep, self.name)
        if premise != single.premise and not self._told:
            self._told = True
            text = "%s takes %d tokens: premises are cut, the first from %d to %d characters"
            _log.warning(text, self.name, loaded.limit, len(single.premise), len(premise))
        return premise

    def _fitted_alone(self, loaded: Loaded, single: Single) -> str:
        """Fit the premise to a model that reads premise and hypothesis one by one and each has the whole room."""

        def size(text: str) -> int:
            return len(loaded.tokenizer(text)["input_ids"])

        tokens = size(single.hypothesis)
        if tokens > loaded.limit:
            raise too_long(single.hypothesis, tokens, loaded.limit, self.name)
        return self._fitted(loaded, single, size)
