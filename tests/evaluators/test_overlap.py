"""Scores of words that two texts share: BLEU, chrF, ROUGE and METEOR have the figures of the libraries, and do what their options say."""

import math
from types import SimpleNamespace
from typing import Any

import nltk  # type: ignore[import-untyped]
import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader  # type: ignore[import-untyped]
from nltk.corpus.util import LazyCorpusLoader  # type: ignore[import-untyped]
from nltk.translate.meteor_score import meteor_score  # type: ignore[import-untyped]
from sacrebleu import sentence_bleu, sentence_chrf

from agentdebate.errors import DataError, MissingExtra
from agentdebate.evaluators.base import Evaluator, Pair
from agentdebate.evaluators.bleu import Bleu
from agentdebate.evaluators.chrf import ChrF
from agentdebate.evaluators.meteor import Meteor
from agentdebate.evaluators.rouge import Rouge

TEXT = "The cat was quiet ."
REFERENCES = ("The cat is on the mat .", "A cat sat quietly on the mat .")


async def one(evaluator: Evaluator, hypothesis: str, *premise: str) -> float:
    (score,) = await evaluator.score([Pair(premise, hypothesis)])
    return score


@pytest.mark.parametrize("smoothing", ["exp", "floor", "add-k", "none"])
async def test_bleu_with_the_usual_smoothings_is_that_of_sacrebleu(smoothing: Any) -> None:
    expected = sentence_bleu(TEXT, REFERENCES, smooth_method=smoothing).score
    assert await one(Bleu(smoothing=smoothing), TEXT, *REFERENCES) == pytest.approx(expected)


async def test_counts_of_zero_are_next_to_nothing() -> None:
    """One word of two is shared and no pair of words; the text is shorter than the reference by one of three."""
    expected = 100 * math.sqrt(1 / 2 * 1e-15 / (1 + 1e-9)) * math.exp(1 - 3 / 2)
    bleu = Bleu(order=2, smoothing="1e-15", tokenize="whitespace")
    assert await one(bleu, "a b", "a c d") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("words", [0, 2])
async def test_chrf_is_that_of_sacrebleu(words: int) -> None:
    expected = sentence_chrf(TEXT, REFERENCES, word_order=words).score
    assert await one(ChrF(word_order=words), TEXT, *REFERENCES) == pytest.approx(expected)


async def test_rouge_weighs_recall_by_beta() -> None:
    """Three of four words are in the reference's six: P = 3/4, R = 1/2."""
    hypothesis, reference = "the cat sat here", "the cat sat on a mat"
    assert await one(Rouge(kind="1"), hypothesis, reference) == pytest.approx(2 * 0.75 * 0.5 / 1.25)
    weighed = await one(Rouge(kind="1", beta=2), hypothesis, reference)
    assert weighed == pytest.approx(5 * 0.75 * 0.5 / (0.5 + 4 * 0.75))


def test_the_version_says_every_option_that_decides_a_score() -> None:
    """And not the premise's name: the texts of the premise are part of what is compared."""
    version = Rouge(kind="L", tokens="whitespace", stem=False, beta=1.2).version
    assert version.startswith("rouge-score ")
    assert version.endswith('"tokens":"whitespace","beta":1.2}')
    assert Rouge(premise="source").version == Rouge().version
    assert Rouge(beta=1.0000001).version != Rouge().version


def test_without_its_package_the_error_is_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(module: str) -> Any:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module.partition(".")[0])

    monkeypatch.setattr("agentdebate.extras.import_module", not_installed)
    with pytest.raises(MissingExtra, match=r"rouge_score is not .*pip install 'agentdebate\[metrics\]'"):
        Rouge()


async def test_meteor_is_that_of_nltk_and_the_best_reference_counts() -> None:
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


def test_without_wordnet_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(nltk.corpus, "wordnet", LazyCorpusLoader("wordnet", WordNetCorpusReader, None))
    with pytest.raises(MissingExtra, match=r"nltk\.downloader wordnet"):
        Meteor(wordnet=True)
