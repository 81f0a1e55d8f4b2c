"""Readers into the long table: what people say in the rows of the data, and what a judge says in its rows about the same texts."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import fsum
from operator import itemgetter
from typing import Any, NamedTuple

from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import any_has, check_field, choice_of, entries_in, score_in, score_of, value_in
from agentdebate.meta.joining import Joined
from agentdebate.meta.judgements import Entry, EntryT, Raters, Ratings
from agentdebate.meta.labels import Labels
from agentdebate.meta.long_table import PEOPLE, Judgement, choices, rated, scores
from agentdebate.meta.plan import AgreementOptions, Asked, Judge
from agentdebate.meta.published_data import SINGLE, PublishedData
from agentdebate.meta.reliability import OTHER_COUNT
from agentdebate.meta.replies import Account, AspectReplies, ChoiceReplies, ScoreReplies, reply_text
from agentdebate.meta.talk import TIE, Value
from agentdebate.meta.two_orders import TwoOrders
from agentdebate.tasks import Grades, Scale

NO_PERSON = "single judgements of people that are missing"
NO_RATINGS = "rows without single ratings"
"""Reason why something of people's is left out."""
_DECIMALS = 9
_SHOWN = 200
"""Characters of a reply that an error shows."""

Read = Callable[[Row, str, Any], Value | None]
"""Reads one value of a field: a score, a word for a choice, or the judgement in a reply."""


class Cell(NamedTuple):
    """A judgement, and the row and the field in which it stands. That of a choice is a word that has yet to be taken as a label."""

    judgement: Judgement
    row: Row
    place: str


@dataclass(frozen=True)
class Gathered:
    """One judge's judgements and people's."""

    judge: Judge
    """The judge, with what became of its replies."""
    asked: tuple[Asked, ...] = field(repr=False)
    """The choices, or the scores, that are compared."""
    entries: tuple[Entry, ...] = ()
    """Its scores, or its choices."""
    orders: tuple[TwoOrders, ...] = ()
    """The choices in both orders, where these were asked for."""


def people_cells(joined: Joined, asked: Asked, read: Read) -> list[Cell]:
    """People's judgements of each text, a person each; one that is empty where no one says anything."""
    return [
        Cell(
            Judgement(*pair.text, PEOPLE, asked.aspect, read(pair.data, place, value), name), pair.data, place
        )
        for pair in joined.pairs
        for name, place, value in list(entries_in(pair.data, asked.human.fields)) or [("", "", None)]
    ]


def words_in(cells: Sequence[Cell]) -> set[str]:
    """The words of choices."""
    return {str(cell.judgement.value) for cell in cells if cell.judgement.value is not None}


def labelled(cell: Cell, labels: Labels) -> Judgement:
    """A choice as a label, of the texts in the order of the data. Raises DataError for a word that is no label."""
    judgement, row, place = cell
    if judgement.value is None:
        return judgement
    word, of_people = str(judgement.value), not judgement.judge
    label = labels.label(word, of_people=of_people)
    if label is None:
        raise row.error(labels.unknown(word, of_people=of_people), place)
    return judgement._replace(value=labels.turned(label) if judgement.order else label)


