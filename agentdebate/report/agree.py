"""`agree`: how well judges agree with people, in one call with the words of the command."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack, get_type_hints

from pydantic import TypeAdapter, ValidationError

from agentdebate.debates.record import Record
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.aggregation import ended
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.imputation import LEFT_OUT
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.measures import ON_ONE_SCALE
from agentdebate.meta.plan import AgreementOptions
from agentdebate.meta.request import AgreementRequest, Gathered
from agentdebate.meta.run_rows import RunRows, StoredRun, opened, people_judged, rows_of_records, run_rows
from agentdebate.meta.settings import Measures
from agentdebate.meta.talks import first_talks
from agentdebate.models.prices import prices
from agentdebate.report.agreement_caption import origins
from agentdebate.report.agreement_table import AgreementTable
from agentdebate.report.judge_tables import corrected
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import read_store
from agentdebate.studies.panel_worth import panels, panels_of_agents
from agentdebate.studies.worth import Worth, worth_of
from agentdebate.visible import shortened
from agentdebate.wrong_values import problem_and_value

Texts = str | Path | Sequence[str | Path] | Mapping[str, str | Path]
"""One text, several, or values by name, as NAME=VALUE is on the command line."""


Judge = str | StoredRun | Iterable[Record]
"""A run by name or as it was opened, or its records."""


class AgreeOptions(TypedDict, total=False):
    """Options of `agree` besides the judges. Each has the name of the command's option, with `_` for `-`."""

    data: str | Path | None
    """The file with people's judgements; of a run, those that came with its items."""
    dataset: str | None
    """The published dataset that `data` is read as (`as` of the command): "summeval", "topical-chat", ..."""
    subset: bool
    """True if the data is a part of `dataset`."""
    store: str | Path
    """The store of runs that are named: a SQLite file, or a database URL."""
    scores: Texts
    """Files of predicted scores, a judge each; a mapping names them."""
    replies: Texts
    """Files of raw replies, a judge each; a mapping names them."""
    reply: Texts
    """The field of the reply, or fields by aspect."""
    read: str | None
    """Rule for the score in a reply: "auto" or "pattern=REGEX"."""
    scale: Texts
    """The scale that scores are on, such as "1-5"; by aspect, judge or "people"."""
    on: Texts | None
    """The fields that name a text, by which rows of two files are matched; "FIELD=FIELD" where the names differ."""
    aspects: Texts | None
    """The aspects: fields of these names on both sides."""
    human: Texts
    """The fields of people's scores by aspect; "majority(FIELD)", "mean(FIELD)" or "each(FIELD)" of lists."""
    score: Texts
    """The fields of the judge's scores by aspect."""
    group: str | None
    """The field of the source that texts share."""
    system: str | None
    """The field of what made the text."""
    where: Texts
    """Conditions on rows: "FIELD=VALUE", "FIELD!=VALUE", "FIELD<NUMBER" (or <=, >, >=), "FIELD={VALUE,VALUE}"."""
    choice: str | None
    """People's choice and the judge's, "FIELD=FIELD", where texts are compared."""
    labels: Texts
    """Judge's words for each of people's labels; "open" where an answer that people never give is wrong."""
    confidences: str | None
    """The field of how sure the judge is: how right it is above each confidence, and a threshold for `risk`."""
    risk: float
    """Largest share of wrong judgements, with `confidences`."""
    stages: bool
    """True if the judges are stages of a cascade, with `confidences`: each has the texts that those before it leave."""
    rater: str | None
    """The field that says who judged, where the data has a row for every person."""
    by: Texts | None
    """The fields that tell apart the judges of one file."""
    orders: str | None
    """"FIELD=FIRST,SECOND": both orders of an item are rows of their own."""
    against: str
    """"evaluators" adds a row for each evaluator of the run, and a table of how well the judge agrees with each; else "people"."""
    grades: Texts | Mapping[str, float]
    """The numbers that words stand for."""
    statistic: Texts
    """Statistics: "pearson", "spearman", "kendall-b", ..., "accuracy", "kappa", ..."""
    level: Texts
    """Levels: "pooled", "group" or "system"."""
    convention: str | None
    """The settings of a published table."""
    missing: str | float
    """Value of a missing judgement: "left-out", "wrong", "tie" or a number."""
    compare: bool
    """True if the difference of each two judges is tested."""
    test: str
    """Test beside the permutation test of `compare`: "williams", also where texts share a source."""
    permutations: int
    """Permutations of the test, with `compare`."""
    resamples: int
    """Bootstrap resamples of an interval; 0 for none."""
    confidence: float
    """Share of the resamples in an interval, 0 to 1."""
    bootstrap_seed: int
    """The seed of resamples, and of permutations."""
    ceiling: bool
    """True if people are a row of the table: each annotator against the mean of the others."""
    annotators: Texts
    """Fields of single ratings by aspect, or the annotators of a dataset, with `ceiling` or `reliability`; else people's lists."""
    reliability: Texts
    """Statistics of people's agreement among themselves."""
    alt_test: bool
    """True if it is tested whether the judge may replace an annotator."""
    epsilon: float
    """Share by which the judge may be the nearer one less often than an annotator, with `alt_test`: .2 for experts, .1 for crowd workers."""
    correct: bool
    """True if means, shares and differences are corrected by people's labels, which some texts lack."""
    calibration: bool
    """True if bias, error and reliability tables are given."""
    bins: int
    """Bins of the judge's scores, with `calibration`."""


