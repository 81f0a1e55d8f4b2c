"""Classifiers and regressors over pairs, and yes-or-no questions, on tiny models."""

import math
from pathlib import Path
from typing import Any

import pytest
from tiny_models import PAIRS, library, opened, save_bart, save_classifier, save_t5

from agentdebate.errors import DataError, UsageError
from agentdebate.evaluators.base import Evaluator, Pair, Range
from agentdebate.evaluators.classifier import Classifier, ClassifierOptions, open_classifier
from agentdebate.evaluators.yes_no import YesNo, YesNoOptions, open_yes_no

pytestmark = pytest.mark.models

LABELS = ("Contradiction", "Neutral", "Entailment")


@pytest.fixture(scope="module")
def nli(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_classifier(tmp_path_factory.mktemp("nli"), LABELS)


def logits(folder: Path, first: str, second: str) -> list[float]:
    """One pair's outputs, by the library alone."""
    tokenizer, model = opened(folder, "AutoModelForSequenceClassification")
    found: list[float] = model(**tokenizer(first, second, return_tensors="pt")).logits[0].tolist()
    return found


def softmax(folder: Path, first: str, second: str, label: int) -> float:
    powers = [math.exp(value) for value in logits(folder, first, second)]
    return powers[label] / sum(powers)


async def scores(evaluator: Evaluator, *pairs: Pair) -> list[float]:
    try:
        return await evaluator.score(pairs)
    finally:
        await evaluator.aclose()


@pytest.mark.parametrize(("label", "number"), [("entailment", 2), ("NEUTRAL", 1), (None, 2)])
async def test_the_score_is_the_softmax_of_the_named_label_in_the_order_of_the_pairs(
    nli: Path, label: str | None, number: int
) -> None:
    expected = [softmax(nli, pair.premise[0], pair.hypothesis, number) for pair in PAIRS]
    assert len({round(value, 4) for value in expected}) == len(PAIRS)
    evaluator = Classifier(str(nli), ClassifierOptions(label=label, batch_size=2))
    assert await scores(evaluator, *PAIRS) == pytest.approx(expected, abs=1e-5)
    assert evaluator.range == Range(0, 1)


@pytest.mark.parametrize("keep", ["start", "end"])
async def test_a_long_premise_is_cut_and_the_hypothesis_is_not(
    nli: Path, keep: str, caplog: pytest.LogCaptureFixture
) -> None:
    tokenizer, _ = opened(nli, "AutoModelForSequenceClassification")
    premise, text = " ".join(f"week {number}" for number in range(300)), "The bridge will be repaired."
    (found,) = await scores(open_classifier(str(nli), keep=keep), Pair((premise,), text))
    ends = range(1, len(premise))
    kept = [premise[:end] if keep == "start" else premise[-end:] for end in ends]
    whole = [part for part in kept if len(tokenizer(part, text)["input_ids"]) <= 96]
    assert found == pytest.approx(softmax(nli, whole[-1], text, 2), abs=1e-5)
    assert "premises are cut" in caplog.text


async def test_a_hypothesis_that_does_not_fit_is_an_error(nli: Path) -> None:
    long = "repair the bridge " * 60
    with pytest.raises(DataError, match=r"'repair the bridge.*' does not fit classifier-nli.*of 96"):
        await scores(open_classifier(str(nli)), PAIRS[0], Pair(("Yes.",), long))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label": "entails"}, r"no label 'entails': say label=.*Contradiction, Neutral, Entailment"),
        ({"output": "value", "label": "up"}, "no label 'up'"),
    ],
)
async def test_a_label_that_is_not_there_is_an_error_that_lists_them(
    nli: Path, options: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        await scores(open_classifier(str(nli), **options), PAIRS[0])


async def test_a_hub_name_that_was_never_downloaded_is_an_error_that_says_so() -> None:
    with pytest.raises(
        UsageError, match=r"some/model cannot be loaded as a classifier model.*HF_HUB_OFFLINE"
    ):
        await scores(open_classifier("some/model"), PAIRS[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": "x"}, r"nli has no option 'labels'\. Did you mean 'label'\?"),
        ({"batch_size": 0}, "option 'batch_size'"),
        ({"range": "5"}, "option 'range'.*two ends"),
        ({"range": "5-1"}, "option 'range'.*from low to high"),
    ],
)
def test_a_wrong_option_is_an_error_that_names_it(
    nli: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        open_classifier(str(nli), **options)


# Yes-or-no questions, against figures from the first token by hand.


QUESTION = "Is it short?"
SHORT = "{question} {hypothesis} after {premise}:"
YES = {"yes", "Yes", "YES", "Ġyes", "ĠYes", "ĠYES"}
NO = {"no", "No", "NO", "Ġno", "ĠNo", "ĠNO"}


def share(folder: Path, kind: str, prompt: str) -> float:
    """P(yes) / (P(yes) + P(no)) at the first token, from the whole distribution."""
    torch = library("torch")
    tokenizer, model = opened(folder, kind)
    vocabulary = tokenizer.get_vocab()
    read: dict[str, Any] = dict(tokenizer(prompt, return_tensors="pt"))
    read.pop("token_type_ids", None)
    if kind == "AutoModelForSeq2SeqLM":
        marks = [1] if model.config.model_type == "bart" else []
        read["decoder_input_ids"] = torch.tensor([[model.config.decoder_start_token_id, *marks]])
    probabilities = model(**read).logits[0, -1].softmax(-1)
    yes, no = (
        sum(float(probabilities[vocabulary[t]]) for t in words & vocabulary.keys()) for words in (YES, NO)
    )
    return yes / (yes + no)


@pytest.mark.parametrize(
    ("save", "kind"), [(save_t5, "AutoModelForSeq2SeqLM"), (save_bart, "AutoModelForSeq2SeqLM")]
)
async def test_the_score_is_the_share_of_yes_at_the_first_token(tmp_path: Path, save: Any, kind: str) -> None:
    folder = save(tmp_path)
    evaluator = open_yes_no(str(folder), question=QUESTION, template=SHORT, batch_size=3)
    prompts = [f"{QUESTION} {pair.hypothesis} after {pair.premise[0]}:" for pair in PAIRS]
    expected = [share(folder, kind, prompt) for prompt in prompts]
    assert len({round(value, 3) for value in expected}) > 1
    assert await evaluator.score(PAIRS) == pytest.approx(expected, abs=1e-5)
    assert evaluator.range == Range(0, 1)
    await evaluator.aclose()


async def test_a_long_premise_is_cut_and_the_question_stays(tmp_path: Path) -> None:
    folder = save_t5(tmp_path)
    options = YesNoOptions(question=QUESTION, template="{premise} {hypothesis} {question}")
    evaluator = YesNo(str(folder), options)
    found = await evaluator.score([Pair(("week " * 200,), "yes")])
    tokenizer, _ = opened(folder, "AutoModelForSeq2SeqLM")
    prompts = [f"{('week ' * 200)[:end]} yes {QUESTION}" for end in range(400)]
    longest = [prompt for prompt in prompts if len(tokenizer(prompt)["input_ids"]) <= 96][-1]
    assert found == pytest.approx([share(folder, "AutoModelForSeq2SeqLM", longest)], abs=1e-5)
    await evaluator.aclose()


async def test_a_model_without_a_token_for_the_answer_is_an_error(tmp_path: Path) -> None:
    tokenizers = library("tokenizers")
    folder = save_t5(tmp_path)
    words = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({"<unk>": 0, "no": 1, "bridge": 2}, unk_token="<unk>")
    )
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    plain = library("transformers").PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="<unk>", pad_token="<unk>"
    )
    plain.save_pretrained(folder)
    with pytest.raises(UsageError, match="'yes' is not a token of its own in this model"):
        await open_yes_no(str(folder), question=QUESTION).score(PAIRS[:1])
