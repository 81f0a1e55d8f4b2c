"""The plan of a comparison: of each column of the long table, the field of the data or of the judge that it comes from."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.conventions import Convention
from agentdebate.meta.expression import Expression, Order, Term, parse_choice, parse_people
from agentdebate.meta.fields import Condition, any_has, as_label, check_field, known_fields
from agentdebate.meta.joining import Match, Naming
from agentdebate.meta.labels import words_of
from agentdebate.meta.replies import Account
from agentdebate.meta.run_rows import HUMAN, PEOPLE, SCORES, WINNER, RunRows
from agentdebate.meta.talk import TIE
from agentdebate.store.place import USUAL_STORE
from agentdebate.tasks import Scale

OPEN = "open"
"""Among labels=...: an answer that people never give is wrong, and no error."""


@dataclass(frozen=True)
class AgreementOptions:
    """The options of `agree` on judges and fields, as users write them."""

    data: str | None = None
    dataset: str | None = None
    """The dataset that the data is published as."""
    subset: bool = False
    scores: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    reply: tuple[str, ...] = ()
    read: str | None = None
    scale: tuple[str, ...] = ()
    store: str = USUAL_STORE
    by: str | None = None
    orders: str | None = None
    grades: tuple[str, ...] = ()
    on: str | None = None
    aspects: str | None = None
    human: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    group: str | None = None
    system: str | None = None
    where: tuple[str, ...] = ()
    choice: str | None = None
    labels: tuple[str, ...] = ()
    """Labels with the words of both sides; and "open", where a judge may say what people never do."""
    confidences: str | None = None
    """The field of how sure the judge is of each judgement."""
    rater: str | None = None
    """The field that says who judged, where the data has a row for every person."""
    ceiling: bool = False
    annotators: tuple[str, ...] = ()
    reliability: tuple[str, ...] = ()

    @property
    def besides(self) -> tuple[str, ...]:
        """The options that change what a convention says of which rows and which scores are compared."""
        given = {"aspects": [self.aspects], "where": self.where, "choice": [self.choice]}
        return tuple(f"{option}='{value}'" for option, values in given.items() for value in values if value)

    def named(self, option: str) -> dict[str, str]:
        """Read ASPECT=FIELD of an option; a value for all other aspects has the empty name. Raises UsageError."""
        texts = getattr(self, option)
        plain = [text for text in texts if "=" not in text]
        if len(plain) > 1:
            raise UsageError(
                f"{option}=... is given twice, {' and '.join(plain)}: say what each is of, NAME={plain[1]}"
            )
        found = free_pairs([text for text in texts if "=" in text], f"{option}=...")
        return {**found, **({"": plain[0]} if plain else {})}

    @property
    def grade_numbers(self) -> Mapping[str, float]:
        """The scores that words stand for. Raises UsageError."""
        try:
            return {word: float(text) for word, text in self.named("grades").items()}
        except ValueError as error:
            raise UsageError(f"grades=... takes WORD=NUMBER, not {', '.join(self.grades)!r}") from error

    @property
    def annotator_fields(self) -> Mapping[str, tuple[str, ...]]:
        """The fields of single ratings by aspect; under the empty name the kind of people."""
        return {aspect: names(value) for aspect, value in self.named("annotators").items()}

    @property
    def aspect_names(self) -> tuple[str, ...]:
        """The aspects that are named anywhere; none where that is left open."""
        mapped = (aspect for option in ("human", "score", "reply") for aspect in self.named(option))
        return tuple(dict.fromkeys(filter(None, [*names(self.aspects), *mapped])))

    @property
    def label_words(self) -> dict[str, str]:
        """The judge's words for each of people's labels."""
        found = free_pairs([text for text in self.labels if text != OPEN], "labels=...")
        return {as_label(ours): ",".join(map(as_label, words_of(theirs))) for ours, theirs in found.items()}

    def matches(self, convention: Convention | None) -> tuple[Match, ...]:
        """The fields that name a text."""
        return Match.parse(names(self.on) or (convention.on if convention else ()))

    def scale_of(self, judge: str, aspect: str, own: Scale | None = None) -> Scale | None:
        """The scale of a judge's scores; `own` is the one that is known of it. None where none is known.

        What is said of the judge goes before what is said of the aspect, and a scale for everything comes last.
        """
        texts = self.named("scale")
        named = next((texts[name] for name in (f"{judge}:{aspect}", judge, aspect) if name in texts), None)
        text = named or ("" if own else texts.get("", ""))
        return Scale.parse(text) if text else own

    def check_scales(self, judges: Iterable[str], aspects: Collection[str]) -> None:
        """Raise UsageError for a scale of what is neither a judge nor an aspect: it would be the scale of nothing."""
        sides = ("people", *judges)
        known = {"", *sides, *aspects, *(f"{side}:{aspect}" for side in sides for aspect in aspects)}
        for name in self.named("scale"):
            if name not in known:
                raise UsageError(
                    f"scale=...: {name!r} is neither an aspect nor a judge here. {nearest(name, known)}"
                )

    def people_scale(self, aspect: str) -> Scale | None:
        """The scale of people's scores, where it is declared."""
        texts = self.named("scale")
        text = texts.get(f"people:{aspect}", texts.get("people"))
        return Scale.parse(text) if text else None


