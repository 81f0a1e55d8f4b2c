"""People's judgements: rows with one text each, of a file, of a file with a row a person, or of a published dataset; and single ratings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from agentdebate.datasets import dataset
from agentdebate.datasets.files import read_frame
from agentdebate.datasets.published import load_dataset
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.conventions import Convention
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import (
    Condition,
    Narrowed,
    any_has,
    check_field,
    choice_of,
    entries_in,
    narrow,
    score_of,
)
from agentdebate.meta.join import Pair, by_rater
from agentdebate.meta.judgements import Ratings
from agentdebate.meta.labels import Labels
from agentdebate.meta.long_table import PEOPLE, Judgement, rated
from agentdebate.meta.plan import AgreementOptions, Asked, Judge, Plan
from agentdebate.meta.talk import TIE, Value, label, peoples_best
from agentdebate.tasks import Item

BEST = "best"
"""The field of people's choice, where a dataset compares texts."""

SINGLE = "single"
"""The field of what single people of a dataset said: by their kind and by aspect, or the best text of several, an entry a person."""


NO_RATINGS = "rows without single ratings"
"""Reason why texts are not among single ratings."""

Read = Callable[[Row, str, Any], Value | None]
"""Reads one value of a field: a score, a word for a choice, or the judgement in a reply."""


@dataclass(frozen=True)
class PeopleData:
    """The rows with people's judgements, one a text."""

    rows: Sequence[Row] = field(repr=False)
    layout: Convention
    """The fields that hold what, as far as a convention or a dataset says it."""
    conditions: tuple[Condition, ...] = ()
    """The conditions on texts and on judges, without those that chose among people."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    """The kinds of people whose single ratings a dataset has, its first going first."""

    @property
    def theirs(self) -> tuple[Condition, ...]:
        """The conditions on fields that these rows do not have."""
        return tuple(one for one in self.conditions if not any_has(self.rows, one.field))

    def plan(self, options: AgreementOptions, judge: Judge | None = None) -> Plan:
        """The fields of these rows and of a judge's."""
        return Plan(options, self.layout, self.rows, judge)

    def narrowed(self, plan: Plan) -> Narrowed:
        """The rows that conditions leave, and the convention. Raises UsageError where there are none."""
        ours = [one for one in self.conditions if one not in self.theirs]
        return narrow(self.rows, [*ours, *plan.without])


def people_data(options: AgreementOptions, convention: Convention) -> PeopleData:
    """Read the data, and put the rows of one text together where each person has a row. Raises UserError."""
    if options.data is None:
        raise UsageError(
            "name the file with people's judgements: data='FILE' (of a run, people's means alone are known)"
        )
    path = named_path(options.data)[1]
    conditions = tuple(map(Condition.parse, options.where))
    if options.dataset:
        published = _published(options.dataset, path, convention, subset=options.subset)
        return replace(published, conditions=conditions)
    rows: Sequence[Row] = read_frame(path)
    if options.rater is None:
        return PeopleData(rows, convention, conditions)
    of_people = tuple(one for one in conditions if any_has(rows, one.field))
    kept = narrow(rows, of_people)
    texts = by_rater(kept.rows, options.rater, [name for name, _ in options.matches(convention.on)])
    left_out = {f"rows of people: {why}": count for why, count in kept.left_out.items()}
    return PeopleData(texts, convention, tuple(one for one in conditions if one not in of_people), left_out)


def named_path(text: str) -> tuple[str, str]:
    """Read NAME=FILE; the name of a file without one is what it is called but for its ending."""
    name, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        return Path(text).stem, text
    if not (name and path):
        raise UsageError(f"FILE, or NAME=FILE, is wanted here, not {text!r}")
    return name, path


def _published(name: str, path: str, convention: Convention, *, subset: bool) -> PeopleData:
    """A dataset from its file or folder, its counts checked unless it is a subset."""
    taken = load_dataset(name, path, subset=subset)
    rows = tuple(
        Row(path, number, _row(item, taken.ratings.get(item.id, ())))
        for number, item in enumerate(taken.items, 1)
    )
    left_out = {reason: len(ids) for reason, ids in taken.left_out.items()}
    return PeopleData(rows, _layout(taken.items, convention), left_out=left_out, kinds=taken.kinds)


def _layout(items: Sequence[Item], convention: Convention) -> Convention:
    """The fields of a dataset's rows, as a convention has them. A judge's file may name texts as the convention does, or by the items' ids."""
    on: tuple[str, ...] = (f"id={convention.group}",) if convention.group else ("id",)
    if convention.system:
        on = (f"group={convention.group}", f"system={convention.system}")
    human = dict.fromkeys(name for item in items for name in item.human)
    aspects = convention.aspects or tuple(name for name in human if "." not in name)
    system = "system" if all(item.system is not None for item in items) else None
    known = replace(convention, on=on, group="group", system=system, aspects=aspects)
    candidates = _candidates(human)
    if not candidates:
        return known
    places = {name: str(place) for place, name in enumerate(candidates, 1)}
    words = places if convention.choice else {name: name for name in candidates}
    return replace(known, choice=BEST, labels={**words, TIE: TIE})


def _row(item: Item, ratings: Sequence[dataset.Ratings]) -> dict[str, object]:
    """The item's id, group and system, people's score of each aspect, the best text of several, and what single people said."""
    best = _best(item.human)
    single = {one.kind: _of_single(one) for one in ratings}
    return {
        "id": item.id,
        "group": item.group,
        "system": item.system,
        **item.human,
        **({BEST: best} if best else {}),
        **({SINGLE: single} if single else {}),
    }


