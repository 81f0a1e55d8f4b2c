"""agentdebate sweep: an ablation in one command, with controls at the same cost."""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.asking import QuestionOptions
from agentdebate.cli.console import number, offline_note, one_line, out, out_json, say, table
from agentdebate.cli.grid import Variant, grid
from agentdebate.cli.logs import to_stderr
from agentdebate.cli.options import STORE, Json, Raw, StorePath
from agentdebate.cli.order import Order
from agentdebate.cli.order_options import OrderOptions
from agentdebate.cli.run_coverage import warn_of_missing
from agentdebate.cli.sweep_forecast import foretell
from agentdebate.cli.sweeping import Planned, control, hold, name_of, planned, to_be_judged, try_out
from agentdebate.cli.watchdog import leave_word
from agentdebate.datasets.files import STDIN
from agentdebate.errors import BudgetSpent, ModelError, UsageError
from agentdebate.extras import require
from agentdebate.meta.judged_rows import people_judged
from agentdebate.report.asked_cells import MEAN, Asked, ask_all, aspects_of
from agentdebate.report.coverage_table import coverage_caption
from agentdebate.report.figures import percent
from agentdebate.report.lines_plot import TITLES, lines_plot
from agentdebate.report.plot import check_path, write
from agentdebate.report.spreadsheet import csv_line
from agentdebate.report.sweep_table import KINDS, flat_rows, sweep_caption, sweep_rows
from agentdebate.store.reader import RunHead, read_store
from agentdebate.studies.cells import Cell, cell_of
from agentdebate.studies.controls import openings_cell


async def sweep(
    strategy: str,
    data: str,
    /,
    *,
    vary: Annotated[
        tuple[str, ...],
        Parameter(
            help="NAME=VALUE,VALUE,...; the option again for every combination. strategy, model, temperature, agents (a "
            "number, or cards with + between them), persona (the panel's cards, or the critic's), cast.ROLE, or any option "
            "of the strategy, such as rounds.",
            negative="",
            show_default=False,
        ),
    ] = (),
    control_judge: Annotated[
        str, Parameter(name="--control", help="The single judge that is sampled as often as a debate calls.")
    ] = "solo",
    control_temperature: Annotated[float, Parameter(help="The temperature of its samples.")] = 1.0,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="A file for a plot: .png, .svg or .html.")
    ] = None,
    store: StorePath = STORE,
    as_json: Json = False,
    as_csv: Annotated[
        bool, Parameter(name="--csv", negative="", show_default=False, help="Print the table as CSV.")
    ] = False,
    raw: Raw = False,
    options: OrderOptions = OrderOptions(),
    asking: QuestionOptions = QuestionOptions(),
    dry_run: Annotated[
        bool,
        Parameter(
            help="Say how many calls, tokens and how much money all cells and controls will cost at the most, and stop.",
            negative="",
            show_default=False,
        ),
    ] = False,
) -> int:
    """Judge the same items in several ways, a run for each, and compare them with people and with two controls.

    The controls are the single judge sampled as often as the debate called, and the vote of the debate's openings without
    talk. A sweep that was stopped goes on where it was when it is called again: runs that have ended are not held again.

    Parameters
    ----------
    strategy
        A strategy by name; --vary strategy=... goes before it.
    data
        A JSONL, JSON, CSV or TSV file.

    """
    if output is not None:
        check_path(output)
    if as_json and as_csv:
        raise UsageError("--json and --csv are two forms of the same table: give one of them")
    if raw and not as_csv:
        raise UsageError("--raw is for --csv: JSON says everything as it is")
    if data == STDIN:
        raise UsageError("a sweep reads its data more than once: give it a file")
    order = options.order(strategy, data)
    if dry_run:
        order.check_dry()
    wanted = Wanted(order, vary, control_judge, control_temperature, asking, output)
    plans = wanted.planned()
    if dry_run:
        await foretell(plans, control_judge, control_temperature, as_json=as_json)
        return 0
    to_stderr()
    cells = await _held(wanted, plans, store)
    return _show(wanted, cells, as_json=as_json, as_csv=as_csv, raw=raw)