def agree(*judges: Judge, **options: Unpack[AgreeOptions]) -> AgreementTable:
    """Compute how well judges agree with people, as tables like the papers' with a complete caption.

    A judge is a run: its name in `store`, the beginning of one, "last" or "NAME=RUN"; a run that `open_store` gave; or the
    records of `evaluate`, whose items have people's scores. Other judges are files, named by `scores` and `replies`, or
    fields of `data`, named by `score` or `choice`. The options are those of `agentdebate agree`, described at
    `AgreeOptions`:

        table = ad.agree("last", store="runs.db", statistic="spearman", level=["pooled", "group"])
        print(table)
        table.rows()[0]["value"]

    Of judgements that are at hand `agentdebate.meta.agree` gives one figure. Needs the extra `agree`. Raises UserError, and
    StoreError for a store that cannot be read.
    """
    given: dict[str, Any] = {_FIELDS.get(name, name): value for name, value in options.items()}
    table = _table(tuple(map(_judge, judges)), given)
    stored = {one.head.id: one for one in list[Any](judges) if hasattr(one, "reader")}
    known = ((one.judge.name, one.judge.run) for one in table.gathered)
    runs = {name: run for name, run in known if run and run.head.created}  # others are made of records
    store = options.get("store", USUAL_STORE)
    worths = dict[str, Worth | None]()
    for name, run in runs.items():
        with opened(stored.get(run.head.id, run.head.id), store) as (reader, head):
            talk = first_talks(reader, head, run.debates)
            worths[name] = worth_of(reader, head, prices(), talk)
        if len(table.gathered) == 1:
            asked = {one.aspect for one in table.judges}
            found = panels_of_agents(talk.talks, table.measures.bootstrap)
            table = replace(table, panels=tuple(one for one in found if one.aspect in asked))
    return replace(table, worths=worths)


def _table(judges: tuple[str | RunRows, ...], given: dict[str, Any]) -> AgreementTable:
    given["missing"] = str(given.get("missing", LEFT_OUT))
    _check(given)
    _check_types(given)
    measures = _part(Measures, given, bootstrap=_part(Bootstrap, given))
    options_ = _part(AgreementOptions, given)
    request = AgreementRequest(judges, options_, measures.chosen)
    gathered, against = request.gathered(), list[Judgements]()
    if options_.against != AgreementOptions.against:
        if measures.calibration or any(one in ON_ONE_SCALE for one, _ in measures.figures(choices=False)):
            raise UsageError(
                "against='evaluators': they score on scales of their own, so bias, errors, calibration and alpha mean nothing"
            )
        own, against = _with_evaluators(gathered, options_)
        gathered = (own,)
    single = request.people(gathered)
    entries = [entry for one in gathered for entry in one.entries]
    return AgreementTable(
        gathered,
        measures.agreements(entries),
        corrected(measures.comparisons(entries)),
        measures,
        tuple(f"{name}='{one}'" for name in _OF_CONVENTIONS for one in _texts(given.get(name)) or ()),
        origins([one.judge for one in gathered], options_),
        measures.human_ceiling(single, options_) if single else None,
        measures.calibrations(entries),
        measures.selective(entries),
        measures.agreements(against),
        panels(entries, measures.bootstrap),
        measures.alt_tests(entries, single, options_) if single else (),
        measures.corrections(entries),
    )