class JudgeReader:
    """Reads one judge's judgements beside people's of the same texts."""

    def __init__(self, judge: Judge, joined: Joined, options: AgreementOptions) -> None:
        self._judge, self._joined, self._options = judge, joined, options
        self._grades, self._how = options.grade_numbers, options.read or "auto"

    def gathered(self, asked: Sequence[Asked]) -> Gathered:
        """What is asked for. Raises DataError for a value that is no score, and for a word that is no label."""
        found = [self._choices(one) for one in asked if one.labels is not None]
        entries = [entry for entry, _ in found] or list(self._scores(asked))
        orders = tuple(both for _, both in found if both)
        return Gathered(self._judge, tuple(asked), tuple(entries), orders)

    def _scores(self, asked: Sequence[Asked]) -> Iterator[Entry]:
        """The scores of each aspect, on their scales."""
        judge, options = self._judge, self._options
        score, known = partial(score_of, grades=self._grades), judge.run.scales if judge.run else {}
        replies = self._score_replies(asked) if judge.replies else None
        for one in asked:
            people = people_cells(self._joined, one, score)
            own = list(self._cells(one, partial(replies.read, one.aspect) if replies else score))
            found = scores(
                judge.name, one.aspect, map(itemgetter(0), _by_text(people, own)), one.human.function
            )
            yield replace(
                self._whole(found, people),
                scale=options.scale_of(judge.name, one.aspect, known.get(one.aspect)),
                people_scale=options.people_scale(one.aspect),
            )
            if replies:
                self._account(replies.account(one.aspect), own)

    def _choices(self, asked: Asked) -> tuple[Entry, TwoOrders | None]:
        """The choices, and those of both orders where the judge saw both."""
        people = people_cells(self._joined, asked, choice_of)
        words, is_open = words_in(people), asked.open
        labels = (
            Labels.given(asked.labels, open=is_open) if asked.labels else Labels.seen(words, open=is_open)
        )
        replies = ChoiceReplies(self._how, labels.judge) if self._judge.replies else None
        own = list(
            self._cells(asked, partial(replies.read, asked.aspect) if replies else choice_of, labels.judge)
        )
        if not asked.labels and ("flip" in asked.orders or not words):
            labels = Labels.seen(words, words_in(own), open=is_open)
        if replies:
            self._account(replies.account(asked.aspect), own)
        table = [labelled(cell, labels) for cell in _by_text(people, own)]
        compare = partial(choices, self._judge.name, asked.aspect, table, labels, asked.human.function)
        both = len(asked.orders) > 1
        orders = TwoOrders(compare(orders=("",)), compare(orders=("flip",)), labels.texts) if both else None
        return self._whole(compare(orders=asked.orders), people), orders

    def _cells(self, asked: Asked, read: Read, words: Collection[str] = ()) -> Iterator[Cell]:
        """The judge's judgements, a sample each."""
        for pair in self._joined.pairs:
            row = pair.scores
            if row is None:
                continue
            sure = score_in(row, asked.confidence) if asked.confidence else None
            first = Judgement(*pair.text, self._judge.name, asked.aspect, None, confidence=sure)
            if asked.sums:
                yield Cell(first._replace(value=_best(row, asked.sums, words)), row, asked.fields[0])
            for term in asked.terms:
                for name, place, value in entries_in(row, term.fields, samples=self._judge.replies):
                    said = read(row, place, value)
                    yield Cell(first._replace(value=said, rater=name, order=term.order), row, place)

    def _whole(self, found: EntryT, people: Sequence[Cell]) -> EntryT:
        """The judgements with what was left out of them; an empty one of a person beside others counts there."""
        empty = sum(cell.judgement.value is None for cell in people if cell.judgement.rater)
        left_out = {**self._joined.left_out, **({NO_PERSON: empty} if empty else {})}
        return replace(found, left_out=left_out, recorded=not self._judge.replies)

    def _score_replies(self, asked: Sequence[Asked]) -> ScoreReplies:
        """A reader of replies; their scale is that of the words that they may give, where none is declared."""
        grades: Grades = tuple(sorted(self._grades.items(), key=itemgetter(1)))
        spread = (
            Scale(low=grades[0][1], high=grades[-1][1], step=None)
            if len(set(self._grades.values())) > 1
            else None
        )
        scale = partial(self._options.scale_of, self._judge.name)
        fields = [
            AspectReplies(one.aspect, one.fields[0], scale(one.aspect) or spread, grades) for one in asked
        ]
        return ScoreReplies(fields, self._how)

    def _account(self, account: Account, cells: Sequence[Cell]) -> None:
        """Note what became of the replies about an aspect; where not one could be read, the first of them."""
        said = self._judge.unreadable
        if cells and account.unread == account.replies and not said:
            _, row, place = cells[0]
            message = (
                f"no reply of {self._judge.name} about {account.aspect} could be read by read='{self._how}' "
                f"({', '.join(account.unreadable)}); see to read=..., scale=... and aspects=.... "
                f"The first is {reply_text(row, place, value_in(row, place))[:_SHOWN]!r}"
            )
            said = str(row.error(message, place))
        self._judge = replace(self._judge, accounts=(*self._judge.accounts, account), unreadable=said)


def _by_text(people: Sequence[Cell], own: Sequence[Cell]) -> list[Cell]:
    return sorted((*people, *own), key=lambda cell: cell.judgement.text)


