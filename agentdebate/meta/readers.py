"""Readers into the long table: what people say in the rows of the data, and what a judge says in its rows about the same texts."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import fsum
from operator import itemgetter
from typing import Any

from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import any_has, check_field, choice_of, entries_in, score_in, score_of, value_in
from agentdebate.meta.joining import Joined, Pair
from agentdebate.meta.judgements import Entry, EntryT, Ratings
from agentdebate.meta.labels import Labels
from agentdebate.meta.long_table import PEOPLE, Judgement, choices, rated, scores
from agentdebate.meta.plan import AgreementOptions, Asked, Judge
from agentdebate.meta.published_data import SINGLE, PublishedData
from agentdebate.meta.replies import Account, AspectReplies, Replies, choice_replies, score_replies
from agentdebate.meta.talk import TIE, Value
from agentdebate.meta.two_orders import TwoOrders
from agentdebate.tasks import Grades

NO_PERSON = "single judgements of people that are missing"
NO_RATINGS = "rows without single ratings"
"""Reason why something of people's is left out."""
_DECIMALS = 9
_SHOWN = 200
"""Characters of a reply that an error shows."""

Read = Callable[[Row, str, Any], Value | None]
"""Reads one value of a field: a score, a word for a choice, or the judgement in a reply."""


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


def labels_of(joined: Joined, asked: Asked) -> Labels:
    """The labels of a choice: as labels=... has them, or the words that people say."""
    if asked.labels:
        return Labels.given(asked.labels, open=asked.open)
    entries = (
        (pair.data, entry) for pair in joined.pairs for entry in entries_in(pair.data, asked.human.fields)
    )
    words = {choice_of(row, place, value) for row, (_, place, value) in entries}
    return Labels.seen([word for word in words if word is not None], open=asked.open)


def people_rows(pair: Pair, asked: Asked, read: Read) -> Iterator[Judgement]:
    """People's judgements of a text, a person each; one that is empty where there is none."""
    for name, place, value in list(entries_in(pair.data, asked.human.fields)) or [("", "", None)]:
        yield Judgement(*pair.text, PEOPLE, asked.aspect, read(pair.data, place, value), name)


def labelled(read: Read, labels: Labels, *, of_people: bool) -> Read:
    """The reading of choices as labels. It raises DataError for a word that is not a label."""

    def label(row: Row, place: str, value: Any) -> Value | None:
        word = read(row, place, value)
        found = None if word is None else labels.label(str(word), of_people=of_people)
        if word is not None and found is None:
            raise row.error(labels.unknown(str(word), of_people=of_people), place)
        return found

    return label


