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
from agentdebate.report.coverage_table import coverage_caption
from agentdebate.report.lines_plot import TITLES, lines_plot
from agentdebate.report.plot import check_path, write
from agentdebate.report.sweep import SweepTable
from agentdebate.studies.cells import Cell
from agentdebate.studies.controls import samples_by_tokens
from agentdebate.studies.held_cells import check_people, control_cell, run_cells


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
    by_tokens: Annotated[
        bool,
        Parameter(
            help="Add the single judge sampled until it took as many tokens as a debate, beside the one with as many calls.",
            negative="",
            show_default=False,
        ),
    ] = False,
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
    talk. A run whose evaluators and people have scores has CorrW beside it: the evaluators alone, weighted by their correlation
    with people. A sweep that was stopped goes on where it was when it is called again: runs that have ended are not held again.

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
    wanted = Wanted(order, vary, control_judge, control_temperature, asking, output, by_tokens)
    plans = wanted.planned()
    if dry_run:
        await foretell(plans, control_judge, control_temperature, by_tokens=by_tokens, as_json=as_json)
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
    by_tokens: bool = False

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
            plans.append(planned(variant.order, taken, label=variant.run_label, kind="run", sweep=self.name))
        _ = control(plans[0], self.judge, 1, self.temperature)
        if any(variant.corrw for variant in self.variants):
            check_people(plans[0].taken.items)
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
    prices = spending.table(wanted.order.project)
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
                head = await hold(plan, store, around)
                found = run_cells(store, head, prices, variant.label, variant.varied, alone=variant.corrw)
                calls = max(1, round(found[0].calls_each))
                beside = control(plan, wanted.judge, calls, wanted.temperature)
                head = await hold(beside, store, around)
                by_calls = control_cell(store, head, prices, beside.label, found[0])
                cells += [*found, by_calls]
                if wanted.by_tokens:
                    samples = samples_by_tokens(found[0], by_calls, calls)
                    beside = control(plan, wanted.judge, samples, wanted.temperature, "same tokens")
                    head = await hold(beside, store, around)
                    cells.append(
                        control_cell(store, head, prices, beside.label, found[0], kind="same tokens")
                    )
    except (asyncio.CancelledError, BudgetSpent, ModelError):
        say("stopped; what was paid for is kept; the same command goes on from there")
        leave_word("")
        raise
    return cells


def _show(wanted: Wanted, cells: Sequence[Cell], *, as_json: bool, as_csv: bool, raw: bool) -> int:
    question = wanted.asking.question
    note = offline_note([wanted.order.models.model, *(cell.varied.get("model", "") for cell in cells)])
    found = SweepTable(wanted.name, tuple(cells), question, wanted.judge, wanted.temperature, note)
    warn_of_missing(found.coverages)
    if as_json:
        out_json(found.to_dict())
    elif as_csv:
        sys.stdout.write(found.to_csv(raw=raw))
    else:
        _print(found)
    if wanted.output is not None:
        by, *apart = _axes(wanted.variants)
        title = f"{wanted.order.strategy}: agreement with people by {TITLES.get(by, by)}"
        plot = lines_plot(cells, by, question, title, apart=apart, note=note)
        covered = coverage_caption(found.coverages, missing=question.missing, tabled=False)
        write(replace(plot, caption=" ".join([plot.caption, *covered])), wanted.output)
        say(one_line(f"plot: {wanted.output}"))
    if any(one.found for one in found.asked):
        say(f"agentdebate plot cost {wanted.name} -o cost.html draws the runs against their cost")
    return max(cell.outcomes.exit_code for cell in cells if not cell.read_off)


def _axes(variants: Sequence[Variant]) -> list[str]:
    """What is varied, the one that goes along the axis first: the first with numbers, or the first."""
    keys = list(variants[0].varied)
    numbers = [key for key in keys if all(_is_number(variant.varied[key]) for variant in variants)]
    first = (numbers or keys)[0]
    return [first, *(key for key in keys if key != first)]


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def _print(found: SweepTable) -> None:
    shown = found.table
    table(shown.title, shown.head, shown.rows, numeric=shown.numeric, whole=shown.whole)
    for text in (found.caption, *found.notes):
        out(one_line(text))
    if found.note:
        out(f"\n{found.note}")
