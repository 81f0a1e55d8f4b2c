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
from agentdebate.meta.join import Pair
from agentdebate.meta.judgements import Judgements, Ratings
from agentdebate.meta.labels import Labels
from agentdebate.meta.long_table import PEOPLE, Judgement, judgements, rated
from agentdebate.meta.plan import AgreementOptions, Asked, Judge
from agentdebate.meta.published_data import SINGLE, PublishedData
from agentdebate.meta.replies import Account, AspectReplies, choice_replies, graded, score_replies
from agentdebate.meta.run_rows import scales_of
from agentdebate.meta.talk import TIE, Value
from agentdebate.meta.two_orders import TwoOrders

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
    asked: tuple[Asked, ...] = field(default=(), repr=False)
    """The choices, or the scores, that are compared, and their fields; none of a run alone."""
    entries: tuple[Judgements, ...] = ()
    """Its scores, or its choices."""
    orders: tuple[TwoOrders, ...] = ()
    """The choices in both orders, where these were asked for."""


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


class JudgeReader:
    """Reads one judge's judgements beside people's of the same texts. `left_out` are rows that are not among the pairs."""

    def __init__(
        self, judge: Judge, pairs: Sequence[Pair], options: AgreementOptions, left_out: Mapping[str, int]
    ) -> None:
        self._judge, self._pairs, self._options, self._left_out = judge, pairs, options, left_out
        self._how, self._score = options.read or "auto", partial(score_of, grades=options.grade_numbers)

    def gathered(self, asked: Sequence[Asked]) -> Gathered:
        """Read all that is asked for. Raises DataError for a value that is not a score, and for a word that is not a label."""
        choices = [self._choices(one) for one in asked if one.labels is not None]
        entries = [entry for entry, _ in choices] or list(self._scores(asked))
        orders = tuple(both for _, both in choices if both)
        return Gathered(self._judge, tuple(asked), tuple(entries), orders)

    def _scores(self, asked: Sequence[Asked]) -> Iterator[Judgements]:
        """The scores of each aspect, on their scales."""
        judge, options = self._judge, self._options
        known = scales_of(judge.run.head) if judge.run else {}
        scales = {
            one.aspect: options.scale_of(judge.name, one.aspect, known.get(one.aspect)) for one in asked
        }
        grades = tuple(sorted(options.grade_numbers.items(), key=itemgetter(1)))
        fields = [
            AspectReplies(one.aspect, one.fields[0], graded(scales[one.aspect], grades)) for one in asked
        ]
        replies = score_replies(fields, self._how) if judge.replies else {}
        for one in asked:
            read = replies[one.aspect].read if replies else self._score
            table = list(self._table(one, self._score, read))
            entry = judgements(judge.name, one.aspect, table, people=one.human.function)
            yield replace(
                self._whole(entry, table), scale=scales[one.aspect], people_scale=options.people_scale
            )
            if replies:
                self._account(replies[one.aspect].account, one)

    def _choices(self, asked: Asked) -> tuple[Judgements, TwoOrders | None]:
        """The choices, and those of both orders where the judge saw both."""
        labels = labels_of(self._pairs, asked)
        replies = choice_replies(asked.aspect, self._how, labels.judge) if self._judge.replies else None
        read: Read = replies.read if replies else choice_of
        if asked.sums:
            read = partial(_best, asked.sums, labels.judge)
        table = [
            row._replace(value=labels.turned(str(row.value))) if row.order and row.value is not None else row
            for row in self._table(
                asked,
                labelled(choice_of, labels, of_people=True),
                labelled(read, labels, of_people=False),
            )
        ]
        if replies:
            self._account(replies.account, asked)
        compare = partial(
            judgements, self._judge.name, asked.aspect, table, labels, people=asked.human.function
        )
        both = len(asked.orders) > 1
        orders = TwoOrders(compare(orders=("",)), compare(orders=("flip",)), labels.texts) if both else None
        return self._whole(compare(orders=asked.orders), table), orders

    def _table(self, asked: Asked, of_people: Read, of_judge: Read) -> Iterator[Judgement]:
        """People's judgements of each text, and the judge's, a sample each."""
        for pair in self._pairs:
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

    def _whole(self, entry: Judgements, table: Sequence[Judgement]) -> Judgements:
        """The judgements with what was left out of them; an empty one of a person beside others counts there."""
        empty = sum(row.value is None for row in table if row.rater and not row.judge)
        return replace(entry, left_out={**self._left_out, **({NO_PERSON: empty} if empty else {})})

    def _account(self, account: Account, asked: Asked) -> None:
        """Note what became of the replies about an aspect; where not one could be read, the first of them."""
        said, field = self._judge.unreadable, asked.fields[0]
        if account.replies and account.unread == account.replies and not said:
            row = next(pair.scores for pair in self._pairs if pair.scores is not None)
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
        return any(one.labels is not None for one in self.ratings)


def people(
    pairs: Sequence[Pair],
    left_out: Mapping[str, int],
    options: AgreementOptions,
    asked: Sequence[Asked],
    published: PublishedData | None,
) -> People:
    """The judgements of single people on the aspects that are `asked` for, of the rows of the data.

    They stand in the fields that annotators=... names, in the dataset's own single ratings, or in the lists of people's own
    field. Raises UsageError where there are none.
    """
    given = options.annotator_fields
    kind = published.kind("".join(given.get("", ()))) if published else ""
    fields = {one.aspect: given.get(one.aspect) or _single(pairs, one, kind) for one in asked}
    if not any(fields.values()) or not fields.keys() >= given.keys() - {""}:
        raise UsageError(
            f"ceiling=... and reliability=... take the single ratings of people of {', '.join(fields)}: annotators=... says where "
            "they are, ASPECT=FIELD for a list or ASPECT=FIELD,FIELD for a field a person"
        )
    single = [replace(one, human=Term(fields[one.aspect])) for one in asked if fields[one.aspect]]
    ratings = tuple(_ratings(pairs, left_out, one, options.grade_numbers) for one in single)
    return People(kind or "annotator", ratings)


def _single(pairs: Sequence[Pair], asked: Asked, kind: str) -> tuple[str, ...]:
    """The fields of a dataset's single ratings, or people's own where they hold several; none where there are none."""
    rows, human = [pair.data for pair in pairs], asked.human.fields
    if kind:
        single = f"{SINGLE}.{kind}.{human[0] if len(human) == 1 else asked.aspect}"
        return (single,) if any_has(rows, single) else ()
    return human if any(len(list(entries_in(row, human))) > 1 for row in rows) else ()


def _ratings(
    pairs: Sequence[Pair], left_out: Mapping[str, int], asked: Asked, grades: Mapping[str, float]
) -> Ratings:
    """The single ratings of an aspect, or choices, a list in one field or a field a person. Rows without any are counted."""
    for name in asked.human.fields:
        check_field([pair.data for pair in pairs], name, "annotators=...")
    labels = None if asked.labels is None else labels_of(pairs, asked)
    read: Read = labelled(choice_of, labels, of_people=True) if labels else partial(score_of, grades=grades)
    table = [row for pair in pairs for row in people_rows(pair, asked, read)]
    rows = rated(table)
    lacking = len(pairs) - len(rows)
    found = Ratings(asked.aspect, rows, {**left_out, **({NO_RATINGS: lacking} if lacking else {})})
    if labels is None:
        return found
    names, tie = labels.ordered(str(row.value) for row in table if row.value is not None)
    return replace(found, labels=names, tie=tie)
