"""METEOR: nltk's figures, with WordNet and without."""

from types import SimpleNamespace
from typing import Any

import nltk  # type: ignore[import-untyped]
import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader  # type: ignore[import-untyped]
from nltk.corpus.util import LazyCorpusLoader  # type: ignore[import-untyped]
from nltk.translate.meteor_score import meteor_score  # type: ignore[import-untyped]

from agentdebate.errors import DataError, MissingExtra
from agentdebate.evaluators.base import Evaluator, Pair
from agentdebate.evaluators.meteor import Meteor

TEXT = "The cat sits on the mat ."
REFERENCES = ("A cat was sitting on the mat .", "On the mat there was a cat .")


async def one(evaluator: Evaluator, hypothesis: str, *premise: str) -> float:
    (score,) = await evaluator.score([Pair(premise, hypothesis)])
    return score


async def test_scores_are_those_of_nltk_and_the_best_reference_counts() -> None:
    split = [text.split() for text in REFERENCES]
    expected = meteor_score(split, TEXT.split(), wordnet=SimpleNamespace(synsets=lambda _: []))
    assert 0 < expected < 1
    assert await one(Meteor(), TEXT, *REFERENCES) == pytest.approx(expected)


async def test_texts_that_take_too_long_are_the_item_s_fault() -> None:
    with pytest.raises(DataError, match="2001 words cannot be compared with 2000"):
        await one(Meteor(), "a " * 2001, "b " * 2000)


class Nouns:
    """A WordNet of two nouns for one thing."""

    def ensure_loaded(self) -> None:
        pass

    def synsets(self, word: str) -> list[Any]:
        lemmas = [SimpleNamespace(name=lambda one=one: one) for one in ("auto", "car")]
        return [SimpleNamespace(lemmas=lambda: lemmas)] if word in ("auto", "car") else []


async def test_synonyms_count_with_wordnet_and_not_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.corpus, "wordnet", Nouns())
    assert await one(Meteor(), "the auto", "the car") < await one(Meteor(wordnet=True), "the auto", "the car")
    assert await one(Meteor(wordnet=True), "auto", "car") == 0.5


def test_without_its_data_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(nltk.corpus, "wordnet", LazyCorpusLoader("wordnet", WordNetCorpusReader, None))
    with pytest.raises(MissingExtra, match=r"nltk\.downloader wordnet"):
        Meteor(wordnet=True)
