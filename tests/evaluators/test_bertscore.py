"""BERTScore with a tiny model, against bert-score's own scorer."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tiny_models import PAIRS, library, save_encoder

from agentdebate.errors import DataError, UsageError
from agentdebate.evaluators.base import Pair
from agentdebate.evaluators.bertscore import open_bertscore

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_encoder(tmp_path_factory.mktemp("bert"))


def reference(folder: Path, pairs: Sequence[Pair], *, layers: int = 2, **options: Any) -> list[list[float]]:
    """Precision, recall and F of each pair, by bert-score alone."""
    scorer = library("bert_score").BERTScorer(
        model_type=str(folder), num_layers=layers, device="cpu", nthreads=0, **options
    )
    found = scorer.score([pair.hypothesis for pair in pairs], [pair.premise[0] for pair in pairs])
    return [values.tolist() for values in found]


async def scores(folder: Path, *pairs: Pair, **options: Any) -> list[float]:
    evaluator = open_bertscore(str(folder), **{"layers": 2, **options})
    try:
        return await evaluator.score(pairs)
    finally:
        await evaluator.aclose()


@pytest.mark.parametrize("layers", [1, 2])
async def test_the_scores_are_those_of_bert_score(encoder: Path, layers: int) -> None:
    expected = reference(encoder, PAIRS, layers=layers)[2]
    found = await scores(encoder, *PAIRS, layers=layers, batch_size=3)
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"layers": 3}, UsageError, "has 2 layers: ask for 1 to 2, not 3"),
        ({"layers": 0}, UsageError, "has 2 layers"),
    ],
)
async def test_what_is_not_there_is_an_error(
    encoder: Path, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        await scores(encoder, PAIRS[0], **options)


async def test_a_text_that_does_not_fit_is_an_error_and_a_reference_is_cut(encoder: Path) -> None:
    with pytest.raises(DataError, match="does not fit"):
        await scores(encoder, Pair(("Yes.",), "weeks " * 100))
    assert await scores(encoder, Pair(("weeks " * 100,), "weeks")) == pytest.approx(
        reference(encoder, [Pair(("weeks " * 100,), "weeks")])[2], abs=1e-5
    )
