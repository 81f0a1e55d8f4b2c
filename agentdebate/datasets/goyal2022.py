"""The human study of Goyal, Li and Durrett (2022, arXiv 2209.12356), in the pairs that DRPE makes of it (section 4.1).

Of each article, three annotators ticked the best and the worst of three systems' summaries. A pair is the summary that
people found best and the one that they found worst. Only the first tick of each annotator counts; best and worst have at
least two of the three votes each and are not by the same system. DRPE reports 81 pairs of 100 CNN articles.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePath
from typing import Any, Literal

from agentdebate.datasets.dataset import (
    Count,
    Dataset,
    Entry,
    Form,
    LeftOut,
    Origin,
    Part,
    Remote,
    Taken,
    by_place,
)
from agentdebate.datasets.row import Row, kind_of, name_of, text_of, value_of
from agentdebate.datasets.tables import NAME
from agentdebate.errors import nearest
from agentdebate.tasks import Item
from agentdebate.visible import is_blank

ANNOTATORS = 3
ARTICLES = 100
PAIRS = {"cnn": 81, "bbc": 84}
"""The pairs that the articles of each outlet give; those of CNN are DRPE's."""
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


@dataclass(frozen=True)
class Study:
    """An article as the study has it, whichever form it is in."""

    row: Row
    id: str
    summaries: Mapping[str, Any]
    """System to summary."""
    ticks: Mapping[Verdict, str]
    """What the lists of ticks are called."""
    place: str
    """Where a system's summary stands in the row."""


def read_pair(row: Row) -> Item | LeftOut:
    """An article with its best and its worst summary; people's scores are 1 for the best and 0 for the worst.

    Raises DataError.
    """
    return _entry(_own(row)).made


def _own(row: Row) -> Study:
    name, summaries = name_of(row, "article_id"), _summaries(row)
    return Study(row, name, summaries, {"best": "best", "worst": "worst"}, "summaries.{}")


def _published(row: Row) -> Study:
    """An article in the authors' JSON: systems are names beside the article, and the file's name says which articles they are."""
    summaries = {
        name: value.get("text")
        for name, value in row.data.items()
        if isinstance(value, dict) and "text" in value
    }
    article = f"{_outlet(row)}-{name_of(row, NAME)}"
    return Study(row, article, summaries, {"best": "best_summary", "worst": "worst_summary"}, "{}.text")


def _outlet(row: Row) -> str:
    # The ids of the authors' articles are numbers, the same for both outlets, and the place of the best goes by the id.
    outlet = PurePath(row.path).name.partition("_")[0].lower()
    if outlet not in PAIRS:
        raise row.error("the file's name says whose articles these are: cnn_human.json, or bbc_human.json")
    return outlet


def _entry(study: Study) -> Entry:
    best, worst = (_elected(study, verdict) for verdict in ("best", "worst"))
    if best is None or worst is None or best == worst:
        return Entry(study.row, LeftOut(study.id, _reason(best, worst)))
    systems = (best, worst) if best_is_first(study.id) else (worst, best)
    shown = {f"summary_{place}": system for place, system in enumerate(systems, 1)}
    item = Item(
        fields={
            "source": text_of(study.row, "article"),
            **{field: _summary(study, system) for field, system in shown.items()},
        },
        task=TASK,
        id=study.id,
        group=study.id,
        system="/".join(systems),
        human={f"{ASPECT}.{field}": float(system == best) for field, system in shown.items()},
    )
    scores = {f"{ASPECT}.{field}": _single(study, system) for field, system in shown.items()}
    return Entry(study.row, item, (by_place("annotator", scores),))


def _single(study: Study, system: str) -> list[float | None]:
    """What each annotator says of a summary: 1 for the best, 0 for the worst, 0.5 for neither."""
    said: list[float | None] = []
    for best, worst in zip(_votes(study, "best"), _votes(study, "worst"), strict=True):
        if best is None and worst is None:
            said.append(None)
        else:
            said.append(0.5 + 0.5 * (best == system) - 0.5 * (worst == system))
    return said


