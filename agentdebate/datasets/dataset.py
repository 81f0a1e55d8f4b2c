"""A published dataset: its forms, the items that its rows come to, and what came out of the whole."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from agentdebate.datasets.row import Row
from agentdebate.errors import DataError, UsageError
from agentdebate.tasks import Item, Task
from agentdebate.visible import is_blank

PLACES = 6
"""Decimals that a mean of ratings is rounded to, so that equal means are equal whichever way they were summed."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A file at its authors' address."""

    url: str
    gives: str = ""
    """Content that it adds, if the dataset can be read without it; such a file may be missing."""

    @property
    def file(self) -> str:
        """Name of the file."""
        return self.url.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Ratings:
    """The single ratings of one text by people of one kind."""

    kind: str
    """Kind of people: "expert", "turker", "annotator"."""
    scores: Mapping[str, Sequence[float | None]]
    """Aspect to the scores of each person; None where somebody gave none. A place need not be one person throughout."""

    def means(self) -> dict[str, float | None]:
        """The mean of each aspect over those who gave a score; None where no one did."""
        given = {
            aspect: [score for score in scores if score is not None] for aspect, scores in self.scores.items()
        }
        return {aspect: rounded(fmean(scores)) if scores else None for aspect, scores in given.items()}


def rounded(score: float | None) -> float | None:
    """A mean of ratings to 6 decimals."""
    return None if score is None else round(score, PLACES)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that gives no item, and why."""

    id: str
    reason: str
    """A sentence without its full stop: "no summary has enough votes"."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An item made of a row, or why there is none, and the row, for errors."""

    row: Row
    made: Item | LeftOut
    ratings: tuple[Ratings, ...] = ()
    """Ratings of it by single people, where they are published."""


def entry(
    row: Row,
    task: str,
    judged: Sequence[str],
    fields: Mapping[str, str],
    *,
    group: str,
    human: Mapping[str, float | None],
    system: str | None = None,
    id: str = "",
    ratings: Sequence[Ratings] = (),
) -> Entry:
    """An item of a row; its id is its group and its system where nothing else is said. Raises DataError for a text without words."""
    for name in judged:
        if is_blank(fields[name]):
            raise row.error("there is no text here to judge", name)
    made = Item(
        fields=dict(fields),
        task=task,
        id=id or f"{group}/{system}",
        group=group,
        system=system,
        human=dict(human),
    )
    return Entry(row, made, tuple(ratings))


Parts = Mapping[str, Iterable[Row]]
"""The rows of each part of a form, by the part's name."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a form, known by the fields that its rows have, and by its name where these do not tell."""

    name: str
    fields: tuple[str, ...]
    file: str = "*"
    """Name of its file, as a pattern."""

    def __str__(self) -> str:
        called = "" if self.file == "*" else f"in a file like {self.file}, "
        return f"the {self.name} ({called}with {', '.join(self.fields)})"


@dataclass(frozen=True, slots=True)
class Form:
    """One of the forms in which a dataset is published: of which files it is, and what is made of their rows."""

    name: str
    """Name with the form's author: "UniEval's JSON"."""
    parts: tuple[Part, ...]
    read: Callable[[Parts], Iterator[Entry]]
    """Make items of the rows; raises DataError."""

    def __str__(self) -> str:
        return f"{self.name} is {' and '.join(map(str, self.parts))}"


@dataclass(frozen=True)
class Taken:
    """The items of a file, or of several."""

    items: tuple[Item, ...]
    rows: int
    """Number of rows that were read: items and those that gave none."""
    left_out: Mapping[str, tuple[str, ...]]
    """Ids of the rows that gave no item, by reason, in the file's order."""
    ratings: Mapping[str, tuple[Ratings, ...]] = field(default_factory=dict)
    """Ratings by single people, by item id, for the items that have some."""
    form: str = ""
    """Name of the files' form, for those of a published dataset."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of people whose single ratings there are: "expert", "turker", "annotator"."""
        return tuple(dict.fromkeys(one.kind for several in self.ratings.values() for one in several))

    def counts(self) -> dict[str, int]:
        """Count the rows, items, groups and systems."""
        groups, systems = ({getattr(item, name) for item in self.items} for name in ("group", "system"))
        return {"rows": self.rows, "items": len(self.items), "groups": len(groups), "systems": len(systems)}


@dataclass(frozen=True)
class Dataset:
    """Reader of one published dataset."""

    name: str
    source: str
    """The paper to cite."""
    task: str
    """The task that its items are of."""
    forms: tuple[Form, ...]
    """Forms of the files, those that hold more going first."""
    counts: Mapping[str, int]
    """Numbers of "rows", "items", "groups" or "systems" in the whole dataset."""
    size: str
    """The counts in words: "1,600 summaries: 100 articles x 16 systems"."""
    home: str
    """The page where its authors publish it."""
    licence: str
    """Licence, as far as it is known, in a sentence or two."""
    files: tuple[Remote, ...]
    """The files at their authors' addresses."""

    def check_counts(self, taken: Taken, path: object) -> None:
        """Raise DataError where something is there more often, or less often, than in the whole dataset."""
        found = taken.counts()
        wrong = [
            f"{wanted:,} {what} wanted and {found[what]:,} found"
            for what, wanted in self.counts.items()
            if found[what] != wanted
        ]
        if wrong:
            raise DataError(
                f"this is not the whole of {self.name} ({self.size}): {'; '.join(wrong)}; say subset=True for a part of it",
                path=path,
            )

    def collect(
        self, entries: Iterable[Entry], *, path: object, form: str, task: Task | None, limit: int | None
    ) -> Taken:
        """The items of entries, of `task` where one is given; those after the item `limit` are not looked at.

        Raises DataError for an id that is there twice, and where no entry gives an item.
        """
        found: list[Item] = []
        left_out: dict[str, list[str]] = {}
        ratings: dict[str, tuple[Ratings, ...]] = {}
        places: dict[str, Row] = {}
        for one in entries:
            first = places.setdefault(one.made.id, one.row)
            if first is not one.row:
                raise one.row.error(f"the id {one.made.id!r} is on line {first.line} too")
            if isinstance(one.made, LeftOut):
                left_out.setdefault(one.made.reason, []).append(one.made.id)
                continue
            found.append(one.made if task is None else self._as(task, one.made))
            if one.ratings:
                ratings[one.made.id] = one.ratings
            if len(found) == limit:
                break
        if not found:
            raise DataError(f"no row of it gives an item ({len(places)} looked at)", path=path)
        reasons = {reason: tuple(ids) for reason, ids in left_out.items()}
        return Taken(tuple(found), len(places), reasons, ratings, form)

    def _as(self, task: Task, item: Item) -> Item:
        """The item as one of another task. Raises UsageError for a task that needs a field which it does not have."""
        missing = [name for name in task.fields if name not in item.fields]
        if missing:
            raise UsageError(
                f"the items of {self.name} have no {missing[0]!r}, which task {task.name!r} needs: they are of task {self.task!r}"
            )
        return item.model_copy(update={"task": task.name})
