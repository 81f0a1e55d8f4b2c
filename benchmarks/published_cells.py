"""Numbers that papers print, each beside what the data gives under the convention that it was found by."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from statistics import fmean

import anyio

from agentdebate.evaluators.base import Evaluator, Pair
from agentdebate.evaluators.registry import evaluator
from agentdebate.meta.agreement import agree
from agentdebate.meta.figure import Level
from benchmarks.benchmark_data import (
    SUMMEVAL,
    TOPICAL_CHAT,
    TRUTH,
    Rows,
    articles,
    judgements,
    pairs,
    rows,
)


@dataclass(frozen=True)
class Row:
    """A row of a published table under one convention."""

    paper: str
    judge: str
    how: str
    """The statistic, the level and the rows, as a methods section has them."""
    cells: tuple["Cell", ...]


@dataclass(frozen=True)
class Cell:
    """One printed number, and the same computed from the data."""

    aspect: str
    printed: str
    """As printed, with its digits."""
    value: float
    remark: str = ""
    """Why the two differ where that is known."""

    @property
    def recomputed(self) -> str:
        """The value with the digits that the paper prints."""
        places = len(self.printed.partition(".")[2])
        exact = Decimal(repr(round(self.value, 12)))
        return str(exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)).replace("0.", ".", 1)

    @property
    def equal(self) -> bool:
        """Tell whether every printed digit is the same."""
        return self.printed == self.recomputed


def published(data: Path) -> Iterator[Row]:
    """Every row, from the benchmark data in a folder."""
    yield from _unieval(data)
    yield from _overlap(data)
    yield _rouge_2(data)
    yield from _counts(data)


def _row(paper: str, judge: str, how: str, printed: str, values: Mapping[str, float]) -> Row:
    cells = zip(values.items(), printed.split(), strict=True)
    return Row(paper, judge, how, tuple(Cell(aspect, number, value) for (aspect, value), number in cells))


def _values(
    scored: Rows, aspects: Sequence[str], statistic: str, level: Level, field: str = "{}"
) -> dict[str, float]:
    """The agreement of the scores that rows hold in a field, by aspect."""
    found = {}
    for aspect in aspects:
        one = judgements("judge", aspect, scored, lambda row: float(row[field.format(aspect)]))  # noqa: B023
        value = agree(one, statistic, level).value
        assert value is not None
        found[aspect] = value
    return found


_PREDICTED = "{} predicted"
"""The field of UniEval's score of an aspect."""


def _unieval(data: Path) -> Iterator[Row]:
    aspects = ("naturalness", "coherence", "engagingness", "groundedness", "understandability", "overall")
    whole = _predicted(data, aspects)
    yield _row(
        "UniEval; Fusion-Eval, Table 3",
        "UniEval",
        "Spearman, pooled over 360 responses",
        ".514 .613 .605 .575 .468 .663",
        _values(whole, aspects, "spearman", "pooled", _PREDICTED),
    )
    some = [row for row in whole if row["system_id"] != TRUTH]
    pooled = "pooled over the 300 without the reference"
    within = "per dialogue, mean over dialogues, 360 responses"
    table: tuple[tuple[str, Rows, str, Level, str, str], ...] = (
        ("DEBATE, Table 1", some, "spearman", "pooled", f"Spearman (headed r), {pooled}", ".455 .602 .573 .577 .552"),
        (
            "DEBATE, Table 1", some, "kendall-b", "pooled", f"Kendall tau-b (headed rho), {pooled}",
            ".330 .455 .430 .453 .417",
        ),
        ("no paper", whole, "pearson", "group", f"Pearson {within}", ".493 .507 .571 .571"),
        ("no paper", whole, "spearman", "group", f"Spearman {within}", ".515 .560 .575 .614"),
    )  # fmt: skip
    for paper, scored, statistic, level, how, printed in table:
        values = _values(scored, TOPICAL_CHAT, statistic, level, _PREDICTED)
        yield _row(paper, "UniEval", how, printed, _as_printed(values, printed))


def _predicted(data: Path, aspects: Sequence[str]) -> Rows:
    """Topical-Chat's responses with UniEval's scores."""
    found = {
        (row["dialogue_id"], row["system_id"]): row
        for row in rows(data / "topical_chat" / "unieval_predictions.jsonl")
    }
    return [
        {
            **row,
            **{
                _PREDICTED.format(name): found[row["dialogue_id"], row["system_id"]][name] for name in aspects
            },
        }
        for row in rows(data / "topical_chat" / "responses.jsonl")
    ]


