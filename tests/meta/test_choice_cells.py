"""Figures of choices from counts by kind of source, beside the same from every row."""

from random import Random

import numpy as np
import pytest

from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.choices import MANY, ChoiceCells, ChoiceTable
from agentdebate.meta.judged import Chosen

LABELS = ("A", "B", "tie")


def _table(rows: int, sources: int) -> ChoiceTable:
    chance = Random(f"{rows} {sources}")
    chosen = [
        Chosen(f"t{k}", f"s{chance.randrange(sources)}", chance.choice(LABELS), chance.choice(LABELS))
        for k in range(rows)
    ]
    return ChoiceTable.of(LABELS, chosen)


@pytest.mark.parametrize("statistic", sorted(MANY))
@pytest.mark.parametrize(("rows", "sources"), [(40, 40), (60, 9), (5, 2)])
def test_counted_sources_give_each_resample_the_figure_of_its_rows(
    statistic: str, rows: int, sources: int
) -> None:
    table = _table(rows, sources)
    cells, draws = ChoiceCells.of(table), Bootstrap(resamples=50).draw(table.places)
    by_rows = draws.values(rows, lambda drawn: MANY[statistic](table, drawn.of_rows(table.places)))
    by_cells = draws.values(rows, lambda drawn: MANY[statistic](cells.pairs, cells.counted(drawn)))
    np.testing.assert_allclose(by_cells, by_rows, rtol=1e-9, atol=1e-12)
