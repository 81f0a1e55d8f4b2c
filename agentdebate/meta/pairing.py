"""A judge's rows beside those of the data: which fields name a text, which rows are looked at, and what is compared of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agentdebate.datasets.named_values import names
from agentdebate.datasets.picked import picked
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement_fields import AgreementFields, shared_numbers
from agentdebate.meta.choosing import Choosing, summands
from agentdebate.meta.conventions import Convention
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import check_field, has, known_fields
from agentdebate.meta.joining import Joined, Match, Naming, Scored, beside, check_once, join_scores
from agentdebate.meta.judges import Judge, check_aspect
from agentdebate.meta.run_rows import HUMAN, PEOPLE, WINNER, RunRows, by_name
from agentdebate.meta.talk import TIE
from agentdebate.meta.where import Condition, narrow


@dataclass(frozen=True)
class Pairing:
    """One judge, and the data that it is compared with."""

    judge: Judge
    rows: Sequence[Row] = field(repr=False)
    """The rows with what people say; the judge's own where it stands there."""
    fields: AgreementFields
    convention: Convention | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Why something of the data gives no row: reason to count."""
    aside: Sequence[Row] = field(default=(), repr=False)
    """Rows of the judge that conditions took away before the judges of its file were told apart."""
    held: str = ""
    """What these conditions are, and how many rows they left."""
    grades: Mapping[str, float] = field(default_factory=dict)
    """The scores that words stand for."""

    @property
    def alone(self) -> bool:
        """Whether the judge is a run, with people's scores as they came with its items."""
        return self.judge.run is not None and self.judge.rows is self.rows

    @property
    def naming(self) -> Naming:
        """The fields that name a text of the data. Raises UsageError for one that is not there."""
        if self.judge.run and self.alone:
            return self.judge.run.naming
        group = self.fields.group or self._of_convention("group")
        system = self.fields.system or self._of_convention("system")
        for option, name in (("group=...", group), ("system=...", system)):
            if name:
                check_field(self.rows, name, option)
        named = tuple(match.data for match in self.fields.matches(self.convention))
        both = (group, system) if group and system else ()
        return Naming(named or both, group, system)

    @property
    def matches(self) -> tuple[Match, ...]:
        """The fields by which rows are matched.

        A judge whose rows have a field of the name that the data has for it is matched by that where they lack the other
        name, so that several judges can name them differently; a run's items have their id, group and system under these
        names.
        """
        found = self.fields.matches(self.convention)
        return tuple(self._match(one, alone=len(found) == 1) for one in found)

    def _match(self, match: Match, *, alone: bool) -> Match:
        run, names = self.judge.run, [match.scores, match.data]
        if run:
            known, naming = run.naming, self.naming
            own = {naming.group: known.group, naming.system: known.system}
            names += [name for name in ("id" if alone else None, own.get(match.data)) if name]
        there = (name for name in names if any(has(row, name) for row in self.judge.rows))
        return replace(match, scores=next(there, match.scores))

    def joined(self, rows: Sequence[Row]) -> Joined:
        """The data beside these rows of the judge, as far as the conditions hold. Raises UserError."""
        ours, theirs = self._conditions()
        kept = narrow(self.rows, ours)
        if self.judge.rows is self.rows:  # replies that stand in the data were read row by row
            check_once(kept.rows, Match.parse(names(self.fields.on)))
            read = beside(picked(rows, kept.places))
            return replace(read, left_out=self._left_out(kept.left_out))
        own = narrow(rows, theirs)
        joined = join_scores(kept.rows, own.rows, self.matches, kept.others, (own.others, self.aside))
        return replace(joined, left_out={**self._left_out(kept.left_out), **joined.left_out})

    def _left_out(self, more: Mapping[str, int]) -> dict[str, int]:
        return {**self.left_out, **(self.judge.run.left_out if self.judge.run else {}), **more}

    @property
    def narrowed(self) -> tuple[Sequence[Condition], Sequence[Condition]]:
        """The conditions on rows of the data, and on rows of the judge. Raises UsageError."""
        return self._conditions()

    def _conditions(self) -> tuple[list[Condition], list[Condition]]:
        """The conditions on the data, and those on fields that only the judge's rows have. Raises UsageError."""
        ours: list[Condition] = []
        theirs: list[Condition] = []
        for condition in self.fields.conditions:
            in_data = any(has(row, condition.field) for row in self.rows)
            if not in_data and any(has(row, condition.field) for row in self.judge.rows):
                theirs.append(condition)
            else:
                self._check_known(condition)
                ours.append(condition)
        return ours + self._of_systems(), theirs

    def _check_known(self, condition: Condition) -> None:
        """Raise UsageError where neither the data nor the judge has the field of a condition."""
        judge = self.judge
        if judge.rows is self.rows or not judge.rows or any(has(row, condition.field) for row in self.rows):
            check_field(self.rows, condition.field, "where=...")
            return
        known = {**known_fields(self.rows), **known_fields(judge.rows)}
        raise UsageError(
            f"where=...: {judge.name} ({Path(judge.rows[0].path).name}) has no field {condition.field!r}, nor has "
            f"{Path(self.rows[0].path).name}. {nearest(condition.field, known)}"
        )

    def _of_systems(self) -> list[Condition]:
        """The systems that the convention leaves out. Raises UsageError where nobody knows which texts are theirs."""
        if self.convention is None or not self.convention.without:
            return []
        system = self.naming.system
        if system is None:
            how = (
                "hold the run with system=..."
                if self.alone
                else "system=... says which field names the systems"
            )
            raise UsageError(
                f"convention='{self.convention.name}' leaves out what is by {', '.join(self.convention.without)}: {how}"
            )
        return [Condition(system, (name,), "!=") for name in self.convention.without]

    def _of_convention(self, name: str) -> str | None:
        """A field of the convention, where the data has it."""
        found: str | None = getattr(self.convention, name) if self.convention else None
        return found if found and any(has(row, found) for row in self.rows) else None


