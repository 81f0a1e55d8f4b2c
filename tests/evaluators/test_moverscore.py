"""MoverScore with a tiny model, and the transport behind it, against figures by hand."""

import math
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import PAIRS, TEXTS, library, opened, save_bart, save_encoder

from agentdebate.errors import DataError, UsageError
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.idf import Corpus, Weights
from agentdebate.evaluators.moverscore import least_way, open_moverscore

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_encoder(tmp_path_factory.mktemp("bert"))


async def scores(folder: Path, *pairs: Pair, **options: Any) -> list[float]:
    evaluator = open_moverscore(str(folder), **{"layers": 2, **options})
    try:
        return await evaluator.score(pairs)
    finally:
        await evaluator.aclose()


def points(folder: Path, text: str, *words: str, layers: int) -> Any:
    """The embeddings of the tokens that begin these words, of length 1."""
    torch = library("torch")
    tokenizer, model = opened(folder, "AutoModel")
    encoding = tokenizer(text, return_offsets_mapping=True)
    # A byte-level token begins with the space before its word.
    found = [re.search(rf" ?\b{word}\b", text) for word in words]
    starts = [match.start() for match in found if match]
    places = [[span[0] for span in encoding["offset_mapping"][1:-1]].index(start) + 1 for start in starts]
    states = model(torch.tensor([encoding["input_ids"]]), output_hidden_states=True).hidden_states[-layers:]
    stacked = torch.stack([state[0, places] for state in states])
    means = torch.cat([stacked.min(0).values, stacked.mean(0), stacked.max(0).values], -1)
    return means / means.norm(dim=-1, keepdim=True)


@pytest.mark.parametrize("layers", [1, 2])
async def test_the_score_is_that_of_the_best_pairing_of_words(encoder: Path, layers: int) -> None:
    """With as many words on both sides and equal weights, the least way pairs them one to one."""
    one, other = "The council voted, on Tuesday.", "Work begins in March!"
    text = Pair((one,), f"{other} weeks")
    first = points(encoder, one, "The", "council", "voted", "on", "Tuesday", layers=layers)
    second = points(encoder, text.hypothesis, "Work", "begins", "in", "March", "weeks", layers=layers)
    ways = [[float((a - b).norm()) for b in second] for a in first]
    least = min(sum(ways[n][m] for n, m in enumerate(order)) for order in permutations(range(5))) / 5
    found = await scores(encoder, text, layers=layers)
    assert found == pytest.approx([1 / (1 + least)], abs=1e-5)


async def test_equal_texts_score_1_and_others_less(encoder: Path) -> None:
    same = Pair((PAIRS[0].hypothesis,), PAIRS[0].hypothesis)
    found = await scores(encoder, same, *PAIRS)
    assert found[0] == pytest.approx(1, abs=1e-3)
    assert max(found[1:]) < found[0]
    assert min(found) >= open_moverscore(str(encoder)).range.low


async def test_the_size_of_a_batch_does_not_show(encoder: Path) -> None:
    one, many = [await scores(encoder, *PAIRS, batch_size=size) for size in (1, 16)]
    assert one == pytest.approx(many, abs=1e-5)


async def test_weights_come_from_the_named_corpus(encoder: Path, tmp_path: Path) -> None:
    """A word in every text weighs nothing, so it does not matter where it has to go."""
    corpus = tmp_path / "texts.txt"
    corpus.write_text("weeks bridge\nweeks March\nweeks\n")
    first, second = "weeks", " bridge"
    pair = Pair((first + second,), second.strip())
    plain, weighed = await scores(encoder, pair), await scores(encoder, pair, idf=str(corpus))
    a = points(encoder, first + second, "bridge", layers=2)
    b = points(encoder, second.strip(), "bridge", layers=2)
    assert weighed == pytest.approx([1 / (1 + float((a - b).norm()))], abs=1e-4)
    assert plain != pytest.approx(weighed, abs=1e-3)


def test_weights_are_inverse_document_frequencies(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(TEXTS))
    weights = Weights.of(Corpus(str(path)), lambda text: [0, 0, len(text)])
    assert weights[0] == 0
    assert weights[len(TEXTS[0])] == pytest.approx(math.log(4 / 2))
    assert weights[-5] == pytest.approx(math.log(4))
    assert Weights()[3] == 1


@pytest.fixture
def _empty_corpus() -> None:
    Path("empty.txt").write_text("\n \n")


@pytest.mark.usefixtures("_empty_corpus")
@pytest.mark.parametrize(
    ("pair", "options", "error", "message"),
    [
        (Pair(("?!",), "weeks"), {}, DataError, r"no word in '\?!'"),
        (Pair(("weeks",), "weeks " * 200), {}, DataError, "does not fit"),
        (PAIRS[0], {"layers": 5}, UsageError, "has 2 layers: say layers=1 to 2"),
        (PAIRS[0], {"idf": "empty.txt"}, DataError, "no text in it"),
    ],
)
async def test_what_cannot_be_scored_is_an_error(
    encoder: Path, pair: Pair, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        await scores(encoder, pair, **options)


async def test_of_a_model_that_writes_too_the_reading_half_is_used(tmp_path: Path) -> None:
    found = await scores(save_bart(tmp_path), Pair(("The bridge.",), "The bridge"), layers=1)
    assert 1 / 3 < found[0] < 1


def test_range_and_premise_are_declared(encoder: Path) -> None:
    evaluator = open_moverscore(str(encoder))
    assert (evaluator.range, evaluator.premise) == (Range(1 / 3, 1), "reference")


def test_mass_goes_the_least_way() -> None:
    assert least_way([0.5, 0.5], [0.25, 0.75], [[0, 1], [1, 0]]) == pytest.approx(0.25)
    assert least_way([1], [1], [[0.7]]) == pytest.approx(0.7)


masses = st.lists(st.floats(0.01, 1), min_size=1, max_size=5)


@settings(max_examples=30)
@given(masses, masses)
def test_the_way_lies_between_the_shortest_and_the_longest(one: list[float], other: list[float]) -> None:
    ways = [[abs(a - b) + 0.1 for b in other] for a in one]
    given_, wanted = ([mass / sum(side) for mass in side] for side in (one, other))
    found = least_way(given_, wanted, ways)
    assert min(map(min, ways)) - 1e-9 <= found <= max(map(max, ways)) + 1e-9
    assert found == pytest.approx(
        least_way(wanted, given_, [list(row) for row in zip(*ways, strict=True)]), abs=1e-7
    )