def _reason(best: str | None, worst: str | None) -> str:
    if best is not None and worst is not None:
        return "the same summary is best and worst"
    lacking = [name for name, found in (("best", best), ("worst", worst)) if found is None]
    return f"no {' and no '.join(lacking)} summary has {VOTES} of {ANNOTATORS} votes"


def _elected(study: Study, verdict: Verdict) -> str | None:
    """The system with enough votes for best or worst; None where there is none."""
    counted = Counter(vote for vote in _votes(study, verdict) if vote is not None)
    return next((system for system, votes in counted.items() if votes >= VOTES), None)


def _votes(study: Study, verdict: Verdict) -> Iterator[str | None]:
    """Each annotator's first tick; one who ticked nothing has no vote."""
    row, systems = study.row, study.summaries
    annotators = value_of(row, "annotators")
    if not isinstance(annotators, list) or len(annotators) != ANNOTATORS:
        found = f"{len(annotators)} of them" if isinstance(annotators, list) else kind_of(annotators)
        raise row.error(f"a list of {ANNOTATORS} annotators is wanted here, not {found}", "annotators")
    for number, annotator in enumerate(annotators):
        ticks = annotator.get(study.ticks[verdict]) if isinstance(annotator, dict) else None
        place = f"annotators[{number}].{study.ticks[verdict]}"
        if not isinstance(ticks, list):
            raise row.error(f"a list of systems is wanted here, not {kind_of(ticks)}", place)
        system = ticks[0] if ticks else None
        if system is not None and (not isinstance(system, str) or system not in systems):
            raise row.error(
                f"{system!r} is not a system with a summary. {nearest(str(system), systems)}", place
            )
        yield system


def _summaries(row: Row) -> Mapping[str, Any]:
    summaries = value_of(row, "summaries")
    if not isinstance(summaries, dict):
        raise row.error(
            f"an object with a summary a system is wanted here, not {kind_of(summaries)}", "summaries"
        )
    return summaries


def _summary(study: Study, system: str) -> str:
    text, place = study.summaries[system], study.place.format(system)
    if not isinstance(text, str):
        raise study.row.error(f"a text is wanted here, not {kind_of(text)}", place)
    if is_blank(text):
        raise study.row.error("there is no text here to judge", place)
    return text


def _counts(taken: Taken) -> Iterator[Count]:
    pairs = PAIRS["bbc" if taken.items[0].id.startswith("bbc") else "cnn"]
    yield Count("articles", ARTICLES, taken.rows)
    yield Count("pairs", pairs, len(taken.items))


_REPOSITORY = "https://raw.githubusercontent.com/tagoyal/tagoyal.github.io/dc77471d47737781c10886f4ac01cc06d5cf152f/zero-shot-explorer/"

GOYAL2022 = Dataset(
    name="goyal2022",
    about="News articles with the summaries that people found best and worst.",
    source="Goyal, Li and Durrett 2022 (arXiv 2209.12356); pairs as in DRPE, section 4.1",
    task=TASK,
    fields=("source", "summary_1", "summary_2"),
    row="article",
    item="pair",
    forms=(
        Form(
            "one file of articles",
            (Part("articles", ("article_id", "article", "summaries", "annotators")),),
            lambda parts: (_entry(_own(row)) for row in parts["articles"]),
        ),
        Form(
            "the authors' JSON",
            (Part("articles", (NAME, "article", "annotators")),),
            lambda parts: (_entry(_published(row)) for row in parts["articles"]),
        ),
    ),
    counts=_counts,
    size="100 articles of CNN, which give 81 pairs, or of the BBC, which give 84",
    origin=Origin(
        home="https://tagoyal.github.io/zeroshot-news-annotations.html",
        licence="CC BY 4.0 (annotations and summaries); the articles are CNN's and the BBC's.",
        citation="Goyal, Li and Durrett. News Summarization and Evaluation in the Era of GPT-3. arXiv 2209.12356",
        files=tuple(
            Remote(f"{_REPOSITORY}{outlet}_human.json", f"{outlet}_human.json") for outlet in ("cnn", "bbc")
        ),
    ),
)
"""A row has an article, the systems' summaries, and three annotators with lists of what they ticked as best and as worst."""