@dataclass(frozen=True)
class Wanted:
    """What a sweep is to find out."""

    order: Order
    vary: Sequence[str]
    judge: str
    temperature: float
    asking: QuestionOptions
    output: Path | None = None

    @property
    def name(self) -> str:
        """What the sweep is called in the store."""
        return name_of(self.order)

    @property
    def variants(self) -> list[Variant]:
        """Its cells."""
        return grid(self.order, self.vary)

    def planned(self) -> list[Planned]:
        """All of its cells, looked up and checked before the first is held. Raises UserError."""
        question = self.asking.question
        plans: list[Planned] = []
        for variant in self.variants:
            taken = plans[0].taken if plans else None
            plans.append(planned(variant.order, taken, label=variant.label, kind="run", sweep=self.name))
        _ = control(plans[0], self.judge, 1, self.temperature)
        with_people = any(item.human for item in plans[0].taken.items)
        if with_people:
            require("scipy", "agree")  # before anything is paid for, and not at the end
            for entry in people_judged(to_be_judged(plans[0])):
                replace(question, bootstrap=None).ask(entry)
        if self.output and not with_people:
            raise UsageError(
                "-o plots agreement with people, and the data has no scores of theirs: name them with --human"
            )
        return plans


async def _held(wanted: Wanted, plans: Sequence[Planned], store: str) -> list[Cell]:
    """Hold all cells and their controls; each comes back with its controls behind it."""
    spending = wanted.order.spending
    cells: list[Cell] = []
    try:
        async with spending.opened(wanted.order.concurrency, wanted.order.project) as around:
            for plan in plans:
                await try_out(plan, around)
            leave_word("what is on disk is kept; the same command goes on from there")
            say(
                f"{wanted.name}: {number(len(plans), 'cell')} over {number(len(plans[0].taken.items), 'item')}"
            )
            for plan, variant in zip(plans, wanted.variants, strict=True):
                found = _cells(await hold(plan, store, around), store, wanted, variant)
                calls = max(1, round(found[0].calls_each))
                beside = control(plan, wanted.judge, calls, wanted.temperature)
                head = await hold(beside, store, around)
                cells += [*found, _control_cell(head, store, wanted, beside.label, found[0])]
    except (asyncio.CancelledError, BudgetSpent, ModelError):
        say("stopped; what was paid for is kept; the same command goes on from there")
        leave_word("")
        raise
    return cells


def _cells(head: RunHead, store: str, wanted: Wanted, variant: Variant) -> list[Cell]:
    """A run, and the vote of its openings."""
    prices = wanted.order.spending.table(wanted.order.project)
    with read_store(store) as reader:
        cell = cell_of(reader, head, prices, label=variant.label)
        cell = replace(cell, varied=variant.varied)
        return [cell, openings_cell(reader, head, prices, cell)]


def _control_cell(head: RunHead, store: str, wanted: Wanted, label: str, beside: Cell) -> Cell:
    prices = wanted.order.spending.table(wanted.order.project)
    with read_store(store) as reader:
        cell = cell_of(reader, head, prices, label=label)
    return replace(cell, kind="same calls", varied=beside.varied, beside=beside.label)


