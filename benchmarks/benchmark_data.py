"""The benchmark data as items and as judgements."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_rows
from agentdebate.datasets.goyal2022 import GOYAL2022
from agentdebate.datasets.published import take
from agentdebate.meta.judged import Judged, Judgements
from agentdebate.tasks import Item

SUMMEVAL = ("coherence", "consistency", "fluency", "relevance")
TOPICAL_CHAT = ("naturalness", "coherence", "engagingness", "groundedness")
"""The aspects that papers report."""

TRUTH = "Original Ground Truth"
"""The system whose responses are the references of the others."""

LABELS = {"CHATGPT": "answer_1", "VICUNA13B": "answer_2", "TIE": "tie"}
"""FairEval's labels, and what they say of the item as it is judged."""

Rows = list[dict[str, Any]]


def rows(path: Path) -> Rows:
    """The records of a file."""
    return [dict(row.data) for row in read_rows(path)]


def articles(data: Path) -> dict[str, dict[str, Any]]:
    """SummEval's articles by their id."""
    return {row["article_id"]: row for row in rows(data / "summeval" / "articles.jsonl")}


def judgements(
    judge: str,
    aspect: str,
    found: Iterable[Mapping[str, Any]],
    score: Callable[[Mapping[str, Any]], float | None],
) -> Judgements:
    """The rows of SummEval or Topical-Chat with a judge's score of each."""
    return Judgements(judge, aspect, tuple(_judged(row, row[aspect], score(row)) for row in found))


def _judged(row: Mapping[str, Any], human: float, score: float | None) -> Judged:
    source = row.get("article_id") or row["dialogue_id"]
    return Judged(f"{source}/{row['system_id']}", source, row["system_id"], human, score)


def summaries(data: Path) -> list[Item]:
    """SummEval's summaries, each with its article and references."""
    whole = articles(data)
    return [_summary(row, whole[row["article_id"]]) for row in rows(data / "summeval" / "summaries.jsonl")]


def _summary(row: Mapping[str, Any], article: Mapping[str, Any]) -> Item:
    return Item(
        task="summarization",
        id=f"{row['article_id']}/{row['system_id']}",
        group=row["article_id"],
        system=row["system_id"],
        fields={
            "source": article["article"],
            "summary": row["summary"],
            **{f"reference_{number}": text for number, text in enumerate(article["references"], 1)},
        },
        human={aspect: row[aspect] for aspect in SUMMEVAL},
    )


def responses(data: Path) -> list[Item]:
    """Topical-Chat's 300 responses by systems, each with its dialogue, its fact and the reference response."""
    found = rows(data / "topical_chat" / "responses.jsonl")
    truth = {row["dialogue_id"]: row["response"] for row in found if row["system_id"] == TRUTH}
    return [_response(row, truth[row["dialogue_id"]]) for row in found if row["system_id"] != TRUTH]


def _response(row: Mapping[str, Any], reference: str) -> Item:
    return Item(
        task="dialogue",
        id=f"{row['dialogue_id']}/{row['system_id']}",
        group=row["dialogue_id"],
        system=row["system_id"],
        fields={name: row[name] for name in ("dialogue", "fact", "response")} | {"reference": reference},
        human={aspect: row[aspect] for aspect in TOPICAL_CHAT},
    )


def answers(data: Path) -> list[Item]:
    """FairEval's questions with the answers of ChatGPT and Vicuna-13B."""
    return [
        Item(
            task="comparison",
            id=str(row["question_id"]),
            fields={
                "question": row["question"],
                "answer_1": row["answer_chatgpt"],
                "answer_2": row["answer_vicuna13b"],
            },
        )
        for row in rows(data / "faireval" / "faireval.jsonl")
    ]


def answer_labels(data: Path) -> dict[str, str]:
    """What people chose of each of FairEval's questions: the field of an answer, or "tie"."""
    return {
        str(row["question_id"]): LABELS[row["human_label"]]
        for row in rows(data / "faireval" / "faireval.jsonl")
    }


def pairs(data: Path) -> Sequence[Item]:
    """DRPE's pairs of CNN summaries."""
    return take(GOYAL2022, read_rows(data / "goyal2022" / "cnn.jsonl")).items
