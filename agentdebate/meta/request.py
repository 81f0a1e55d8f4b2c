"""What people and judges say of the same texts, gathered from runs and files as the options name them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from agentdebate.datasets.files import read_frame
from agentdebate.datasets.frame import Selection
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.agreement_fields import AgreementFields
from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.choosing import Choosing, choices
from agentdebate.meta.conventions import Convention, check_dataset, check_systems
from agentdebate.meta.fields import has, values_in
from agentdebate.meta.joining import Joined, Scored, judgements
from agentdebate.meta.judgements import Choices, Entry, Judgements
from agentdebate.meta.judges import Judge, JudgeSources, named_path
from agentdebate.meta.pairing import Pairing, asked_aspects, asked_choices, scored
from agentdebate.meta.people import People, PeopleSettings, people, people_in_lists
from agentdebate.meta.published_data import PublishedData, published_data
from agentdebate.meta.record_layout import RecordLayout, by_rater
from agentdebate.meta.replies import Extractor
from agentdebate.meta.run_rows import RunRows
from agentdebate.meta.two_orders import TwoOrders, two_orders
from agentdebate.meta.where import Condition


@dataclass(frozen=True)
class Source:
    """Where what one judge and people say is from: which rows, joined how, and which fields of them."""

    pairing: Pairing
    judge: Judge
    """The judge of the pairing, with its replies read."""
    joined: Joined = field(repr=False)
    options: JudgeSources
    choosing: Choosing | None = None
    """The choices that are compared."""
    scored: tuple[Scored, ...] = ()
    """The scores that are compared."""


@dataclass(frozen=True)
class Gathered:
    """What one judge and people say, and where it is from."""

    judgements: tuple[Judgements, ...] = ()
    choices: tuple[Choices, ...] = ()
    alone: tuple[Choices, ...] = ()
    """The judge's choices where people's are not asked for: only how many there are is said of them."""
    orders: tuple[TwoOrders, ...] = ()
    """The choices in both orders, where these were asked for."""
    source: "Source | None" = None
    """Where it is from."""
    judge: Judge | None = None
    """The judge, with what became of its replies."""
    people: People | None = None
    """What single people said, where people's field holds a list."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Its scores, or its choices."""
        return (*self.judgements, *self.choices)


