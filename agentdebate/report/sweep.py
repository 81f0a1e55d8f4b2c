"""`sweep`: an ablation with controls at the same cost, in one call with the words of the command."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from agentdebate.agents.debate_settings import USUAL, DebateChanges
from agentdebate.debates.record import OFFLINE, OFFLINE_NOTE
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.levels import Level
from agentdebate.meta.resampling import Resampling
from agentdebate.models.prices import PriceTable, built_in
from agentdebate.project.project import Project
from agentdebate.report.asked_cells import MEAN, Asked, ask_all, aspects_of
from agentdebate.report.coverage_table import coverage_sentences
from agentdebate.report.figures import percent
from agentdebate.report.question import Question
from agentdebate.report.spreadsheet import csv_line
from agentdebate.report.sweep_table import KINDS, flat_rows, sweep_caption, sweep_rows
from agentdebate.report.text_table import TextTable
from agentdebate.store.place import USUAL_STORE
from agentdebate.studies.cells import SAMPLED, Cell, Kind
from agentdebate.studies.sweep import SweepSetting, held, planned
from agentdebate.tables.inferred import inferred
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular
from agentdebate.tasks import Item


@dataclass(frozen=True, repr=False)
class SweepTable(Tabular):
    """Runs side by side with their controls, as `sweep` gives them: print it, or take its `rows`."""

    name: str
    """What the sweep is called in the store."""
    cells: tuple[Cell, ...]
    """The runs, each with its controls behind it."""
    question: Question = field(default_factory=Question)
    """Which agreement with people is asked for."""
    judge: str = "solo"
    """The single judge of the control."""
    temperature: float = 1.0
    """The temperature of its samples."""
    note: str | None = None
    """What has to be said beside the figures."""

    def __repr__(self) -> str:
        return f"<SweepTable {self.name}: {sum(not cell.beside for cell in self.cells)} cells>"

    def __str__(self) -> str:
        return "\n".join([str(self.table), self.caption, *self.notes, *filter(None, [self.note])]) + "\n"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each cell and control: what varied, debates, failures, calls, tokens, money, agreement, coverage."""
        return sweep_rows(self.asked)

    def to_table(self) -> Table[dict[str, Any]]:
        """A row for each cell and control, as CSV has them: a column for each aspect and figure."""
        return inferred(f"sweep {self.name}", flat_rows(self.asked))

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        return {"sweep": self.name, "rows": self.rows(), "caption": self.caption, "note": self.note}

    def to_csv(self, *, raw: bool = False) -> str:
        """A line for each cell and control. Unless `raw`, no cell is one that a spreadsheet would run as a formula."""
        flat = flat_rows(self.asked)
        lines = [list(flat[0]), *(list(row.values()) for row in flat)]
        return "".join(csv_line(line, raw=raw) for line in lines)

    @cached_property
    def asked(self) -> list[Asked]:
        """The cells with their agreement."""
        return ask_all(self.cells, self.question)

    @property
    def coverages(self) -> list[Coverage]:
        """How much each run has judged, aspect by aspect."""
        return [one for cell in self.cells for one in cell.coverages if not cell.read_off]

    @property
    def warnings(self) -> list[str]:
        """What has to be said at once: that much is missing, or all."""
        return coverage_sentences(self.coverages)

    @cached_property
    def caption(self) -> str:
        """What has to be said of the figures."""
        return sweep_caption(self.asked, self.question, self.judge, self.temperature)

    @property
    def table(self) -> TextTable:
        """A line a cell and a line a control."""
        return _table(self.asked)

    @property
    def notes(self) -> list[str]:
        """What has to be known of controls: once where it is the same for all."""
        told: dict[Kind, dict[str, str]] = {}
        for cell in self.cells:
            if cell.note:
                told.setdefault(cell.kind, {})[cell.beside] = cell.note
        return [line for kind, notes in told.items() for line in _noted(KINDS[kind], notes)]


async def sweep(
    items: Iterable[Item],
    strategy: str,
    *,
    vary: Mapping[str, Sequence[Any]],
    model: str = "offline",
    aspects: Sequence[str] | str | None = None,
    together: bool | None = None,
    control: str = "solo",
    control_temperature: float = 1.0,
    by_tokens: bool = False,
    concurrency: int = 64,
    store: str | Path = USUAL_STORE,
    project: Project | None = None,
    prices: PriceTable | None = None,
    statistic: str | None = None,
    level: Level = "pooled",
    resamples: int = 1000,
    missing: Missing = LEFT_OUT,
    **changes: Unpack[DebateChanges],
) -> SweepTable:
    """Judge the same items in several ways, a run for each, and compare them with people and with two controls.

    `vary` has a list of values for each name: "strategy", "model", "temperature", "agents" (a number, or a list of cards),
    "cast.ROLE", or any option of the strategy. The controls are the judge `control`, sampled as often as a debate called, and
    the vote of the debate's openings without talk; `by_tokens` adds the judge sampled until it took as many tokens. A run whose
    evaluators and people have scores has CorrW beside it. Runs that have ended are not held again when the call is made again:

        table = await ad.sweep(items, "debate", vary={"rounds": [1, 2, 4]}, model="openai/gpt-4o-mini", store="runs.db")
        print(table)

    The question of agreement is put by `statistic`, `level`, `resamples` and `missing`; everything else is as in `evaluate`.
    Raises UserError, StoreError and what ends a run.
    """
    common = SweepSetting(
        tuple(items),
        strategy,
        model,
        store,
        project or Project.here(),
        built_in() if prices is None else prices,
        control,
        control_temperature,
        by_tokens,
        aspects,
        together,
        concurrency,
        USUAL.but(**changes),
    )
    question = Question(statistic, level, Resampling(resamples).bootstrap, missing)
    cells = await held(common, planned(common, vary))
    models = {model, *(cell.varied.get("model", "") for cell in cells)}
    note = OFFLINE_NOTE if OFFLINE in models else None
    return SweepTable(common.name, tuple(cells), question, control, control_temperature, note)


def _noted(kind: str, notes: Mapping[str, str]) -> list[str]:
    """What is said of a control by the cell that it is the control of."""
    if len(set(notes.values())) == 1:
        return [f"{kind}: {next(iter(notes.values()))}"]
    return [f"{kind} of {cell}: {note}" for cell, note in notes.items()]


def _table(asked: Sequence[Asked]) -> TextTable:
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
    return TextTable("Sweep", head, lines, head[len(keys) + 1 :], whole=(*keys, "judge"))


def _named(one: Asked, keys: Sequence[str]) -> list[str]:
    """What a line is about; a control stands below its cell."""
    cell = one.cell
    held = ["" if cell.beside else cell.varied[key] for key in keys]
    return [*held, cell.label if cell.kind in SAMPLED else KINDS[cell.kind]]


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
