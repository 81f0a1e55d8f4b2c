"""A published dataset as rows with people's judgements, whatever the form of its files."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agentdebate.cli.agreement_fields import FieldOptions
from agentdebate.cli.outcomes import TIE, peoples_best
from agentdebate.datasets.published import load_dataset
from agentdebate.datasets.row import Row
from agentdebate.meta.conventions import Convention
from agentdebate.tasks import Item

BEST = "best"
"""The field of people's choice, where texts are compared."""


@dataclass(frozen=True)
class PublishedData:
    """The items of a dataset as rows: id, group, system, people's score of each aspect, and the best text of several."""

    rows: tuple[Row, ...] = field(repr=False)
    candidates: tuple[str, ...]
    left_out: Mapping[str, int]
    """Why rows of the files gave no item: reason to count."""

    def fields(self, given: FieldOptions, convention: Convention | None, *, run: bool) -> FieldOptions:
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
    rows = tuple(Row(path, number, _row(item)) for number, item in enumerate(taken.items, 1))
    return PublishedData(rows, candidates, {reason: len(ids) for reason, ids in taken.left_out.items()})


def _row(item: Item) -> dict[str, object]:
    best = peoples_best(
        {
            "human": item.human,
            "aspects": list(dict.fromkeys(name.partition(".")[0] for name in item.human)),
            "candidates": _candidates(item),
        }
    )
    chosen = {BEST: best[0] if len(best) == 1 else TIE} if best else {}
    return {"id": item.id, "group": item.group, "system": item.system, **item.human, **chosen}


def _candidates(item: Item) -> list[str]:
    """The fields of the texts that people compared; none where they scored one."""
    return list(dict.fromkeys(name.partition(".")[2] for name in item.human if "." in name))
