"""agentdebate agree: how well judges agree with people, as tables like the papers'."""

import shutil
import sys
from pathlib import Path
from typing import Annotated, Literal, cast

from cyclopts import Parameter

from agentdebate.cli.console.command_lines import in_options
from agentdebate.cli.console.output import as_json_line, one_line, say
from agentdebate.cli.options.agree import FIELDS, JUDGES, MORE, FurtherOptions, MeasureOptions
from agentdebate.cli.options.common import OUTPUT, STORE, Json, Output, Raw, StorePath
from agentdebate.errors import UsageError
from agentdebate.meta.plan import FieldOptions, JudgeOptions, PeopleOptions
from agentdebate.report.agree import AgreeOptions
from agentdebate.report.agree import agree as agreement
from agentdebate.report.agreement_table import AgreementTable
from agentdebate.report.output_file import sources_of, written
from agentdebate.report.terminal import WIDTH, filled

Format = Literal["text", "csv", "markdown", "latex"]


def agree(
    *runs: str,
    data: Annotated[str | None, Parameter(group=FIELDS)] = None,
    dataset: Annotated[str | None, Parameter(name="--as", group=FIELDS)] = None,
    subset: Annotated[bool, Parameter(group=FIELDS)] = False,
    judges: Annotated[JudgeOptions, Parameter(name="*", group=JUDGES)] = JudgeOptions(),
    store: StorePath = STORE,
    fields: Annotated[FieldOptions, Parameter(name="*", group=FIELDS)] = FieldOptions(),
    measures: MeasureOptions = MeasureOptions(),
    further: FurtherOptions = FurtherOptions(),
    people: Annotated[PeopleOptions, Parameter(name="*", group=MORE)] = PeopleOptions(),
    format: Annotated[Format, Parameter(group=OUTPUT)] = "text",
    output: Output = None,
    explain: Annotated[bool, Parameter(group=OUTPUT)] = False,
    as_json: Json = False,
    raw: Raw = False,
) -> int:
    """Measure how well judges agree with people.

    A judge is a run, a file of scores, a file of raw replies, or a field of the data. Several are compared in one table.

    Example: agentdebate agree --data responses.jsonl --scores predicted.jsonl --convention topicalchat-pooled

    Parameters
    ----------
    runs
        Runs of the store, by name or the beginning of one, or NAME=RUN; "last" is the newest.
    data
        The file with people's judgements; of a run, those that came with its items.
    dataset
        Read --data, a file or a folder, as this dataset is published: summeval, topical-chat, ...
    subset
        With --as: the data is a part of the dataset.
    format
        The form of the table.
    output
        A file for the table [standard output].
    explain
        Say at length on standard error what the figures are.

    """
    if as_json and format != "text":
        raise UsageError(f"--json and --format {format} are two formats: give one of them")
    given = {**vars(judges), **vars(fields), **vars(measures), **vars(further), **vars(people)}
    for name, (usual, needed) in _NEEDS.items():
        if given[name] != usual and not given[needed]:
            raise UsageError(f"--{name} goes with --{needed.replace('_', '-')}")
    if format == "csv" and (tables := [name for name in _TABLES if given[name]]):
        raise UsageError(
            f"--format csv is a line for each figure, without the tables of --{tables[0].replace('_', '-')}: take --json"
        )
    given |= {"data": data, "dataset": dataset, "subset": subset, "store": store}
    table = agreement(*runs, **cast(AgreeOptions, given))
    for line in table.warnings:
        say(one_line(in_options(line)))
    text = (
        as_json_line(table.to_dict())
        if as_json
        else _shown(table, format, to_file=output is not None, raw=raw)
    )
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        named = (one.rpartition("=")[2] for one in (data or "", *judges.scores, *judges.replies))
        sources = [*(Path(one) for one in named if one), *sources_of(*runs, store=store)]
        with written(output, sources) as stream:
            stream.write(text)
    if format == "csv":  # which has no place for it
        say(table.caption)
    if explain:
        say(f"\n{filled(table.explanation)}")
    return 1 if table.empty else 0


_NEEDS = {
    "test": (FurtherOptions().test, "compare"),
    "permutations": (FurtherOptions().permutations, "compare"),
    "risk": (FurtherOptions().risk, "confidences"),
    "stages": (FurtherOptions().stages, "confidences"),
    "epsilon": (PeopleOptions().epsilon, "alt_test"),
    "bins": (FurtherOptions().bins, "calibration"),
}
"""Options that mean something beside another one alone, with their defaults."""


_TABLES = ("alt_test", "correct", "calibration", "compare", "confidences")
"""Options that bring tables of their own."""


def _shown(table: AgreementTable, format: Format, *, to_file: bool, raw: bool) -> str:
    """Write the table in a format."""
    if format == "csv":
        return table.to_csv(raw=raw)
    if format == "markdown":
        return table.to_markdown()
    if format == "latex":
        return table.to_latex()
    return table.to_text(width=WIDTH if to_file else shutil.get_terminal_size((WIDTH, 24)).columns)
