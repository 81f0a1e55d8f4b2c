"""`sweep`: an ablation with controls at the same cost, in one call with the words of the command."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError, nearest
from agentdebate.extras import require
from agentdebate.meta.bootstrap import Resampling
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.levels import Level
from agentdebate.models.prices import PriceTable, built_in
from agentdebate.report.asked_cells import MEAN, Asked, ask_all, aspects_of
from agentdebate.report.coverage_table import coverage_caption, coverage_sentences
from agentdebate.report.figures import percent
from agentdebate.report.lines_plot import TITLES, lines_plot
from agentdebate.report.plot import Plot
from agentdebate.report.question import Question
from agentdebate.report.spreadsheet import csv_line
from agentdebate.report.sweep_table import KINDS, flat_rows, sweep_caption, sweep_rows
from agentdebate.report.text_table import Block, Caption, TextTable, printed
from agentdebate.runs.settings import USUAL, Settings, SettingsChanges
from agentdebate.store.place import USUAL_STORE
from agentdebate.strategies.panel import Agents
from agentdebate.strategies.strategy_words import StrategyWords
from agentdebate.studies.cells import SAMPLED, Cell, Kind
from agentdebate.studies.people import people_alone
from agentdebate.studies.sweep import SweepListener, SweepSetting, held, items_of, planned
from agentdebate.studies.sweep_cell import Configured, SweepCell
from agentdebate.studies.sweep_forecast import SweepForecast, foretold
from agentdebate.tables.inferred import inferred
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular
from agentdebate.tasks import Item
from agentdebate.visible import one_line


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
    strategy: str = ""
    """The strategy that it began from."""

    def __repr__(self) -> str:
        return f"<SweepTable {self.name}: {sum(not cell.beside for cell in self.cells)} cells>"

    def __str__(self) -> str:
        return printed(self.blocks()) + "\n"

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
    def has_agreement(self) -> bool:
        """Whether people's scores of some of the items are known."""
        return any(one.found for one in self.asked)

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

    def plot(self, title: str | None = None) -> Plot:
        """Agreement against what varies: the first of it that has numbers goes along the axis. Raises UsageError."""
        by, *apart = _axes([cell.varied for cell in self.cells if cell.kind == "run"])
        named = title or f"{self.strategy}: agreement with people by {TITLES.get(by, by)}"
        drawn = lines_plot(self.cells, by, self.question, named, apart=apart, note=self.note)
        covered = coverage_caption(self.coverages, missing=self.question.missing, tabled=False)
        return replace(drawn, caption=" ".join([drawn.caption, *covered]))

    def blocks(self) -> Iterator[Block]:
        """What is printed: the table, what its figures are, and what has to be said beside them."""
        yield self.table
        yield from map(Caption, map(one_line, (self.caption, *self.notes)))
        if self.note:
            yield from ("", Caption(self.note))

    @property
    def notes(self) -> list[str]:
        """What has to be known of controls: once where it is the same for all."""
        told: dict[Kind, dict[str, str]] = {}
        for cell in self.cells:
            if cell.note:
                told.setdefault(cell.kind, {})[cell.beside] = cell.note
        return [line for kind, notes in told.items() for line in _noted(KINDS[kind], notes)]


class SweepOptions(SettingsChanges, total=False):
    """What is said of a sweep beside its items, its strategy and what varies: the settings of its runs, and these.

    A model goes by its name.
    """

    settings: Settings | None
    """How the runs are held, where keywords do not say otherwise."""
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
    """Whether the single judge is sampled until it took as many tokens, too [False]."""
    store: str | Path
    """A path or database URL."""
    prices: PriceTable | None
    """What models cost [the built-in table]."""
    configured: Configured | None
    """Gives what is stored of a cell beside how it is held."""
    listener: SweepListener
    """Is told how far the sweep has come."""


