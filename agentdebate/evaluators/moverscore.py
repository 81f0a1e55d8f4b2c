"""MoverScore on single words: how far the words of one text have to move to become those of another (Zhao et al. 2019).

After Section 3 of the paper: each word is a point, the embedding of its first piece in the last layers of an encoder, put
together by power means (least, mean and greatest value of each number); its mass is its idf weight; the distance between
the texts is the least total way, weighted by mass. What differs from the authors' code: the score is 1 / (1 + distance) as
in its second version, for every number of layers; idf comes from one file of texts for both sides; words are the
tokenizer's words, so models of other kinds than BERT can be used; a transport solver of SciPy finds the way.
"""

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from agentdebate.errors import DataError, UsageError
from agentdebate.evaluators.base import Range
from agentdebate.evaluators.idf import Corpus, Weights
from agentdebate.evaluators.loading import EXTRA, Loaded
from agentdebate.evaluators.local import LocalEvaluator
from agentdebate.evaluators.model_options import LocalOptions
from agentdebate.evaluators.references import Single, shown
from agentdebate.extras import optional
from agentdebate.models.hub import from_hub
from agentdebate.options import read_options


def least_way(given: Sequence[float], wanted: Sequence[float], ways: Sequence[Sequence[float]]) -> float:
    """The least sum of mass times way that turns `given` into `wanted`; both sum to 1.

    `ways[i][j]` is how far the i-th place of the one is from the j-th of the other. Raises MissingExtra without SciPy.
    """
    optimize, sparse = optional("scipy.optimize", EXTRA), optional("scipy.sparse", EXTRA)
    rows, columns = len(given), len(wanted)
    leaving = sparse.kron(sparse.eye(rows), [[1.0] * columns])
    arriving = sparse.kron([[1.0] * rows], sparse.eye(columns))
    # One equation follows from the others; without it, rounding cannot make them contradict each other.
    equations = sparse.vstack([leaving, arriving]).tocsr()[:-1]
    masses = [*_whole(given), *_whole(wanted)][:-1]
    found = optimize.linprog(
        [way for row in ways for way in row], A_eq=equations, b_eq=masses, method="highs"
    )
    if not found.success:  # pragma: no cover - mass can always be moved
        raise ArithmeticError(f"no way to move the mass was found: {found.message}")
    return max(float(found.fun), 0.0)


def _whole(masses: Sequence[float]) -> list[float]:
    total = sum(masses)
    return [mass / total for mass in masses]


_PUNCTUATION = frozenset(string.punctuation)


class MoverScoreOptions(LocalOptions):
    """Which layers give the embeddings, and how words weigh."""

    premise: str = "reference"
    layers: int = Field(default=5, ge=1)
    """How many of the last layers are put together: 5 in the paper, 1 in the authors' second version."""
    idf: str | None = None
    """A file of texts, one a line, over which words get their weights; without, all weigh the same."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text: the token that begins each, its embedding of length 1, and its mass. Masses sum to 1."""

    points: Any
    masses: Any


class MoverScore(LocalEvaluator):
    """MoverScore with an encoder from a folder or by hub name."""

    packages = ("scipy", "transformers", "torch")

    def __init__(self, path: str, options: MoverScoreOptions | None = None) -> None:
        self._options = options or MoverScoreOptions()
        super().__init__("moverscore", path, "encoder", self._options)
        self._corpus = Corpus(self._options.idf) if self._options.idf else None
        self._weights: Weights | None = None

    @property
    def _files(self) -> dict[str, str]:
        return {"idf": self._corpus.digest() if self._corpus else "none"}

    @property
    def range(self) -> Range:
        """From 1/3, where every word is opposite to every other, to 1 for equal texts."""
        return Range(1 / 3, 1.0)

    def _scored(self, loaded: Loaded, singles: list[Single]) -> list[float]:
        premises = [self._fitted_alone(loaded, single) for single in singles]
        texts = premises + [single.hypothesis for single in singles]
        words = self._words(loaded, texts)
        return [1 / (1 + _distance(words[n], words[len(singles) + n])) for n in range(len(singles))]

    def _words(self, loaded: Loaded, texts: list[str]) -> list[Words]:
        encodings = [loaded.tokenizer(text, return_offsets_mapping=True) for text in texts]
        inputs = loaded.texts([encoding["input_ids"] for encoding in encodings])
        points = self._points(loaded, inputs)
        return [
            self._weighed(loaded, text, encoding, points[number])
            for number, (text, encoding) in enumerate(zip(texts, encodings, strict=True))
        ]

    def _points(self, loaded: Loaded, inputs: dict[str, Any]) -> Any:
        """Each token's embeddings in the last layers by their power means, of length 1."""
        states = loaded.encoder(**inputs, output_hidden_states=True).hidden_states
        if self._options.layers >= len(states):
            there = len(states) - 1
            raise UsageError(f"{self._source.path} has {there} layers: say layers=1 to {there}")
        last = loaded.torch.stack(states[-self._options.layers :]).float()
        means = loaded.torch.cat([last.amin(0), last.mean(0), last.amax(0)], dim=-1)
        return means / means.norm(dim=-1, keepdim=True)

    def _weighed(self, loaded: Loaded, text: str, encoding: Any, points: Any) -> Words:
        places = _beginnings(encoding, text)
        if not places:
            raise DataError(f"there is no word in {shown(text)}: leave such items out")
        weights = self._idf(loaded)
        masses = loaded.torch.tensor([weights[encoding["input_ids"][place]] for place in places])
        total = masses.sum()
        # Words that are in every text of the corpus weigh nothing; where all are, they weigh the same.
        masses = masses / total if total > 0 else loaded.torch.full_like(masses, 1 / len(places))
        return Words(points[places], masses)

    def _idf(self, loaded: Loaded) -> Weights:
        def tokens(text: str) -> list[int]:
            found: list[int] = loaded.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
            return found

        if self._weights is None:
            self._weights = Weights.of(self._corpus, tokens) if self._corpus else Weights()
        return self._weights


def _beginnings(encoding: Any, text: str) -> list[int]:
    """The tokens that begin a word, without punctuation."""
    found: dict[int, int] = {}
    for place, word in enumerate(encoding.word_ids()):
        if word is not None:
            found.setdefault(word, place)
    spans = {word: encoding.word_to_chars(word) for word in found}
    return [
        place
        for word, place in found.items()
        if not _PUNCTUATION.issuperset(text[slice(*spans[word])].strip())
    ]


def _distance(one: Words, other: Words) -> float:
    """The least way between two texts, which share none of the padding."""
    ways = (one.points[:, None, :] - other.points[None, :, :]).norm(dim=-1)
    return least_way(one.masses.tolist(), other.masses.tolist(), ways.tolist())


@from_hub
def open_moverscore(path: str, **options: object) -> MoverScore:
    """mover-score/MODEL: the cost of moving the words in context onto those of the references. The options are those of MoverScoreOptions.

    Raises UsageError, and MissingExtra without SciPy.
    """
    return MoverScore(path, read_options(MoverScoreOptions, options, of="mover-score"))