def _best(row: Row, sums: Sequence[Sequence[str]], words: Collection[str]) -> str | None:
    """The text with the greatest sum of scores, by its field or its number; a tie where several have it."""
    given = [[score_in(row, name) for name in one] for one in sums]
    if any(None in one for one in given):
        return None
    # Sums that are equal as they are written are equal here: 8.1 + 7.3 is 8.2 + 7.2.
    totals = [round(fsum(score or 0.0 for score in one), _DECIMALS) for one in given]
    if totals.count(max(totals)) > 1:
        return TIE
    place = totals.index(max(totals))
    name = "+".join(sums[place])
    return name if name in words else str(place + 1)


@dataclass(frozen=True)
class People:
    """The judgements of single people, of each aspect or of which text is best."""

    raters: Raters
    ratings: tuple[Ratings, ...] = field(default=(), repr=False)

    @property
    def choose(self) -> bool:
        """Tell whether they chose among texts, and did not rate them."""
        return any(one.labels for one in self.ratings)


def people(
    joined: Joined, options: AgreementOptions, asked: Sequence[Asked], published: PublishedData | None
) -> People:
    """The judgements of single people on the aspects that are `asked` for, of the rows of the data.

    They stand in the fields that annotators=... names, in the dataset's own single ratings, or in the lists of people's own
    field. Raises UsageError where there are none.
    """
    given = options.annotator_fields
    kind = published.kind("".join(given.get("", ()))) if published else ""
    fields = {one.aspect: given.get(one.aspect) or _single(joined, one, kind) for one in asked}
    if not any(fields.values()) or not fields.keys() >= given.keys() - {""}:
        raise UsageError(
            f"ceiling=... and reliability=... take the single ratings of people of {', '.join(fields)}: annotators=... says where "
            "they are, ASPECT=FIELD for a list or ASPECT=FIELD,FIELD for a field a person"
        )
    found = [replace(one, human=Term(fields[one.aspect])) for one in asked if fields[one.aspect]]
    ratings = tuple(_ratings(joined, one, options.grade_numbers) for one in found)
    counts = {
        (row.source, row.id, row.system): len(row.ratings) for one in ratings for row in evened(one).rows
    }
    raters = Raters(kind or "annotator", max(counts.values(), default=0), len(joined.pairs), len(counts))
    return People(raters, ratings)


def evened(people: Ratings) -> Ratings:
    """The rows that have as many ratings as most have, so that each place is an annotator; the others are counted."""
    sizes = Counter(len(row.ratings) for row in people.rows)
    usual = max(sizes, key=lambda size: sizes[size], default=0)
    kept = tuple(row for row in people.rows if len(row.ratings) == usual)
    lost = {OTHER_COUNT: len(people.rows) - len(kept)} if len(sizes) > 1 else {}
    return replace(people, rows=kept, left_out={**people.left_out, **lost})


def _single(joined: Joined, asked: Asked, kind: str) -> tuple[str, ...]:
    """The fields of a dataset's single ratings, or people's own where they hold several; none where there are none."""
    rows, human = [pair.data for pair in joined.pairs], asked.human.fields
    if kind:
        single = f"{SINGLE}.{kind}.{human[0] if len(human) == 1 else asked.aspect}"
        return (single,) if any_has(rows, single) else ()
    return human if any(len(list(entries_in(row, human))) > 1 for row in rows) else ()


def _ratings(joined: Joined, asked: Asked, grades: Mapping[str, float]) -> Ratings:
    """The single ratings of an aspect, or choices, a list in one field or a field a person. Rows without any are counted."""
    for name in asked.human.fields:
        check_field([pair.data for pair in joined.pairs], name, "annotators=...")
    names: tuple[str, ...] = ()
    tie = None
    if asked.labels is None:
        table = [cell.judgement for cell in people_cells(joined, asked, partial(score_of, grades=grades))]
    else:
        cells = people_cells(joined, asked, choice_of)
        labels = Labels.given(asked.labels) if asked.labels else Labels.seen(words_in(cells))
        table = [labelled(cell, labels) for cell in cells]
        names, tie = labels.ordered(str(row.value) for row in table if row.value is not None)
    rows = rated(table)
    lacking = len(joined.pairs) - len(rows)
    return Ratings(
        asked.aspect, rows, {**joined.left_out, **({NO_RATINGS: lacking} if lacking else {})}, names, tie
    )
