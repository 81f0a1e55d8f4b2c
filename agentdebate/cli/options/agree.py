"""The options of `agentdebate agree`: what each is called on the command line, and what its help says."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, cast

from cyclopts import Parameter

from agentdebate.cli.options.common import STORE, StorePath
from agentdebate.meta.agreement_fields import AgreementFields
from agentdebate.meta.bootstrap import Resampling
from agentdebate.meta.calibration import CalibrationSettings
from agentdebate.meta.conventions import CONVENTIONS
from agentdebate.meta.joining import RecordLayout
from agentdebate.meta.judges import JudgeSources
from agentdebate.meta.measures import STATISTICS
from agentdebate.meta.people import PeopleSettings
from agentdebate.meta.reliability import RELIABILITY
from agentdebate.meta.settings import USUAL_OF_CHOICES, USUAL_OF_SCORES, Measures
from agentdebate.report.agree import AgreeOptions

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

EVERY_STATISTIC = f"{', '.join(STATISTICS[:-1])} or {STATISTICS[-1]}"
EVERY_LEVEL = "pooled (over all texts), group (the mean over sources) or system (over the means of systems)"

WRONG = "wrong (choices: never right; scores: the end of the scale that is farthest from people's score)"
"""What --missing wrong is."""


@Parameter(name="*")
@dataclass(frozen=True)
class ResamplingOptions(Resampling):
    """How intervals come about."""

    resamples: Annotated[int, Parameter(help="Bootstrap resamples of an interval; 0 for none.")] = 1000
    confidence: Annotated[float, Parameter(help="How much of the resamples an interval holds.")] = 0.95
    seed: Annotated[
        int, Parameter(name="--bootstrap-seed", help="The seed of resamples, and of permutations.")
    ] = 0


@Parameter(name="*")
@dataclass(frozen=True)
class FieldOptions(AgreementFields):
    """Which fields of the data hold what."""

    on: Annotated[
        str | None,
        Parameter(
            help="The fields that name a text, with commas, by which rows of two files are matched; FIELD=FIELD where the "
            "judge's file has another name for it."
        ),
    ] = None
    aspects: Annotated[
        str | None, Parameter(help="The aspects, with commas: fields of these names on both sides.")
    ] = None
    human: Annotated[
        tuple[str, ...],
        Parameter(
            help="ASPECT=FIELD of people's scores; several with commas, or the option again. Of a list, ASPECT=majority(FIELD), "
            "mean(FIELD) or each(FIELD).",
            negative="",
            show_default=False,
        ),
    ] = ()
    score: Annotated[
        tuple[str, ...],
        Parameter(help="ASPECT=FIELD of the judge's scores.", negative="", show_default=False),
    ] = ()
    group: Annotated[
        str | None, Parameter(help="The field of the source that texts share: the article, the dialogue.")
    ] = None
    system: Annotated[str | None, Parameter(help="The field of what made the text.")] = None
    where: Annotated[
        tuple[str, ...],
        Parameter(
            help="FIELD=VALUE or FIELD!=VALUE, FIELD<NUMBER (or <=, >, >=), FIELD={VALUE,VALUE}: only these rows; the option again "
            "for more conditions.",
            negative="",
            show_default=False,
        ),
    ] = ()
    choice: Annotated[
        str | None,
        Parameter(
            help="FIELD=FIELD, people's choice and the judge's, where texts are compared; FIELD=FIELD,FIELD where the judge "
            "scores them and the best is its choice; FIELD+FIELD adds scores, as of a run in the other order. "
            "FIELD+flip(FIELD) is the vote of both orders, FIELD+back(FIELD) where the second is said of the texts in their "
            "first order already, majority(FIELD) that of samples or people; each(FIELD) counts every "
            "person. Of replies, FIELD+FIELD adds the scores of both orders."
        ),
    ] = None
    labels: Annotated[
        tuple[str, ...],
        Parameter(
            help="LABEL=LABEL: what each of people's labels is called by the judge, such as "
            "CHATGPT=1,VICUNA13B=2,TIE=tie; several words with commas, TIE=Same,tie. open: an answer that people never give is "
            "wrong, and no error.",
            negative="",
            show_default=False,
        ),
    ] = ()
    confidences: Annotated[
        str | None,
        Parameter(
            help="The field of how sure the judge is: print how right it is above each confidence, and the threshold for --risk."
        ),
    ] = None
    rater: Annotated[
        str | None,
        Parameter(
            help="The field that says who judged, where the data has a row for every person; --on names the text."
        ),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True)
class JudgeOptions(JudgeSources):
    """Where the judges' scores are, and how their replies are read."""

    scores: Annotated[
        tuple[str, ...],
        Parameter(
            help="FILE, or NAME=FILE, of predicted scores, a judge each; the option again for more.",
            negative="",
            show_default=False,
        ),
    ] = ()
    replies: Annotated[
        tuple[str, ...],
        Parameter(
            help="FILE, or NAME=FILE, of a judge's raw replies; the option again for more.",
            negative="",
            show_default=False,
        ),
    ] = ()
    reply: Annotated[
        tuple[str, ...],
        Parameter(
            help="The field of the reply: one text or a list of samples, whose scores are averaged. ASPECT=FIELD where aspects "
            "have replies of their own.",
            negative="",
            show_default=False,
        ),
    ] = ()
    read: Annotated[
        str | None,
        Parameter(
            help="How a score, or with --choice a choice, is found in a reply: auto (as a ballot of a debate is read), "
            "or pattern=REGEX, where {aspect} stands for the aspect's name [auto]."
        ),
    ] = None
    scale: Annotated[
        tuple[str, ...],
        Parameter(
            help="The scale that replies score on: 1-5, or '1-5 any' for fractions; ASPECT=SCALE, JUDGE=SCALE or "
            "JUDGE:ASPECT=SCALE where these differ, and people=SCALE for people's own. Of scores in files it is said for "
            "--missing wrong, --compare, --calibration, and errors and alpha; a run's scales are known.",
            negative="",
            show_default=False,
        ),
    ] = ()
    store: StorePath = STORE


