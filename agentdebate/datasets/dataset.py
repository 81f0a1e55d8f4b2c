"""A dataset as its authors publish it: which forms it has, what its rows come to, and what came out of the whole."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from agentdebate.datasets.row import Row
from agentdebate.errors import DataError, UsageError
from agentdebate.tasks import Item, Task


@dataclass(frozen=True, slots=True)
class Remote:
    """A file at its authors' address, and where it goes in the dataset's folder."""

    url: str
    file: str
    """Its path in the folder, with slashes."""
    sha256: str | None = None
    """Its checksum, where one is known; no author of these datasets publishes any."""
    gives: str = ""
    """What it adds, where the dataset can be read without it; such a file may be missing."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who made a dataset, and how it is had."""

    home: str
    """The page where its authors publish it."""
    licence: str
    """What is known of its licence, in a sentence or two."""
    citation: str
    """The paper to cite."""
    files: tuple[Remote, ...]


PLACES = 6
"""Decimals that a mean of ratings is rounded to, so that equal means are equal whichever way they were summed."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The single ratings of one text by people of one kind."""

    kind: str
    """What they are: "expert", "turker", "annotator"."""
    annotators: tuple[str, ...]
    """Their names, where they are published, or else their places: "expert_1". A place need not be one person throughout."""
    scores: Mapping[str, tuple[float | None, ...]]
    """Aspect to their scores, in the order of `annotators`; None where somebody gave none."""

    def means(self) -> dict[str, float | None]:
        """The mean of each aspect over those who gave a score, to 6 decimals; None where nobody did."""
        return {aspect: mean(scores) for aspect, scores in self.scores.items()}


def by_place(kind: str, scores: Mapping[str, Sequence[float | None]]) -> Ratings:
    """Ratings of people who are known by their places alone."""
    count = max(map(len, scores.values()), default=0)
    names = tuple(f"{kind}_{number}" for number in range(1, count + 1))
    return Ratings(kind, names, {aspect: tuple(given) for aspect, given in scores.items()})


def mean(scores: Sequence[float | None]) -> float | None:
    """The mean of the scores that there are, to 6 decimals; None where there is none."""
    given = [score for score in scores if score is not None]
    return round(fmean(given), PLACES) if given else None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that gives no item, and why."""

    id: str
    reason: str
    """A sentence without its full stop: "no summary has enough votes"."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What was made of a row, and the row, for errors."""

    row: Row
    made: Item | LeftOut
    ratings: tuple[Ratings, ...] = ()
    """What single people said of it, where that is published."""


Parts = Mapping[str, Iterable[Row]]
"""The rows of each part of a form, by the part's name."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a form, known by the fields that its rows have, and by its name where these do not tell."""

    name: str
    fields: tuple[str, ...]
    file: str = "*"
    """What its file is called, as a pattern."""
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """One of the forms in which a dataset is published: of which files it is, and what is made of their rows."""

    name: str
    """Whose form it is: "UniEval's JSON"."""
    parts: tuple[Part, ...]
    read: Callable[[Parts], Iterator[Entry]]
    """Make items of the rows; raises DataError."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something there have to be, and how many there are."""

    what: str
    """In the plural: "summaries"."""
    wanted: int
    found: int


@dataclass(frozen=True)
class Taken:
    """What came out of a file, or of several."""

    items: tuple[Item, ...]
    rows: int
    """How many rows were looked at: items and those that gave none."""
    left_out: Mapping[str, tuple[str, ...]]
    """Why rows gave no item: reason to the ids of the rows, in the file's order."""
    ratings: Mapping[str, tuple[Ratings, ...]] = field(default_factory=dict)
    """What single people said: item id to their ratings, for the items that have some."""
    form: str = ""
    """Whose form the files have, where they are those of a published dataset."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of people whose single ratings there are: "expert", "turker", "annotator"."""
        return tuple(dict.fromkeys(one.kind for several in self.ratings.values() for one in several))

    def single(self, kind: str, aspect: str) -> dict[str, tuple[float | None, ...]]:
        """The single ratings of an aspect by people of one kind: item id to one score a person, None where there is none."""
        return {
            item: ratings.scores[aspect]
            for item, several in self.ratings.items()
            for ratings in several
            if ratings.kind == kind and aspect in ratings.scores
        }