def asked_aspects(pairing: Pairing, of_replies: Sequence[str] = ()) -> tuple[str, ...]:
    """The aspects that were named, or else those of which both sides say something.

    `of_replies` are those whose replies have fields of their own. Raises UsageError where there are none.
    """
    judge, fields = pairing.judge, pairing.fields
    named = fields.named_aspects(of_replies)
    if named:
        return named
    usual = _usual(pairing)
    if usual:
        return usual
    if judge.replies:
        raise UsageError("aspects=... says what the replies score: aspects='coherence,fluency'")
    found = _shared(pairing)
    if not found:
        raise UsageError(_nothing_shared(pairing))
    return found


def scored(pairing: Pairing, judge: Judge, aspect: str) -> Scored:
    """The fields of an aspect on both sides. `judge` is that of the pairing, its replies read.

    Raises UsageError for a field that is not there.
    """
    fields = pairing.fields
    human, score = fields.human_fields.get(aspect, aspect), fields.score_fields.get(aspect, aspect)
    if judge.replies and aspect in fields.score_fields:
        raise UsageError(
            "score=... names a field of scores; the one of replies is named by reply='ASPECT=FIELD'"
        )
    named = (
        "aspects=..."
        if fields.aspects or not pairing.convention
        else f"convention='{pairing.convention.name}'"
    )
    check_aspect(judge, score, "score=..." if aspect in fields.score_fields else named)
    option = "human=..." if aspect in fields.human_fields else named
    if pairing.alone:
        known = judge.run.judged_by_people if judge.run else ()
        if human not in known:
            raise UsageError(
                f"{option}: the run has no score of people's of {human!r}. {nearest(human, known)}"
            )
        return Scored(aspect, f"{HUMAN}.{human}", judge.field(score))
    term = fields.human_terms.get(aspect, Term((human,)))
    for name in term.fields:
        check_field(pairing.rows, name, option)
    if fields.confidences and not judge.run:
        check_field(judge.rows, fields.confidences, "confidences=...")
    return Scored(aspect, human, judge.field(score), term if term.function else None, fields.confidences)


def _usual(pairing: Pairing) -> tuple[str, ...]:
    """The aspects of the convention; of a run, those of them that it judged."""
    run, convention = pairing.judge.run, pairing.convention
    aspects = convention.aspects if convention else ()
    return aspects if run is None else tuple(name for name in aspects if name in run.aspects)


