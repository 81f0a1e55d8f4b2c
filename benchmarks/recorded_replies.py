"""Recorded replies of judges that compare two texts, read by our reader and by the authors who published them."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from replies.corpus import ChoiceReply
from replies.readers import read
from replies.wording import Wording

from agentdebate.ballots.lineup import Candidate
from benchmarks.benchmark_data import DATA

_RECORDED = Wording("recorded", "recorded", "")


@dataclass(frozen=True, slots=True)
class Source:
    """A file of replies: how its form names the texts, the key that stands for a tie, and the authors' reading of a row."""

    file: str
    labels: tuple[str, str]
    tie_mark: str
    reading: Callable[[Mapping[str, Any]], object]


def _shown_winner(row: Mapping[str, Any]) -> object:
    return None if row["shown_winner"] is None else int(row["shown_winner"]) - 1


def _verdict(row: Mapping[str, Any]) -> object:
    return {1: 0, 2: 1, 3: "tie"}[row["verdict"]]


SOURCES = (
    Source("llmbar_natural.jsonl", ("Output (a)", "Output (b)"), "", _shown_winner),
    Source("prd_reviews.jsonl", ("Assistant 1", "Assistant 2"), "3", _verdict),
)


def agreement(data: Path = DATA / "replies") -> Iterator[str]:
    """A line a file: how many replies are read, and how many of these as the authors read them."""
    if not data.is_dir():
        yield f"the recorded replies are not at hand at {data} (AGENTDEBATE_SHARED names the folder that has replies/ in it)"
        return
    for source in SOURCES:
        lines = (data / source.file).read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        yield f"{source.file}: {_account(source, rows)}"


def _account(source: Source, rows: Sequence[Mapping[str, Any]]) -> str:
    candidates = tuple(Candidate(f"text_{k}", label) for k, label in enumerate(source.labels, 1))
    counts = Counter[str]()
    for row in rows:
        ties = bool(source.tie_mark)
        judgement = read(ChoiceReply(row["reply"], _RECORDED, candidates, ties, source.tie_mark, None))
        theirs = source.reading(row)
        counts["read"] += judgement is not None
        counts["same"] += judgement is not None and judgement == theirs
        counts["both refuse"] += judgement is None and theirs is None
    return (
        f"{len(rows)} replies, {counts['read']} read ({counts['read'] / len(rows):.1%}), of these {counts['same']} as the "
        f"authors read them ({counts['same'] / max(counts['read'], 1):.2%}); {counts['both refuse']} refused by both"
    )
