"""Small files in the forms in which the authors of datasets publish theirs."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.published import load_dataset
from agentdebate.tasks import Item

FOUR = ("coherence", "consistency", "fluency", "relevance")


def as_jsonl(path: str | Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Rows, one a line."""
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return place


def as_json(path: str | Path, data: Any) -> Path:
    """One JSON value over many lines, as the authors' files have it."""
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(data, indent=4), encoding="utf-8")
    return place


def as_csv(path: str | Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Rows with a head."""
    place = Path(path)
    with place.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return place


def part(name: str, path: str | Path) -> Taken:
    """Return what comes of a part of a dataset."""
    return load_dataset(name, path, subset=True)


def first(name: str, path: str | Path) -> Item:
    """The first item of a part of a dataset."""
    return part(name, path).items[0]


def four(*scores: int) -> dict[str, int]:
    """Scores of SummEval's four aspects."""
    return dict(zip(FOUR, scores, strict=True))


def annotation(doc: str = "dm-1", model: str = "M8", **more: Any) -> dict[str, Any]:
    """A row of SummEval's aligned annotations."""
    return {
        "id": doc,
        "model_id": model,
        "decoded": f"A summary by {model}.",
        "filepath": f"cnndm/{doc}.story",
        "references": ["One.", "Two."],
        "expert_annotations": [four(1, 5, 5, 2), four(2, 5, 4, 2), four(2, 5, 5, 3)],
        "turker_annotations": [four(number, 3, 3, 3) for number in range(1, 6)],
        **more,
    }


def unieval_summary(doc: str = "dm-1", system: str = "M8", **more: Any) -> dict[str, Any]:
    """A row of UniEval's SummEval."""
    scores = {**four(1, 5, 5, 2), "coherence": 1.6666666666666667, "overall": 3.5}
    return {
        "doc_id": doc,
        "system_id": system,
        "source": f"The article {doc}.",
        "reference": "One.",
        "system_output": f"A summary by {system}.",
        "scores": scores,
        **more,
    }


SAID = "hello there \n how are you ? \n\n"


def usr_dialogue(*models: str, said: str = SAID, fact: str = "a fact\n") -> dict[str, Any]:
    """A row of USR's Topical-Chat."""
    responses = [
        {
            "response": f"says {model}",
            "model": model,
            "Understandable": [1, 0, 1],
            "Natural": [3, 3, 2],
            "Maintains Context": [1, 1, 1],
            "Engaging": [2, 1, 3],
            "Uses Knowledge": [0, 0, 1],
            "Overall": [4, 5, 5],
        }
        for model in models
    ]
    return {"context": said, "fact": fact, "responses": responses}


def hanna_rows(*stories: tuple[str, str, str]) -> list[dict[str, Any]]:
    """HANNA's CSV: three annotators to each story, which has an id, a prompt and a model."""
    return [
        {
            "Story ID": story,
            "Prompt": prompt,
            "Human": "What a person wrote.",
            "Story": f"A story of {model}.",
            "Model": model,
            "Relevance": number,
            "Coherence": 4,
            "Empathy": 3,
            "Surprise": 2,
            "Engagement": 3,
            "Complexity": 5,
            "Worker ID": f"W{number}",
            "Assignment ID": f"A{story}{number}",
            "Work time in seconds": 100.0,
            "Name": "Ann",
        }
        for story, prompt, model in stories
        for number in (1, 2, 4)
    ]


def faireval(folder: str = "fair", labels: str = "CHATGPT\nVICUNA13B\nTIE\n") -> Path:
    """FairEval's files, with three questions and with what is not read beside them."""
    as_jsonl(
        f"{folder}/question.jsonl",
        [{"question_id": n, "text": f"Question {n}?", "category": "generic"} for n in (1, 2, 3)],
    )
    for name in ("gpt35", "vicuna-13b", "gpt4", "alpaca-13b"):
        answers = [
            {"question_id": n, "text": f"{name} on {n}.", "answer_id": f"{name}{n}"} for n in (3, 2, 1)
        ]
        as_jsonl(f"{folder}/answer/answer_{name}.jsonl", answers)
    review = Path(folder) / "review" / "review_gpt35_vicuna-13b_human.txt"
    review.parent.mkdir(parents=True, exist_ok=True)
    review.write_text(labels, encoding="utf-8")
    as_jsonl(review.with_name("review_gpt35_vicuna-13b_gpt-4_mec3_bpc1.json"), [{"question_id": 1}] * 2)
    return Path(folder)


def goyal_article(*ticks: tuple[str, str]) -> dict[str, Any]:
    """An article of Goyal's own JSON."""
    return {
        "article": "News.",
        "annotators": [{"best_summary": [best], "worst_summary": [worst]} for best, worst in ticks],
        **{system: {"text": f"By {system}."} for system in ("t0", "gpt3", "brio")},
    }