@dataclass(frozen=True)
class AgreementRequest:
    """What was asked for: runs, files, and which fields of them hold what."""

    runs: tuple[str | RunRows, ...]
    """Runs by name, or as they were read."""
    data: str | None
    judges: JudgeSources
    fields: AgreementFields
    convention: Convention | None = None
    dataset: str | None = None
    """The dataset that the data is published as."""
    subset: bool = False
    ceiling: PeopleSettings = PeopleSettings()
    records: RecordLayout = RecordLayout()
    scaled: bool = False
    """Whether the scale of scores is of use, whatever they are from."""
    extractor: Extractor | None = None
    """Asks a model about replies that our reader refuses."""

    def gathered(self) -> Iterator[Gathered]:
        """Each judge's scores or choices beside people's. Raises UserError."""
        self.judges.check(choices=self.fields.choice is not None, scaled=self.scaled)
        whole = self._pairings()
        self._check_effects()
        aspects, judges = dict[str, None](), list[str]()
        for pairing in whole:
            for each in self.records.apart(self._graded(pairing), prefix=len(whole) > 1):
                self._check_convention(each)
                gathered = _gather(each, self.judges, self.records.letters, self.extractor)
                aspects |= dict.fromkeys(one.aspect for one in gathered.judgements)
                judges.append(each.judge.name)
                yield gathered
        if aspects:
            self.judges.scales.check(judges, aspects)

    def people(self, gathered: Sequence[Gathered]) -> People | None:
        """What single people said of the same data; None where no ceiling is asked for, and people's field has no lists.

        Raises UserError.
        """
        listed = next((one.people for one in gathered if one.people), None)
        self.ceiling.check(listed=listed is not None)
        if not self.ceiling.ceiling:
            return listed
        if self.data is None:
            raise UsageError(
                "ceiling=... takes the single ratings of people, and a run has their means only: data='FILE', with dataset=... or "
                "annotators=..., says where they are"
            )
        aspects = list(dict.fromkeys(one.aspect for each in gathered for one in each.judgements))
        single = self._of_people(judged=bool(gathered))
        self._check_convention(single)
        return people(single, self.ceiling, aspects, self._published)

    def _check_convention(self, pairing: Pairing) -> None:
        """Raise UsageError where the data is not that of the convention's dataset."""
        convention, rows = self.convention, pairing.rows
        if convention is None:
            return
        if self.dataset is not None:
            check_dataset(convention, self.dataset)
            return
        systems: Sequence[str] = ()
        if convention.system or pairing.alone:
            systems = tuple(dict.fromkeys(map(str, values_in(rows, _system(convention, pairing)))))
        check_systems(convention, systems, len(rows), Path(rows[0].path).name if rows else "the data")

    def _check_effects(self) -> None:
        """Raise UsageError for options that would have no effect."""
        judges = self._judges
        compared = self.fields.choosing(self.convention) is not None
        if compared and self.fields.aspects and not any(judge.run for judge in judges):
            raise UsageError(
                "aspects=... names scores, and with choice=... texts are compared by choices: leave one of the two out"
            )
        if not (self.judges.reads or any(judge.replies for judge in judges)):
            self.records.check_grades([self._rows, *(judge.rows for judge in judges)], self._lettered)

    @property
    def _lettered(self) -> tuple[str, ...]:
        """The fields in which words may stand for scores."""
        return (*self.fields.scored, *(name for each in self.ceiling.fields.values() for name in each))

    def _of_people(self, *, judged: bool) -> Pairing:
        """The data beside itself; a condition on fields that only judges' files have says nothing of it."""
        fields, convention, published = self.fields, self.convention, self._published
        if published is not None:
            fields = published.fields(fields, convention, run=True)
            convention = published.convention(convention)
        rows = self._rows
        known = [text for text in fields.where if _in_data(Condition.parse(text), rows)]
        fields = replace(fields, where=tuple(known)) if judged else fields
        left_out = published.left_out if published else {}
        return self._graded(Pairing(Judge(PEOPLE, rows), rows, fields, convention, left_out))

    def _graded(self, pairing: Pairing) -> Pairing:
        """The pairing with the numbers that words stand for, on both sides."""
        fields = self._lettered
        pairing = replace(pairing, grades=self.records.letters)
        rows = self.records.graded(pairing.rows, fields)
        if pairing.judge.rows is pairing.rows:
            return replace(pairing, rows=rows, judge=replace(pairing.judge, rows=rows))
        judge = replace(pairing.judge, rows=self.records.graded(pairing.judge.rows, fields))
        return replace(pairing, rows=rows, judge=judge)

    @cached_property
    def _published(self) -> PublishedData | None:
        """The data as a published dataset; None where it is none."""
        if self.dataset is None or self.data is None:
            return None
        return published_data(self.dataset, named_path(self.data)[1], subset=self.subset)

    @cached_property
    def _rows(self) -> Sequence[Row]:
        """The rows of the data."""
        if self._published is not None:
            return self._published.rows
        if self.data is None:
            if self.fields.rater is not None:
                raise UsageError("rater=...: a row for every person is in a file, which data=... names")
            return ()
        aspects = [name for judge in self._judges if judge.run for name in judge.run.aspects]
        rows = read_frame(named_path(self.data)[1], self._selection(aspects))
        if self.fields.rater is None:
            return rows
        return by_rater(rows, self.fields.rater, [one.data for one in self.fields.matches(self.convention)])

    @cached_property
    def _judges(self) -> tuple[Judge, ...]:
        judges = self.judges.judges(self.runs, self._selection())
        return tuple(map(_uncurtailed, judges)) if self.convention else judges

    def _selection(self, more: Sequence[str] = ()) -> Selection:
        """The fields of files that are used, as far as options name them, and `more`; the others may be scores."""
        named = {
            "id",  # a run calls its items so
            *self.fields.used(self.convention),
            *self.records.used,
            *(name for each in self.judges.reply_fields.items() for name in each),
            *(name for aspect, each in self.ceiling.fields.items() for name in (aspect, *each)),
            *more,
        }
        if self.records.orders:  # ORDER.field is a field of the rows of an order
            named |= {".".join(parts) for name in named for parts in _endings(name.split("."))}
        known = self.fields.named_aspects() or self.fields.choosing(self.convention)
        return Selection(frozenset(named), numbers=not known)

    def _pairings(self) -> list[Pairing]:
        judges = self._judges
        if self.data is None:
            self._check_runs(judges)
            return [Pairing(judge, judge.rows, self.fields, self.convention) for judge in judges]
        if not (judges or self.fields.score or self.fields.choice or self.judges.reads):
            if self.ceiling.ceiling:  # people alone
                return []
            raise UsageError(
                "which judge? name a run, scores='FILE' or replies='FILE', or the fields of the data that hold a judge's "
                "scores: score='ASPECT=FIELD'"
            )
        if self.dataset and not judges:
            raise UsageError(
                "dataset=... reads what people say: name a judge, by a run, scores=... or replies=..."
            )
        if self._published is not None:
            return self._of_dataset(judges, self._published)
        within = Judge(named_path(self.data)[0], self._rows, replies=self.judges.reads)
        return [Pairing(judge, self._rows, self.fields, self.convention) for judge in judges or (within,)]

    def _of_dataset(self, judges: tuple[Judge, ...], data: PublishedData) -> list[Pairing]:
        convention = data.convention(self.convention)
        return [
            Pairing(
                judge,
                data.rows,
                data.fields(self.fields, self.convention, run=judge.run is not None),
                convention,
                data.left_out,
            )
            for judge in judges
        ]

    def _check_runs(self, judges: tuple[Judge, ...]) -> None:
        if not judges or any(not judge.run for judge in judges):
            raise UsageError("name a run, or the file with people's scores: data='FILE'")
        given = {
            "dataset=...": self.dataset,
            "group=...": self.fields.group,
            "system=...": self.fields.system,
            "on=...": self.fields.on,
        }
        for option, value in given.items():
            if value:
                raise UsageError(
                    f"{option} is for data=...: a run knows the groups, systems and ids of its items"
                )


