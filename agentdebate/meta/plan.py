"""The plan of a comparison: of each column of the long table, the field of the data or of the judge that it comes from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.conventions import Convention
from agentdebate.meta.expression import Order, Term, parse_choice, parse_people
from agentdebate.meta.fields import Condition, any_has, as_label, check_field, known_fields, label_in
from agentdebate.meta.join import RATERS, Match, Pair, key_of
from agentdebate.meta.labels import words_of
from agentdebate.meta.replies import Account
from agentdebate.meta.run_rows import SCORES, WINNER, RunRows
from agentdebate.store.place import USUAL_STORE
from agentdebate.tasks import Scale

OPEN = "open"
"""Among labels=...: an answer that people never give is wrong, and no error."""


@dataclass(frozen=True)
class JudgeOptions:
    """The judges: their files of scores or replies, and the reading of these."""

    scores: tuple[str, ...] = ()
    """FILE, or NAME=FILE, of predicted scores, a judge each. The option again for more."""
    replies: tuple[str, ...] = ()
    """FILE, or NAME=FILE, of a judge's raw replies. The option again for more."""
    reply: tuple[str, ...] = ()
    """The field of the reply: one text, or a list of samples whose scores are averaged. ASPECT=FIELD where aspects have replies of
    their own."""
    read: str | None = None
    """The way to find a score in a reply, or where texts are compared a choice: auto (as a ballot of a debate is read), or
    pattern=REGEX, where {aspect} stands for the aspect's name [auto]."""
    scale: tuple[str, ...] = ()
    """The scale that replies score on: 1-5, or '1-5 any' for fractions; ASPECT=SCALE or JUDGE=SCALE where these differ, and
    people=SCALE for people's own. Scores of files need it where a missing one counts as wrong, and for calibration, errors and alpha;
    a run's scales are known."""
    by: str | None = None
    """The fields that tell apart the judges of one file, with commas: each combination is a judge of its own."""
    orders: str | None = None
    """FIELD=FIRST,SECOND: both orders of an item are rows of their own, and FIELD says which is which. The rows of one text
    are put together, and a field of theirs is FIRST.field or SECOND.field in the choice."""
    against: Literal["people", "evaluators"] = "people"
    """evaluators: add a row for each evaluator of the run, and a table of how well the judge agrees with each."""
    grades: tuple[str, ...] = ()
    """WORD=NUMBER: the scores that letters or words stand for, such as A=5,B=4,C=3, in people's columns, the judge's and its replies."""


@dataclass(frozen=True)
class FieldOptions:
    """The fields of the data."""

    on: str | None = None
    """The fields that name a text, by which two files match. Several with commas; FIELD=FIELD where the names differ."""
    aspects: str | None = None
    """Aspects, with commas: fields of these names on both sides."""
    human: tuple[str, ...] = ()
    """ASPECT=FIELD of people's scores. Of a list, majority(FIELD), mean(FIELD) or each(FIELD)."""
    score: tuple[str, ...] = ()
    """ASPECT=FIELD of the judge's scores."""
    group: str | None = None
    """The field of the source that texts share: the article, the dialogue."""
    system: str | None = None
    """The field that names the system that wrote the text."""
    where: tuple[str, ...] = ()
    """FIELD=VALUE or FIELD!=VALUE, FIELD<NUMBER (or <=, >, >=), FIELD={VALUE,VALUE}: only these rows; the option again for more
    conditions."""
    choice: str | None = None
    """FIELD=FIELD, people's choice and the judge's, where texts are compared. FIELD=FIELD,FIELD where the judge scores them.
    FIELD+FIELD adds scores, as of a run in the other order. FIELD+flip(FIELD) is the vote of both orders,
    FIELD+FIELD where the second is mapped back, majority(FIELD) the vote of samples or people; each(FIELD) counts every person."""
    labels: tuple[str, ...] = ()
    """LABEL=LABEL: the judge's word for each of people's labels, such as CHATGPT=1,VICUNA13B=2,TIE=tie; several words with commas,
    TIE=Same,tie. open: an answer that people never give is wrong, and no error."""
    confidences: str | None = None
    """The field of the judge's confidence: print how right it is above each confidence, and a threshold for the stated risk."""
    rater: str | None = None
    """The field of the person who judged, where the data has a row for every person. The fields that name a text are needed too."""


