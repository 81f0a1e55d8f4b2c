"""People's and judges' judgements of the same texts, gathered from runs and files as the options name them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import fsum
from operator import itemgetter
from typing import Any

from agentdebate.datasets.files import read_frame
from agentdebate.datasets.frame import Frame
from agentdebate.datasets.named_values import names
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.conventions import NO_CONVENTION, Convention
from agentdebate.meta.fields import Condition, check_field, choice_of, entries_in, narrow, score_in, score_of
from agentdebate.meta.join import Pair, by_key, by_order, join, key_of
from agentdebate.meta.judgements import Judgements, reasons
from agentdebate.meta.long_table import Judgement, judgements
from agentdebate.meta.people_data import (
    People,
    PeopleData,
    Read,
    labelled,
    labels_of,
    named_path,
    people,
    people_data,
    people_rows,
)
from agentdebate.meta.plan import AgreementOptions, Asked, Judge
from agentdebate.meta.replies import Account, AspectReplies, choice_replies, graded, score_replies
from agentdebate.meta.run_rows import NOT_ENDED, WITHHELD, RunRows, people_judged, run_rows, withheld
from agentdebate.meta.talk import TIE, grouped
from agentdebate.meta.two_orders import TwoOrders
from agentdebate.store.reader import read_store

NO_PERSON = "single judgements of people that are missing"
"""Reason why something of people's is left out."""
_DECIMALS = 9


@dataclass(frozen=True)
class Gathered:
    """One judge's judgements and people's."""

    judge: Judge
    """The judge, with what became of its replies."""
    asked: tuple[Asked, ...] = field(default=(), repr=False)
    """The choices, or the scores, that are compared, and their fields; none of a run alone."""
    entries: tuple[Judgements, ...] = ()
    """Scores, or choices."""
    orders: tuple[TwoOrders, ...] = ()
    """The choices in both orders, where these were asked for."""


