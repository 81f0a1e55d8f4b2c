"""Comparisons on the command line: winners, ties and failures, in tables, JSON, CSV and transcripts."""

from pathlib import Path

import pytest
from typed import ITEM, typed, write


@pytest.mark.parametrize("name", ["chateval", "faireval", "sampled"])
def test_what_swaps_positions_is_refused_where_there_is_one_text(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, and not at each of the items."""
    Path("strategies").mkdir()
    sampled = 'name = "sampled"\nabout = ""\nuses = "repeated"\n[options]\naround = "chateval"\n'
    Path("strategies/sampled.toml").write_text(sampled, encoding="utf-8")
    write([ITEM])
    came = typed(capsys, "run", name, "data.jsonl", "--task", "summarization")
    assert (came.code, f"the strategy '{name}' cannot judge this task" in came.err) == (2, True)
    assert not Path("agentdebate.db").exists()
