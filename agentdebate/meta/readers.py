"""Readers into the long table: what people say in the rows of the data, and what a judge says in its rows about the same texts."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import fsum
from operator import itemgetter
from typing import Any, NamedTuple

from agentdebate.datasets.row import Row
from agentdebate.meta.fields import choice_of, entries_in, score_in, score_of, value_in
from agentdebate.meta.joining import Joined
from agentdebate.meta.judgements import Entry, EntryT
from agentdebate.meta.judges import Judge
from agentdebate.meta.labels import Labels
from agentdebate.meta.long_table import PEOPLE, Judgement, choices, scores
from agentdebate.meta.options import PEOPLE as OF_PEOPLE
from agentdebate.meta.options import AgreementOptions
from agentdebate.meta.plan import Asked
from agentdebate.meta.replies import Account, AspectReplies, ChoiceReplies, ScoreReplies, reply_text
from agentdebate.meta.talk import TIE, Value
from agentdebate.meta.two_orders import TwoOrders
from agentdebate.tasks import Grades, Scale

NO_PERSON = "single judgements of people that are missing"
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
    alone: tuple[Entry, ...] = ()
    """Its choices where people's are not asked for: only how many there are is said of them."""
    orders: tuple[TwoOrders, ...] = ()
    """The choices in both orders, where these were asked for."""


def people_cells(joined: Joined, asked: Asked, read: Read) -> Iterator[Cell]:
    """People's judgements of each text, a person each; one that is empty where no one says anything."""
    fields = asked.human.fields if asked.human else ()
    for text, pair in zip(joined.texts, joined.pairs, strict=True):
        for name, place, value in list(entries_in(pair.data, fields)) or [("", "", None)]:
            judgement = Judgement(*text, PEOPLE, asked.aspect, read(pair.data, place, value), name)
            yield Cell(judgement, pair.data, place)


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
        self._grades = options.grade_numbers

    def gathered(self, asked: Sequence[Asked]) -> Gathered:
        """What is asked for. Raises DataError for a value that is no score, and for a word that is no label."""
        if any(one.labels is None for one in asked):
            entries = tuple(self._scores(asked))
            return Gathered(self._judge, tuple(asked), entries)
        found = [(one, *self._choices(one)) for one in asked]
        return Gathered(
            self._judge,
            tuple(asked),
            tuple(entry for one, entry, _ in found if one.human),
            tuple(entry for one, entry, _ in found if not one.human),
            tuple(orders for *_, orders in found if orders),
        )

    def _scores(self, asked: Sequence[Asked]) -> Iterator[Entry]:
        """The scores of each aspect, on their scales."""
        judge, options = self._judge, self._options
        replies = self._score_replies(asked) if judge.replies else None
        score = partial(score_of, grades=self._grades)
        for one in asked:
            people = list(people_cells(self._joined, one, score))
            own = list(self._cells(one, partial(replies.read, one.aspect) if replies else score))
            table = [cell.judgement for cell in _by_text(people, own)]
            found = scores(judge.name, one.aspect, table, one.function)
            known = judge.run.scales.get(one.aspect) if judge.run else None
            yield replace(
                self._whole(found, people),
                scale=options.scale_of(judge.name, one.aspect, known),
                people_scale=options.scale_of(OF_PEOPLE, one.aspect),
            )
            if replies:
                self._account(replies.account(one.aspect), own)

    def _choices(self, asked: Asked) -> tuple[Entry, TwoOrders | None]:
        """The choices, and those of both orders where the judge saw both."""
        people = list(people_cells(self._joined, asked, choice_of))
        words = {str(cell.judgement.value) for cell in people if cell.judgement.value is not None}
        labels = (
            Labels.given(asked.labels, open=asked.open)
            if asked.labels
            else Labels.seen(words, open=asked.open)
        )
        replies = ChoiceReplies(self._options.how, labels.judge) if self._judge.replies else None
        own = list(
            self._cells(asked, partial(replies.read, asked.aspect) if replies else choice_of, labels.judge)
        )
        if not asked.labels and ("flip" in asked.orders or not words):
            said = {str(cell.judgement.value) for cell in own if cell.judgement.value is not None}
            labels = Labels.seen(words, said, open=asked.open)
        table = [labelled(cell, labels) for cell in _by_text(people, own)]
        compare = partial(choices, self._judge.name, asked.aspect, table, labels, asked.function)
        if replies:
            self._account(replies.account(asked.aspect), own)
        orders = (
            TwoOrders(compare(orders=("",)), compare(orders=("flip",)), labels.texts)
            if len(asked.orders) > 1
            else None
        )
        return self._whole(compare(orders=asked.orders), people), orders

    def _cells(self, asked: Asked, read: Read, words: Collection[str] = ()) -> Iterator[Cell]:
        """The judge's judgements, a sample each."""
        for text, pair in zip(self._joined.texts, self._joined.pairs, strict=True):
            if pair.scores is None:
                continue
            sure = score_in(pair.scores, asked.confidence) if asked.confidence else None
            first = Judgement(*text, self._judge.name, asked.aspect, None, confidence=sure)
            if asked.sums:
                yield Cell(
                    first._replace(value=_best(pair.scores, asked.sums, words)), pair.scores, asked.fields[0]
                )
            for term in asked.terms:
                for name, place, value in entries_in(pair.scores, term.fields, samples=self._judge.replies):
                    said = read(pair.scores, place, value)
                    yield Cell(first._replace(value=said, rater=name, order=term.order), pair.scores, place)

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
            if len({*self._grades.values()}) > 1
            else None
        )
        scale = partial(self._options.scale_of, self._judge.name, own=spread)
        return ScoreReplies(
            [AspectReplies(one.aspect, one.fields[0], scale(one.aspect), grades) for one in asked],
            self._options.how,
        )

    def _account(self, account: Account, cells: Sequence[Cell]) -> None:
        """Note what became of the replies about an aspect; where not one could be read, the first of them."""
        said = self._judge.unreadable
        if cells and account.unread == account.replies and not said:
            _, row, place = cells[0]
            message = (
                f"no reply of {self._judge.name} about {account.aspect} could be read by read='{self._options.how}' "
                f"({', '.join(account.unreadable)}); see to read=..., scale=... and aspects=.... "
                f"The first is {reply_text(row, place, value_in(row, place))[:_SHOWN]!r}"
            )
            said = str(row.error(message, place))
        self._judge = replace(self._judge, accounts=(*self._judge.accounts, account), unreadable=said)


def _by_text(people: Sequence[Cell], own: Sequence[Cell]) -> list[Cell]:
    return sorted((*people, *own), key=lambda cell: cell.judgement.text)


def _best(row: Row, sums: Sequence[Sequence[str]], words: Collection[str]) -> str | None:
    """The text with the greatest sum of scores, by its field or its number; a tie where several have it."""
    scores = [[score_in(row, name) for name in one] for one in sums]
    if any(None in one for one in scores):
        return None
    # Sums that are equal as they are written are equal here: 8.1 + 7.3 is 8.2 + 7.2.
    totals = [round(fsum(score or 0.0 for score in one), _DECIMALS) for one in scores]
    if totals.count(max(totals)) > 1:
        return TIE
    place = totals.index(max(totals))
    name = "+".join(sums[place])
    return name if name in words else str(place + 1)
