"""People's and judges' judgements of the same texts, gathered from runs and files as the options name them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from agentdebate.datasets.files import read_frame
from agentdebate.datasets.frame import Selection
from agentdebate.datasets.named_values import free_pairs
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement_fields import AgreementFields
from agentdebate.meta.conventions import Convention, check_dataset
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import Condition, any_has, check_field, known_fields, narrow
from agentdebate.meta.joining import (
    ByRater,
    Joined,
    Match,
    Naming,
    Pair,
    RecordLayout,
    by_key,
    by_rater,
    join,
    there,
)
from agentdebate.meta.judgements import Choices, Entry, Judgements, is_score
from agentdebate.meta.judges import Judge, JudgeSources, named_path, names_of
from agentdebate.meta.people import People, PeopleSettings, people
from agentdebate.meta.published_data import PublishedData, published_data
from agentdebate.meta.readers import Choosing, Scored
from agentdebate.meta.run_rows import HUMAN, PEOPLE, SCORES, WINNER, RunRows, by_name
from agentdebate.meta.talk import TIE
from agentdebate.meta.two_orders import TwoOrders


@dataclass(frozen=True)
class Gathered:
    """One judge's judgements and people's."""

    judge: Judge
    """The judge, with what became of its replies."""
    asked: Choosing | tuple[Scored, ...] = field(repr=False)
    """The choices, or the scores, that are compared."""
    judgements: tuple[Judgements, ...] = ()
    choices: tuple[Choices, ...] = ()
    alone: tuple[Choices, ...] = ()
    """The judge's choices where people's are not asked for: only how many there are is said of them."""
    orders: tuple[TwoOrders, ...] = ()
    """The choices in both orders, where these were asked for."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Its scores, or its choices."""
        return (*self.judgements, *self.choices)


