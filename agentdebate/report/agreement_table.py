"""Agreement of judges with people: all figures that were asked for, in each output format."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from statistics import fmean
from typing import Any

from agentdebate.meta.agreement import Agreement, agreement_rows
from agentdebate.meta.alt_test import AltTest
from agentdebate.meta.calibration import Calibration
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.label_correction import Correction
from agentdebate.meta.measures import ON_ONE_SCALE
from agentdebate.meta.reliability import ONE_LEFT_OUT
from agentdebate.meta.request import Gathered
from agentdebate.meta.selective import Selective
from agentdebate.meta.settings import HumanCeiling, Measures
from agentdebate.meta.talk import grouped
from agentdebate.meta.two_orders import OrderFigures, order_figures
from agentdebate.report.agreement_caption import EXPLANATION, agreement_lines
from agentdebate.report.coverage import coverage_record, coverage_sentences, uncompared_sentences
from agentdebate.report.data_lines import csv_line
from agentdebate.report.grid import LEVELS, Block, Grid, Number, figure, merit, statistic_name
from agentdebate.report.inference_tables import alt_test_grids, correction_grids, panel_grids
from agentdebate.report.judge_tables import (
    agreement_record,
    calibration_grids,
    calibration_record,
    comparison_grids,
    number_of,
    orders_grids,
    orders_record,
    reliability_grids,
    selective_grid,
)
from agentdebate.report.markup import as_latex, as_markdown
from agentdebate.report.prose import counted
from agentdebate.report.result import Result
from agentdebate.report.terminal import BEST, WIDTH, printed
from agentdebate.studies.panel_worth import PanelWorth
from agentdebate.studies.worth import Worth, worth_lines
from agentdebate.tables.table import Table

_BOLD = "Bold"
"""Marks of a column's best figure in Markdown and LaTeX."""


