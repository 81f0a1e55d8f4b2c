"""A published dataset as rows with people's judgements, whatever the form of its files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agentdebate.datasets.dataset import Ratings
from agentdebate.datasets.published import load_dataset, published
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement_fields import AgreementFields
from agentdebate.meta.conventions import Convention
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
    candidates: tuple[str, ...]
    left_out: Mapping[str, int]
    """Numbers of rows that gave no item, by reason."""
    name: str
    form: str
    """Form of the files, among the dataset's."""
    kinds: tuple[str, ...] = ()
    """The kinds of people whose single ratings there are, the dataset's first going first."""

    def kind(self, asked: str | None) -> str:
        """The kind of people whose single ratings are asked for. Raises UsageError where there are none."""
        if not self.kinds:
            raise UsageError(
                f"ceiling=... takes the single ratings of people, and this form of {self.name} ({self.form}) "
                f"has none{self._elsewhere()}"
            )
        if asked is not None and asked not in self.kinds:
            raise UsageError(
                f"annotators=...: {self.name} has no ratings by {asked!r}. {nearest(asked, self.kinds)}"
            )
        return asked or self.kinds[0]

    def _elsewhere(self) -> str:
        """Name the published file that has them, where it is known."""
        files = [one for one in published(self.name).files if one.gives and "single" in one.gives]
        return "".join(f"; {one.file} of its authors gives {one.gives}" for one in files)

    def fields(self, given: AgreementFields, convention: Convention | None, *, run: bool) -> AgreementFields:
        """The options, with what is known of the rows where they do not say it.

        A judge's file may name texts as the convention has it, or by the items' ids; a `run` chooses its winners.
        """
        on = "id"
        if convention and convention.group:
            system = f",system={convention.system}" if convention.system else ""
            on = f"{'group' if system else 'id'}={convention.group}{system}"
        known = replace(
            given, on=given.on or on, group=given.group or "group", system=given.system or self._system
        )
        if not (run and self.candidates) or given.choice or convention:
            return known
        labels = tuple(f"{name}={name}" for name in (*self.candidates, TIE))
        return replace(known, choice=f"{BEST}={BEST}", labels=given.labels or labels)

    def convention(self, convention: Convention | None) -> Convention | None:
        """The convention, with people's choice as the rows have it."""
        if convention is None or not (convention.choice and self.candidates):
            return convention
        labels = {name: str(number) for number, name in enumerate(self.candidates, 1)}
        return replace(convention, choice=BEST, labels={**labels, TIE: TIE})

    @property
    def _system(self) -> str | None:
        return "system" if all(row.data["system"] is not None for row in self.rows) else None


def published_data(name: str, path: str, *, subset: bool) -> PublishedData:
    """A dataset from its file or folder, its counts checked unless it is a subset. Raises DataError and UsageError."""
    taken = load_dataset(name, path, subset=subset)
    candidates = tuple(dict.fromkeys(text for item in taken.items for text in _candidates(item)))
    rows = tuple(
        Row(path, number, _row(item, taken.ratings.get(item.id, ())))
        for number, item in enumerate(taken.items, 1)
    )
    left_out = {reason: len(ids) for reason, ids in taken.left_out.items()}
    return PublishedData(rows, candidates, left_out, name, taken.form, taken.kinds)


def _row(item: Item, ratings: Sequence[Ratings]) -> dict[str, object]:
    aspects = list(dict.fromkeys(name.partition(".")[0] for name in item.human))
    best = peoples_best(item.human, aspects, _candidates(item))
    chosen = {BEST: label(best)} if best else {}
    single = {one.kind: _single(one, _candidates(item)) for one in ratings}
    known = {SINGLE: single} if single else {}
    return {"id": item.id, "group": item.group, "system": item.system, **item.human, **chosen, **known}


def _single(ratings: Ratings, candidates: Sequence[str]) -> dict[str, Any]:
    """Each person's ratings by aspect; where texts are compared, each person's score of each, summed over the aspects."""
    if not candidates:
        return {aspect: list(scores) for aspect, scores in ratings.scores.items()}
    votes: list[dict[str, float]] = [{} for _ in ratings.annotators]
    for name, scores in ratings.scores.items():
        text = name.partition(".")[2]
        for vote, score in zip(votes, scores, strict=True):
            if score is not None:
                vote[text] = vote.get(text, 0.0) + score
    return {BEST: [vote or None for vote in votes]}


def _candidates(item: Item) -> list[str]:
    """The fields of the texts that people compared; none where they scored one."""
    return list(dict.fromkeys(name.partition(".")[2] for name in item.human if "." in name))
