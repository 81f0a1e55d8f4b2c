"""The human study of Goyal, Li and Durrett (2022, arXiv 2209.12356), in the pairs that DRPE makes of it (section 4.1).

Of each article, three annotators ticked the best and the worst of three systems' summaries. A pair is the summary that
people found best and the one that they found worst. Only the first tick of each annotator counts; best and worst have at
least two of the three votes each and are not by the same system. DRPE reports 81 pairs of 100 CNN articles.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from agentdebate.datasets.dataset import Dataset, Entry, Form, LeftOut, Part, Ratings, Remote, entry
from agentdebate.datasets.files import NAME
from agentdebate.datasets.row import Row, list_of, name_of, object_of, objects_of, text_of
from agentdebate.errors import nearest

ANNOTATORS = 3
VOTES = 2
"""The votes that it takes to be the best or the worst."""
ASPECT = "overall"


def best_is_first(article: str) -> bool:
    """Tell whether the best summary of an article is shown as the first: where the first byte of its id's SHA-256 is even.

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
    ticks: str
    """The names of the lists of ticks, with {} in the place of "best" and "worst"."""

    def votes(self, verdict: str) -> list[str | None]:
        """Each annotator's first tick; one who ticked nothing has no vote. Raises DataError."""
        people = objects_of(self.row, "annotators")
        if len(people) != ANNOTATORS:
            raise self.row.error(f"{ANNOTATORS} annotators are wanted here, not {len(people)}", "annotators")
        return [self._vote(person, self.ticks.format(verdict)) for person in people]

    def _vote(self, person: Row, column: str) -> str | None:
        ticks = list_of(person, column)
        if ticks and ticks[0] not in list(self.summaries):
            near = nearest(str(ticks[0]), self.summaries)
            raise person.error(f"{ticks[0]!r} is not a system with a summary. {near}", column)
        return ticks[0] if ticks else None


def _own(row: Row) -> Study:
    return Study(row, name_of(row, "article_id"), object_of(row, "summaries").data, "{}")


def _published(row: Row) -> Study:
    """An article in the authors' JSON: systems are names beside the article, and the file's name says which articles they are."""
    # The ids of the authors' articles are numbers, the same for both outlets, and the place of the best goes by the id.
    outlet = PurePath(row.path).name.partition("_")[0].lower()
    if outlet not in OUTLETS:
        raise row.error("the file's name says whose articles these are: cnn_human.json, or bbc_human.json")
    objects = {name: value for name, value in row.data.items() if isinstance(value, dict)}
    summaries = {name: value["text"] for name, value in objects.items() if "text" in value}
    return Study(row, f"{outlet}-{name_of(row, NAME)}", summaries, "{}_summary")


def _entry(study: Study) -> Entry:
    """An article with its best and its worst summary; people's scores are 1 for the best and 0 for the worst."""
    votes = {verdict: study.votes(verdict) for verdict in ("best", "worst")}
    best, worst = (_elected(given) for given in votes.values())
    if best is None or worst is None:
        reason = f"no best or no worst summary has {VOTES} of {ANNOTATORS} votes"
        return Entry(study.row, LeftOut(study.id, reason))
    if best == worst:
        return Entry(study.row, LeftOut(study.id, "the same summary is best and worst"))
    systems = (best, worst) if best_is_first(study.id) else (worst, best)
    shown = {f"summary_{place}": system for place, system in enumerate(systems, 1)}
    people = [_single(systems, *ticks) for ticks in zip(*votes.values(), strict=True)]
    single = {f"{ASPECT}.{field}": [one[place] for one in people] for place, field in enumerate(shown)}
    summaries = Row(study.row.path, study.row.line, study.summaries, "summaries.")
    texts = {field: text_of(summaries, system) for field, system in shown.items()}
    return entry(
        study.row,
        "summarization-pair",
        list(texts),
        {"source": text_of(study.row, "article"), **texts},
        id=study.id,
        group=study.id,
        system="/".join(systems),
        human={f"{ASPECT}.{field}": float(system == best) for field, system in shown.items()},
        ratings=[Ratings.by_place("annotator", single)],
    )


def _elected(votes: list[str | None]) -> str | None:
    """The system with enough votes for best or worst; None where there is none."""
    counted = Counter(vote for vote in votes if vote is not None)
    return next((system for system, count in counted.items() if count >= VOTES), None)


def _single(systems: Sequence[str], best: str | None, worst: str | None) -> Sequence[float | None]:
    """Return an annotator's scores of a pair: 1 for the best, 0 for the worst, 0.5 for neither; none where they say nothing of the pair."""
    scores = [0.5 + 0.5 * (best == system) - 0.5 * (worst == system) for system in systems]
    return scores if len(set(scores)) > 1 else [None] * len(systems)


OUTLETS = ("cnn", "bbc")
_REPOSITORY = "https://raw.githubusercontent.com/tagoyal/tagoyal.github.io/dc77471d47737781c10886f4ac01cc06d5cf152f/zero-shot-explorer/"

GOYAL2022 = Dataset(
    name="goyal2022",
    source="Goyal, Li and Durrett 2022 (arXiv 2209.12356); pairs as in DRPE, section 4.1",
    task="summarization-pair",
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
    counts={"rows": 100},
    size="100 articles of CNN, which give 81 pairs, or of the BBC, which give 84",
    home="https://tagoyal.github.io/zeroshot-news-annotations.html",
    licence="CC BY 4.0 (annotations and summaries); the articles are CNN's and the BBC's.",
    files=tuple(Remote(f"{_REPOSITORY}{outlet}_human.json") for outlet in OUTLETS),
)
"""A row has an article, the systems' summaries, and three annotators with lists of what they ticked as best and as worst."""
