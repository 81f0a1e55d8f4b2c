"""The published datasets as they lie beside the project: what is in them, counted; and the same from other forms."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from published_files import as_json, as_jsonl

from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.published import PUBLISHED, load_dataset
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task

pytestmark = pytest.mark.shared

FILES = {
    "summeval": "summeval",
    "topical-chat": "topical_chat",
    "faireval": "faireval",
    "goyal2022": "goyal2022/cnn.jsonl",
    "hanna": "hanna",
}
WHOLE = {"summeval": 1600, "topical-chat": 360, "faireval": 80, "goyal2022": 81, "hanna": 1056}


@pytest.fixture
def whole(shared: Path) -> Callable[..., Taken]:
    def load(name: str, **options: Any) -> Taken:
        return load_dataset(name, shared / FILES[name], **options)

    return load


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", WHOLE)
def test_all_of_it_is_there_and_fits_its_task(name: str, whole: Callable[..., Taken]) -> None:
    taken, task = whole(name), load_task(PUBLISHED[name].task, project=Project())
    assert len(taken.items) == WHOLE[name]
    named = {f"{aspect.name}.{field}" for aspect in task.aspects for field in task.candidates}
    named |= {aspect.name for aspect in task.aspects}
    for item in taken.items:
        task.check(item)
        assert item.human.keys() <= named
        assert None not in item.human.values()


def test_the_authors_form_of_goyal_gives_the_same_pairs(shared: Path, whole: Callable[..., Taken]) -> None:
    published = {
        row["article_id"].removeprefix("cnn-"): {
            "article": row["article"],
            "annotators": [
                {f"{verdict}_summary": one[verdict] for verdict in ("best", "worst")}
                for one in row["annotators"]
            ],
            **{system: {"text": text} for system, text in row["summaries"].items()},
        }
        for row in rows_of(shared / "goyal2022" / "cnn.jsonl")
    }
    taken, own = load_dataset("goyal2022", as_json("cnn_human.json", published)), whole("goyal2022")
    assert (taken.items, taken.left_out, taken.ratings) == (own.items, own.left_out, own.ratings)


def test_the_authors_files_of_faireval_give_the_same_pairs(shared: Path, whole: Callable[..., Taken]) -> None:
    rows = rows_of(shared / "faireval" / "faireval.jsonl")
    questions = [
        {"question_id": row["question_id"], "text": row["question"], "category": row["category"]}
        for row in rows
    ]
    as_jsonl("fair/question.jsonl", questions)
    for name, field in (("gpt35", "answer_chatgpt"), ("vicuna-13b", "answer_vicuna13b")):
        answers = [{"question_id": row["question_id"], "text": row[field]} for row in rows]
        as_jsonl(f"fair/answer/answer_{name}.jsonl", answers)
    review = Path("fair/review/review_gpt35_vicuna-13b_human.txt")
    review.parent.mkdir()
    review.write_text("".join(f"{row['human_label']}\n" for row in rows), encoding="utf-8")
    assert load_dataset("faireval", "fair").items == whole("faireval").items
