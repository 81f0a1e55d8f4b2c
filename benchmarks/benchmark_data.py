"""The benchmark data as items and as judgements."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_rows
from agentdebate.datasets.published import load_dataset
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.tasks import Item

DATA = Path(os.environ.get("AGENTDEBATE_SHARED", Path(__file__).parents[2] / "shared" / "data"))
"""The folder with the benchmark data."""

SUMMEVAL = ("coherence", "consistency", "fluency", "relevance")
TOPICAL_CHAT = ("naturalness", "coherence", "engagingness", "groundedness")
"""The aspects that papers report."""

TRUTH = "Original Ground Truth"
"""The system whose responses are the references of the others."""

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


def items(data: Path, name: str, folder: str) -> Sequence[Item]:
    """All items of a dataset."""
    return load_dataset(name, data / folder).items


def responses(data: Path) -> list[Item]:
    """Topical-Chat's 300 responses by systems, each with the reference response."""
    found = items(data, "topical-chat", "topical_chat")
    truth = {item.group: item.fields["response"] for item in found if item.system == TRUTH}
    return [
        item.model_copy(update={"fields": {**item.fields, "reference": truth[item.group]}})
        for item in found
        if item.system != TRUTH
    ]


def pairs(data: Path) -> Sequence[Item]:
    """DRPE's pairs of CNN summaries."""
    return items(data, "goyal2022", "goyal2022/cnn.jsonl")


def best(item: Item) -> str:
    """The field of the text that people found best, or "tie"."""
    scores = {key.partition(".")[2]: score for key, score in item.human.items() if score is not None}
    winners = [field for field, score in scores.items() if score == max(scores.values())]
    return winners[0] if len(winners) == 1 else "tie"