def _uncurtailed(judge: Judge) -> Judge:
    """The judge without what curtailed debates came to, where it is a run."""
    if judge.run is None:
        return judge
    run = judge.run.uncurtailed()
    return replace(judge, run=run, rows=run.rows)


def _system(convention: Convention, pairing: Pairing) -> str:
    """The field of the systems, by which the texts of a dataset are known. Raises UsageError where there is none."""
    system = pairing.naming.system
    if system is None:
        where = Path(pairing.rows[0].path).name if pairing.rows else "the data"
        how = (
            "hold the run with system=..."
            if pairing.alone
            else f"{where} has no field {convention.system!r}, and system=... says which field names the systems"
        )
        raise UsageError(
            f"convention='{convention.name}' is of {convention.dataset}, whose texts are known by their systems: {how}"
        )
    return system


def _endings(parts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (parts[start:] for start in range(1, len(parts)))


def _in_data(condition: Condition, rows: Sequence[Row]) -> bool:
    return any(has(row, condition.field) for row in rows)


def _gather(
    pairing: Pairing, options: JudgeSources, grades: Mapping[str, float], extractor: Extractor | None
) -> Gathered:
    asked = asked_choices(pairing)
    if asked:
        return _chosen(pairing, options, asked, extractor)
    return _scored(pairing, options, grades, extractor)


def _chosen(
    pairing: Pairing, options: JudgeSources, asked: tuple[Choosing, ...], extractor: Extractor | None
) -> Gathered:
    judge, chosen = pairing.judge, asked
    joined = pairing.joined(judge.rows)
    if judge.replies:
        judge, there, joined = options.with_choices(judge, asked[0], joined, extractor)
        chosen = (there,)
    made = [(one.human, choices(judge.name, joined, one, pairing.naming)) for one in chosen]
    both = (two_orders(judge.name, joined, one, pairing.naming) for one in chosen)
    return Gathered(
        choices=tuple(one for human, one in made if human),
        alone=tuple(one for human, one in made if not human),
        orders=tuple(one for one in both if one is not None),
        source=Source(pairing, judge, joined, options, asked[0]),
        judge=judge,
        people=people_in_lists(joined, pairing.naming, chosen[0]),
    )


def _scored(
    pairing: Pairing, options: JudgeSources, grades: Mapping[str, float], extractor: Extractor | None
) -> Gathered:
    judge = pairing.judge
    aspects = asked_aspects(pairing, [name for name in options.reply_fields if name] if judge.replies else ())
    fields = [scored(pairing, judge, aspect) for aspect in aspects]
    joined = pairing.joined(judge.rows)
    if judge.replies:
        judge, joined = options.with_scores(judge, aspects, joined, grades, extractor)
    found = judgements(judge.name, joined, fields, pairing.naming)
    return Gathered(
        tuple(options.on_scales(judge, found)),
        source=Source(pairing, judge, joined, options, scored=tuple(fields)),
        judge=judge,
        people=people_in_lists(joined, pairing.naming, None, fields),
    )