@dataclass(frozen=True, repr=False)
class AgreementTable(Result):
    """Agreement of judges with people, as `agree` gives it: print it, or take its `rows`, a data frame or Arrow stream."""

    gathered: tuple[Gathered, ...]
    judges: tuple[Agreement, ...]
    """The judges' agreement with people."""
    comparisons: tuple[dict[str, Any], ...]
    """Differences, with corrected p-values."""
    measures: Measures
    besides: tuple[str, ...]
    """Options that go before those of the convention."""
    origins: str = ""
    """Sources of the judgements, and the reading of replies."""
    people: HumanCeiling | None = None
    calibrations: tuple[Calibration, ...] = ()
    selective: tuple[Selective, ...] = ()
    """Accuracy of judges by their confidence."""
    against: tuple[Agreement, ...] = ()
    """Agreement of the evaluators of a run with its judge, whose scores are in the place of people's."""
    panels: tuple[PanelWorth, ...] = ()
    """The number of independent judges that the judges are worth together."""
    alt_tests: tuple[AltTest, ...] = ()
    """The judges in the place of annotators."""
    corrections: tuple[Correction, ...] = ()
    """Figures of the judges, corrected by people's labels."""
    worths: Mapping[str, Worth | None] = field(default_factory=dict)
    """Worth of the talk of judges that are runs."""

    @property
    def title(self) -> str:
        """Number of figures, in words."""
        return counted(len(self.agreements), "figure")

    def rows(self) -> list[dict[str, Any]]:
        """A record for each figure: judge, aspect, statistic, level, value, interval, counts, and what is missing."""
        return list(map(agreement_record, self.agreements))

    def to_table(self) -> Table[dict[str, Any]]:
        """A row for each figure, in columns that every such table has; the reasons for what was left out are a text."""
        return agreement_rows((*self.agreements, *self._against_judge))

    @property
    def caption(self) -> str:
        """Caption of the figures, in lines."""
        return "\n".join(self._lines())

    @property
    def explanation(self) -> str:
        """The figures explained at length, in paragraphs."""
        return EXPLANATION

    @property
    def grids(self) -> tuple[Grid, ...]:
        """The tables: one for each statistic and level, and those below them."""
        among = reliability_grids(self._among, self.people.people.kind) if self.people else ()
        return (
            *_grids(self.agreements),
            *(
                replace(one, title=f"The judge and its evaluators: {one.title}")
                for one in _grids(self.against)
            ),
            *panel_grids(self.panels),
            *alt_test_grids(self.alt_tests),
            *correction_grids(self.corrections),
            *orders_grids(self.orders),
            *among,
            *calibration_grids(self.calibrations),
            *map(selective_grid, self.selective),
            *comparison_grids(self.comparisons),
        )

    @cached_property
    def orders(self) -> tuple[OrderFigures, ...]:
        """The figures of judges that saw texts in both orders."""
        bootstrap = self.measures.bootstrap
        return tuple(order_figures(one, bootstrap=bootstrap) for each in self.gathered for one in each.orders)

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """The judges' agreement, and people's as that of one more judge."""
        return (*self.judges, *(one.mean for one in (self.people.ceilings if self.people else ())))

    @property
    def _among(self) -> tuple[Agreement, ...]:
        """The agreement of people among themselves."""
        return self.people.reliabilities if self.people else ()

    @property
    def _against_judge(self) -> Iterator[Agreement]:
        """Evaluators' agreement with the judge, as rows beside their agreement with people."""
        for one in self.against:
            yield replace(one, judge=f"{one.judge} against {self.gathered[0].judge.name}")

    @cached_property
    def coverages(self) -> tuple[Coverage, ...]:
        """Coverage of the remaining rows by each judge."""
        return tuple(coverage(one) for each in self.gathered for one in each.entries)

    @property
    def empty(self) -> bool:
        """True if a judge has judged nothing at all on an aspect, or people nothing at all on any."""
        judged = self.coverages
        uncompared = bool(judged) and not self.orders and all(one.uncompared for one in judged)
        return uncompared or any(one.empty for one in judged)

    @property
    def warnings(self) -> list[str]:
        """Warnings: so much is missing that the figures do not cover all texts, or scales differ."""
        covered = self.coverages
        lines = *coverage_sentences(covered), *uncompared_sentences(covered), *self._of_scales()
        return [f"warning: {line}" for line in lines]

    def blocks(self) -> Iterator[Block]:
        """The tables, and the caption."""
        for grid in self.grids:
            yield from (grid, "")
        yield from self._lines(BEST)
        yield from worth_lines(self.worths)

    def to_text(self, *, width: int = WIDTH) -> str:
        """The tables as plain text that fits the width, and the caption."""
        return printed(self.blocks(), max(width, WIDTH // 2)) + "\n"

    def to_markdown(self) -> str:
        """The tables in Markdown, and the caption."""
        return as_markdown(self.grids, [*self._lines(_BOLD), *worth_lines(self.worths)])

    def to_latex(self) -> str:
        """The tables in LaTeX, with booktabs, and the caption."""
        return as_latex(self.grids, self._lines(_BOLD))

    def to_csv(self, *, raw: bool = False) -> str:
        """A line for each figure. Unless `raw`, no cell is one that a spreadsheet would run as a formula."""
        table = agreement_rows((*self.agreements, *self._against_judge, *self._among))
        return "".join([csv_line(table.columns), *(csv_line(row, raw=raw) for row in table.values())])

    def to_dict(self) -> dict[str, Any]:
        """The table as JSON has it: `rows`, `caption`, `coverage` and what else was asked for."""
        parts = {
            "readings": [
                {"judge": each.judge.name, "replies": one.replies, **asdict(one)}
                for each in self.gathered
                for one in each.judge.accounts
            ],
            "people": self.people
            and {
                "kind": self.people.people.kind,
                "annotators": [agreement_record(it) for one in self.people.ceilings for it in one.annotators],
                "reliability": list(map(agreement_record, self._among)),
            },
            "orders": list(map(orders_record, self.orders)),
            "calibration": list(map(calibration_record, self.calibrations)),
            "selective": list(map(asdict, self.selective)),
            "evaluators": list(map(agreement_record, self.against)),
            "panels": list(map(asdict, self.panels)),
            "alt_test": list(map(asdict, self.alt_tests)),
            "correction": list(map(asdict, self.corrections)),
            "comparisons": list(self.comparisons),
            "worth": {name: one.row() for name, one in self.worths.items() if one},
        }
        asked = {name: part for name, part in parts.items() if part}
        coverages = list(map(coverage_record, self.coverages))
        return {"rows": self.rows(), "caption": self.caption, "coverage": coverages, **asked}

    def _lines(self, mark: str = "") -> list[str]:
        """The caption; `mark` is how the best figures are shown, where there are several judges."""
        return agreement_lines(
            self.agreements,
            self.measures,
            origins=self.origins,
            besides=self.besides,
            coverages=self.coverages,
            below=[
                *self.against,
                *self._among,
                *(figure for one in self.orders for figure in one.figures.values()),
            ],
            mark=mark if len({one.judge for one in self.judges}) > 1 else "",
        )

    def _of_scales(self) -> Iterator[str]:
        """Name judges that score on another scale than people, where a figure takes both to score on one."""
        if not (self.calibrations or any(one.statistic in ON_ONE_SCALE for one in self.judges)):
            return
        for one in (one for each in self.gathered for one in each.entries if one.labels is None):
            if one.scale and one.people_scale and one.scale.ends != one.people_scale.ends:
                yield (
                    f"{one.judge}, {one.aspect}: the judge scores on {one.scale.ends}, and people on {one.people_scale.ends}: bias, errors, "
                    "calibration and alpha mean nothing between two scales"
                )


def _grids(found: Sequence[Agreement]) -> Iterator[Grid]:
    return map(agreement_grid, grouped(found, lambda one: (one.statistic, one.level)).values())


def agreement_grid(found: Sequence[Agreement]) -> Grid:
    """One statistic at one level: the judges as rows, the aspects as columns, and their mean where there are several.

    The best figure of a column is marked, but not where judges have figures of other texts.
    """
    aspects = list(dict.fromkeys(one.aspect for one in found))
    best = {aspect: _best([one for one in found if one.aspect == aspect]) for aspect in aspects}
    counts = {_count(one) for one in found}
    beside = len(counts) > 1
    rows = []
    for judge, some in grouped(found, lambda one: one.judge).items():
        by: Mapping[str, Agreement] = {one.aspect: one for one in some}
        cells = [_cell(by.get(aspect), best[aspect], counted=beside) for aspect in aspects]
        values = [one.value for one in cells if one.value is not None]
        mean = Number(fmean(values) if len(values) == len(aspects) else None)
        rows.append([judge, *cells, *([mean] if len(aspects) > 1 else [])])
    of = "" if beside else f" ({counts.pop()})"
    title = f"{statistic_name(found[0].statistic)}, {LEVELS[found[0].level]}{of}"
    return Grid(title, ("judge", *aspects, *(["mean"] if len(aspects) > 1 else [])), rows)


def _cell(one: Agreement | None, best: float | None, *, counted: bool) -> Number:
    if one is None:
        return Number(None)
    is_best = one.value is not None and one.judge != ONE_LEFT_OUT and _merit(one) == best
    return replace(number_of(one, _count(one) if counted else ""), best=is_best)


def _best(found: Sequence[Agreement]) -> float | None:
    """Return the merit of an aspect's best judge, as printed; None for a single judge, or where judges have judged different texts."""
    judges = [one for one in found if one.judge != ONE_LEFT_OUT]
    if len(judges) == 1 or len({(one.n, one.missing) for one in judges}) > 1:
        return None
    return max((_merit(one) for one in judges if one.value is not None), default=None)


def _merit(one: Agreement) -> float:
    """Rate a figure as it is printed."""
    return merit(one.statistic, float(figure(one.value)))


def _count(one: Agreement) -> str:
    """Name the numbers that a figure is computed from."""
    of = {
        "group": f"{one.groups} of {counted(one.groups + one.groups_left_out, 'source')}, ",
        "system": f"{counted(one.groups, 'system')}, ",
    }
    return f"{of.get(one.level, '')}n={one.n}"
