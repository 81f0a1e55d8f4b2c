"""The human study of Goyal, Li and Durrett (2022, arXiv 2209.12356), in the pairs that DRPE makes of it (section 4.1).

Of each article, three annotators ticked the best and the worst of three systems' summaries. A pair is the summary that
people found best and the one that they found worst. Only the first tick of each annotator counts; best and worst have at
least two of the three votes each and are not by the same system. DRPE reports 81 pairs of 100 CNN articles.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Literal

from agentdebate.datasets.dataset import Dataset, LeftOut
from agentdebate.datasets.row import Row, kind_of, name_of, text_of, value_of
from agentdebate.errors import nearest
from agentdebate.tasks import Item

ANNOTATORS = 3
VOTES = 2
"""The votes that it takes to be the best or the worst."""

TASK = "summarization-pair"
ASPECT = "overall"

Verdict = Literal["best", "worst"]


def best_is_first(article: str) -> bool:
    """Whether the best summary of an article is shown as the first: where the first byte of its id's SHA-256 is even.

    So the place says nothing of the quality, and is the same in every run.
    """
    return sha256(article.encode()).digest()[0] % 2 == 0


def read_pair(row: Row) -> Item | LeftOut:
    """An article with its best and its worst summary; people's scores are 1 for the best and 0 for the worst.

    Raises DataError.
    """
    article, summaries = name_of(row, "article_id"), _summaries(row)
    best, worst = (_elected(row, verdict, summaries) for verdict in ("best", "worst"))
    if best is None or worst is None or best == worst:
        return LeftOut(article, _reason(best, worst))
    systems = (best, worst) if best_is_first(article) else (worst, best)
    shown = {f"summary_{place}": system for place, system in enumerate(systems, 1)}
    return Item(
        fields={
            "source": text_of(row, "article"),
            **{field: _summary(row, summaries, system) for field, system in shown.items()},
        },
        task=TASK,
        id=article,
        group=article,
        system="/".join(systems),
        human={f"{ASPECT}.{field}": float(system == best) for field, system in shown.items()},
    )


def _reason(best: str | None, worst: str | None) -> str:
    if best is not None and worst is not None:
        return "the same summary is best and worst"
    lacking = [name for name, found in (("best", best), ("worst", worst)) if found is None]
    return f"no {' and no '.join(lacking)} summary has {VOTES} of {ANNOTATORS} votes"


def _elected(row: Row, verdict: Verdict, systems: Mapping[str, Any]) -> str | None:
    """The system with enough votes for best or worst; None where there is none."""
    counted = Counter(_votes(row, verdict, systems))
    return next((system for system, votes in counted.items() if votes >= VOTES), None)


def _votes(row: Row, verdict: Verdict, systems: Mapping[str, Any]) -> Iterator[str]:
    """Each annotator's first tick; one who ticked nothing has no vote."""
    annotators = value_of(row, "annotators")
    if not isinstance(annotators, list) or len(annotators) != ANNOTATORS:
        found = f"{len(annotators)} of them" if isinstance(annotators, list) else kind_of(annotators)
        raise row.error(f"a list of {ANNOTATORS} annotators is wanted here, not {found}", "annotators")
    for number, annotator in enumerate(annotators):
        ticks = annotator.get(verdict) if isinstance(annotator, dict) else None
        place = f"annotators[{number}].{verdict}"
        if not isinstance(ticks, list):
            raise row.error(f"a list of systems is wanted here, not {kind_of(ticks)}", place)
        for system in ticks[:1]:
            if not isinstance(system, str) or system not in systems:
                raise row.error(
                    f"{system!r} is no system with a summary. {nearest(str(system), systems)}", place
                )
            yield system


def _summaries(row: Row) -> Mapping[str, Any]:
    summaries = value_of(row, "summaries")
    if not isinstance(summaries, dict):
        raise row.error(
            f"an object with a summary a system is wanted here, not {kind_of(summaries)}", "summaries"
        )
    return summaries


def _summary(row: Row, summaries: Mapping[str, Any], system: str) -> str:
    text, place = summaries[system], f"summaries.{system}"
    if not isinstance(text, str):
        raise row.error(f"a text is wanted here, not {kind_of(text)}", place)
    if not text.strip():
        raise row.error("there is no text here to judge", place)
    return text


GOYAL2022 = Dataset(
    name="goyal2022",
    about="News articles with the summaries that people found best and worst.",
    source="Goyal, Li and Durrett 2022 (arXiv 2209.12356); pairs as in DRPE, section 4.1",
    task=TASK,
    fields=("source", "summary_1", "summary_2"),
    row="article",
    item="pair",
    read=read_pair,
)
"""Rows have `article_id`, `article`, `summaries` (system to text) and `annotators` (three with `best` and `worst`)."""
