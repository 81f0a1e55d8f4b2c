"""`sweep`: an ablation with controls at the same cost, in one call, and its table: a line a cell and a line a control."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any, Unpack, cast

from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError
from agentdebate.extras import require
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.figure import NO_RESAMPLES
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.run_rows import people_judged
from agentdebate.meta.talk import grouped
from agentdebate.meta.talks import first_talks
from agentdebate.models.base import Effort
from agentdebate.report.coverage import coverage_record, coverage_told
from agentdebate.report.grid import Block, Columns, Grid, Number, money, shown
from agentdebate.report.judge_tables import agreement_record, number_of
from agentdebate.report.question import KINDS, Asked, Question, QuestionOptions, ask_all, aspects_of, found_in
from agentdebate.report.result import Result
from agentdebate.runs.agenda import Data
from agentdebate.runs.settings import Settings, SettingsChanges
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import read_store
from agentdebate.strategies.panel import Agents
from agentdebate.strategies.strategy_words import StrategyWords
from agentdebate.studies.cells import SAMPLED, Cell
from agentdebate.studies.controls import not_held
from agentdebate.studies.people import people_alone
from agentdebate.studies.sweep import SweepListener, SweepSetting, held, items_of, planned
from agentdebate.studies.sweep_cell import SweepCell
from agentdebate.studies.sweep_forecast import SweepForecast, foretold
from agentdebate.studies.worth import Worth, worth_lines, worth_of

NOTHING: Mapping[str, Sequence[Any]] = {}
"""Values of a sweep in which one cell is held."""


@dataclass(frozen=True, repr=False)
class SweepTable(Result):
    """Runs side by side with their controls, as `sweep` gives them: print it, or take its `rows`."""

    name: str
    """Name of the sweep in the store."""
    cells: tuple[Cell, ...]
    """The runs, each with its controls behind it."""
    question: Question = field(default_factory=Question)
    """Agreement with people that is asked for."""
    worths: Mapping[str, Worth | None] = field(default_factory=dict)
    """Worth of the talk of the cells, by their labels."""
    note: str | None = None
    """Note beside the figures."""

    @property
    def title(self) -> str:
        """The sweep by its name."""
        return f"sweep {self.name}"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each cell and control: what varied, debates, failures, calls, tokens, money, agreement, coverage."""
        return list(map(_record, self.asked))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        worth = {label: one.row() for label, one in self.worths.items() if one}
        told = {"sweep": self.name, "rows": self.rows(), "caption": self.caption, "note": self.note}
        return {**told, "differences": self.differences, "worth": worth}

    @cached_property
    def asked(self) -> list[Asked]:
        """The cells with their agreement."""
        return ask_all(self.cells, self.question)

    @cached_property
    def differences(self) -> list[dict[str, Any]]:
        """A record for each control and aspect: the cell's agreement with people less the control's, with its interval and n."""
        cells = {cell.label: cell for cell in self.cells if not cell.beside}
        controls = [
            cell
            for cell in self.cells
            if cell.beside and (cell.read_off or cell.run != cells[cell.beside].run)
        ]
        return [
            {**asdict(self.question.compare(*pair)), "cell": cell.beside, "control": _name(cell)}
            for cell, *_ in grouped(controls, lambda one: (one.beside, *_shown(one))).values()
            for pair in product(*(people_judged(one.judged) for one in (cells[cell.beside], cell)))
            if pair[0].aspect == pair[1].aspect
        ]

    @property
    def coverages(self) -> list[Coverage]:
        """Coverage of each run, aspect by aspect."""
        return [one for cell in self.cells for one in cell.coverages if not cell.read_off]

    @property
    def exit_code(self) -> int:
        """Exit code of a command that held its runs."""
        return max(cell.outcomes.exit_code for cell in self.cells if not cell.read_off)

    @property
    def caption(self) -> str:
        """Caption of the figures, in lines."""
        return "\n".join(self._lines())

    @property
    def table(self) -> Grid:
        """A line a cell and a line a control, which stands below its cell."""
        names = dict.fromkeys(name for cell in self.cells for name in cell.varied)
        varied = {name: partial(_varied, name=name) for name in names}
        figures = {name: partial(_agreement, aspect=name) for name in aspects_of(self.asked)} | _COSTS
        if any(cell.abstentions for cell in self.cells):
            figures["abstained"] = "cell.abstentions"
        columns = {**varied, "judge": shown(_name, "cell"), **figures}
        rows = [
            some[0] for some in grouped(self.asked, lambda one: _shown(one.cell)).values()
        ]  # below its first cell
        return Grid.of("Sweep", rows, columns, numeric=figures, notes=self._lines())

    def blocks(self) -> Iterator[Block]:
        """Return the printed blocks: the table, its caption and notes."""
        yield self.table
        if self.differences:
            numeric = ("difference", "n")
            notes = [_ALIKE] * any(one["low"] is None for one in self.differences)
            yield ""
            yield Grid.of("Debate less control", self.differences, _DIFFERENCES, numeric=numeric, notes=notes)
        yield from worth_lines(self.worths)
        if self.note:
            yield from ("", self.note)

    def _lines(self) -> list[str]:
        found = found_in(self.asked)
        told = f"Agreement with people: {self.question.told(found)}" if found else _UNKNOWN
        costs = "Calls, tokens and money are those of all debates, as if nothing had come from a cache; each: calls a debate."
        notes = [f"{KINDS[cell.kind]} of {cell.beside}: {cell.note}" for cell in self.cells if cell.note]
        kinds = dict.fromkeys(KINDS[cell.kind] for cell in self.cells if cell.beside)
        controls = f"Controls, of which a sampled judge's scores are averaged: {'; '.join(kinds)}."
        return [
            told,
            controls,
            f"{costs} {coverage_told(self.coverages)}".strip(),
            *notes,
            *not_held(self.cells),
        ]


