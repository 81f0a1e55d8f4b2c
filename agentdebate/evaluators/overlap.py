"""Base of ROUGE, BLEU and chrF: options that are checked, and one plain computation a pair, in a worker thread."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, ClassVar, TypeVar

import anyio.to_thread
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from agentdebate.errors import DataError, UsageError
from agentdebate.evaluators.base import NOT_THEIRS, Pair, Range
from agentdebate.options import read_options

Made = TypeVar("Made", bound="Overlap")


class Overlap(BaseModel, ABC):
    """An evaluator that counts what a text shares with its references. Its fields are its options."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    premise: str = Field(default="reference", min_length=1)
    """The item's field that it compares with."""

    distribution: ClassVar[str]
    """The package that does the counting, as it is called where it is installed from."""
    range: ClassVar[Range]
    """The scores that it can give."""
    most_pairs: ClassVar[int] = 10_000_000
    """Pairs of words, one of each text, that are aligned within some seconds."""

    _version: str = PrivateAttr()

    def model_post_init(self, _context: Any) -> None:
        """Load the package, so that a missing one is said before anything is judged. Raises MissingExtra."""
        self._load()
        options = self.model_dump_json(exclude={"premise"})  # its text is compared anyway
        self._version = f"{self.distribution} {version(self.distribution)}; {options}"

    @property
    def version(self) -> str:
        """The package with its version, and every option that decides a score."""
        return self._version

    @abstractmethod
    def _load(self) -> None:
        """Import the package and make what counts."""

    @abstractmethod
    def _compare(self, pair: Pair) -> float:
        """The score of one pair."""

    def check_words(self, reference: Sequence[str], said: Sequence[str]) -> None:
        """Raise DataError for texts that take too long to align: the time is the product of their words."""
        if len(reference) * len(said) > self.most_pairs:
            raise DataError(
                f"{len(said)} words cannot be compared with {len(reference)}: that takes too long. Shorten the texts, or take rouge-2"
            )

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score a pair, in order."""
        # A debate that is stopped does not wait for the comparison of long texts.
        return await anyio.to_thread.run_sync(self._compare_all, tuple(pairs), abandon_on_cancel=True)

    def _compare_all(self, pairs: Sequence[Pair]) -> list[float]:
        return [self._compare(pair) for pair in pairs]

    async def aclose(self) -> None:
        """Release nothing."""


def read(made: type[Made], name: str, rest: str, options: Mapping[str, Any], **fixed: Any) -> Made:
    """An evaluator that needs no model, and whose fields are its options; `fixed` are those that its name decides.

    Raises UsageError that names the evaluator and the option.
    """
    if rest:
        raise UsageError(f"evaluator {name!r} has no model: write {name!r}, not '{name}/{rest}'")
    return read_options(made, options, of=f"evaluator {name!r}", fixed=fixed, beside=NOT_THEIRS)