@dataclass(frozen=True)
class PeopleOptions:
    """The agreement of people among themselves."""

    ceiling: bool = False
    """Add a row for people, each annotator against the mean of the others, and say how well they agree among themselves."""
    annotators: tuple[str, ...] = ()
    """For ceiling and reliability: ASPECT=FIELD, a list with a rating a person, or ASPECT=FIELD,FIELD,..., a field a person. Of a
    published dataset, whose ratings: expert, turker or annotator [the dataset's first; else people's own lists]."""
    reliability: tuple[str, ...] = ()
    """The statistics of people's agreement among themselves [of scores alpha-ordinal, alpha where their scale has more than 11 steps; of choices
    alpha-nominal]."""
    alt_test: bool = False
    """Test whether the judge may replace an annotator: three of 30 texts or more each, as for ceiling."""
    epsilon: float = 0.2
    """For alt-test: the share by which the judge may be the nearer one less often than an annotator; .2 for experts, .1 for crowd workers."""


@dataclass(frozen=True)
class AgreementOptions(JudgeOptions, FieldOptions, PeopleOptions):
    """The options of `agree` on judges and fields, as users write them."""

    data: str | None = None
    dataset: str | None = None
    """The dataset that the data is published as."""
    subset: bool = False
    store: str = USUAL_STORE

    def named(self, option: str) -> dict[str, str]:
        """Read ASPECT=FIELD of an option; a value for all other aspects has the empty name. Raises UsageError."""
        texts = getattr(self, option)
        plain = [text for text in texts if "=" not in text]
        if len(plain) > 1:
            raise UsageError(
                f"{option}=... is given twice, {' and '.join(plain)}: say what each is of, NAME={plain[1]}"
            )
        pairs = free_pairs([text for text in texts if "=" in text], f"{option}=...")
        return {**pairs, **({"": plain[0]} if plain else {})}

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
        named = {aspect: names(value) for aspect, value in self.named("annotators").items()}
        return {aspect: self.of_people(some) if aspect else some for aspect, some in named.items()}

    @property
    def aspect_names(self) -> tuple[str, ...]:
        """The aspects that are named anywhere; none where that is left open."""
        mapped = (aspect for option in ("human", "score", "reply") for aspect in self.named(option))
        return tuple(dict.fromkeys(filter(None, [*names(self.aspects), *mapped])))

    @property
    def label_words(self) -> dict[str, str]:
        """The judge's words for each of people's labels."""
        words = free_pairs([text for text in self.labels if text != OPEN], "labels=...")
        return {as_label(ours): ",".join(map(as_label, words_of(theirs))) for ours, theirs in words.items()}

    def of_people(self, fields: Sequence[str]) -> tuple[str, ...]:
        """The fields of people's rows in rows that are put together, where the data has a row for every person."""
        return tuple(f"{RATERS}.*.{name}" if self.rater else name for name in fields)

    def matches(self, usual: Sequence[str]) -> tuple[Match, ...]:
        """The fields that name a text, FIELD, or DATA=SCORES where it has another name in the judge's file. Raises UsageError."""
        matches = []
        for text in names(self.on) or usual:
            data, equals, scores = text.partition("=")
            if not data or (equals and not scores):
                raise UsageError(f"on=... takes FIELD, or FIELD=FIELD of the judge's file, not {text!r}")
            matches.append((data, scores or data))
        return tuple(matches)

    def scale_of(self, judge: str, aspect: str, own: Scale | None = None) -> Scale | None:
        """The scale of a judge's scores: as it is said of the judge, of the aspect, as it is known (`own`), or as it is said of all."""
        texts = self.named("scale")
        text = texts.get(judge) or texts.get(aspect) or ("" if own else texts.get("", ""))
        return Scale.parse(text) if text else own

    @property
    def people_scale(self) -> Scale | None:
        """The scale of people's scores, where it is declared."""
        text = self.named("scale").get("people")
        return Scale.parse(text) if text else None

    def check_scales(self, judges: Iterable[str], aspects: Iterable[str]) -> None:
        """Raise UsageError for a scale of what is neither a judge nor an aspect: it would be the scale of nothing."""
        known = {"", "people", *judges, *aspects}
        for name in self.named("scale"):
            if name not in known:
                raise UsageError(
                    f"scale=...: {name!r} is neither an aspect nor a judge here. {nearest(name, known)}"
                )


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
    """Fields of one judge's rows and of the data, as options say, and where they do not the layout of a convention or a dataset."""

    options: AgreementOptions
    layout: Convention
    data: Sequence[Row]
    judge: Judge | None = None
    """The judge; None where people alone are asked for."""

    @cached_property
    def group(self) -> str | None:
        """The field of the source of the data's texts; None where none is known. Raises UsageError for one that is not there."""
        return self._naming_field("group")

    @cached_property
    def system(self) -> str | None:
        """The field of their system."""
        return self._naming_field("system")

    @property
    def on(self) -> tuple[Match, ...]:
        """The fields by which rows are matched; a judge may call them as the data does, and a run has names of its own."""
        rows = self.judge.rows if self.judge else self.data
        own = {self.group: "group", self.system: "system"}
        matches = []
        for data, scores in self.options.matches(self.layout.on):
            known = [scores, data, *([own.get(data, "id")] if self._run else [])]
            matches.append((data, next((name for name in known if any_has(rows, name)), scores)))
        return tuple(matches)

    def pairs(self, rows: Iterable[tuple[Row, Row | None]]) -> list[Pair]:
        """Rows of the data, each with the judge's; a text is called by its number where no field is named that holds its id."""
        on = [data for data, _ in self.on]
        named = on or ([self.group, self.system] if self.group and self.system else [])
        return [
            Pair(
                (
                    number,
                    "/".join(key_of(row, named)) or f"row {number}",
                    label_in(row, self.group),
                    label_in(row, self.system),
                ),
                row,
                scores,
            )
            for number, (row, scores) in enumerate(rows, 1)
        ]

    @property
    def without(self) -> list[Condition]:
        """The systems that the convention leaves out. Raises UsageError where no field names the systems."""
        return self.layout.leaving_out(self.system)

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        """The choices, or the aspects, that are compared. Raises UsageError for a field that is not there."""
        choice = self._choice()
        asked = (choice,) if choice else tuple(map(self._scores, self._aspects()))
        for one in asked if self.judge else ():
            self._check(one)
        return asked

    @property
    def _run(self) -> RunRows | None:
        return self.judge.run if self.judge else None

    def _naming_field(self, name: str) -> str | None:
        given: str | None = getattr(self.options, name)
        if given:
            check_field(self.data, given, f"{name}=...")
            return given
        usual: str | None = getattr(self.layout, name)
        return usual if usual and any_has(self.data, usual) else None

    def _choice(self) -> Asked | None:
        """The choice that is compared; None where texts are scored one by one."""
        run, options, usual = self._run, self.options, self.layout.choice
        if not (options.choice or usual):
            if run and run.candidates:
                raise UsageError(
                    f"run {run.head.id} compares texts: choice='FIELD={WINNER}' says which field of the data holds people's choice"
                )
            return None
        said = parse_choice(options.choice or f"{usual}={WINNER if run else usual}")
        # A run calls texts by their fields, and labels=... may by their places.
        places = {str(place): name for place, name in enumerate(run.candidates if run else (), 1)}
        labels = {
            ours: ",".join(places.get(word, word) for word in words_of(theirs))
            for ours, theirs in (options.label_words or self.layout.labels).items()
        }
        return Asked(
            aspect=",".join(said.human.fields),
            human=replace(said.human, fields=options.of_people(said.human.fields)),
            terms=said.terms,
            sums=said.sums,
            labels=labels,
            open=OPEN in options.labels,
            confidence=options.confidences,
        )

    def _aspects(self) -> tuple[str, ...]:
        """The aspects whose scores are compared. Raises UsageError where nothing says which these are."""
        usual, run = self.layout.aspects, self._run
        if run:
            known = tuple(name for name in usual if name in run.aspects)
            usual = known or tuple(name for name in run.aspects if any_has(self.data, name))
        if aspects := self.options.aspect_names or usual:
            return aspects
        fields = ", ".join(known_fields(self.judge.rows if self.judge else self.data))
        raise UsageError(
            "which scores? aspects='NAME,NAME' names fields of both sides, human='ASPECT=FIELD' and score='ASPECT=FIELD' those of "
            f"each; the judge's fields are {fields}"
        )

    def _scores(self, aspect: str) -> Asked:
        options, replies = self.options, self.judge is not None and self.judge.replies
        given = options.named("human").get(aspect)
        human = parse_people(given) if given else Term((aspect,))
        own = options.named("reply" if replies else "score")
        score = own.get(aspect, own.get("", aspect))
        return Asked(
            aspect,
            replace(human, fields=options.of_people(human.fields)),
            (Term((f"{SCORES}.{score}" if self._run else score,)),),
            confidence=options.confidences,
        )

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