def _record(one: Asked) -> dict[str, Any]:
    """A cell with all that is known of it, as JSON has it."""
    cell = one.cell
    return {
        "cell": cell.beside or cell.label,
        "judge": cell.label,
        "varied": dict(cell.varied),
        **{name: getattr(cell, name) for name in ("kind", "run", "debates", "failures", "note")},
        **asdict(cell.cost),
        "calls_each": round(cell.calls_each, 4),
        "mean": one.mean,
        "coverage": list(map(coverage_record, cell.coverages)),
        "agreement": list(map(agreement_record, one.found)),
    }


def _varied(one: Asked, name: str) -> str:
    return "" if one.cell.beside else one.cell.varied.get(name, "")


def _shown(cell: Cell) -> tuple[str, str]:
    """Tell apart runs, as cells and as controls, and what is read off them."""
    return cell.run, cell.kind if cell.read_off else "control" * bool(cell.beside)


def _name(cell: Cell) -> str:
    return cell.label if cell.kind in SAMPLED or not (cell.beside or cell.varied) else KINDS[cell.kind]


_UNKNOWN = "People's scores are not known."
_ALIKE = "Without an interval: the same in every resample, or there are none."
_DIFFERENCES: Columns = {
    "cell": "cell",
    "control": "control",
    "aspect": "aspect",
    "difference": shown(Number, "difference", "low", "high"),
    "n": "n",
}
"""Columns of a difference."""


def _agreement(one: Asked, aspect: str) -> Number:
    found = one.of(aspect)
    return number_of(found) if found else Number(one.value(aspect))


_COSTS: dict[str, Any] = {
    "debates": "cell.debates",
    "failed": "cell.failures",
    "calls": "cell.cost.calls",
    "each": lambda one: f"{one.cell.calls_each:.2f}",
    "tokens": "cell.cost.tokens",
    "money": shown(money, "cell.cost.money"),
}
"""Cost of a cell, by the columns of the table."""


class SweepForecastOptions(SettingsChanges, total=False):
    """Options of a sweep beside its items, its strategy, what varies and the question: the settings of its runs, and these.

    A model goes by its name.
    """

    settings: Settings | None
    """Settings of the runs; keywords override them."""
    options: Mapping[str, Any]
    """Options of the strategy that all cells have, such as {"ballots": "every"}."""
    cast: Mapping[str, Any]
    """Roles and who plays them in all cells."""
    agents: Agents | None
    """The panel of all cells: how many, or cards."""
    models: Mapping[str, str]
    """Models of their own, by card or role."""
    control: str
    """The single judge that is sampled as often as a debate calls ["solo"]."""
    control_temperature: float
    """The temperature of its samples [1.0]."""
    by_tokens: bool
    """True if the single judge is also sampled until it took as many tokens [False]."""
    controls: bool
    """True for all controls: those by tokens, the judge asked once, and the same rounds without hearing [True where nothing varies]."""
    control_effort: Effort | None
    """Effort with which the single judge thinks longer, as one more of these."""
    store: str | Path
    """A path or database URL."""
    progress: SweepListener
    """Listener that is told how far the sweep has come."""


class SweepOptions(SweepForecastOptions, QuestionOptions, total=False):
    """Options of a sweep, with those of the question that is put to its runs."""


