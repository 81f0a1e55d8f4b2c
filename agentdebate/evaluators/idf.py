"""Inverse document frequency of tokens over a file of texts.

The weights have to come from a corpus that is named: taken from whatever texts happen to be scored together, they would
give one pair another score in another batch.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from agentdebate.errors import DataError, UsageError


class Corpus:
    """A file with one text a line, in UTF-8. Raises UsageError where there is none, DataError where it is empty."""

    def __init__(self, path: str) -> None:
        self.path = Path(path).expanduser()
        if not self.path.is_file():
            raise UsageError(f"idf={path}: there is no such file; name one with a text on each line")

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Its texts."""
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise DataError("the file is not UTF-8", path=self.path) from error
        found = tuple(line.strip() for line in lines if line.strip())
        if not found:
            raise DataError("there is no text in it", path=self.path)
        return found

    def digest(self) -> str:
        """What tells its content from another's."""
        return hashlib.sha256("\n".join(self.texts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Weights:
    """log((N + 1) / (n + 1)) for a token that is in n of N texts. Without a corpus every token weighs 1."""

    texts: int = 0
    counts: Mapping[int, int] | None = None

    @classmethod
    def of(cls, corpus: Corpus, tokens: Callable[[str], Sequence[int]]) -> "Weights":
        """The weights over a corpus that `tokens` takes apart."""
        counts = Counter(token for text in corpus.texts for token in set(tokens(text)))
        return cls(len(corpus.texts), counts)

    def __getitem__(self, token: int) -> float:
        if self.counts is None:
            return 1.0
        return math.log((self.texts + 1) / (self.counts.get(token, 0) + 1))