@dataclass(frozen=True)
class AgreementRequest:
    """Runs, files, and which fields of them hold what."""

    runs: tuple[str | RunRows, ...]
    """Runs by name, or as they were read."""
    options: AgreementOptions
    convention: Convention | None = None

    def gathered(self) -> tuple[Gathered, ...]:
        """Each judge's scores or choices beside people's. Raises UserError."""
        found = tuple(one for judge in self._judges for one in self._compared(judge))
        aspects = {entry.aspect for one in found for entry in one.entries}
        self.options.check_scales((one.judge.name for one in found), aspects)
        return found

    def people(self, gathered: Sequence[Gathered]) -> People | None:
        """The judgements of single people of the same data; None where these are not asked for. Raises UsageError."""
        if not (self.options.ceiling or self.options.reliability or self.options.alt_test):
            return None
        data = self._data
        own = {
            name
            for one in gathered
            if [row.path for row in one.judge.rows[:1]] == [row.path for row in data.rows[:1]]
            for each in one.asked
            for name in each.fields
        }
        for fields in map(names, self.options.named("annotators").values()):
            if twice := [name for name, count in Counter([*fields, *own]).items() if count > 1]:
                raise UsageError(
                    f"annotators=...: {twice[0]!r} stands for two: a field holds one annotator's ratings, and not the judge's too"
                )
        plan = data.plan(self.options)
        kept = data.narrowed(plan)
        asked = gathered[0].asked if gathered else plan.asked
        pairs = plan.pairs((row, row) for row in kept.rows)
        return people(pairs, {**data.left_out, **kept.left_out}, self.options, asked, data)

    @cached_property
    def _data(self) -> PeopleData:
        return people_data(self.options, self._layout)

    @property
    def _layout(self) -> Convention:
        return self.convention or NO_CONVENTION

    @cached_property
    def _judges(self) -> Sequence[Judge]:
        """The judges that are named, else the one whose judgements stand in the data; none where people alone are asked for."""
        options = self.options
        within = options.score or options.choice or options.reply or options.read
        found = [*_stored(self.runs, options.store)]
        for texts, replies in ((options.scores, False), (options.replies, True)):
            found += [Judge(name, read_frame(path), replies=replies) for name, path in map(named_path, texts)]
        named = [judge.name for judge in found]
        if len(set(named)) < len(named):
            raise UsageError(f"two judges are called the same, {', '.join(named)}: NAME=... names one")
        if found or (options.ceiling and not within):
            return found
        if options.data is None:
            raise UsageError("name a run, or the file with people's scores: data='FILE'")
        if not within or options.dataset:
            raise UsageError(
                "which judge? name a run, scores='FILE' or replies='FILE', or the fields of the data that hold a judge's "
                "scores: score='ASPECT=FIELD'"
            )
        replies = bool(options.reply or options.read)
        return [Judge(named_path(options.data)[0], self._data.rows, replies=replies)]

    def _compared(self, judge: Judge) -> Iterator[Gathered]:
        """A source of judgements beside the data: one judge, or those of one file apart. Raises UserError."""
        if self.convention:
            _check_published(judge)
        if judge.run and self.options.data is None:
            yield self._of_run(judge, judge.run)
            return
        data, options = self._data, self.options
        plan = data.plan(options, judge)
        kept, theirs = data.narrowed(plan), data.theirs
        within = judge.rows is data.rows
        own = narrow(kept.rows if within else judge.rows, theirs)
        for one in self._apart(replace(judge, rows=own.rows), [name for _, name in plan.on]):
            plan = replace(data, rows=one.rows if within else kept.rows).plan(options, one)
            left_out = {**(judge.run.left_out if judge.run else {}), **data.left_out, **kept.left_out}
            rows: Sequence[tuple[Row, Row | None]] = [(row, row) for row in one.rows]
            if not within:
                rows, lost = join(
                    kept.rows, one.rows, plan.on, kept.others, inner=bool(theirs) and not options.by
                )
                left_out |= lost
            elif plan.on:
                by_key(one.rows, [name for name, _ in plan.on])
            yield JudgeReader(one, plan.pairs(rows), options, left_out).gathered(plan.asked)

    def _of_run(self, judge: Judge, run: RunRows) -> Gathered:
        """The verdicts of a run beside the scores of people that came with its items. Raises UsageError."""
        options, layout = self.options, self._layout
        for name in ("human", "score", "choice", "group", "system", "confidences"):
            if getattr(options, name):
                raise UsageError(
                    f"{name}=... names a field of a file, data='FILE'; a run alone is compared with those of its items"
                )
        rows = Frame.of(Row("the run", number, debate) for number, debate in enumerate(run.debates, 1))
        kept = narrow(rows, [*map(Condition.parse, options.where), *layout.leaving_out("system")])
        entries = replace(run, debates=[row.data for row in kept.rows]).judged(judge.name)
        usual = [one.aspect for one in entries if one.aspect in layout.aspects]
        aspects = options.aspect_names or usual or [one.aspect for one in people_judged(entries)]
        if not aspects:
            raise UsageError(
                f"people scored no item of run {run.head.id}: data='FILE' says what they scored, and on='id' which texts"
            )
        known = {one.aspect: one for one in entries}
        for name in aspects:
            if name not in known:
                raise UsageError(f"aspects=...: the run has no {name!r}. {nearest(name, known)}")
        found = [
            replace(
                known[name],
                left_out={**run.left_out, **kept.left_out, **known[name].left_out},
                scale=options.scale_of(judge.name, name, known[name].scale),
                people_scale=options.people_scale,
            )
            for name in aspects
        ]
        return Gathered(judge, entries=tuple(found))

    def _apart(self, judge: Judge, on: Sequence[str]) -> Iterator[Judge]:
        """The judges of one file, each with a row a text: both orders of it together. The file's name tells them from those of others."""
        by, orders = names(self.options.by), self.options.orders
        if judge.run or not (by or orders):
            yield judge
            return
        for name in by:
            check_field(judge.rows, name, "by=...")
        lone = len(self._judges) == 1
        for name, rows in grouped(judge.rows, lambda row: " ".join(key_of(row, by))).items():
            called = name if name and lone else f"{judge.name} {name}".strip()
            yield replace(judge, name=called, rows=by_order(rows, orders, on) if orders else rows)


def _check_published(judge: Judge) -> None:
    """Raise UsageError for a judge whose debates are shorter than those of a published table, or not all there, as a budget leaves them."""
    rows = judge.run.debates if judge.run else [row.data for row in judge.rows]
    cut = sum(row.get("outcome") == "curtailed" for row in rows)
    short = f"limits made {cut} debates of {judge.name} shorter (curtailed)" if cut else ""
    if judge.run and judge.run.head.ended is None:
        short = f"debates of {judge.name} have not ended ({judge.run.left_out.get(NOT_ENDED, 'some')}; go on with the run)"
    if short:
        raise UsageError(f"{short}, as in no published table: leave out convention=...")


