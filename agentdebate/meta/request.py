"""People's and judges' judgements of the same texts, gathered from runs and files as the options name them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from agentdebate.datasets.files import read_frame
from agentdebate.datasets.frame import Frame
from agentdebate.datasets.named_values import names
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.conventions import NO_CONVENTION, Convention
from agentdebate.meta.fields import Condition, any_has, check_field, narrow
from agentdebate.meta.join import by_key, by_order, by_rater, join, key_of, pairs_of
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.plan import AgreementOptions, Judge, Plan
from agentdebate.meta.published_data import PublishedData
from agentdebate.meta.readers import Gathered, JudgeReader, People, people
from agentdebate.meta.run_rows import RunRows, people_judged, run_rows
from agentdebate.meta.talk import grouped
from agentdebate.store.reader import read_store


@dataclass(frozen=True)
class PeopleData:
    """The rows with people's judgements, one a text."""

    rows: Sequence[Row] = field(repr=False)
    layout: Convention
    """The fields that hold what, as far as a convention or a dataset says it."""
    conditions: tuple[Condition, ...] = ()
    """The conditions on texts and on judges, without those that chose among people."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    published: PublishedData | None = None


@dataclass(frozen=True)
class AgreementRequest:
    """Runs, files, and which fields of them hold what."""

    runs: tuple[str | RunRows, ...]
    """Runs by name, or as they were read."""
    options: AgreementOptions
    convention: Convention | None = None

    def gathered(self) -> tuple[Gathered, ...]:
        """Each judge's scores or choices beside people's. Raises UserError."""
        found = tuple(one for judge in self._judges() for one in self._compared(judge))
        aspects = {entry.aspect for one in found for entry in one.entries}
        self.options.check_scales((one.judge.name for one in found), aspects)
        return found

    def people(self, gathered: Sequence[Gathered]) -> People | None:
        """The judgements of single people of the same data; None where these are not asked for. Raises UsageError."""
        if not (self.options.ceiling or self.options.reliability):
            return None
        data = self._data
        plan = Plan(self.options, data.layout, data.rows)
        ours = [one for one in data.conditions if any_has(data.rows, one.field)]
        kept = narrow(data.rows, [*ours, *plan.without])
        pairs = pairs_of(((row, row) for row in kept.rows), plan.naming)
        asked = gathered[0].asked if gathered else plan.asked
        return people(pairs, {**data.left_out, **kept.left_out}, self.options, asked, data.published)

    @property
    def _conditions(self) -> tuple[Condition, ...]:
        return tuple(map(Condition.parse, self.options.where))

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
        if judge.run and self.convention and (cut := judge.run.head.outcomes.get("curtailed")):
            raise UsageError(
                f"limits made {cut} debates of run {judge.run.head.id} shorter (curtailed), as in no published table: "
                "leave out convention=..., or hold them without such limits"
            )
        if judge.run and self.options.data is None:
            yield self._of_run(judge, judge.run)
            return
        data = self._data
        within, plan = judge.rows is data.rows, Plan(self.options, data.layout, data.rows, judge)
        ours = [one for one in data.conditions if within or any_has(data.rows, one.field)]
        theirs = [one for one in data.conditions if one not in ours]
        kept = narrow(data.rows, [*ours, *plan.without])
        own = kept if within else narrow(judge.rows, theirs)
        for one in self._apart(
            replace(judge, rows=own.rows), [match.scores for match in plan.on], lone=within
        ):
            plan = Plan(self.options, data.layout, one.rows if within else kept.rows, one)
            left_out = {**(judge.run.left_out if judge.run else {}), **data.left_out, **kept.left_out}
            rows: Sequence[tuple[Row, Row | None]] = [(row, row) for row in one.rows]
            if not within:
                inner = bool(theirs) and not self.options.by
                rows, lost = join(kept.rows, one.rows, plan.on, kept.others, inner=inner)
                left_out |= lost
            elif plan.on:
                by_key(one.rows, [match.data for match in plan.on])
            yield JudgeReader(one, pairs_of(rows, plan.naming), self.options, left_out).gathered(plan.asked)

    def _of_run(self, judge: Judge, run: RunRows) -> Gathered:
        """The verdicts of a run beside the scores of people that came with its items. Raises UsageError."""
        options, layout = self.options, self.convention or NO_CONVENTION
        for name in ("human", "score", "choice", "group", "system", "confidences"):
            if getattr(options, name):
                raise UsageError(
                    f"{name}=... names a field of a file, data='FILE'; a run alone is compared with the scores that came with its items"
                )
        rows = Frame.of(Row("the run", number, debate) for number, debate in enumerate(run.debates, 1))
        kept = narrow(rows, [*self._conditions, *layout.leaving_out("system")])
        entries = replace(run, debates=[row.data for row in kept.rows]).judged(judge.name)
        usual = [one.aspect for one in entries if one.aspect in layout.aspects]
        aspects = options.aspect_names or usual or [one.aspect for one in people_judged(entries)]
        left_out = {**run.left_out, **kept.left_out}
        return Gathered(
            judge, entries=tuple(replace(one, left_out=left_out) for one in _about(entries, aspects))
        )

    def _apart(self, judge: Judge, on: Sequence[str], *, lone: bool) -> Iterator[Judge]:
        """The judges of one file, each with a row a text: both orders of it together. `lone` says that no other file has judges."""
        by, orders = names(self.options.by), self.options.orders
        if judge.run or not (by or orders):
            yield judge
            return
        for name in by:
            check_field(judge.rows, name, "by=...")
        lone = lone or len(self.options.scores + self.options.replies) + len(self.runs) == 1
        for name, rows in grouped(judge.rows, lambda row: " ".join(key_of(row, by))).items():
            called = name if name and lone else f"{judge.name} {name}".strip()
            yield replace(judge, name=called, rows=by_order(rows, orders, on) if orders else rows)

    @cached_property
    def _data(self) -> PeopleData:
        """The rows of the data, those of one text together where each person has a row. Raises UserError."""
        options, conditions = self.options, self._conditions
        layout = self.convention or NO_CONVENTION
        if options.data is None:
            raise UsageError(
                "name the file with people's judgements: data='FILE' (of a run, people's means alone are known)"
            )
        path = named_path(options.data)[1]
        if options.dataset:
            data = PublishedData.read(options.dataset, path, subset=options.subset)
            return PeopleData(data.rows, data.layout(layout), conditions, data.left_out, data)
        rows: Sequence[Row] = read_frame(path)
        if options.rater is None:
            return PeopleData(rows, layout, conditions)
        known = [one for one in conditions if any_has(rows, one.field)]
        kept = narrow(rows, known)
        texts = by_rater(kept.rows, options.rater, [match.data for match in options.matches(layout.on)])
        left_out = {f"rows of people: {why}": count for why, count in kept.left_out.items()}
        return PeopleData(texts, layout, tuple(one for one in conditions if one not in known), left_out)


def _about(entries: Sequence[Judgements], aspects: Sequence[str]) -> Iterator[Judgements]:
    """The judgements on these aspects, in their order. Raises UsageError for one that nothing is known of."""
    known = {one.aspect: one for one in entries}
    for name in aspects:
        if name not in known:
            raise UsageError(f"aspects=...: the run has no {name!r}. {nearest(name, known)}")
        yield known[name]


def _stored(runs: Sequence[str | RunRows], store: str) -> Iterator[Judge]:
    """The runs that are named, or that were read already, as judges. Raises UsageError."""
    named = [("", one) if isinstance(one, RunRows) else one.rpartition("=")[::2] for one in runs]
    opened = [run if isinstance(run, RunRows) else _read(run, store) for _, run in named]
    strategies = [run.head.strategy for run in opened]
    for (name, _), run in zip(named, opened, strict=True):
        usual = run.head.strategy if strategies.count(run.head.strategy) == 1 else run.head.id
        yield Judge(name or usual, run.items, run)


def _read(run: str, store: str) -> RunRows:
    if Path(run).is_file():
        raise UsageError(f"{run} is a file and no run: scores='{run}' (or replies=..., data=...)")
    with read_store(store) as reader:
        return run_rows(reader, reader.run(run))


def named_path(text: str) -> tuple[str, str]:
    """Read NAME=FILE; the name of a file without one is what it is called but for its ending."""
    name, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        return Path(text).stem, text
    if not (name and path):
        raise UsageError(f"FILE, or NAME=FILE, is wanted here, not {text!r}")
    return name, path
