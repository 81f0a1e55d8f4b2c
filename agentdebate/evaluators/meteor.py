"""METEOR (Banerjee and Lavie, 2005; Lavie and Agarwal, 2007) over the nltk package: words, stems and, with WordNet, synonyms."""

from typing import Any, ClassVar

from pydantic import PrivateAttr

from agentdebate.errors import MissingExtra
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.overlap import Overlap, read
from agentdebate.extras import optional


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
    name: ClassVar[str] = "meteor"
    range: ClassVar[Range] = Range(0.0, 1.0)
    most_pairs: ClassVar[int] = 4_000_000

    wordnet: bool = False
    """True to count synonyms, by nltk's WordNet, whose data comes with `python -m nltk.downloader wordnet`."""
    _score: Any = PrivateAttr()
    _split: Any = PrivateAttr()
    _synonyms: Any = PrivateAttr()

    def _load(self) -> None:
        self._score = optional("nltk.translate.meteor_score", "metrics").single_meteor_score
        self._split = optional("nltk.tokenize", "metrics").wordpunct_tokenize
        self._synonyms = _wordnet() if self.wordnet else _NoWordNet()

    def _compare(self, pair: Pair) -> float:
        said = self._split(pair.hypothesis)
        return max(self._against(self._split(reference), said) for reference in pair.premise)

    def _against(self, reference: list[str], said: list[str]) -> float:
        if not (reference and said):
            return 0.0
        self.check_words(reference, said)
        return float(self._score(reference, said, wordnet=self._synonyms))


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