async def sweep(
    items: Data,
    strategy: str,
    *,
    vary: Mapping[str, Sequence[Any]] = NOTHING,
    cells: Sequence[Mapping[str, Any]] = (),
    **options: Unpack[SweepOptions],
) -> SweepTable:
    """Judge the same items in several ways, a run for each, and compare them with people and with controls at the same cost.

    `vary` has a list of values for each name: "strategy", "model", "temperature", "effort", "agents" (a number, or a list of cards),
    "persona" (the panel's cards, or the critic's), "cast.ROLE", or any option of the strategy. The controls are the judge
    `control`, sampled as often as a debate called, and the vote of the debate's openings without talk; `by_tokens` adds the judge
    sampled until it took as many tokens. `cells` are further ones, each with its strategy and what it sets:
    {"strategy": "chateval", "ballots": "every"}. Where nothing varies all controls are held. A run whose evaluators and people have scores has CorrW beside it. Runs that have ended
    are not held again when the call is made again, here or as the command `sweep` over the same items:

        table = await ad.sweep(items, "debate", vary={"rounds": [1, 2, 4]}, model="openai/gpt-6-luna", store="runs.db")
        print(table)

    The question of agreement is put by `statistic`, `level`, `bootstrap` and `missing`; everything else is as
    in `evaluate`. Raises UserError before the first call for what is wrong with any cell, StoreError and what ends a run.
    """
    return await held_sweep(items, strategy, vary, cells, options)


async def held_sweep(
    items: Data,
    strategy: str,
    vary: Mapping[str, Sequence[Any]],
    cells: Sequence[Mapping[str, Any]],
    options: SweepOptions,
    *,
    people: bool = False,
) -> SweepTable:
    """Hold a sweep; with `people` it raises UsageError before the first call where they have scored nothing."""
    given: dict[str, Any] = {**options}
    question = Question(
        **{name: given.pop(name) for name in QuestionOptions.__optional_keys__ if name in given}
    )
    common, plan = await _planned(items, strategy, vary, cells, given)
    _check_question(question, people_alone(common, plan[0]), people=people)
    found = await held(common, plan)
    note = offline_note([common.model, *(cell.model for cell in plan)])
    with read_store(common.store) as reader:
        heads = {cell.label: reader.run(cell.run) for cell in found if cell.kind == "run"}
        worths = {
            label: worth_of(reader, head, common.prices, first_talks(reader, head))
            for label, head in heads.items()
        }
    return SweepTable(common.name, tuple(found), question, worths, note)


async def sweep_forecast(
    items: Data,
    strategy: str,
    *,
    vary: Mapping[str, Sequence[Any]] = NOTHING,
    cells: Sequence[Mapping[str, Any]] = (),
    **options: Unpack[SweepForecastOptions],
) -> SweepForecast:
    """Forecast the highest cost of a sweep, cell by cell, with its controls; no model is called.

        told = await ad.sweep_forecast(items, "debate", vary={"rounds": [1, 2, 4]}, model="openai/gpt-6-luna")
        print(told)

    Its words are those of `sweep`. Raises UserError for what is wrong with any cell.
    """
    return await foretold(*await _planned(items, strategy, vary, cells, options))


_OF_STRATEGY = ("options", "cast", "agents", "models")
_OF_SWEEP = ("store", "control", "control_temperature", "by_tokens", "controls", "control_effort", "progress")


async def _planned(
    items: Data,
    strategy: str,
    vary: Mapping[str, Sequence[Any]],
    cells: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any],
) -> tuple[SweepSetting, list[SweepCell]]:
    """The settings that all cells share, and the cells. Raises UserError for what is wrong with them, and for an unknown argument."""
    given: dict[str, Any] = {"store": USUAL_STORE, "controls": not (vary or cells), **options}
    words, own = (
        {name: given.pop(name) for name in names if name in given} for names in (_OF_STRATEGY, _OF_SWEEP)
    )
    settings = Settings.given(given.pop("settings", None), cast(SettingsChanges, given), to=SweepSetting)
    for name, value in (("strategy", strategy), ("model", settings.model)):
        if not isinstance(value, str):
            raise UsageError(f"{name}: a sweep takes it by its name, and not {value!r:.80}")
    found, settings = await items_of(items, settings)
    common = SweepSetting(found, strategy, settings=settings, words=StrategyWords(**words), **own)
    return common, planned(common, vary, cells)


def _check_question(question: Question, entries: Sequence[Judgements], *, people: bool) -> None:
    """Raise UsageError for a question that cannot be put, before anything is paid for and not at the end."""
    if people and not entries:
        raise UsageError("no item has people's scores to agree with: name their columns with human=...")
    if entries:
        require("scipy", "agree")
    for entry in entries:
        replace(question, bootstrap=NO_RESAMPLES).ask(entry)
