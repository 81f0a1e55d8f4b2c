"""agentdebate export and show: a run as data."""

import csv
import io
from collections.abc import Callable

import pytest
from typed import RUN, numbered, typed, write

from agentdebate.models.base import Model, ModelRequest
from agentdebate.testing import replying


def test_the_columns_of_csv_do_not_depend_on_which_row_comes_first(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    heads = []
    for mute in ("i1", "i2"):

        def reply(request: ModelRequest, mute: str = mute) -> str:
            about = request.context.item.id if request.context else ""
            return "Hm." if about == mute else "Coherence: 3"

        speaks(replying(reply))
        write(numbered(2))
        typed(capsys, *RUN)
        came = typed(capsys, "export", "--format", "csv")
        heads.append(came.out.splitlines()[0])
        assert [row["failure"] for row in csv.DictReader(io.StringIO(came.out)) if row["id"] == mute] == [
            "UnreadableReply"
        ]
    assert heads[0] == heads[1]