def _show(wanted: Wanted, cells: Sequence[Cell], *, as_json: bool, as_csv: bool, raw: bool) -> int:
    question = wanted.asking.question
    asked = ask_all(cells, question)
    coverages = [one for cell in cells for one in cell.coverages if cell.kind != "openings"]
    warn_of_missing(coverages)
    caption = sweep_caption(asked, question, wanted.judge, wanted.temperature)
    note = offline_note([wanted.order.models.model, *(cell.varied.get("model", "") for cell in cells)])
    if as_json:
        rows = sweep_rows(asked)
        out_json({"sweep": wanted.name, "rows": rows, "caption": caption, "note": note})
    elif as_csv:
        flat = flat_rows(asked)
        lines = [list(flat[0]), *(list(row.values()) for row in flat)]
        sys.stdout.writelines(csv_line(line, raw=raw) for line in lines)
    else:
        _print(asked, caption, note)
    if wanted.output is not None:
        by, *apart = _axes(wanted.variants)
        title = f"{wanted.order.strategy}: agreement with people by {TITLES.get(by, by)}"
        plot = lines_plot(cells, by, question, title, apart=apart, note=note)
        covered = coverage_caption(coverages, missing=question.missing, tabled=False)
        write(replace(plot, caption=" ".join([plot.caption, *covered])), wanted.output)
        say(one_line(f"plot: {wanted.output}"))
    if any(one.found for one in asked):
        say(f"agentdebate plot cost {wanted.name} -o cost.html draws the runs against their cost")
    return max(cell.outcomes.exit_code for cell in cells if cell.kind != "openings")


def _axes(variants: Sequence[Variant]) -> list[str]:
    """What is varied, the one that goes along the axis first: the first with numbers, or the first."""
    keys = list(variants[0].varied)
    numbers = [key for key in keys if all(_is_number(variant.varied[key]) for variant in variants)]
    first = (numbers or keys)[0]
    return [first, *(key for key in keys if key != first)]


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def _print(asked: Sequence[Asked], caption: str, note: str | None) -> None:
    aspects, keys = aspects_of(asked), list(asked[0].cell.varied)
    cached = ["cached"] if any(one.cell.cost.cached for one in asked) else []
    figures = [
        "debates",
        "failed",
        "missing",
        "calls",
        "each",
        *cached,
        "tokens",
        "money",
        *aspects,
        *(["n"] if aspects else []),
    ]
    head = [*keys, "judge", *("mean" if name == MEAN else name for name in figures)]
    lines = [
        [*_named(one, keys), *(value for name, value in _figures(one, aspects).items() if name in figures)]
        for one in asked
    ]
    table("Sweep", head, lines, numeric=head[len(keys) + 1 :], whole=[*keys, "judge"])
    out(one_line(caption))
    for text in _notes(asked):
        out(one_line(text))
    if note:
        out(f"\n{note}")


def _named(one: Asked, keys: Sequence[str]) -> list[str]:
    """What a line is about; a control stands below its cell."""
    cell = one.cell
    held = [cell.varied[key] if cell.kind == "run" else "" for key in keys]
    return [*held, cell.label if cell.kind == "same calls" else KINDS[cell.kind]]


def _figures(one: Asked, aspects: Sequence[str]) -> dict[str, object]:
    cell, counts = one.cell, sorted({found.n for found in one.found})
    return {
        "debates": cell.debates,
        "failed": cell.failures,
        "missing": percent(max((covered.share for covered in cell.coverages), default=0.0)),
        "calls": cell.cost.calls,
        "each": f"{cell.calls_each:.2f}",
        "cached": cell.cost.cached,
        "tokens": cell.cost.tokens,
        "money": "unknown" if cell.cost.money is None else f"{cell.cost.money:.4f}",
        **{aspect: _agreement(one, aspect) for aspect in aspects},
        "n": "-" if not counts else f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}-{counts[-1]}",
    }


def _agreement(one: Asked, aspect: str) -> str:
    value, found = one.value(aspect), one.of(aspect)
    if value is None:
        return "-"
    ends = (
        f" [{found.low:.2f}, {found.high:.2f}]"
        if found and found.low is not None and found.high is not None
        else ""
    )
    return f"{value:.3f}{ends}"


def _notes(asked: Sequence[Asked]) -> list[str]:
    """What has to be known of controls: once where it is the same for all."""
    told = [(one.cell.beside, KINDS[one.cell.kind], one.cell.note) for one in asked if one.cell.note]
    if len({note for _, _, note in told}) == 1:
        _, kind, note = told[0]
        return [f"{kind}: {note}"]
    return [f"{kind} of {cell}: {note}" for cell, kind, note in told]
