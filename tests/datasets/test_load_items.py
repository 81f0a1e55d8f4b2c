"""Items of a file of one's own, read in Python with the words of the command."""

import json
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.errors import DataError, UsageError, UserError

ROW = {
    "article": "The ferry sails at nine.",
    "summary": "It sails.",
    "system": "m",
    "grade": 80,
    "ref": "At nine.",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.jsonl"
    path.write_text("".join(json.dumps(ROW | {"name": name}) + "\n" for name in ("s1", "s2", "s3")))
    return path


def read(path: Path, **more: Any) -> list[ad.Item]:
    given = {"task": "summarization", "fields": {"source": "article"}, "ids": "name", **more}
    return ad.load_items(path, **given)


def test_columns_become_what_the_arguments_say(file: Path) -> None:
    found = read(
        file,
        group="article",
        system="system",
        human={"fluency": "grade"},
        human_scale="0-100",
        also={"reference": "ref"},
        evidence={"ter": "grade"},
        limit=2,
    )
    assert [item.id for item in found] == ["s1", "s2"]
    assert found[0] == ad.Item(
        id="s1",
        task="summarization",
        fields={"source": ROW["article"], "summary": "It sails.", "reference": "At nine."},
        group=ROW["article"],
        system="m",
        human={"fluency": 4.2},
        evidence={"ter": 80},
    )


@pytest.mark.parametrize(
    ("more", "error", "says"),
    [
        ({"join": "x.csv"}, UsageError, "join=... FILE and on=... COLUMN go together"),
        ({"fields": {"sorce": "a"}}, UsageError, "fields=...: task 'summarization' has no 'sorce'. Did you mean 'source'?"),
        ({"human_scale": {"grace": "1-5"}}, UsageError, "human_scale=...: task 'summarization' has no 'grace'"),
        ({"human_scale": "much"}, UsageError, "'much' is not a scale"),
        ({"fields": {}}, DataError, "people.jsonl, line 1, 'source': this row has no such field"),
        ({"ids": "article"}, DataError, "is on line 1 too; name the columns that tell items apart with ids=..."),
        ({"task": "summarisation"}, UserError, "Did you mean 'summarization'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_names_the_argument_or_the_line(
    more: dict[str, Any], error: type[UserError], says: str, file: Path
) -> None:
    with pytest.raises(error) as caught:
        read(file, **more)
    assert says in str(caught.value)