@Parameter(name="*")
@dataclass(frozen=True)
class RecordOptions(RecordLayout):
    """How recorded judgements lie in a file."""

    by: Annotated[
        str | None,
        Parameter(
            help="The fields that tell apart the judges of one file, with commas: each combination is a judge of its own."
        ),
    ] = None
    orders: Annotated[
        str | None,
        Parameter(
            help="FIELD=FIRST,SECOND: both orders of an item are rows of their own, and FIELD says which is which. The rows "
            "that --on names alike are put together, and a field of theirs is FIRST.field or SECOND.field in --choice."
        ),
    ] = None
    grades: Annotated[
        tuple[str, ...],
        Parameter(
            help="WORD=NUMBER: the scores that letters or words stand for, such as A=5,B=4,C=3, in people's columns, the "
            "judge's and its replies.",
            negative="",
            show_default=False,
        ),
    ] = ()


@Parameter(name="*")
@dataclass(frozen=True)
class MeasureOptions(Measures):
    """Which numbers are computed, and how."""

    statistic: Annotated[
        tuple[str, ...],
        Parameter(
            help=f"{EVERY_STATISTIC}; several with commas, or the option again [of scores "
            f"{', '.join(USUAL_OF_SCORES)}; of choices {', '.join(USUAL_OF_CHOICES)}].",
            negative="",
            show_default=False,
        ),
    ] = ()
    level: Annotated[
        tuple[str, ...],
        Parameter(
            help=f"{EVERY_LEVEL}; several as with --statistic [pooled].",
            negative="",
            show_default=False,
        ),
    ] = ()
    convention: Annotated[
        str | None,
        Parameter(
            help=f"The settings of published tables: {', '.join(CONVENTIONS)}. Other options go before them; "
            "agentdebate list conventions says what each sets."
        ),
    ] = None
    resampling: ResamplingOptions = ResamplingOptions()
    missing: Annotated[
        str,
        Parameter(
            help="What a missing judgement counts as, of a text without a row, with null, without a reply that can be read, or "
            f"whose debate failed: left-out, {WRONG}, tie (choices only) or a number. Scores of files need --scale for wrong."
        ),
    ] = "left-out"
    dataset: Annotated[str | None, Parameter(parse=False)] = None
    compare: Annotated[
        bool,
        Parameter(
            help="Test the difference of each two judges.",
            negative="",
            show_default=False,
        ),
    ] = False
    test: Annotated[
        str,
        Parameter(
            help="For --compare: permutation, or williams, which gives Williams' test of correlations as well where texts share "
            "a source (without that it is given where they do not)."
        ),
    ] = "permutation"
    permutations: Annotated[int, Parameter(help="For --compare: the permutations of the test.")] = 1000
    risk: Annotated[
        float,
        Parameter(
            help="For --confidences: the share of wrong judgements that is not to be exceeded, as sure as --confidence."
        ),
    ] = 0.1


@Parameter(name="*")
@dataclass(frozen=True)
class PeopleOptions(PeopleSettings):
    """How well people agree with one another."""

    ceiling: Annotated[
        bool,
        Parameter(
            help="Add a row for people: each annotator against the mean of the others, averaged; and say how well they agree "
            "among themselves.",
            negative="",
            show_default=False,
        ),
    ] = False
    annotators: Annotated[
        tuple[str, ...],
        Parameter(
            help="For --ceiling and --reliability: ASPECT=FIELD, a list with a rating a person, or ASPECT=FIELD,FIELD,..., a field a person. With "
            "--as, whose ratings: expert, turker or annotator [the dataset's first; else people's lists in --human or --choice].",
            negative="",
            show_default=False,
        ),
    ] = ()
    reliability: Annotated[
        tuple[str, ...],
        Parameter(
            help=f"How people's agreement among themselves is said, {', '.join(RELIABILITY[:-1])} or {RELIABILITY[-1]}; several "
            "with commas, or the option again [of scores alpha-ordinal, or alpha where some are fractions; of choices fleiss-kappa].",
            negative="",
            show_default=False,
        ),
    ] = ()


@Parameter(name="*")
@dataclass(frozen=True)
class CalibrationOptions(CalibrationSettings):
    """Whether it is said what the judges' scores stand for."""

    calibration: Annotated[
        bool,
        Parameter(
            help="For each judge and aspect, print bias, mean absolute error, and what people say of texts that the judge "
            "scores alike.",
            negative="",
            show_default=False,
        ),
    ] = False
    bins: Annotated[int, Parameter(help="For --calibration: the bins of the judge's scores.")] = 10


def options_of(*given: "DataclassInstance") -> AgreeOptions:
    """The arguments of `agree` that groups of options stand for."""
    found: dict[str, Any] = {one.name: getattr(each, one.name) for each in given for one in fields(each)}
    del found["resampling"]
    return cast(AgreeOptions, {_ARGUMENTS.get(name, name): value for name, value in found.items()})


_ARGUMENTS = {"seed": "bootstrap_seed"}
"""Arguments of another name than the field of the option."""