def _stored(runs: Sequence[str | RunRows], store: str) -> Iterator[Judge]:
    """The runs that are named, or that were read already, as judges. Raises UsageError."""
    named = [("", one) if isinstance(one, RunRows) else one.rpartition("=")[::2] for one in runs]
    opened = [run if isinstance(run, RunRows) else _read(run, store) for _, run in named]
    strategies = [run.head.title for run in opened]
    for (name, _), run in zip(named, opened, strict=True):
        usual = run.head.title if strategies.count(run.head.title) == 1 else run.head.id
        yield Judge(name or usual, run.items, run)


def _read(run: str, store: str) -> RunRows:
    with read_store(store) as reader:
        return run_rows(reader, reader.run(run))


class JudgeReader:
    """Reads one judge's judgements beside people's of the same texts. `left_out` are rows that are not among the pairs."""

    def __init__(
        self, judge: Judge, pairs: Sequence[Pair], options: AgreementOptions, left_out: Mapping[str, int]
    ) -> None:
        self._judge, self._pairs, self._options, self._left_out = judge, pairs, options, left_out
        self._accounts: list[Account] = []
        self._how, self._score = options.read or "auto", partial(score_of, grades=options.grade_numbers)

    def gathered(self, asked: Sequence[Asked]) -> Gathered:
        """Read all that is asked for. Raises DataError for a value that is not a score, and for a word that is not a label."""
        choices = [self._choices(one) for one in asked if one.labels is not None]
        entries = [entry for entry, _ in choices] or list(self._scores(asked))
        orders = tuple(both for _, both in choices if both)
        judge = replace(self._judge, accounts=tuple(self._accounts))
        return Gathered(judge, tuple(asked), tuple(entries), orders)

    def _scores(self, asked: Sequence[Asked]) -> Iterator[Judgements]:
        """The scores of each aspect, on their scales."""
        judge, options = self._judge, self._options
        known = judge.run.scales if judge.run else {}
        scales = {
            one.aspect: options.scale_of(judge.name, one.aspect, known.get(one.aspect)) for one in asked
        }
        grades = tuple(sorted(options.grade_numbers.items(), key=itemgetter(1)))
        fields = [
            AspectReplies(one.aspect, one.fields[0], graded(scales[one.aspect], grades)) for one in asked
        ]
        replies = score_replies(fields, self._how) if judge.replies else {}
        self._accounts += [one.account for one in replies.values()]
        for one in asked:
            read = replies[one.aspect].read if replies else self._score
            table = list(self._table(one, self._score, read))
            entry = judgements(judge.name, one.aspect, table, people=one.human.function)
            yield replace(
                self._whole(entry, table, one), scale=scales[one.aspect], people_scale=options.people_scale
            )

    def _choices(self, asked: Asked) -> tuple[Judgements, TwoOrders | None]:
        """The choices, and those of both orders where the judge saw both."""
        labels = labels_of(self._pairs, asked)
        read: Read = choice_of
        if self._judge.replies:
            replies = choice_replies(asked.aspect, self._how, labels.judge)
            self._accounts.append(replies.account)
            read = replies.read
        if asked.sums:
            read = partial(_best, asked.sums, labels.judge)
        table = [
            row._replace(value=labels.turned(str(row.value)))
            if row.order == "flip" and row.value is not None
            else row
            for row in self._table(
                asked,
                labelled(choice_of, labels, of_people=True),
                labelled(read, labels, of_people=False),
            )
        ]
        compare = partial(
            judgements, self._judge.name, asked.aspect, table, labels, people=asked.human.function
        )
        orders = (
            TwoOrders(compare(orders=("",)), compare(orders=asked.orders[1:]), labels.texts)
            if len(asked.orders) > 1
            else None
        )
        return self._whole(compare(orders=asked.orders), table, asked), orders

    def _table(self, asked: Asked, of_people: Read, of_judge: Read) -> Iterator[Judgement]:
        """People's judgements of each text, and the judge's, a sample each."""
        for pair in self._pairs:
            if pair.scores and withheld(pair.scores.data, asked.fields):
                continue
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

    def _whole(self, entry: Judgements, table: Sequence[Judgement], asked: Asked) -> Judgements:
        """The judgements with what was left out of them; an empty one of a person beside others counts there."""
        more = {
            NO_PERSON: sum(row.value is None for row in table if row.rater and not row.judge),
            WITHHELD: sum(withheld(one.scores.data, asked.fields) for one in self._pairs if one.scores),
        }
        return replace(entry, left_out={**self._left_out, **reasons(more)})


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
