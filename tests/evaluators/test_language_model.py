"""The probability of a text by local language models, against figures computed token by token."""

import math
from pathlib import Path
from typing import Any

import pytest
from tiny_models import LENGTH, PAIRS, library, opened, save_bart, save_causal, save_t5

from agentdebate.errors import DataError
from agentdebate.evaluators.base import Evaluator, Pair, Range
from agentdebate.evaluators.language_model import open_bartscore, open_language_model

TEMPLATE = "Source: {premise} Text: {hypothesis}"


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_causal(tmp_path_factory.mktemp("gpt"))


@pytest.fixture(scope="module")
def bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_bart(tmp_path_factory.mktemp("bart"))


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_t5(tmp_path_factory.mktemp("relative"))


def continued(folder: Path, before: str, text: str, *, begin: bool = False) -> list[float]:
    """The log-probability of each token of a text after another, one forward pass a token, without any padding."""
    torch = library("torch")
    tokenizer, model = opened(folder, "AutoModelForCausalLM")
    encoding = tokenizer(before + text, return_offsets_mapping=True, add_special_tokens=begin)
    ids = encoding["input_ids"]
    places = [n for n, span in enumerate(encoding["offset_mapping"]) if span[1] > len(before)]
    found = []
    for place in places:
        logits = model(torch.tensor([ids[:place]])).logits[0, -1]
        found.append(float(torch.log_softmax(logits, -1)[ids[place]]))
    return found


def written(folder: Path, source: str, text: str) -> list[float]:
    """The same for a model that reads one text and writes another."""
    torch = library("torch")
    tokenizer, model = opened(folder, "AutoModelForSeq2SeqLM")
    read = tokenizer(source, return_tensors="pt").input_ids
    target = tokenizer(text)["input_ids"]
    decoded = [model.config.decoder_start_token_id, *target]
    found = []
    for place, token in enumerate(target):
        logits = model(input_ids=read, decoder_input_ids=torch.tensor([decoded[: place + 1]])).logits[0, -1]
        found.append(float(torch.log_softmax(logits, -1)[token]))
    return found


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


async def scores(evaluator: Evaluator, *pairs: Pair) -> list[float]:
    try:
        return await evaluator.score(pairs)
    finally:
        await evaluator.aclose()


@pytest.mark.models
@pytest.mark.parametrize("size", [1, 3, 64])
async def test_a_causal_model_gives_the_mean_log_probability_after_the_premise(
    causal: Path, size: int
) -> None:
    evaluator = open_language_model(str(causal), batch_size=size)
    expected = [mean(continued(causal, f"{pair.premise[0]}\n\n", pair.hypothesis)) for pair in PAIRS]
    assert len({round(value, 3) for value in expected}) == len(PAIRS)
    assert await scores(evaluator, *PAIRS) == pytest.approx(expected, abs=1e-5)
    assert evaluator.range == Range(-10, 0)


@pytest.mark.models
async def test_a_token_over_the_seam_is_scored_with_the_text(causal: Path) -> None:
    """A space and "bridge" are one token here, so the hypothesis "bridge" after a space has no token of its own."""
    tokenizer, _ = opened(causal, "AutoModelForCausalLM")
    assert tokenizer.tokenize("the bridge")[-1] == "Ġbridge"
    alone = len(tokenizer.tokenize("the ")) + len(tokenizer.tokenize("bridge"))
    assert alone > len(tokenizer.tokenize("the bridge"))
    evaluator = open_language_model(
        str(causal), template="{premise} {hypothesis}", normalise="sum", range="-50..0"
    )
    expected = continued(causal, "the ", "bridge")
    assert len(expected) == 1
    assert await scores(evaluator, Pair(("the",), "bridge")) == pytest.approx(expected, abs=1e-5)


@pytest.mark.models
@pytest.mark.parametrize(
    ("options", "put"),
    [
        ({"output": "probability"}, lambda values: math.exp(mean(values))),
        ({"output": "probability", "normalise": "sum"}, lambda values: math.exp(sum(values))),
        ({"normalise": "sum", "range": "-300-0"}, sum),
    ],
)
async def test_log_probabilities_become_the_score_that_is_asked_for(
    causal: Path, options: dict[str, str], put: Any
) -> None:
    expected = [put(continued(causal, f"Source: {p.premise[0]} Text: ", p.hypothesis)) for p in PAIRS]
    evaluator = open_language_model(str(causal), template=TEMPLATE, **options)
    assert await scores(evaluator, *PAIRS) == pytest.approx(expected, rel=1e-4)
    assert evaluator.range == (Range(-300, 0) if "range" in options else Range(0, 1))


@pytest.mark.models
async def test_bartscore_counts_the_marks_of_the_text(bart: Path) -> None:
    expected = [mean(written(bart, pair.premise[0], pair.hypothesis)) for pair in PAIRS]
    assert await scores(open_bartscore(str(bart), batch_size=3), *PAIRS) == pytest.approx(expected, abs=1e-5)


@pytest.mark.models
@pytest.mark.parametrize("family", ["bart", "t5"])
async def test_a_seq2seq_model_reads_what_stands_before_the_text(
    family: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(family)
    evaluator = open_bartscore(str(folder), template=TEMPLATE, batch_size=2)
    expected = [mean(written(folder, f"Source: {pair.premise[0]} Text: ", pair.hypothesis)) for pair in PAIRS]
    assert await scores(evaluator, *PAIRS) == pytest.approx(expected, abs=1e-5)


@pytest.mark.models
async def test_a_long_premise_is_cut_and_the_words_around_it_stay(
    causal: Path, caplog: pytest.LogCaptureFixture
) -> None:
    premise, text = "week " * 200, "Work takes a while."
    (found,) = await scores(open_language_model(str(causal), template=TEMPLATE), Pair((premise,), text))
    tokenizer, _ = opened(causal, "AutoModelForCausalLM")
    kept = [premise[:end] for end in range(1, 400)]
    whole = [part for part in kept if len(tokenizer(f"Source: {part} Text: {text}")["input_ids"]) <= LENGTH]
    assert found == pytest.approx(mean(continued(causal, f"Source: {whole[-1]} Text: ", text)), abs=1e-5)
    assert "premises are cut" in caplog.text


@pytest.mark.models
@pytest.mark.parametrize("family", ["causal", "bart"])
async def test_a_text_that_does_not_fit_is_an_error(family: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(family)
    opened = open_language_model if family == "causal" else open_bartscore
    with pytest.raises(DataError, match=r"'weeks weeks.*' does not fit"):
        await scores(opened(str(folder)), Pair(("Yes.",), "weeks " * 100))
