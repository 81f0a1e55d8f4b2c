"""Thresholds of a cascade from people's labels: how sure a stage has to be that its verdict may stand.

After "Trust or Escalate" (Jung et al. 2024, arXiv 2407.18370, Section 2.2): a stage's threshold is found by fixed-sequence testing among
the texts that the stages before it left. The probability of error is split evenly over the stages, so that it holds for all of them
together (Bonferroni): then of all verdicts that stand no greater share than the risk is wrong, whichever stage they are of.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_rows
from agentdebate.datasets.row import Row, name_of, number_of
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.arrays import stats
from agentdebate.meta.judgements import Judged, reasons
from agentdebate.meta.run_rows import about_of, choice_of_people, scales_of
from agentdebate.meta.selective import StageCase, is_right, thresholds_of
from agentdebate.meta.talk import TIE, Value, label
from agentdebate.store.reader import Reader
from agentdebate.store.run_head import RunHead
from agentdebate.talk.messages import StageEnd
from agentdebate.tasks import Scale

CHOICE = "choice"
"""The field of a choice in a file of labels, as people's labels are written."""
UNLABELLED = "texts without a label"
"""The reason why a debate has no part in a calibration."""

STRANGE = "labels of texts that are not in the runs"
"""The reason why a label has no part in one."""

Case = Mapping[str, StageCase]
"""The stages that were held on one text, by name."""


@dataclass(frozen=True)
class StageThreshold:
    """The threshold of a stage, and the labelled texts that it was found on."""

    stage: str
    source: str
    """Source of its confidence."""
    reached: int
    """Texts that no stage before it decides."""
    threshold: float | None
    """Least confidence with which its verdicts stand; None where none can be shown to keep to the risk."""
    n: int
    """Texts on which its verdict stands."""
    errors: int
    """Texts among them on which people say otherwise."""
    bound: float | None
    """Upper Clopper-Pearson bound of the share of errors."""


@dataclass(frozen=True)
class Cases:
    """Labelled debates of cascades with the same stages."""

    about: str
    """The aspect, or the aspects of a choice."""
    sources: Mapping[str, str]
    """The stages in their order, each with the source of its confidence."""
    cases: tuple[Case, ...] = field(repr=False)
    left_out: Mapping[str, int]
    """Debates without a part in it: reason to count."""


def cases_of(reader: Reader, runs: Sequence[str], about: str | None, data: str | Path | None) -> Cases:
    """The labelled debates of runs; a label is that of a file, or else came with the item. Raises UserError and StoreError.

    Of a text that several runs judged the debate with the most stages counts. A stage that failed, or that a failure or a limit left
    out, came to no verdict, as it would in use.
    """
    labels = {} if data is None else _labels(data)
    heads = [reader.run(run) for run in runs]
    _check_alike(heads)
    debates = [one for head in heads for one in _debates(reader, head.id)]
    known = list(dict.fromkeys(_about(row) for row, _ in debates))
    about = about or (known[0] if len(known) == 1 else None)
    if about not in known:
        raise UsageError(
            f"aspects=... names what the thresholds are for, one of {', '.join(known)}"
            if known
            else f"no debate of {', '.join(runs)} has stages: calibrate a run of a cascade"
        )
    held = sorted((one for one in debates if _about(one[0]) == about), key=lambda one: len(one[1]))
    sources = {end.stage: end.source for end in held[-1][1]}
    scale = scales_of(heads[0]).get(about)
    people = [_label(labels.get(row["id"]), row, about, scale) for row, _ in held]
    found = {
        row["id"]: _case(row, ends, human, sources)
        for (row, ends), human in zip(held, people, strict=True)
        if human is not None
    }
    strange = labels.keys() - {row["id"] for row, _ in held}
    if not found:
        raise UsageError(
            f"no text of {', '.join(runs)} has a label of {about}: view {runs[-1]} with label=... asks people, and data=... takes its file"
        )
    return Cases(
        about,
        sources,
        tuple(found.values()),
        reasons({UNLABELLED: people.count(None), STRANGE: len(strange)}),
    )


