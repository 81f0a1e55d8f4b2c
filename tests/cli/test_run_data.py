"""agentdebate run: published datasets, further fields, evidence from elsewhere."""

import pytest
from typed import ITEM, RUN, typed, write


def test_an_evaluator_without_a_column_is_told_from_scores_in_the_data(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write([ITEM])
    came = typed(capsys, *RUN, "--evidence", "rouge-l")
    assert (came.code, came.out) == (2, "")
    assert "--evidence takes NAME=COLUMN of scores that are in the data, not 'rouge-l'" in came.err
    assert "--set evaluators=..." in came.err
