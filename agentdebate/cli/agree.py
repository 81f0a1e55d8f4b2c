"""agentdebate agree: how well judges agree with people, as tables like the papers'."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.agree_options import (
    CalibrationOptions,
    FieldOptions,
    JudgeOptions,
    MeasureOptions,
    PeopleOptions,
    RecordOptions,
)
from agentdebate.cli.console import one_line, say
from agentdebate.cli.found import Format, Found
from agentdebate.cli.options import Json, Raw
from agentdebate.errors import UsageError
from agentdebate.meta.human_ceiling import human_ceiling
from agentdebate.meta.sources.gathered import Order
from agentdebate.report.compared import corrected


def agree(
    *runs: str,
    data: Annotated[
        str | None,
        Parameter(help="The file with people's judgements; of a run, those that came with its items."),
    ] = None,
    dataset: Annotated[
        str | None,
        Parameter(
            name="--as",
            help="Read --data, a file or a folder, as this dataset is published: summeval, topical-chat, ...",
        ),
    ] = None,
    subset: Annotated[
        bool,
        Parameter(help="With --as: the data is a part of the dataset.", negative="", show_default=False),
    ] = False,
    judges: JudgeOptions = JudgeOptions(),
    fields: FieldOptions = FieldOptions(),
    records: RecordOptions = RecordOptions(),
    measures: MeasureOptions = MeasureOptions(),
    ceiling: PeopleOptions = PeopleOptions(),
    calibration: CalibrationOptions = CalibrationOptions(),
    format: Annotated[Format | None, Parameter(help="What is printed [text].", show_default=False)] = None,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="A file for the table [standard output].")
    ] = None,
    as_json: Json = False,
    raw: Raw = False,
) -> int:
    """Say how well judges agree with people.

    A judge is a run, a file of scores, a file of raw replies, or a field of the data. Several are compared in one table.

    Parameters
    ----------
    runs
        Runs of the store, by name or the beginning of one, or NAME=RUN; "last" is the newest.

    """
    if as_json and format not in (None, "json"):
        raise UsageError(f"--json and --format {format} are two formats: give one of them")
    if raw and format != "csv":
        raise UsageError("--raw is for --format csv: the other formats have no such form")
    scaled = measures.needs_scales or calibration.calibration
    order = Order(
        runs, data, judges, fields, measures.chosen, dataset, subset, ceiling, records, scaled=scaled
    )
    gathered = tuple(order.gathered())
    people = order.people(gathered)
    found = Found(
        gathered,
        measures.agreements(gathered),
        corrected(measures.comparisons(gathered)),
        measures,
        (*fields.besides, *measures.besides),
        human_ceiling(people, ceiling, measures) if people else None,
        calibration.tables(gathered, measures.bootstrap, measures.missing_as),
    )
    shape: Format = "json" if as_json else format or "text"
    found.check(shape)
    for line in found.warnings:
        say(one_line(line))
    shown = found.shown(shape, to_file=output is not None, raw=raw)
    _write(shown, output)
    return 1 if found.empty else 0


def _write(text: str, path: Path | None) -> None:
    if path is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