def _of_single(ratings: dataset.Ratings) -> dict[str, list[object]]:
    """Each person's ratings by aspect; where texts are compared, the text that each puts first."""
    if not _candidates(ratings.scores):
        return {aspect: list(scores) for aspect, scores in ratings.scores.items()}
    people = range(max(map(len, ratings.scores.values())))
    return {BEST: [_best({name: scores[one] for name, scores in ratings.scores.items()}) for one in people]}


def _best(human: Mapping[str, float | None]) -> str | None:
    """The text of several that scores put first, or a tie; None where there are not several, or not all have scores."""
    aspects = list(dict.fromkeys(name.partition(".")[0] for name in human))
    candidates = _candidates(human)
    best = peoples_best(human, aspects, candidates) if candidates else ()
    return label(best) if best else None


def _candidates(human: Mapping[str, object]) -> tuple[str, ...]:
    """The texts that scores by aspect and text compare ("overall.answer_1")."""
    return tuple(dict.fromkeys(name.partition(".")[2] for name in human if "." in name))


def labels_of(pairs: Sequence[Pair], asked: Asked) -> Labels:
    """The labels of a choice: as labels=... has them, or the words that people say."""
    if asked.labels:
        return Labels.given(asked.labels, open=asked.open)
    words = {
        choice_of(pair.data, place, value)
        for pair in pairs
        for _, place, value in entries_in(pair.data, asked.human.fields)
    }
    return Labels.seen([word for word in words if word is not None], open=asked.open)


def people_rows(pair: Pair, asked: Asked, read: Read) -> Iterator[Judgement]:
    """People's judgements of a text, a person each; one that is empty where there is none."""
    for name, place, value in list(entries_in(pair.data, asked.human.fields)) or [("", "", None)]:
        yield Judgement(*pair.text, PEOPLE, asked.aspect, read(pair.data, place, value), name)


def labelled(read: Read, labels: Labels, *, of_people: bool) -> Read:
    """The reading of choices as labels. It raises DataError for a word that is not a label."""

    def label(row: Row, place: str, value: Any) -> Value | None:
        word = read(row, place, value)
        known = None if word is None else labels.label(str(word), of_people=of_people)
        if word is not None and known is None:
            raise row.error(labels.unknown(str(word), of_people=of_people), place)
        return known

    return label


@dataclass(frozen=True)
class People:
    """The judgements of single people, of each aspect or of which text is best."""

    kind: str
    """Kind of people: "expert", "turker", "annotator"."""
    ratings: tuple[Ratings, ...] = field(default=(), repr=False)


def people(
    pairs: Sequence[Pair],
    left_out: Mapping[str, int],
    options: AgreementOptions,
    asked: Sequence[Asked],
    data: PeopleData,
) -> People:
    """The judgements of single people on the aspects that are `asked` for, of the rows of the data.

    They stand in the fields that annotators=... names, in the dataset's own single ratings, or in the lists of people's own
    field. Raises UsageError where there are none.
    """
    given = options.annotator_fields
    kind = "".join(given.get("", ())) or next(iter(data.kinds), "")
    if kind and kind not in data.kinds:
        raise UsageError(
            f"annotators=...: there are no single ratings by {kind!r}. {nearest(kind, data.kinds)}"
        )
    fields = {one.aspect: given.get(one.aspect) or _single(pairs, one, kind) for one in asked}
    if not any(fields.values()) or not fields.keys() >= given.keys() - {""}:
        raise UsageError(
            f"ceiling=..., reliability=... and alt_test=... take single ratings of {', '.join(fields)}: annotators=... says where they "
            "are, ASPECT=FIELD for a list or ASPECT=FIELD,FIELD for a field a person"
        )
    single = [replace(one, human=Term(fields[one.aspect])) for one in asked if fields[one.aspect]]
    ratings = tuple(_ratings(pairs, left_out, one, options) for one in single)
    return People(kind or "annotator", ratings)


def _single(pairs: Sequence[Pair], asked: Asked, kind: str) -> tuple[str, ...]:
    """The fields of a dataset's single ratings, or people's own where they hold several; none where there are none."""
    rows, human = [pair.data for pair in pairs], asked.human.fields
    if kind:
        single = f"{SINGLE}.{kind}.{human[0] if len(human) == 1 else asked.aspect}"
        return (single,) if any_has(rows, single) else ()
    return human if any(len(list(entries_in(row, human))) > 1 for row in rows) else ()


def _ratings(
    pairs: Sequence[Pair], left_out: Mapping[str, int], asked: Asked, options: AgreementOptions
) -> Ratings:
    """The single ratings of an aspect, or choices, a list in one field or a field a person. Rows without any are counted."""
    for name in asked.human.fields:
        check_field([pair.data for pair in pairs], name, "annotators=...")
    labels = None if asked.labels is None else labels_of(pairs, asked)
    read: Read = (
        labelled(choice_of, labels, of_people=True)
        if labels
        else partial(score_of, grades=options.grade_numbers)
    )
    table = [row for pair in pairs for row in people_rows(pair, asked, read)]
    rows = rated(table)
    lacking = len(pairs) - len(rows)
    found = Ratings(asked.aspect, rows, {**left_out, **({NO_RATINGS: lacking} if lacking else {})})
    if labels is None:
        return replace(found, scale=options.people_scale)
    said = {str(row.value) for row in table if row.value is not None}
    names, tie = labels.ordered(said)
    return replace(found, labels=names, tie=tie if tie in said else None)
