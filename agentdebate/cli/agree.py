"""agentdebate agree: how well judges agree with people, as tables like the papers'."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from agentdebate.cli.agreement_fields import FieldOptions
from agentdebate.cli.console import as_json_line, say
from agentdebate.cli.gathering import Gathered, Order
from agentdebate.cli.judges import JudgeOptions
from agentdebate.cli.measuring import MeasureOptions
from agentdebate.cli.options import Json
from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.report.agreement_caption import agreement_caption, comparison_caption
from agentdebate.report.compared import Corrected, comparison_grids, comparison_record, corrected
from agentdebate.report.latex import as_latex
from agentdebate.report.markdown import as_markdown
from agentdebate.report.panel import panels
from agentdebate.report.plain import BEST, WIDTH, as_text
from agentdebate.report.records import as_csv, record

Format = Literal["text", "json", "csv", "markdown", "latex"]

_MARKS = {"text": BEST, "markdown": "Bold", "latex": "Bold"}
"""How the best figure of a column is shown."""


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
    measures: MeasureOptions = MeasureOptions(),
    format: Annotated[Format | None, Parameter(help="What is printed [text].", show_default=False)] = None,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="A file for the table [standard output].")
    ] = None,
    as_json: Json = False,
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
    order = Order(runs, data, judges, fields, measures.chosen, dataset, subset)
    gathered = tuple(order.gathered())
    found = Found(
        gathered,
        measures.agreements(gathered),
        corrected(measures.comparisons(gathered)),
        measures,
        (*fields.besides, *measures.besides),
    )
    _write(found.shown("json" if as_json else format or "text", to_file=output is not None), output)
    return 0


@dataclass(frozen=True)
class Found:
    """All numbers that were asked for."""

    gathered: tuple[Gathered, ...]
    agreements: tuple[Agreement, ...]
    comparisons: tuple[Corrected, ...]
    measures: MeasureOptions
    besides: tuple[str, ...]
    """Options that go before those of the convention."""

    def shown(self, format: Format, *, to_file: bool) -> str:
        """The numbers in a format; the caption of one that has no place for it goes to standard error."""
        caption = self.caption(_MARKS.get(format, ""))
        if format == "json":
            more = (
                {"comparisons": [comparison_record(one) for one in self.comparisons]}
                if self.comparisons
                else {}
            )
            return as_json_line(
                {"rows": [record(one) for one in self.agreements], "caption": caption, **more}
            )
        if format == "csv":
            if self.comparisons:
                raise UsageError("CSV holds one table: take --format json, or leave out --compare")
            say(caption)
            return as_csv(self.agreements)
        found, grids = panels(self.agreements), comparison_grids(self.comparisons)
        if format == "text":
            width = WIDTH if to_file else shutil.get_terminal_size((WIDTH, 24)).columns
            return as_text(found, caption, grids, width=max(width, WIDTH // 2))
        return (as_markdown if format == "markdown" else as_latex)(found, caption, grids)

    def caption(self, mark: str) -> str:
        """What has to be said of the numbers."""
        caption = agreement_caption(
            self.agreements,
            origins=tuple(dict.fromkeys(line for one in self.gathered for line in one.origins)),
            convention=self.measures.chosen,
            bootstrap=self.measures.bootstrap,
            mark=mark,
            sources=self._with_sources(),
            choices=any(one.choices for one in self.gathered),
            besides=self.besides,
        )
        if not self.comparisons:
            return caption
        bootstrap = self.measures.bootstrap or Bootstrap(
            confidence=self.measures.confidence, seed=self.measures.seed
        )
        compared = [one.comparison for one in self.comparisons]
        return f"{caption} {comparison_caption(compared, bootstrap, self.measures.power)}"

    def _with_sources(self) -> bool:
        scored = [row.source for one in self.gathered for each in one.judgements for row in each.rows]
        chosen = [row.source for one in self.gathered for each in one.choices for row in each.rows]
        return any((*scored, *chosen))


def _write(text: str, path: Path | None) -> None:
    if path is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