def _shared(pairing: Pairing) -> tuple[str, ...]:
    run = pairing.judge.run
    if run and pairing.alone:
        return run.judged_by_people
    if run:
        return tuple(name for name in run.aspects if any(has(row, name) for row in pairing.rows))
    naming = pairing.naming
    matched = [name for match in pairing.matches for name in (match.data, match.scores)]
    return shared_numbers(
        pairing.rows, pairing.judge.rows, [naming.group, naming.system, *naming.id, *matched]
    )


def _nothing_shared(pairing: Pairing) -> str:
    run = pairing.judge.run
    if run and pairing.alone:
        return f"run {run.head.id} has no score of people's: hold it with human=..., or say where they are with data=... and on=..."
    return "no field holds numbers on both sides: say human='ASPECT=FIELD' and score='ASPECT=FIELD'"


def asked_choices(pairing: Pairing) -> tuple[Choosing, ...]:
    """What is chosen, and how both sides say it; nothing where texts are scored one by one. Raises UsageError."""
    asked, run = pairing.fields.choosing(pairing.convention), pairing.judge.run
    if run is not None:
        return _of_run(pairing, run, asked)
    if asked is None:
        return ()
    asked = replace(asked, judge=asked.judge or (asked.human,))
    if asked.confidence:
        check_field(pairing.judge.rows, asked.confidence, "confidences=...")
    for name in _of_people(asked):
        check_field(pairing.rows, name, "choice=...")
    for name in dict.fromkeys(name for text in asked.judge for name in _fields(text, asked, pairing.judge)):
        check_field(pairing.judge.rows, name, "choice=...")
    return (asked,)


def _of_people(asked: Choosing) -> tuple[str, ...]:
    """The fields of people's choices; none where there are no people."""
    if asked.people is not None:
        return asked.people.fields
    if asked.human:
        return (asked.human,)
    if asked.orders is None:
        raise UsageError(
            "choice=...: people's choice is missing before the =; without it two orders can be compared, FIELD+flip(FIELD)"
        )
    return ()


def _fields(text: str, asked: Choosing, judge: Judge) -> tuple[str, ...]:
    """The fields of choices, or of FIELD+FIELD: scores that are added, or replies in both orders.

    Raises UsageError for a sum that is neither.
    """
    if asked.terms:
        return tuple(field for term in asked.terms for field in term.fields)
    if any(has(row, text) for row in judge.rows):
        return (text,)
    names = summands(text)
    if len(names) > 1 and len(asked.judge) == 1 and not judge.replies:
        raise UsageError(
            f"choice=...: a choice is not a number that could be added, in {text!r}; of scores of the texts, say "
            f"FIELD+FIELD,FIELD+FIELD; for the vote of both orders {names[0]}+flip({names[1]}), and for that of several "
            f"samples majority({','.join(names)})"
        )
    return names


def _of_run(pairing: Pairing, run: RunRows, asked: Choosing | None) -> tuple[Choosing, ...]:
    if not run.candidates:
        if asked:
            raise UsageError(f"run {run.head.id} compares no texts, so its verdicts choose none")
        return ()
    if pairing.alone:
        labels = {name: name for name in (*run.candidates, TIE)}
        return tuple(
            Choosing(about, f"{PEOPLE}.{about}", (f"{WINNER}.{about}",), labels)
            for about in asked_aspects(pairing)
        )
    if asked is None:
        raise UsageError(
            f"run {run.head.id} compares texts: choice='FIELD=winner' says which field of the data holds people's choice"
        )
    if any(term.function or term.turned for term in asked.terms) or len(asked.judge) > 1:
        raise UsageError(
            f"choice=...: of a run the judge's side is its {WINNER}, not {','.join(asked.judge)!r}"
        )
    for name in _of_people(asked):
        check_field(pairing.rows, name, "choice=...")
    about = next(iter(pairing.fields.named_aspects()), run.aspects[0])
    check_aspect(pairing.judge, about, "aspects=...")
    return (
        replace(asked, judge=(f"{WINNER}.{about}",), terms=(), labels=by_name(asked.labels, run.candidates)),
    )
