"""METEOR (Banerjee and Lavie, 2005; Lavie and Agarwal, 2007) over the nltk package: words, stems and, with WordNet, synonyms."""

from typing import Any, ClassVar, Literal

from pydantic import Field, PrivateAttr

from agentdebate.errors import DataError, MissingExtra
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.overlap import Overlap, read
from agentdebate.extras import optional

_MOST_PAIRS = 4_000_000
"""Pairs of words, one of each text: some seconds of work."""


class _NoWordNet:
    """Stands in for nltk's reader of WordNet: no word has a meaning, so none has a synonym."""

    def synsets(self, _word: str) -> tuple[()]:
        """No meanings."""
        return ()


class Meteor(Overlap):
    """METEOR of one text, from 0 to 1; of several references the best one counts.

    nltk's figures: lower-case words are aligned where they are the same, have one Porter stem, or share a meaning in WordNet. Without
    WordNet synonyms do not count, and scores are a little lower; evidence and the version say which it is. nltk looks synonyms up by
    stem. Raises MissingExtra without nltk, and where WordNet is asked for and nltk does not have its data.
    """

    distribution: ClassVar[str] = "nltk"

    wordnet: bool = False
    """Whether synonyms count, by nltk's WordNet, whose data is brought by `python -m nltk.downloader wordnet`."""
    alpha: float = Field(default=0.9, ge=0, le=1)
    """How much precision weighs against recall: 0.9 is nine times as much weight for recall."""
    beta: float = Field(default=3.0, ge=0, allow_inf_nan=False)
    """The exponent of the penalty for words in another order."""
    gamma: float = Field(default=0.5, ge=0, le=1)
    """The most that this penalty takes off."""
    tokens: Literal["words", "whitespace"] = "words"
    """Words and marks by themselves, or whatever stands between white space."""

    _score: Any = PrivateAttr()
    _split: Any = PrivateAttr()
    _synonyms: Any = PrivateAttr()

    @property
    def name(self) -> str:
        """What it is registered as, "meteor"."""
        return "meteor"

    @property
    def range(self) -> Range:
        """From nothing shared to the same words."""
        return Range(0.0, 1.0)

    def _load(self) -> None:
        self._score = optional("nltk.translate.meteor_score", "metrics").single_meteor_score
        words = optional("nltk.tokenize", "metrics").wordpunct_tokenize
        self._split = str.split if self.tokens == "whitespace" else words
        self._synonyms = _wordnet() if self.wordnet else _NoWordNet()

    def _compare(self, pair: Pair) -> float:
        said = self._split(pair.hypothesis)
        return max(self._against(self._split(reference), said) for reference in pair.premise)

    def _against(self, reference: list[str], said: list[str]) -> float:
        if not (reference and said):
            return 0.0
        if len(reference) * len(said) > _MOST_PAIRS:
            raise DataError(
                f"{self.name} cannot compare {len(said)} words with {len(reference)}: that takes too long. Shorten the "
                "texts, or take rouge-2"
            )
        options = {"alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}
        return float(self._score(reference, said, wordnet=self._synonyms, **options))


def _wordnet() -> Any:
    """Nltk's reader of WordNet. Raises MissingExtra where its data is not there."""
    reader = optional("nltk.corpus", "metrics").wordnet
    try:
        reader.ensure_loaded()
    except LookupError as error:
        raise MissingExtra(
            "nltk has no data of WordNet here. Bring it by: python -m nltk.downloader wordnet; or leave out wordnet=true"
        ) from error
    return reader


def meteor(rest: str, **options: Any) -> Meteor:
    """METEOR without synonyms, unless wordnet=true: words and stems shared with the references, in order. Raises UsageError for options that it does not have."""
    return read(Meteor, "meteor", rest, options)