@dataclass(frozen=True)
class Judge:
    """A judge, and the rows that hold what it says."""

    name: str
    rows: Sequence[Row] = field(repr=False)
    run: RunRows | None = None
    replies: bool = False
    """True if its rows hold replies to be read."""
    accounts: tuple[Account, ...] = ()
    """Counts of its replies about the texts that remain, by outcome."""
    unreadable: str = ""
    """A message where not one reply about an aspect could be read: where the first is, and what it says."""


@dataclass(frozen=True)
class Asked:
    """An aspect, or a choice, and the fields of people's judgement of it and of the judge's."""

    aspect: str
    human: Term
    """Fields of people's judgement."""
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
        return tuple(name for one in (*(term.fields for term in self.terms), *self.sums) for name in one)

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
    """The judge; None where people alone are asked for."""
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
        rows, own = (
            self.judge.rows if self.judge else self.data,
            {self.naming.group: "group", self.naming.system: "system"},
        )
        found = []
        for match in self.options.matches(self.convention):
            known = [match.scores, match.data, *([own.get(match.data, "id")] if self._run else [])]
            found.append(
                Match(match.data, next((name for name in known if any_has(rows, name)), match.scores))
            )
        return tuple(found)

    @property
    def without(self) -> Iterator[Condition]:
        """The systems that the convention leaves out. Raises UsageError where no field names the systems."""
        for name in self.convention.without if self.convention else ():
            if self.naming.system is None:
                raise UsageError(
                    f"the convention leaves out the system {name!r}: system=... says which field names the systems (of a run, when it is held)"
                )
            yield Condition(f"{self.naming.system}!={name}", self.naming.system, (name,), "!=")

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        """The choices, or the aspects, that are compared. Raises UsageError for a field that is not there."""
        found = tuple(self._choices()) or tuple(map(self._scores, self._aspects()))
        for one in found if self.judge else ():
            self._check(one)
        return found

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
        run, options, convention = self._run, self.options, self.convention
        if self.alone and run and run.candidates:
            labels = {name: name for name in (*run.candidates, TIE)}
            for about in options.aspect_names or run.judged_by_people:
                yield Asked(
                    about, Term((f"{PEOPLE}.{about}",)), (Term((f"{WINNER}.{about}",)),), labels=labels
                )
        elif options.choice or (convention and convention.choice):
            same = Term((convention.choice or "",)) if convention else Term(())
            said = parse_choice(options.choice) if options.choice else Expression(same, (same,))
            labels = options.label_words or dict(convention.labels if convention else {})
            terms = said.terms
            if run:
                names_ = {str(number): name for number, name in enumerate(run.candidates, 1)}
                labels = {
                    ours: ",".join(names_.get(word, word) for word in words_of(theirs))
                    for ours, theirs in labels.items()
                }
                about = next(iter(options.aspect_names), run.aspects[0])
                terms = (
                    (Term((f"{WINNER}.{about}",)),)
                    if not options.choice or terms == (Term((WINNER,)),)
                    else terms
                )
            aspect, is_open = ",".join(said.human.fields), OPEN in options.labels
            yield Asked(aspect, said.human, terms, said.sums, labels, is_open, options.confidences)
        elif run and run.candidates:
            raise UsageError(
                f"run {run.head.id} compares texts: choice='FIELD={WINNER}' says which field of the data holds people's choice"
            )

    def _aspects(self) -> tuple[str, ...]:
        """The aspects whose scores are compared. Raises UsageError where nothing says which these are."""
        usual, run = self.convention.aspects if self.convention else (), self._run
        if run:
            known = (
                run.judged_by_people
                if self.alone
                else tuple(name for name in run.aspects if any_has(self.data, name))
            )
            usual = tuple(name for name in usual if name in run.aspects) or known
        if found := self.options.aspect_names or usual:
            return found
        fields = ", ".join(known_fields(self.judge.rows if self.judge else self.data))
        raise UsageError(
            "which scores? aspects='NAME,NAME' names fields of both sides, human='ASPECT=FIELD' and score='ASPECT=FIELD' say which "
            f"field holds which; the judge's fields are {fields}"
        )

    def _scores(self, aspect: str) -> Asked:
        options, replies = self.options, self.judge is not None and self.judge.replies
        fields = {name: options.named(name) for name in ("human", "score", "reply")}
        human = parse_people(fields["human"][aspect]) if aspect in fields["human"] else Term((aspect,))
        if self.alone:
            human = replace(human, fields=tuple(f"{HUMAN}.{name}" for name in human.fields))
        own = fields["reply" if replies else "score"]
        score = own.get(aspect, own.get("", aspect))
        terms = (Term((f"{SCORES}.{score}" if self._run else score,)),)
        return Asked(aspect, human, terms, confidence=options.confidences)

    def _check(self, asked: Asked) -> None:
        """Raise UsageError for a field that no row has."""
        rows, replies = (self.judge.rows, self.judge.replies) if self.judge else (self.data, False)
        choices = asked.labels is not None
        for name in asked.human.fields:
            check_field(self.data, name, "choice=..." if choices else "human=...")
        for name in asked.fields:
            check_field(rows, name, "choice=..." if choices else "reply=..." if replies else "score=...")
        if asked.confidence:
            check_field(rows, asked.confidence, "confidences=...")