@dataclass(frozen=True)
class AgreementRequest:
    """Runs, files, and which fields of them hold what."""

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
    records: RecordLayout = field(default_factory=RecordLayout)
    scaled: bool = False
    """True if the scale of scores is used, whatever their source."""

    def gathered(self) -> Iterator[Gathered]:
        """Each judge's scores or choices beside people's. Raises UserError."""
        self._check()
        aspects, judges = dict[str, None](), list[Judge]()
        for judge in self._apart():
            found = self._gathered(judge)
            aspects |= dict.fromkeys(one.aspect for one in found.judgements)
            judges.append(judge)
            yield found
        if aspects:
            self.judges.scales.check(names_of(judges), aspects)

    def people(self, gathered: Sequence[Gathered]) -> People | None:
        """The judgements of single people of the same data; None where these are not asked for. Raises UsageError."""
        self.ceiling.check()
        if not self.ceiling.asked:
            return None
        if self.data is None:
            raise UsageError(
                "ceiling=... takes the single ratings of people, and a run has their means only: data='FILE', with dataset=... or "
                "annotators=..., says where they are"
            )
        side = _Side(Judge(PEOPLE, self.data_rows), self)
        asked = gathered[0].asked if gathered else next(iter(side.choosing), None) or side.people_alone()
        return people(side.people(), self.ceiling, asked, self.published, self.records_grades)

    @property
    def records_grades(self) -> Mapping[str, float]:
        """The scores that words stand for. Raises UsageError."""
        found: dict[str, float] = {}
        for word, text in free_pairs(self.records.grades, "grades=...").items():
            try:
                found[word] = float(text)
            except ValueError:
                found[word] = float("nan")
            if not is_score(found[word]):
                raise UsageError(
                    f"grades=... takes WORD=NUMBER, and {text!r} of {word!r} is not a number that can be used"
                )
        return found

    def _gathered(self, judge: Judge) -> Gathered:
        side = _Side(judge, self)
        joined = side.joined()
        if side.choosing:
            return self._compared(judge, side, joined)
        asked = side.scored()
        judge, scores = self.judges.scored(judge, joined, asked, self.records_grades)
        return Gathered(judge, asked, scores)

    def _compared(self, judge: Judge, side: "_Side", joined: Joined) -> Gathered:
        with_people, alone, orders = list[Choices](), list[Choices](), list[TwoOrders]()
        for one in side.choosing:
            judge, found = self.judges.compared(judge, joined, one)
            (with_people if one.human else alone).append(found.choices)
            orders += [found.orders] if found.orders else []
        return Gathered(judge, side.choosing[0], (), tuple(with_people), tuple(alone), tuple(orders))

    def _apart(self) -> Iterator[Judge]:
        """The judges, those of one file apart, each with a row an item. Raises UserError."""
        judges, layout = self.named_judges or self._within(), self.records
        for judge in judges:
            if not (layout.by or layout.orders):
                yield judge
                continue
            if judge.run:
                raise UsageError(f"{'by' if layout.by else 'orders'}=... is for files: a run is one judge")
            within = judge.rows is self.data_rows
            met = [one for one in self.conditions if within or not any_has(self.data_rows, one.field)]
            known = [one for one in met if any_has(judge.rows, one.field)]
            kept = narrow(judge.rows, known)
            others = layout.judges(kept.others) if kept.others else {}
            for name, rows in layout.judges(kept.rows).items():
                on = [one.scores for one in there(self.fields.matches(self.convention), rows, {})]
                yield replace(
                    judge,
                    name=f"{judge.name} {name}".strip() if len(judges) > 1 or not name else name,
                    rows=layout.side_by_side(rows, on),
                    met=tuple(known),
                    aside=() if within else others.get(name, ()),
                    left_out=kept.left_out if within else {},
                )

    def _within(self) -> tuple[Judge, ...]:
        """The judge whose judgements stand in the data; none where people alone are asked for. Raises UsageError."""
        if self.data is None:
            raise UsageError("name a run, or the file with people's scores: data='FILE'")
        if not (self.fields.score or self.fields.choice or self.judges.reads):
            if self.ceiling.asked:
                return ()
            raise UsageError(
                "which judge? name a run, scores='FILE' or replies='FILE', or the fields of the data that hold a judge's "
                "scores: score='ASPECT=FIELD'"
            )
        if self.dataset:
            raise UsageError(
                "dataset=... reads what people say: name a judge, by a run, scores=... or replies=..."
            )
        return (Judge(named_path(self.data)[0], self.data_rows, replies=self.judges.reads),)

    def _check(self) -> None:
        """Raise UsageError for options that contradict one another, or would have no effect."""
        if self.convention and self.dataset:
            check_dataset(self.convention, self.dataset)
        compared = self.fields.choosing(self.convention) is not None
        self.judges.check(choices=self.fields.choice is not None, scaled=self.scaled)
        if compared and self.fields.aspects and not any(judge.run for judge in self.named_judges):
            raise UsageError(
                "aspects=... names scores, and with choice=... texts are compared by choices: leave one of the two out"
            )
        if self.named_judges and all(judge.run for judge in self.named_judges):
            of_files = {
                "confidences": self.fields.confidences,
                "grades": self.records.grades,
                "reply": self.judges.reply,
            }
            for option in (name for name, value in of_files.items() if value):
                raise UsageError(f"{option}=... is for the fields of files, and a run has its own scores")
        if self.data is None:
            given = {"dataset": self.dataset, "rater": self.fields.rater, "on": self.fields.on}
            more = {"group": self.fields.group, "system": self.fields.system, "choice": self.fields.choice}
            for option, value in {**given, **more}.items():
                if value and (self.named_judges or option == "rater"):
                    raise UsageError(
                        f"{option}=... is for data=...: a run knows the groups, systems and ids of its items, and people's scores"
                    )
            if not self.named_judges or any(not judge.run for judge in self.named_judges):
                raise UsageError("name a run, or the file with people's scores: data='FILE'")

    @cached_property
    def published(self) -> PublishedData | None:
        """The data as a published dataset; None where it is none."""
        if self.dataset is None or self.data is None:
            return None
        return published_data(self.dataset, named_path(self.data)[1], subset=self.subset)

    @cached_property
    def data_rows(self) -> Sequence[Row]:
        """The rows of the data."""
        if self.published is not None:
            return self.published.rows
        return self.from_file.rows

    @cached_property
    def from_file(self) -> ByRater:
        """The rows of the file of data, those of one text together where each person has a row. Raises UserError."""
        if self.published is not None or self.data is None:
            return ByRater(())
        aspects = [name for judge in self.named_judges if judge.run for name in judge.run.aspects]
        rows = read_frame(named_path(self.data)[1], self._selection(aspects))
        if self.fields.rater is None:
            return ByRater(rows)
        on = [one.data for one in self.fields.matches(self.convention)]
        people = list(self.fields.of_people(self.convention))
        return by_rater(rows, self.fields.rater, on, people, self.fields.conditions)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions on texts and on judges, without those that chose among people. Raises UserError."""
        return tuple(one for one in self.fields.conditions if one not in self.from_file.met)

    @cached_property
    def named_judges(self) -> tuple[Judge, ...]:
        """The judges that options name; none where all stands in the data."""
        return self.judges.judges(self.runs, self._selection())

    def _selection(self, more: Sequence[str] = ()) -> Selection:
        """The fields of files that are used."""
        named = {
            "id",  # a run calls its items so
            *self.fields.used(self.convention),
            *self.records.used,
            *(name for each in self.judges.reply_fields.items() for name in each),
            *(name for aspect, each in self.ceiling.fields.items() for name in (aspect, *each)),
            *more,
        }
        if self.records.orders:  # ORDER.field is a field of the rows of an order
            named |= {name.partition(".")[2] for name in named if "." in name}
        return Selection(frozenset(named))


class _Side:
    """One judge beside the data: by which fields its rows are matched, which rows count, and what is compared."""

    def __init__(self, judge: Judge, request: AgreementRequest) -> None:
        self._judge, self._request = judge, request
        published = request.published
        within = not judge.run and request.named_judges == ()
        self.alone = judge.run is not None and request.data is None
        self._within = within
        self._rows = judge.rows if within or self.alone else request.data_rows
        self._fields, self._convention = request.fields, request.convention
        self._left_out = {**(judge.run.left_out if judge.run else {}), **request.from_file.left_out}
        if self._convention and judge.run and (cut := judge.run.head.outcomes.get("curtailed")):
            raise UsageError(
                f"limits made {cut} debates of run {judge.run.head.id} shorter (curtailed), as in no published table: "
                "leave out convention=..., or hold them without such limits"
            )
        if published is not None:
            run = judge.run is not None or judge.name == PEOPLE
            self._fields = published.fields(request.fields, request.convention, run=run)
            self._convention = published.convention(request.convention)
            self._left_out |= published.left_out

    @cached_property
    def naming(self) -> Naming:
        """The fields that name a text of the data. Raises UsageError for one that is not there."""
        if self.alone and self._judge.run:
            return self._judge.run.naming
        group = self._fields.group or self._of_convention("group")
        system = self._fields.system or self._of_convention("system")
        for option, name in (("group=...", group), ("system=...", system)):
            if name:
                check_field(self._rows, name, option)
        named = tuple(match.data for match in self._fields.matches(self._convention))
        return Naming(named or ((group, system) if group and system else ()), group, system)

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The fields by which rows are matched, as they are called on both sides."""
        found, more = self._fields.matches(self._convention), dict[str, str | None]()
        if self._judge.run:
            own, ours = self._judge.run.naming, self.naming
            more = {name: own for name, own in ((ours.group, own.group), (ours.system, own.system)) if name}
            more |= {found[0].data: more.get(found[0].data) or "id"} if len(found) == 1 else {}
        return there(found, self._judge.rows, more)

    def joined(self) -> Joined:
        """The data beside the judge's rows, as far as the conditions hold. Raises UserError."""
        ours, theirs = self._conditions()
        kept = narrow(self._rows, ours)
        left_out = {**self._left_out, **self._judge.left_out, **kept.left_out}
        if self._within or self.alone:
            fields = [match.data for match in self._fields.matches(None)]
            for name in fields:
                check_field(kept.rows, name, "on=...")
            if fields:
                by_key(kept.rows, fields)
            return Joined([Pair(row, row) for row in kept.rows], self.naming, left_out)
        own = narrow(self._judge.rows, theirs)
        pairs, lost = join(kept.rows, own.rows, self.matches, kept.others, [*own.others, *self._judge.aside])
        return Joined(pairs, self.naming, {**left_out, **lost})

    def people(self) -> Joined:
        """The data beside itself; a condition on fields that only judges' files have says nothing of it."""
        known = [one for one in self._request.conditions if any_has(self._rows, one.field)]
        kept = narrow(self._rows, [*known, *self._of_systems()])
        pairs = [Pair(row, row) for row in kept.rows]
        return Joined(pairs, self.naming, {**self._left_out, **kept.left_out})

    @cached_property
    def choosing(self) -> tuple[Choosing, ...]:
        """The choices that are compared, with their fields; none where texts are scored one by one. Raises UsageError."""
        asked, run = self._fields.choosing(self._convention), self._judge.run
        if run is not None:
            return self._of_run(run, asked)
        if asked is None:
            return ()
        if asked.human is None and len(asked.orders) < 2:  # noqa: PLR2004 - two texts have two orders
            raise UsageError(
                "choice=...: people's choice is missing before the =; without it two orders can be compared, FIELD+flip(FIELD)"
            )
        sides = ((self._rows, asked.human.fields if asked.human else ()), (self._judge.rows, asked.fields))
        for rows, names in sides if self._judge.name != PEOPLE else sides[:1]:
            for name in names:
                check_field(rows, name, "choice=...")
        if asked.confidence:
            check_field(self._judge.rows, asked.confidence, "confidences=...")
        return (asked,)

    def scored(self) -> tuple[Scored, ...]:
        """The aspects that are compared, with their fields on both sides. Raises UsageError."""
        return tuple(self._aspect(aspect) for aspect in self._aspects())

    def people_alone(self) -> tuple[Scored, ...]:
        """The aspects that people rated, where there is no judge."""
        named = self._fields.named_aspects(tuple(self._request.ceiling.fields))
        aspects = named or (self._convention.aspects if self._convention else ())
        terms = self._fields.human_terms
        return tuple(Scored(aspect, terms.get(aspect, Term((aspect,))), aspect) for aspect in aspects)

    def _aspects(self) -> tuple[str, ...]:
        judge = self._judge
        of_replies = [name for name in self._request.judges.reply_fields if name] if judge.replies else []
        named = self._fields.named_aspects(of_replies)
        usual = self._convention.aspects if self._convention else ()
        if judge.run:
            known = judge.run.judged_by_people if self.alone else judge.run.aspects
            there = known if self.alone else tuple(name for name in known if any_has(self._rows, name))
            found = named or tuple(name for name in usual if name in judge.run.aspects) or there
            if not found:
                raise UsageError(
                    f"run {judge.run.head.id} has no score of people's: hold it with human=..., or say where they are with data=..., "
                    "on=... and human='ASPECT=FIELD'"
                )
            return found
        if not (named or usual):
            fields = ", ".join(known_fields(judge.rows))
            raise UsageError(
                f"which scores? aspects='NAME,NAME' names fields of both sides, human='ASPECT=FIELD' and score='ASPECT=FIELD' say which "
                f"field holds which; the judge's fields are {fields}"
            )
        return named or usual

    def _aspect(self, aspect: str) -> Scored:
        fields, judge = self._fields, self._judge
        term = fields.human_terms.get(aspect, Term((aspect,)))
        score = fields.score_fields.get(aspect, aspect)
        option = "human=..." if aspect in fields.human_terms else "aspects=..."
        judged = "score=..." if aspect in fields.score_fields else "aspects=..."
        if judge.run:
            if score not in judge.run.aspects:
                raise UsageError(
                    f"{judged}: run {judge.run.head.id} has no aspect {score!r}. {nearest(score, judge.run.aspects)}"
                )
            score = f"{SCORES}.{score}"
        elif not judge.replies:
            check_field(judge.rows, score, judged)
        elif aspect in fields.score_fields:
            raise UsageError(
                "score=... names a field of scores; the one of replies is named by reply='ASPECT=FIELD'"
            )
        if self.alone and judge.run:
            known = judge.run.judged_by_people
            for name in term.fields:
                if name not in known:
                    raise UsageError(
                        f"{option}: the run has no score of people's of {name!r}. {nearest(name, known)}"
                    )
            return Scored(
                aspect, replace(term, fields=tuple(f"{HUMAN}.{name}" for name in term.fields)), score
            )
        for name in term.fields:
            check_field(self._rows, name, option)
        if fields.confidences and not judge.run:
            check_field(judge.rows, fields.confidences, "confidences=...")
        return Scored(aspect, term, score, None if judge.run else fields.confidences)

    def _of_run(self, run: RunRows, asked: Choosing | None) -> tuple[Choosing, ...]:
        if not run.candidates:
            if asked:
                raise UsageError(f"run {run.head.id} compares no texts, so its verdicts choose none")
            return ()
        if self._fields.choice and asked and (asked.sums or asked.terms != (Term((WINNER,)),)):
            raise UsageError(
                f"choice=...: the choice of run {run.head.id} is its {WINNER!r}, so it is written 'FIELD={WINNER}', not {self._fields.choice!r}"
            )
        named = self._fields.named_aspects()
        for about in named:
            if about not in run.aspects:
                raise UsageError(
                    f"aspects=...: run {run.head.id} has no {about!r}. {nearest(about, run.aspects)}"
                )
        if self.alone:
            labels = {name: name for name in (*run.candidates, TIE)}
            return tuple(
                Choosing(
                    Term((f"{PEOPLE}.{about}",)), (Term((f"{WINNER}.{about}",)),), labels=labels, about=about
                )
                for about in named or run.judged_by_people
            )
        if asked is None or asked.human is None:
            raise UsageError(
                f"run {run.head.id} compares texts: choice='FIELD={WINNER}' says which field of the data holds people's choice"
            )
        for name in asked.human.fields:
            check_field(self._rows, name, "choice=...")
        about = next(iter(named), run.aspects[0])
        winner = (Term((f"{WINNER}.{about}",)),)
        labels = by_name(asked.labels, run.candidates)
        return (replace(asked, terms=winner, sums=(), labels=labels, confidence=None),)

    def _conditions(self) -> tuple[list[Condition], list[Condition]]:
        """The conditions on the data, and those on fields that only the judge's rows have. Raises UsageError."""
        ours, theirs = self._of_systems(), list[Condition]()
        for condition in self._request.conditions:
            if condition in self._judge.met:
                continue
            if any_has(self._rows, condition.field):
                ours.append(condition)
            elif any_has(self._judge.rows, condition.field):
                theirs.append(condition)
            else:
                check_field(self._rows, condition.field, "where=...")
        return ours, theirs

    def _of_systems(self) -> list[Condition]:
        """The systems that the convention leaves out."""
        convention = self._convention
        if convention is None or not convention.without:
            return []
        system = self._system(convention)
        return [Condition(system, (name,), "!=") for name in convention.without]

    def _system(self, convention: Convention) -> str:
        """The field of the systems, by which the texts of a dataset are known. Raises UsageError where there is none."""
        if self.naming.system is None:
            how = (
                "hold the run with system=..."
                if self.alone
                else "system=... says which field names the systems"
            )
            raise UsageError(
                f"convention='{convention.name}' is of {convention.dataset}, whose texts are known by their systems: {how}"
            )
        return self.naming.system

    def _of_convention(self, name: str) -> str | None:
        """A field of the convention, where the data has it."""
        found: str | None = getattr(self._convention, name) if self._convention else None
        return found if found and any_has(self._rows, found) else None
