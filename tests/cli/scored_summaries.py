"""Summaries that people scored for coherence: as a file for the command line, and as the same items for the library."""

import json
from collections.abc import Mapping
from pathlib import Path

import agentdebate as ad

SOURCE = "The bridge at Kelby closes for eleven weeks. Engineers found corrosion in two bearings."

Scored = Mapping[str, tuple[str, int]]
"""Each summary with its score, by id."""


def write_scored(folder: Path, summaries: Scored) -> None:
    """Write them as data.jsonl."""
    rows = (
        {"id": name, "source": SOURCE, "summary": text, "expert": score, "group": "a1"}
        for name, (text, score) in summaries.items()
    )
    (folder / "data.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def scored_items(summaries: Scored) -> list[ad.Item]:
    """The items of the same."""
    return [
        ad.Item(
            id=name,
            group="a1",
            task="summarization",
            fields={"source": SOURCE, "summary": text},
            human={"coherence": score},
        )
        for name, (text, score) in summaries.items()
    ]
