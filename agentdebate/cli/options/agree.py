"""The options of `agentdebate agree`, which are the words of the library's `agree`, and those of a single question of agreement."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from agentdebate.cli.options.common import STORE, StorePath
from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.imputation import missing_as

JUDGES = Group("The judges", sort_key=1)
FIELDS = Group("People's judgements, and which fields hold what", sort_key=2)
FIGURES = Group("Which figures", sort_key=3)
MORE = Group("Beside the table", sort_key=4)
AGREEMENT = Group("Agreement with people", sort_key=4)


@Parameter(name="*", group=JUDGES)
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
    """The way to find a score, or with --choice a choice, in a reply: auto (as a ballot of a debate is read), or pattern=REGEX, where
    {aspect} stands for the aspect's name [auto]."""
    scale: tuple[str, ...] = ()
    """The scale that replies score on: 1-5, or '1-5 any' for fractions; ASPECT=SCALE, JUDGE=SCALE or JUDGE:ASPECT=SCALE where these
    differ, and people=SCALE for people's own. Scores of files need it for --missing wrong, --compare, --calibration, errors and alpha; a
    run's scales are known."""
    store: StorePath = STORE
    by: str | None = None
    """The fields that tell apart the judges of one file, with commas: each combination is a judge of its own."""
    orders: str | None = None
    """FIELD=FIRST,SECOND: both orders of an item are rows of their own, and FIELD says which is which. The rows that --on names
    alike are put together, and a field of theirs is FIRST.field or SECOND.field in --choice."""
    against: Literal["people", "evaluators"] = "people"
    """evaluators: add a row for each evaluator of the run, and a table of how well the judge agrees with each."""
    grades: tuple[str, ...] = ()
    """WORD=NUMBER: the scores that letters or words stand for, such as A=5,B=4,C=3, in people's columns, the judge's and its replies."""


@Parameter(name="*", group=FIELDS)
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
    FIELD+FIELD adds scores, as of a run in the other order. FIELD+flip(FIELD) is the vote of both orders, majority(FIELD)
    the vote of samples or people; each(FIELD) counts every person."""
    labels: tuple[str, ...] = ()
    """LABEL=LABEL: the judge's word for each of people's labels, such as CHATGPT=1,VICUNA13B=2,TIE=tie; several words with commas,
    TIE=Same,tie. open: an answer that people never give is wrong, and no error."""
    confidences: str | None = None
    """The field of the judge's confidence: print how right it is above each confidence, and the threshold for --risk."""
    rater: str | None = None
    """The field of the person who judged, where the data has a row for every person; --on names the text."""


@Parameter(name="*", group=FIGURES)
@dataclass(frozen=True)
class MeasureOptions:
    """The figures of the table."""

    statistic: tuple[str, ...] = ()
    """pearson, spearman, kendall-b, accuracy, kappa, ...; several with commas. Also kendall-c, pairwise-accuracy, kappa-linear,
    kappa-quadratic, alpha, alpha-nominal, alpha-ordinal, bias, mean-absolute-error and root-mean-square-error [of scores pearson, spearman and
    kendall-b; of choices accuracy and kappa]."""
    level: tuple[str, ...] = ()
    """pooled (over all texts), group (the mean over sources) or system."""
    convention: str | None = None
    """The settings of published tables, by name (agentdebate list conventions)."""
    missing: str = "left-out"
    """Count a missing judgement as left-out, wrong, tie (choices only) or a number. It is missing of a text without a row or a
    readable reply, and where the debate failed. A wrong choice is never right; a wrong score is the end of the scale that is farthest
    from people's."""
    resamples: int = 1000
    """Bootstrap resamples of an interval; 0 for none."""
    confidence: float = 0.95
    """The confidence of an interval."""
    bootstrap_seed: int = 0
    """The seed of resamples, and of permutations."""


@Parameter(name="*", group=MORE)
@dataclass(frozen=True)
class FurtherOptions:
    """Further tables: differences of judges, agreement among people, calibration."""

    compare: bool = False
    """Test the difference of each two judges."""
    test: str = "permutation"
    """For --compare: permutation, or williams, which adds Williams' test of correlations where texts share a source."""
    permutations: int = 1000
    """For --compare: the permutations of the test."""
    risk: float = 0.1
    """For --confidences: the share of wrong judgements that is not to be exceeded, as sure as --confidence."""
    ceiling: bool = False
    """Add a row for people, each annotator against the mean of the others, and say how well they agree among themselves."""
    annotators: tuple[str, ...] = ()
    """For --ceiling and --reliability: ASPECT=FIELD, a list with a rating a person, or ASPECT=FIELD,FIELD,..., a field a person. With --as,
    whose ratings: expert, turker or annotator [the dataset's first; else people's lists in --human or --choice]."""
    reliability: tuple[str, ...] = ()
    """The statistics of people's agreement among themselves [of scores alpha-ordinal, or
    alpha where some are fractions; of choices alpha-nominal]."""
    calibration: bool = False
    """For each judge and aspect, print bias, mean absolute error, and people's scores of texts that the judge scores alike."""
    bins: int = 10
    """For --calibration: the bins of the judge's scores."""


@Parameter(name="*", group=AGREEMENT)
@dataclass(frozen=True)
class QuestionOptions:
    """One question of agreement, and its interval."""

    statistic: str | None = None
    """spearman, kendall-b, pearson, ... [of scores spearman; of choices accuracy]."""
    level: Annotated[Level, Parameter(show_choices=False)] = "pooled"
    """pooled (over all texts), group (the mean over sources) or system (over the means of systems)."""
    missing: str = "left-out"
    """Count a missing judgement, or a debate that failed, as left-out, wrong, tie (choices only) or a number."""
    resamples: int = 1000
    """Bootstrap resamples of an interval; 0 for none."""
    confidence: float = 0.95
    """The confidence of an interval."""
    bootstrap_seed: int = 0
    """The seed of resamples."""

    @property
    def arguments(self) -> dict[str, Any]:
        """The same as the library takes it. Raises UsageError."""
        return {
            "statistic": self.statistic,
            "level": self.level,
            "missing": missing_as(self.missing),
            "bootstrap": Bootstrap(self.resamples, self.confidence, self.bootstrap_seed),
        }