class JudgeReader:
    """Reads one judge's judgements beside people's of the same texts."""

    def __init__(self, judge: Judge, joined: Joined, options: AgreementOptions) -> None:
        self._judge, self._joined, self._options = judge, joined, options
        self._how, self._score = options.read or "auto", partial(score_of, grades=options.grade_numbers)

    def gathered(self, asked: Sequence[Asked]) -> Gathered:
        """Read all that is asked for. Raises DataError for a value that is not a score, and for a word that is not a label."""
        found = [self._choices(one) for one in asked if one.labels is not None]
        entries = [entry for entry, _ in found] or list(self._scores(asked))
        orders = tuple(both for _, both in found if both)
        return Gathered(self._judge, tuple(asked), tuple(entries), orders)

    def _scores(self, asked: Sequence[Asked]) -> Iterator[Entry]:
        """The scores of each aspect, on their scales."""
        judge, scales = self._judge, self._judge.run.scales if self._judge.run else {}
        replies = self._score_replies(asked) if judge.replies else None
        for one in asked:
            read = partial(replies.read, one.aspect) if replies else self._score
            table = list(self._table(one, self._score, read))
            found = scores(judge.name, one.aspect, table, one.human.function)
            scale = self._options.scale_of(judge.name, one.aspect, scales.get(one.aspect))
            yield replace(
                self._whole(found, table), scale=scale, people_scale=self._options.people_scale(one.aspect)
            )
            if replies:
                self._account(replies.account(one.aspect), one)

    def _choices(self, asked: Asked) -> tuple[Entry, TwoOrders | None]:
        """The choices, and those of both orders where the judge saw both."""
        labels = labels_of(self._joined, asked)
        replies = choice_replies(self._how, labels.judge) if self._judge.replies else None
        read: Read = partial(replies.read, asked.aspect) if replies else choice_of
        of_judge = labelled(
            partial(_best, asked.sums, labels.judge) if asked.sums else read, labels, of_people=False
        )
        table = [
            row._replace(value=labels.turned(str(row.value))) if row.order and row.value is not None else row
            for row in self._table(asked, labelled(choice_of, labels, of_people=True), of_judge)
        ]
        if replies:
            self._account(replies.account(asked.aspect), asked)
        compare = partial(choices, self._judge.name, asked.aspect, table, labels, asked.human.function)
        both = len(asked.orders) > 1
        orders = TwoOrders(compare(orders=("",)), compare(orders=("flip",)), labels.texts) if both else None
        return self._whole(compare(orders=asked.orders), table), orders

    def _table(self, asked: Asked, of_people: Read, of_judge: Read) -> Iterator[Judgement]:
        """People's judgements of each text, and the judge's, a sample each."""
        for pair in self._joined.pairs:
            yield from people_rows(pair, asked, of_people)
            row = pair.scores
            if row is None:
                continue
            sure = score_in(row, asked.confidence) if asked.confidence else None
            first = Judgement(*pair.text, self._judge.name, asked.aspect, None, confidence=sure)
            if asked.sums:
                yield first._replace(value=of_judge(row, asked.fields[0], None))
            for term in asked.terms:
                for name, place, value in entries_in(row, term.fields, samples=self._judge.replies):
                    yield first._replace(value=of_judge(row, place, value), rater=name, order=term.order)

    def _whole(self, found: EntryT, table: Sequence[Judgement]) -> EntryT:
        """The judgements with what was left out of them; an empty one of a person beside others counts there."""
        empty = sum(row.value is None for row in table if row.rater and not row.judge)
        left_out = {**self._joined.left_out, **({NO_PERSON: empty} if empty else {})}
        return replace(found, left_out=left_out, recorded=not self._judge.replies)

    def _score_replies(self, asked: Sequence[Asked]) -> Replies:
        """A reader of replies, which may give words for scores."""
        grades: Grades = tuple(sorted(self._options.grade_numbers.items(), key=itemgetter(1)))
        scale = partial(self._options.scale_of, self._judge.name)
        return score_replies(
            [AspectReplies(one.aspect, one.fields[0], scale(one.aspect), grades) for one in asked], self._how
        )

    def _account(self, account: Account, asked: Asked) -> None:
        """Note what became of the replies about an aspect; where not one could be read, the first of them."""
        said, field = self._judge.unreadable, asked.fields[0]
        if account.replies and account.unread == account.replies and not said:
            row = next(pair.scores for pair in self._joined.pairs if pair.scores is not None)
            message = (
                f"no reply of {self._judge.name} about {account.aspect} could be read by read='{self._how}' "
                f"({', '.join(account.unreadable)}); see to read=..., scale=... and aspects=.... "
                f"The first is {value_in(row, field)!r:.{_SHOWN}}"
            )
            said = str(row.error(message, field))
        self._judge = replace(self._judge, accounts=(*self._judge.accounts, account), unreadable=said)


def _best(sums: Sequence[Sequence[str]], words: Collection[str], row: Row, *_: Any) -> str | None:
    """The text with the greatest sum of scores, by its field or its number; a tie where several have it."""
    given = [[score_in(row, name) for name in one] for one in sums]
    if any(None in one for one in given):
        return None
    # Sums that are equal as they are written are equal here: 8.1 + 7.3 is 8.2 + 7.2.
    totals = [round(fsum(score or 0.0 for score in one), _DECIMALS) for one in given]
    place = totals.index(max(totals))
    name = "+".join(sums[place])
    return TIE if totals.count(totals[place]) > 1 else name if name in words else str(place + 1)


@dataclass(frozen=True)
class People:
    """The judgements of single people, of each aspect or of which text is best."""

    kind: str
    """Kind of people: "expert", "turker", "annotator"."""
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
    return People(kind or "annotator", ratings)


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
    read: Read = partial(score_of, grades=grades)
    labels = None
    if asked.labels is not None:
        labels = labels_of(joined, asked)
        read = labelled(choice_of, labels, of_people=True)
    table = [row for pair in joined.pairs for row in people_rows(pair, asked, read)]
    names, tie = (
        labels.ordered(str(row.value) for row in table if row.value is not None) if labels else ((), None)
    )
    rows = rated(table)
    lacking = len(joined.pairs) - len(rows)
    return Ratings(
        asked.aspect, rows, {**joined.left_out, **({NO_RATINGS: lacking} if lacking else {})}, names, tie
    )
