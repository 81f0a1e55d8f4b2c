"""A published dataset as rows with people's judgements, whatever the form of its files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agentdebate.datasets.dataset import Ratings
from agentdebate.datasets.published import load_dataset
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.conventions import Convention
from agentdebate.meta.plan import AgreementOptions
from agentdebate.meta.talk import TIE, label, peoples_best
from agentdebate.tasks import Item

BEST = "best"
"""The field of people's choice, where texts are compared."""

SINGLE = "single"
"""The field of what single people said: by their kind and by aspect, or the best text of several, an entry a person."""


@dataclass(frozen=True)
class PublishedData:
    """The items of a dataset as rows: id, group, system, people's score of each aspect, and the best text of several."""

    rows: tuple[Row, ...] = field(repr=False)
    aspects: tuple[str, ...]
    """Names of people's scores; none where they choose."""
    candidates: tuple[str, ...]
    left_out: Mapping[str, int]
    """Numbers of rows that gave no item, by reason."""
    name: str
    kinds: tuple[str, ...] = ()
    """The kinds of people whose single ratings there are, the dataset's first going first."""

    @classmethod
    def read(cls, name: str, path: str, *, subset: bool) -> "PublishedData":
        """A dataset from its file or folder, its counts checked unless it is a subset. Raises DataError and UsageError."""
        taken = load_dataset(name, path, subset=subset)
        rows = tuple(
            Row(path, number, _row(item, taken.ratings.get(item.id, ())))
            for number, item in enumerate(taken.items, 1)
        )
        human = dict.fromkeys(name for item in taken.items for name in item.human)
        return cls(
            rows,
            tuple(name for name in human if "." not in name),
            tuple(dict.fromkeys(name.partition(".")[2] for name in human if "." in name)),
            {reason: len(ids) for reason, ids in taken.left_out.items()},
            name,
            taken.kinds,
        )

    def kind(self, asked: str) -> str:
        """The kind of people whose single ratings are asked for. Raises UsageError where there are none."""
        if not self.kinds or (asked and asked not in self.kinds):
            raise UsageError(
                f"annotators=...: this form of {self.name} has no single ratings by {asked or 'people'}. {nearest(asked, self.kinds)}"
            )
        return asked or self.kinds[0]

    def named(
        self, given: AgreementOptions, convention: Convention | None, *, chooses: bool
    ) -> AgreementOptions:
        """The options, with what is known of the rows where they do not say it; `chooses` says that the judge's choice has the same words.

        A judge's file may name texts as the convention has it, or by the items' ids.
        """
        on = "id"
        if convention and convention.group:
            on = f"id={convention.group}"
            on = f"group={convention.group},system={convention.system}" if convention.system else on
        system = "system" if all(row.data["system"] is not None for row in self.rows) else None
        known = replace(given, on=given.on or on, group=given.group or "group", system=given.system or system)
        if not (chooses and self.candidates) or given.choice or convention:
            return known
        labels = tuple(f"{name}={name}" for name in (*self.candidates, TIE))
        return replace(known, choice=f"{BEST}={BEST}", labels=given.labels or labels)

    def convention(self, convention: Convention | None) -> Convention | None:
        """The convention, with people's choice as the rows have it."""
        if convention is None or not (convention.choice and self.candidates):
            return convention
        labels = {name: str(number) for number, name in enumerate(self.candidates, 1)}
        return replace(convention, choice=BEST, labels={**labels, TIE: TIE})


def _row(item: Item, ratings: Sequence[Ratings]) -> dict[str, object]:
    best = _best(item.human)
    single = {one.kind: _single(one) for one in ratings}
    return {
        "id": item.id,
        "group": item.group,
        "system": item.system,
        **item.human,
        **({BEST: best} if best else {}),
        **({SINGLE: single} if single else {}),
    }


def _single(ratings: Ratings) -> dict[str, list[object]]:
    """Each person's ratings by aspect; where texts are compared, the text that each puts first."""
    if not any("." in name for name in ratings.scores):
        return {aspect: list(scores) for aspect, scores in ratings.scores.items()}
    people = range(max(map(len, ratings.scores.values())))
    return {BEST: [_best({name: scores[one] for name, scores in ratings.scores.items()}) for one in people]}


def _best(human: Mapping[str, float | None]) -> str | None:
    """The text of several that scores put first, or a tie; None where there are not several, or not all have scores."""
    candidates = list(dict.fromkeys(name.partition(".")[2] for name in human if "." in name))
    aspects = list(dict.fromkeys(name.partition(".")[0] for name in human))
    best = peoples_best(human, aspects, candidates) if candidates else ()
    return label(best) if best else None