async def sweep(
    items: Iterable[Item],
    strategy: str,
    *,
    vary: Mapping[str, Sequence[Any]],
    statistic: str | None = None,
    level: Level = "pooled",
    resampling: Resampling | None = None,
    resamples: int = 1000,
    missing: Missing = LEFT_OUT,
    **options: Unpack[SweepOptions],
) -> SweepTable:
    """Judge the same items in several ways, a run for each, and compare them with people and with two controls.

    `vary` has a list of values for each name: "strategy", "model", "temperature", "agents" (a number, or a list of cards),
    "persona" (the panel's cards, or the critic's), "cast.ROLE", or any option of the strategy. The controls are the judge
    `control`, sampled as often as a debate called, and the vote of the debate's openings without talk; `by_tokens` adds the judge
    sampled until it took as many tokens. A run whose evaluators and people have scores has CorrW beside it. Runs that have ended
    are not held again when the call is made again, here or as the command `sweep` over the same items:

        table = await ad.sweep(items, "debate", vary={"rounds": [1, 2, 4]}, model="openai/gpt-6-luna", store="runs.db")
        print(table)

    The question of agreement is put by `statistic`, `level`, `resamples` (or all of `resampling`) and `missing`; everything else is as
    in `evaluate`. Raises UserError before the first call for what is wrong with any cell, StoreError and what ends a run.
    """
    question = Question(statistic, level, (resampling or Resampling(resamples)).bootstrap, missing)
    common = _setting(items_of(items, strategy), strategy, options)
    cells = planned(common, vary)
    _check_question(question, common, cells[0])
    found = await held(common, cells)
    note = offline_note([common.model, *(cell.model for cell in cells)])
    return SweepTable(
        common.name, tuple(found), question, common.control, common.control_temperature, note, strategy
    )


async def sweep_forecast(
    items: Iterable[Item],
    strategy: str,
    *,
    vary: Mapping[str, Sequence[Any]],
    **options: Unpack[SweepOptions],
) -> SweepForecast:
    """What a sweep will cost at the most, cell by cell, its controls among them; nothing is asked of any model.

        told = await ad.sweep_forecast(items, "debate", vary={"rounds": [1, 2, 4]}, model="openai/gpt-6-luna")
        print(told)

    Its words are those of `sweep`. Raises UserError for what is wrong with any cell.
    """
    common = _setting(items_of(items, strategy), strategy, options)
    return await foretold(common, planned(common, vary))


_OF_STRATEGY = ("options", "cast", "agents", "models")
_OF_SETTINGS = frozenset(SettingsChanges.__annotations__)
_OF_SWEEP = frozenset(SweepOptions.__annotations__) - _OF_SETTINGS - {"settings", *_OF_STRATEGY}


def _setting(items: tuple[Item, ...], strategy: str, options: SweepOptions) -> SweepSetting:
    """What all cells have in common. Raises UsageError for an argument that there is not."""
    given: dict[str, Any] = dict(options)
    words = StrategyWords(**{name: given.pop(name) for name in _OF_STRATEGY if name in given})
    own = {name: given.pop(name) for name in _OF_SWEEP if name in given}
    settings = given.pop("settings", None) or USUAL
    for name in given:
        if name not in _OF_SETTINGS:
            raise UsageError(f"sweep has no argument {name!r}. {nearest(name, SweepOptions.__annotations__)}")
    settings = settings.but(**given)
    for name, value in (("strategy", strategy), ("model", settings.model)):
        if not isinstance(value, str):
            raise UsageError(f"{name}: a sweep takes it by its name, and not {value!r:.80}")
    prices = own.pop("prices", None)
    return SweepSetting(
        items,
        strategy,
        own.pop("store", USUAL_STORE),
        settings,
        built_in() if prices is None else prices,
        words,
        **own,
    )


def _check_question(question: Question, common: SweepSetting, cell: SweepCell) -> None:
    """Raise UsageError for a question that cannot be put, before anything is paid for and not at the end."""
    if any(item.human for item in common.items):
        require("scipy", "agree")
        for entry in people_alone(common, cell):
            replace(question, bootstrap=None).ask(entry)


def _noted(kind: str, notes: Mapping[str, str]) -> list[str]:
    """What is said of a control by the cell that it is the control of."""
    if len(set(notes.values())) == 1:
        return [f"{kind}: {next(iter(notes.values()))}"]
    return [f"{kind} of {cell}: {note}" for cell, note in notes.items()]


def _axes(varied: Sequence[Mapping[str, str]]) -> list[str]:
    """What is varied, the one that goes along the axis first: the first with numbers, or the first."""
    keys = list(varied[0])
    numbers = [key for key in keys if all(one[key].replace(".", "", 1).isdecimal() for one in varied)]
    first = (numbers or keys)[0]
    return [first, *(key for key in keys if key != first)]


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
    return TextTable(
        "Sweep",
        head,
        lines,
        head[len(keys) + 1 :],
        whole=(*keys, "judge"),
        spare=("missing", "each", "debates"),
    )


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
        f" [{found.low:.3f}, {found.high:.3f}]"
        if found and found.low is not None and found.high is not None
        else ""
    )
    return f"{value:.3f}{ends}"