def _overlap(data: Path) -> Iterator[Row]:
    found = rows(data / "topical_chat" / "responses.jsonl")
    truth = {row["dialogue_id"]: row["response"] for row in found if row["system_id"] == TRUTH}
    some = [row for row in found if row["system_id"] != TRUTH]
    texts = [Pair((truth[row["dialogue_id"]],), row["response"]) for row in some]
    rouge = _scored(some, evaluator("rouge-l:tokens=whitespace,stem=false,beta=1.2"), texts)
    bleu = _scored(some, evaluator("bleu:smoothing=1e-15,tokenize=whitespace"), texts)
    table: tuple[tuple[str, str, Rows, str, str, str], ...] = (
        ("DEBATE, Table 1", "ROUGE-L", rouge, "pearson", "Pearson", ".176 .193 .295 .310"),
        ("DEBATE, Table 1", "ROUGE-L", rouge, "spearman", "Spearman", ".146 .203 .300 .327"),
        (
            "ChatEval, Table 2",
            "BLEU-4",
            bleu,
            "spearman",
            "Spearman (headed rho)",
            ".175 .235 .316 .310 .259",
        ),
        ("ChatEval, Table 2", "BLEU-4", bleu, "pearson", "Pearson (headed tau)", ".180 .131 .232 .213 .189"),
    )
    for paper, judge, scored, statistic, how, printed in table:
        values = _values(scored, TOPICAL_CHAT, statistic, "pooled", "score")
        row = _row(
            paper,
            judge,
            f"{how}, pooled over the 300 without the reference",
            printed,
            _as_printed(values, printed),
        )
        yield _remarked(row) if statistic == "spearman" and judge == "BLEU-4" else row


def _remarked(row: Row) -> Row:
    """The one printed digit that is known not to follow from the data."""
    cells = tuple(
        replace(cell, remark=f"it is {cell.value:.5f}, which was rounded twice")
        if cell.aspect == "coherence"
        else cell
        for cell in row.cells
    )
    return replace(row, cells=cells)


def _rouge_2(data: Path) -> Row:
    whole = articles(data)
    found = rows(data / "summeval" / "summaries.jsonl")
    texts = [Pair(tuple(whole[row["article_id"]]["references"]), row["summary"]) for row in found]
    values = _values(_scored(found, evaluator("rouge-2"), texts), SUMMEVAL, "kendall-b", "system", "score")
    return _row(
        "Fusion-Eval, Table 2",
        "ROUGE-2",
        "Kendall tau-b over the means of 16 systems; 11 references, mean F, stems",
        ".233 .600 .494 .433 .44",
        _with_mean(values),
    )


def _counts(data: Path) -> Iterator[Row]:
    found = float(len(pairs(data)))
    how = "pairs of 100 CNN articles: first ticks, two votes of three for the best and for the worst"
    yield _row("DRPE, Section 4.1", "people", how, "81", {"pairs": found})
    labels = Counter(row["human_label"] for row in rows(data / "faireval" / "faireval.jsonl"))
    counted = {name: float(labels[key]) for name, key in _LABELS.items()}
    yield _row("FairEval", "people", "the majority of three annotators on 80 questions", "41 25 14", counted)
    summaries = rows(data / "summeval" / "summaries.jsonl")
    constant = {aspect: float(_constant(summaries, aspect)) for aspect in SUMMEVAL}
    how = "articles of 100 whose 16 human scores are all the same, which summary level leaves out"
    yield _row("no paper", "people", how, "0 4 2 0", constant)


_LABELS = {"ChatGPT is better": "CHATGPT", "Vicuna-13B is better": "VICUNA13B", "tie": "TIE"}


def _constant(found: Rows, aspect: str) -> int:
    left_out = agree(judgements("none", aspect, found, _length), "spearman", "group").left_out
    return left_out.get("groups with constant human scores", 0)


def _length(row: Mapping[str, object]) -> float:
    """A score that differs between the summaries of an article, so that only people's can be constant."""
    return float(len(str(row["summary"])))


def _scored(found: Rows, judge: Evaluator, texts: Sequence[Pair]) -> Rows:
    scores = anyio.run(judge.score, texts)
    return [{**row, "score": score} for row, score in zip(found, scores, strict=True)]


def _as_printed(values: Mapping[str, float], printed: str) -> Mapping[str, float]:
    """The values, and their mean where the paper prints it."""
    return _with_mean(values) if len(printed.split()) > len(values) else values


def _with_mean(values: Mapping[str, float]) -> dict[str, float]:
    return {**values, "mean": fmean(values.values())}
