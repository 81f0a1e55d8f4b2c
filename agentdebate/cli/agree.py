"""agentdebate agree: how well judges agree with people, as tables like the papers'."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from agentdebate.cli.console.output import as_json_line, one_line, say
from agentdebate.cli.options.agree import (
    CalibrationOptions,
    FieldOptions,
    JudgeOptions,
    MeasureOptions,
    PeopleOptions,
    RecordOptions,
    options_of,
)
from agentdebate.cli.options.common import Json, Raw
from agentdebate.cli.options.names import in_options
from agentdebate.errors import UsageError
from agentdebate.report.agree import agree as agreement
from agentdebate.report.agreement_table import AgreementTable
from agentdebate.report.output_file import sources_of, written
from agentdebate.report.terminal import WIDTH, filled

Format = Literal["text", "json", "csv", "markdown", "latex"]


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
    explain: Annotated[
        bool,
        Parameter(
            help="Say at length on standard error what the figures are.", negative="", show_default=False
        ),
    ] = False,
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
    shape: Format = "json" if as_json else format or "text"
    given = options_of(judges, fields, records, measures, measures.resampling, ceiling, calibration)
    given |= {"data": data, "dataset": dataset, "subset": subset}
    table = agreement(*runs, **given)
    if shape == "csv":
        _check_one_table(table.further)
    for line in table.warnings:
        say(one_line(in_options(line)))
    sources = [*_files(data, judges), *sources_of(*runs, store=judges.store)]
    _write(_shown(table, shape, to_file=output is not None, raw=raw), output, sources)
    if explain:
        say(f"\n{filled(table.explanation)}")
    return 1 if table.empty else 0


def _files(data: str | None, judges: JudgeOptions) -> list[Path]:
    """The files that are compared."""
    named = (one.rpartition("=")[2] for one in (*judges.scores, *judges.replies))
    return [Path(one) for one in (data, *named) if one]


def _check_one_table(further: str) -> None:
    """Raise UsageError where there is more than the one table that CSV holds."""
    if further:
        leave = (
            "; without flip() the vote is another one"
            if further == "flip()"
            else f", or leave out --{further}"
        )
        raise UsageError(f"CSV holds one table: take --format json{leave}")


def _shown(table: AgreementTable, format: Format, *, to_file: bool, raw: bool) -> str:
    """The table in a format; the caption of one that has no place for it goes to standard error."""
    if format == "csv":
        say(table.caption)
    return {
        "text": lambda: table.to_text(width=WIDTH if to_file else _screen()),
        "json": lambda: as_json_line(table.to_dict()),
        "csv": lambda: table.to_csv(raw=raw),
        "markdown": table.to_markdown,
        "latex": table.to_latex,
    }[format]()


def _screen() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns


def _write(text: str, path: Path | None, sources: Sequence[Path]) -> None:
    if path is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    with written(path, sources) as stream:
        stream.write(text)