def _check_alike(heads: Sequence[RunHead]) -> None:
    """Raise UsageError where runs have other stages or models: the thresholds of the ones say nothing of the others."""
    cascades = [
        ({**head.configuration["strategy"], "name": "", "thresholds": {}}, head.models) for head in heads
    ]
    for head, one in zip(heads, cascades, strict=True):
        if one != cascades[0]:
            raise UsageError(
                f"the stages or models of {head.id} are not those of {heads[0].id}: thresholds are for one cascade"
            )


def _labels(data: str | Path) -> Mapping[str, Row]:
    """The rows of a file of labels by id. Raises DataError where one is there twice."""
    found: dict[str, Row] = {}
    for row in read_rows(data):
        name = name_of(row, "id")
        if name in found:
            raise row.error(f"{name!r:.80} has a label on line {found[name].line} already: keep one", "id")
        found[name] = row
    return found


def _debates(reader: Reader, run: str) -> Iterator[tuple[Mapping[str, Any], list[StageEnd]]]:
    """The debates of a run that have ended, each with the ends of its stages."""
    rows = {row["debate"]: row for row in reader.rows(run)}
    for debate, said in groupby(reader.said(run, ("stage",)), itemgetter(0)):
        if debate in rows:
            yield rows[debate], [end for _, end in said if isinstance(end, StageEnd)]


def _about(row: Mapping[str, Any]) -> str:
    """Name what a debate is about. Raises UsageError where it has several scores, which may be right and wrong at once."""
    if len(row["aspects"]) > 1 and not row["candidates"]:
        raise UsageError(
            "thresholds are for one aspect: hold the cascade with each aspect in a debate of its own"
        )
    return about_of(row)


def _label(found: Row | None, row: Mapping[str, Any], about: str, scale: Scale | None) -> Value | None:
    """A person's label of a debate's text: the file's where it has one. Raises DataError for a choice that is not among its texts."""
    field = CHOICE if row["candidates"] else about
    if found is None or found.data.get(field) is None:
        return choice_of_people(row) if row["candidates"] else row["human"].get(about)
    if not row["candidates"]:
        score = number_of(found, about)
        if scale and score is not None and not scale.low <= score <= scale.high:
            raise found.error(f"{score:g} is not on the scale from {scale.low:g} to {scale.high:g}", about)
        return score
    chosen, known = found.data.get(CHOICE), (*row["candidates"], TIE)
    if chosen is not None and chosen not in known:
        raise found.error(f"{chosen!r:.80} is none of the texts. {nearest(str(chosen), known)}", CHOICE)
    return chosen


def _case(row: Mapping[str, Any], ends: Sequence[StageEnd], human: Value, sources: Mapping[str, str]) -> Case:
    """The stages of a debate; those that were to come when a failure or a limit ended it came to no verdict."""
    case = {} if ends[-1].stands else dict.fromkeys(sources, StageCase(None, None))
    for end in ends:
        scores = {rating.name: rating.score for rating in end.ratings}
        value = label(end.winners) if end.winners else scores.get(about_of(row))
        case[end.stage] = StageCase(end.confidence, is_right(Judged("", "", "", human, value)))
    return case


def calibrated(
    cases: Sequence[Case], sources: Mapping[str, str], risk: float, delta: float
) -> list[StageThreshold]:
    """The threshold of each stage, over the texts that those before it leave; `sources` has the stages in their order.

    Of all texts on which a verdict stands, a greater share than `risk` is wrong with a probability of at most `delta`, over sets of
    labels. A stage none of whose thresholds can be shown to keep to that has none, and lets every text go on.
    Raises UsageError for numbers that mean nothing, and where a stage was not held on a text that comes to it.
    """
    stages = [{at: case[name] for at, case in enumerate(cases) if name in case} for name in sources]
    held = thresholds_of(stages, risk, delta)
    found: list[StageThreshold] = []
    reached, sure = len(cases), 1 - delta / len(sources)
    for (stage, source), (left, least, stand) in zip(sources.items(), held, strict=True):
        if lacking := reached - len(left):
            raise UsageError(
                f"{lacking} labelled texts come to the stage {stage!r}, which was not held on them: hold the cascade without thresholds"
            )
        n, errors = len(stand), sum(not left[key].right for key in stand)
        bound = float(stats.beta.ppf(sure, errors + 1, n - errors)) if n else None
        found.append(StageThreshold(stage, source, reached, least, n, errors, bound))
        reached -= n
    return found