@dataclass(frozen=True)
class Dataset:
    """How to read one published dataset."""

    name: str
    about: str
    source: str
    """The paper and section."""
    task: str
    """The task that its items are of."""
    fields: tuple[str, ...]
    """The fields that all its items have."""
    row: str
    """What a row of its file is: "article"."""
    item: str
    """What an item made of it is: "pair"."""
    forms: tuple[Form, ...]
    """Its forms, those that hold more going first."""
    counts: Callable[[Taken], Iterable[Count]]
    """What has to be counted in the whole of it."""
    size: str
    """The counts in words: "1,600 summaries: 100 articles x 16 systems"."""
    origin: Origin

    def check(self, task: Task) -> None:
        """Raise UsageError for a task that needs a field which the items do not have."""
        missing = [name for name in task.fields if name not in self.fields]
        if missing:
            raise UsageError(
                f"the items of {self.name} have no {missing[0]!r}, which task {task.name!r} needs; "
                f"they have {', '.join(self.fields)}, as task {self.task!r} wants them"
            )

    def check_counts(self, taken: Taken, path: object) -> None:
        """Raise DataError where something is there more often, or less often, than in the whole dataset."""
        wrong = [count for count in self.counts(taken) if count.wanted != count.found]
        if wrong:
            found = "; ".join(f"{one.wanted:,} {one.what} wanted and {one.found:,} found" for one in wrong)
            raise DataError(
                f"this is not the whole of {self.name} ({self.size}): {found}; "
                "say subset=True for a part of it",
                path=path,
            )


def collect(
    dataset: Dataset,
    entries: Iterable[Entry],
    *,
    path: object,
    task: Task | None = None,
    limit: int | None = None,
    form: str = "",
) -> Taken:
    """What the entries come to, as items of `task` where one is given; those after the item `limit` are not looked at.

    Raises DataError for an id that is there twice, and where no entry gives an item.
    """
    found: list[Item] = []
    left_out: dict[str, list[str]] = {}
    ratings: dict[str, tuple[Ratings, ...]] = {}
    places: dict[str, Row] = {}
    for entry in entries:
        _check_new(entry, places)
        if isinstance(entry.made, LeftOut):
            left_out.setdefault(entry.made.reason, []).append(entry.made.id)
        else:
            found.append(entry.made.model_copy(update={"task": task.name}) if task else entry.made)
            if entry.ratings:
                ratings[entry.made.id] = entry.ratings
        if len(found) == limit:
            break
    if not found:
        raise DataError(f"no {dataset.row} of it gives a {dataset.item} ({len(places)} looked at)", path=path)
    reasons = {reason: tuple(ids) for reason, ids in left_out.items()}
    return Taken(tuple(found), len(places), reasons, ratings, form)


def _check_new(entry: Entry, places: dict[str, Row]) -> None:
    first = places.setdefault(entry.made.id, entry.row)
    if first is not entry.row:
        raise entry.row.error(f"the id {entry.made.id!r} is on line {first.line} too")


def grouped(taken: Taken, wanted: tuple[int, int], *, items: str, groups: str, each: str) -> Iterator[Count]:
    """Counts of a dataset that has so many groups (the first of `wanted`) with so many items each (the second)."""
    sizes = Counter(item.group for item in taken.items)
    odd = [size for size in sizes.values() if size != wanted[1]]
    yield Count(items, wanted[0] * wanted[1], len(taken.items))
    yield Count(groups, wanted[0], len(sizes))
    yield Count(each, wanted[1], odd[0] if odd else wanted[1])
