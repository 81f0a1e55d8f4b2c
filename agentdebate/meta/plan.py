"""The plan of a comparison: of each column of the long table, the field of the data or of the judge that it comes from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.conditions import Condition
from agentdebate.meta.conventions import Convention
from agentdebate.meta.expression import Expression, Function, Order, Term, parse_choice
from agentdebate.meta.fields import any_has, check_field, known_fields
from agentdebate.meta.joining import Match, Naming
from agentdebate.meta.judges import Judge
from agentdebate.meta.options import OPEN, AgreementOptions
from agentdebate.meta.run_rows import HUMAN, PEOPLE, SCORES, WINNER, RunRows, by_name
from agentdebate.meta.talk import TIE


@dataclass(frozen=True)
class Asked:
    """An aspect, or a choice, and the fields of people's judgement of it and of the judge's."""

    aspect: str
    human: Term | None
    """Fields of people's judgement; None where there are no people."""
    terms: tuple[Term, ...] = ()
    """Fields of the judge's: one, or both orders."""
    sums: tuple[tuple[str, ...], ...] = ()
    """The fields of each text's scores, which are added; a judge then says the field of the best one, or its number from 1."""
    labels: Mapping[str, str] | None = None
    """Judge's words for each of people's labels, several with commas between them; empty where both say the same, None of scores."""
    open: bool = False
    """True if a judge's word that people never use counts as wrong instead of as an error."""
    confidence: str | None = None
    """The field of how sure the judge is."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the judge's judgement is from."""
        return (
            *(name for term in self.terms for name in term.fields),
            *(name for one in self.sums for name in one),
        )

    @property
    def function(self) -> Function:
        """What people's judgements come to."""
        return self.human.function if self.human else ""

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that the judge saw the texts in."""
        return tuple(term.order for term in self.terms) or ("",)


@dataclass(frozen=True)
class Plan:
    """Fields of one judge's rows and of the data, as options, the convention, and what is known of a run say."""

    options: AgreementOptions
    convention: Convention | None
    data: Sequence[Row]
    judge: Judge | None
    """None where people alone are asked for."""
    alone: bool = False
    """True if people's scores are those that came with the items of the judge's run."""

    @cached_property
    def naming(self) -> Naming:
        """The fields that name a text of the data. Raises UsageError for one that is not there."""
        group, system = self._naming_field("group"), self._naming_field("system")
        on = tuple(match.data for match in self.options.matches(self.convention))
        return Naming(on or ((group, system) if group and system else ()), group, system)

    @property
    def on(self) -> tuple[Match, ...]:
        """The fields by which rows are matched; a judge may call them as the data does, and a run has names of its own."""
        rows = self.judge.rows if self.judge else self.data
        own = {self.naming.group: "group", self.naming.system: "system"}
        found = []
        for match in self.options.matches(self.convention):
            names = [match.scores, match.data, *([own.get(match.data, "id")] if self._run else [])]
            found.append(
                Match(match.data, next((name for name in names if any_has(rows, name)), match.scores))
            )
        return tuple(found)

    @property
    def without(self) -> Iterator[Condition]:
        """The systems that the convention leaves out. Raises UsageError where no field names the systems."""
        for name in self.convention.without if self.convention else ():
            if self.naming.system is None:
                raise UsageError(
                    f"convention='{self.convention.name if self.convention else ''}' leaves out the system {name!r}: system=... says "
                    "which field names the systems (of the data, or when the run is held)"
                )
            yield Condition(self.naming.system, (name,), "!=")

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        """What is compared: choices, or the scores of aspects. Raises UsageError for a field that is not there."""
        return tuple(self._choices()) or tuple(map(self._scores, self._aspects()))

    @property
    def _run(self) -> RunRows | None:
        return self.judge.run if self.judge else None

    def _naming_field(self, name: str) -> str | None:
        given: str | None = getattr(self.options, name)
        if given:
            check_field(self.data, given, f"{name}=...")
            return given
        usual: str | None = getattr(self.convention, name) if self.convention else None
        return usual if usual and any_has(self.data, usual) else None

    def _choices(self) -> Iterator[Asked]:
        """The choices that are compared; none where texts are scored one by one."""
        run, expression = self._run, self._expression()
        if self.alone and run and run.candidates:
            labels = {name: name for name in (*run.candidates, TIE)}
            for about in self.options.aspect_names or run.judged_by_people:
                people, winner = Term((f"{PEOPLE}.{about}",)), Term((f"{WINNER}.{about}",))
                yield self._checked(Asked(about, people, (winner,), labels=labels))
        elif expression:
            aspect = ",".join(expression.human.fields) if expression.human else "choice"
            labels = self.options.label_words or dict(self.convention.labels if self.convention else {})
            asked = Asked(
                aspect,
                expression.human,
                expression.terms,
                expression.sums,
                labels,
                OPEN in self.options.labels,
                self.options.confidences,
            )
            yield self._checked(self._of_run(asked, run) if run else asked)
        elif run and run.candidates:
            raise UsageError(
                f"run {run.head.id} compares texts: choice='FIELD={WINNER}' says which field of the data holds people's choice"
            )

    def _expression(self) -> Expression | None:
        if self.options.choice:
            return parse_choice(self.options.choice)
        same = self.convention.choice if self.convention else None
        return Expression(Term((same,)), (Term((same,)),)) if same else None

    def _of_run(self, asked: Asked, run: RunRows) -> Asked:
        """The same with the winner of a run's verdicts as the judge's choice."""
        about = next(iter(self.options.aspect_names), run.aspects[0])
        own = (
            asked.terms
            if self.options.choice and asked.terms != (Term((WINNER,)),)
            else (Term((f"{WINNER}.{about}",)),)
        )
        return replace(asked, terms=own, labels=by_name(asked.labels or {}, run.candidates))

    def _aspects(self) -> tuple[str, ...]:
        """The aspects whose scores are compared. Raises UsageError where nothing says which these are."""
        named, run = self.options.aspect_names, self._run
        usual = self.convention.aspects if self.convention else ()
        if run and not named:
            known = (
                run.judged_by_people
                if self.alone
                else tuple(name for name in run.aspects if any_has(self.data, name))
            )
            found = tuple(name for name in usual if name in run.aspects) or known
            if not found:
                raise UsageError(
                    f"run {run.head.id} has no score of people's: hold it with human=..., or say where they are with data=..., on=... "
                    "and human='ASPECT=FIELD'"
                )
            return found
        if not (named or usual):
            rows = self.judge.rows if self.judge else self.data
            raise UsageError(
                "which scores? aspects='NAME,NAME' names fields of both sides, human='ASPECT=FIELD' and score='ASPECT=FIELD' say which "
                f"field holds which; the judge's fields are {', '.join(known_fields(rows))}"
            )
        return named or usual

    def _scores(self, aspect: str) -> Asked:
        human = self.options.human_terms.get(aspect, Term((aspect,)))
        if self.alone:
            human = replace(human, fields=tuple(f"{HUMAN}.{name}" for name in human.fields))
        terms = (Term((self._score_field(aspect),)),) if self.judge else ()
        return self._checked(Asked(aspect, human, terms, confidence=self.options.confidences))

    def _score_field(self, aspect: str) -> str:
        if self.judge and self.judge.replies:
            fields = self.options.reply_fields
            if name := fields.get(aspect, fields.get("")):
                return name
            raise UsageError(f"reply=...: which field holds the replies about {aspect!r}? {aspect}=FIELD")
        name = self.options.score_fields.get(aspect, aspect)
        return f"{SCORES}.{name}" if self._run else name

    def _checked(self, asked: Asked) -> Asked:
        """The same. Raises UsageError for a field that no row has."""
        choices = asked.labels is not None
        if asked.human is None and len(asked.terms) < 2:  # noqa: PLR2004 - two texts have two orders
            raise UsageError(
                "choice=...: people's choice is missing before the =; without it two orders can be compared, FIELD+flip(FIELD)"
            )
        if self.judge is None:
            return asked
        for name in asked.human.fields if asked.human else ():
            check_field(self.data, name, "choice=..." if choices else "human=...")
        for name in asked.fields:
            check_field(
                self.judge.rows,
                name,
                "choice=..." if choices else "reply=..." if self.judge.replies else "score=...",
            )
        if asked.confidence:
            check_field(self.judge.rows, asked.confidence, "confidences=...")
        return asked


def people_fields(options: AgreementOptions, convention: Convention | None) -> set[str]:
    """The fields of people's judgements that options, or the convention, name. Raises UsageError."""
    single = {name for aspect, fields in options.annotator_fields.items() if aspect for name in fields}
    if options.choice:
        human = parse_choice(options.choice).human
        return {*single, *(human.fields if human else ())}
    aspects = options.aspect_names or (convention.aspects if convention else ())
    return {
        *single,
        *(name for aspect in aspects for name in options.human_terms.get(aspect, Term((aspect,))).fields),
    }