def _with_evaluators(
    gathered: Sequence[Gathered], options: AgreementOptions
) -> tuple[Gathered, list[Judgements]]:
    """A judge with the evaluators of its run beside people, and the evaluators beside the judge. Raises UsageError."""
    own, run = gathered[0], gathered[0].judge.run
    if options.against != "evaluators" or len(gathered) > 1 or options.data or run is None or run.candidates:
        raise UsageError("against='evaluators' takes one run that scores texts, without data=...")
    with read_store(options.store) as reader:
        findings = [
            (one.row["id"], each) for one in ended(reader, run.head) for each in one.findings.values()
        ]
    scores = {(one.evaluator, item): one.score for item, one in findings}
    beside, against = [*own.entries], list[Judgements]()
    for name, entry in product(dict.fromkeys(name for name, _ in scores), own.entries):
        scored = [replace(row, score=scores.get((name, row.id))) for row in entry.rows]
        judged = [replace(row, human=one.score) for row, one in zip(scored, entry.rows, strict=True)]
        beside.append(replace(entry, judge=name, scale=None, rows=scored))
        against.append(replace(entry, judge=name, scale=None, rows=judged))
    return replace(own, entries=people_judged(beside)), against


_FIELDS = {"bootstrap_seed": "seed"}
"""Options that the settings call otherwise."""

_OF_CONVENTIONS = ("aspects", "where", "choice", "statistic", "level")
"""Options that go before those of a convention."""

_SETTINGS = (
    AgreementOptions,
    Measures,
    Bootstrap,
)

Settings = TypeVar("Settings")


def _check(given: Mapping[str, Any]) -> None:
    """Raise UsageError for an unknown option."""
    known = {one.name for kind in _SETTINGS for one in fields(kind)}
    for name in given:
        if name not in known or name == "bootstrap":
            raise UsageError(f"agree has no argument {name!r}. {nearest(name, AgreeOptions.__annotations__)}")
    data = given.get("data")
    if not (data is None or isinstance(data, str | Path)):
        told = f"data is the path of a file, and not {shortened(repr(data), 80)}"
        raise UsageError(f"{told}: write its rows into a .jsonl file")


@cache
def _types() -> Mapping[str, TypeAdapter[Any]]:
    hints = get_type_hints(AgreeOptions)
    return {name: TypeAdapter(hint) for name, hint in hints.items()}


def _check_types(given: Mapping[str, Any]) -> None:
    """Raise UsageError for an option that is something else than it takes."""
    names = {field: name for name, field in _FIELDS.items()}
    for field, value in given.items():
        name = names.get(field, field)
        try:
            _types()[name].validate_python(value, strict=True)
        except ValidationError as error:
            raise UsageError(
                f"{name}=...: {problem_and_value(error.errors(include_url=False)[0])}"
            ) from error


def _part(kind: type[Settings], given: Mapping[str, Any], **more: Any) -> Settings:
    """Settings of a kind, as far as options give them."""
    for one in fields(kind):  # type: ignore[arg-type]  # each is a dataclass
        if one.name in given:
            value, several = given[one.name], "tuple" in str(one.type)
            texts = _texts(value)
            more[one.name] = value if texts is None else texts if several else ",".join(texts)
    return kind(**more)


def _texts(value: Any) -> tuple[str, ...] | None:
    """The texts that an option gives: one, several, or values by name; None where it is a number or nothing."""
    if isinstance(value, Mapping):
        return tuple(f"{name}={one}" for name, one in value.items())
    if isinstance(value, str | Path):
        return (str(value),)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else None


def _judge(judge: Any) -> str | RunRows:
    """A run that is named, or the rows of one that is here. Raises UsageError."""
    if isinstance(judge, str):
        return judge
    if hasattr(judge, "reader"):
        return run_rows(judge.reader, judge.head)
    found = list(judge) if isinstance(judge, Iterable) else []
    if not found or not all(isinstance(one, Record) for one in found):
        raise UsageError(
            f"a judge is the name of a run, a run, or the records of one, not {type(judge).__name__}; scores= names files of scores"
        )
    return rows_of_records(found)
