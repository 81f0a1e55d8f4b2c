"""Results of agreement, and what else is counted of runs, as data frames, Arrow streams and notebooks take them."""

import json
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.meta.agreement import COLUMNS
from agentdebate.tables.table import inferred

NAMES = [column.name for column in COLUMNS]


@pytest.fixture
def table() -> ad.report.AgreementTable:
    rows = [
        {"id": f"t{n}", "source": f"s{n // 3}", "people": 1 + n % 3, "mine": 1 + n % 3, "other": 1 + n % 2}
        for n in range(9)
    ]
    rows[4]["other"] = None
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for judge in ("mine", "other"):
        scored = [{"id": row["id"], "coherence": row[judge]} for row in rows]
        Path(f"{judge}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in scored))
    return ad.agree(
        data="rows.jsonl",
        scores={"mine": "mine.jsonl", "other": "other.jsonl"},
        on="id",
        human="coherence=people",
        aspects="coherence",
        group="source",
        statistic=["spearman", "pearson"],
        level=["pooled", "group"],
        compare=True,
        resamples=20,
    )


def test_pandas_has_a_row_for_each_figure_in_typed_columns(table: ad.report.AgreementTable) -> None:
    frame = table.to_pandas()
    assert list(frame.columns) == NAMES
    assert len(frame) == len(table.rows()) == 8
    mine = frame[(frame.judge == "mine") & (frame.statistic == "spearman") & (frame.level == "pooled")].iloc[
        0
    ]
    assert (mine.value, mine.n, mine.missing) == (pytest.approx(1), 9, 0)
    assert [str(kind) for kind in frame[["judge", "value", "n"]].dtypes] == ["string", "float64", "Int64"]
    assert table.agreements[0].to_polars().to_dicts() == [table.to_polars().to_dicts()[0]], "a number alone"


def test_what_stands_in_a_column_is_told_by_its_values() -> None:
    rows: list[dict[str, Any]] = [
        {"whole": 1, "any": 1, "text": "x", "mixed": True, "yes": True, "nested": {"a": [1]}},
        {"whole": None, "any": 1.5, "text": None, "mixed": 1, "yes": None, "late": 2},
    ]
    made = inferred("things", rows)
    assert {column.name: column.kind for column in made.schema} == {
        "whole": "integer", "any": "number", "text": "text", "mixed": "text", "yes": "boolean", "nested": "text",
        "late": "integer",
    }  # fmt: skip
    assert made.to_polars()["nested"].to_list() == ['{"a": [1]}', None]
