"""People's and judges' judgements of the same texts, gathered from runs and files as the options name them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from agentdebate.datasets.files import read_frame
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.conditions import Condition, narrow
from agentdebate.meta.conventions import Convention, check_dataset
from agentdebate.meta.fields import any_has, check_field
from agentdebate.meta.joining import Joined, Pair, by_key, by_rater, join
from agentdebate.meta.judges import Judge, apart, judges_of, named_path
from agentdebate.meta.options import AgreementOptions
from agentdebate.meta.people import People, people
from agentdebate.meta.plan import Plan, people_fields
from agentdebate.meta.published_data import PublishedData
from agentdebate.meta.readers import Gathered, JudgeReader
from agentdebate.meta.run_rows import RunRows


@dataclass(frozen=True)
class PeopleData:
    """The rows with people's judgements, one a text."""

    rows: Sequence[Row] = field(repr=False)
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
        if self.convention and self.options.dataset:
            check_dataset(self.convention, self.options.dataset)
        found = tuple(one for judge in self._judges() for one in self._compared(judge))
        names, aspects = (
            [one.judge.name for one in found],
            [one.aspect for each in found for one in each.asked],
        )
        self.options.check_scales(names, aspects)
        return found

    def people(self, gathered: Sequence[Gathered]) -> People | None:
        """The judgements of single people of the same data; None where these are not asked for. Raises UsageError."""
        if not (self.options.ceiling or self.options.reliability):
            return None
        if self.options.data is None:
            raise UsageError(
                "ceiling=... takes the single ratings of people, and a run has their means only: data='FILE', with dataset=... or "
                "annotators=..., says where they are"
            )
        data = self._data
        plan = self._plan(data, None)
        kept = narrow(
            data.rows, [*(one for one in data.conditions if any_has(data.rows, one.field)), *plan.without]
        )
        joined = Joined(
            [Pair(row, row) for row in kept.rows], plan.naming, {**data.left_out, **kept.left_out}
        )
        return people(joined, self.options, gathered[0].asked if gathered else plan.asked, data.published)

    def _judges(self) -> tuple[Judge, ...]:
        """The judges that are named, else the one whose judgements stand in the data; none where people alone are asked for."""
        options, found = self.options, judges_of(self.runs, self.options)
        if found or (options.ceiling and not (options.score or options.choice or options.reply)):
            return found
        if options.data is None:
            raise UsageError("name a run, or the file with people's scores: data='FILE'")
        if options.dataset:
            raise UsageError(
                "dataset=... reads what people say: name a judge, by a run, scores=... or replies=..."
            )
        if not (options.score or options.choice or options.reply or options.read):
            raise UsageError(
                "which judge? name a run, scores='FILE' or replies='FILE', or the fields of the data that hold a judge's "
                "scores: score='ASPECT=FIELD'"
            )
        replies = bool(options.reply or options.read)
        return (Judge(named_path(options.data)[0], self._data.rows, replies=replies),)

    def _compared(self, judge: Judge) -> Iterator[Gathered]:
        """A source of judgements beside the data: one judge, or those of one file apart. Raises UserError."""
        alone = judge.run is not None and self.options.data is None
        if self.options.data is None and not alone:
            raise UsageError("name a run, or the file with people's scores: data='FILE'")
        data = PeopleData(judge.rows, self.options.conditions) if alone else self._data
        within, plan = judge.rows is data.rows, self._plan(data, judge)
        ours = [one for one in data.conditions if any_has(data.rows, one.field)]
        theirs = [one for one in data.conditions if one not in ours]
        for condition in theirs:
            if not any_has(judge.rows, condition.field):
                check_field(data.rows, condition.field, "where=...")
        kept = narrow(data.rows, [*ours, *plan.without])
        own = kept if within else narrow(judge.rows, theirs)
        judge = replace(judge, rows=own.rows, aside=() if within else own.others)
        data = replace(data, rows=kept.rows, left_out={**data.left_out, **kept.left_out})
        lone = within or len(self.options.scores) + len(self.options.replies) + len(self.runs) == 1
        on = [match.scores for match in plan.on]
        for one in apart(judge, self.options, on, lone=lone):
            yield self._gathered(one, data, kept.others, within=within)

    def _gathered(self, judge: Judge, data: PeopleData, others: Sequence[Row], *, within: bool) -> Gathered:
        plan = self._plan(replace(data, rows=judge.rows) if within else data, judge)
        left_out = {**(judge.run.left_out if judge.run else {}), **data.left_out}
        if within:
            if plan.on:
                by_key(judge.rows, [match.data for match in plan.on])
            pairs = [Pair(row, row) for row in judge.rows]
        else:
            pairs, lost = join(data.rows, judge.rows, plan.on, others, judge.aside)
            left_out |= lost
        return JudgeReader(judge, Joined(pairs, plan.naming, left_out), self.options).gathered(plan.asked)

    def _plan(self, data: PeopleData, judge: Judge | None) -> Plan:
        """The fields of the data and of a judge's rows, with what is known of a run or a dataset where options do not say it."""
        options, convention, run = self.options, self.convention, judge.run if judge else None
        alone = run is not None and options.data is None
        if run and convention and (cut := run.head.outcomes.get("curtailed")):
            raise UsageError(
                f"limits made {cut} debates of run {run.head.id} shorter (curtailed), as in no published table: "
                "leave out convention=..., or hold them without such limits"
            )
        if run and alone:
            options, convention = (
                run.named(options),
                convention and replace(convention, group=None, system=None),
            )
        if data.published:
            chooses = run is not None or judge is None
            options = data.published.named(options, convention, chooses=chooses)
            if judge is None and not options.aspects and not convention:
                options = replace(options, aspects=",".join(data.published.aspects) or None)
            convention = data.published.convention(convention)
        return Plan(options, convention, data.rows, judge, alone)

    @cached_property
    def _data(self) -> PeopleData:
        """The rows of the data, those of one text together where each person has a row. Raises UserError."""
        options, path = self.options, named_path(self.options.data or "")[1]
        if options.dataset:
            found = PublishedData.read(options.dataset, path, subset=options.subset)
            return PeopleData(found.rows, options.conditions, found.left_out, found)
        rows: Sequence[Row] = read_frame(path)
        if options.rater is None:
            return PeopleData(rows, options.conditions)
        kept = narrow(rows, [one for one in options.conditions if any_has(rows, one.field)])
        on = [match.data for match in options.matches(self.convention)]
        texts = by_rater(kept.rows, options.rater, on, people_fields(options, self.convention))
        left = tuple(one for one in options.conditions if not any_has(rows, one.field))
        return PeopleData(
            texts, left, {f"rows of people of which {why}": count for why, count in kept.left_out.items()}
        )
