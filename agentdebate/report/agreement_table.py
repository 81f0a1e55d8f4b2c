"""How well judges agree with people: all figures that were asked for, in each format that they are shown in."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from statistics import fmean
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement, agreement_rows
from agentdebate.meta.calibration import Calibrated
from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.coverage import Coverage, coverage, of_other_texts
from agentdebate.meta.judges import readings_of
from agentdebate.meta.measures import ON_ONE_SCALE
from agentdebate.meta.prose import counted
from agentdebate.meta.request import Gathered
from agentdebate.meta.selective import Selective
from agentdebate.meta.settings import HumanCeiling, Measures
from agentdebate.meta.two_orders import OrderFigures, order_figures
from agentdebate.report.agreement_caption import COMPARED, agreement_lines, explanations
from agentdebate.report.coverage import (
    FIGURES,
    LABELS,
    coverage_grids,
    coverage_record,
    coverage_sentences,
    uncompared_sentences,
)
from agentdebate.report.data_lines import csv_line
from agentdebate.report.figures import figure, merit, statistic_name
from agentdebate.report.grid import Grid, Number
from agentdebate.report.judge_tables import (
    COLUMNS,
    LEVELS,
    Corrected,
    agreement_record,
    calibration_grids,
    calibration_record,
    comparison_grids,
    comparison_record,
    number_of,
    orders_grids,
    orders_record,
    reliability_grids,
    selective_grids,
)
from agentdebate.report.latex import as_latex
from agentdebate.report.markdown import as_markdown
from agentdebate.report.terminal import BEST, WIDTH, filled, printed
from agentdebate.tables.inferred import inferred
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular

_TABLES = ("coverage", "comparisons", "calibration", "orders")
"""What is a table of its own beside that of agreement."""
_MEAN = "mean"
"""The column of the mean over the aspects."""
_BOLD = "Bold"
"""How the best figure of a column is shown in Markdown and LaTeX."""


@dataclass(frozen=True, repr=False)
class AgreementTable(Tabular):
    """How well judges agree with people, as `agree` gives it: print it, or take its `rows`, a data frame or Arrow stream."""

    gathered: tuple[Gathered, ...]
    judges: tuple[Agreement, ...]
    """The judges' agreement with people."""
    comparisons: tuple[Corrected, ...]
    measures: Measures
    besides: tuple[str, ...]
    """Options that go before those of the convention."""
    origins: str = ""
    """Where the judgements are from, and how replies were read."""
    people: HumanCeiling | None = None
    calibrations: tuple[Calibrated, ...] = ()
    selective: tuple[Selective, ...] = ()
    """How right judges are by how sure they are."""

    def __repr__(self) -> str:
        judges = dict.fromkeys(one.judge for one in self.agreements)
        return (
            f"<AgreementTable of {counted(len(self.agreements), 'figure')}, {counted(len(judges), 'judge')}>"
        )

    def __str__(self) -> str:
        return self.to_text()

    def rows(self) -> list[dict[str, Any]]:
        """A record for each figure: judge, aspect, statistic, level, value, interval, counts, and what is missing."""
        return list(map(agreement_record, self.agreements))

    def to_table(self) -> Table[dict[str, Any]]:
        """A row for each figure, in columns that every such table has; the reasons for what was left out are a text."""
        return agreement_rows(self.agreements)

    def to_tables(self) -> dict[str, Table[dict[str, Any]]]:
        """All tables by name: "agreement", "coverage", and "comparisons", "calibration" and "orders" where they were asked for."""
        more = {name: part for name, part in self._more().items() if name in _TABLES}
        return {"agreement": self.to_table(), **{name: inferred(name, part) for name, part in more.items()}}

    @property
    def caption(self) -> str:
        """What has to be said of the figures, in lines."""
        return "\n".join(self._lines())

    @property
    def explanation(self) -> str:
        """What the figures are at length, in paragraphs."""
        return "\n\n".join([*explanations(self.agreements), *([COMPARED] if self.comparisons else [])])

    @property
    def grids(self) -> tuple[Grid, ...]:
        """The tables: one for each statistic and level, and those below them."""
        kinds = dict.fromkeys((one.statistic, one.level) for one in self.agreements)
        entries = [one for each in self.gathered for one in each.entries]
        unlike = of_other_texts(entries, self.measures.missing_as)
        among = reliability_grids(self.people.reliabilities, self.people.people.raters) if self.people else ()
        return (
            *(
                agreement_grid([one for one in self.agreements if (one.statistic, one.level) == kind], unlike)
                for kind in kinds
            ),
            *coverage_grids(self.coverages),
            *orders_grids(self.orders),
            *among,
            *calibration_grids(self.calibrations),
            *selective_grids(self.selective),
            *comparison_grids(self.comparisons),
        )

    @cached_property
    def orders(self) -> tuple[OrderFigures, ...]:
        """The figures of judges that saw texts in both orders."""
        bootstrap, missing = self.measures.bootstrap, self.measures.missing_as
        found = [one for each in self.gathered for one in each.orders]
        return tuple(order_figures(one, bootstrap=bootstrap, missing=missing) for one in found)

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """The judges' agreement, and people's as that of one more judge."""
        return (*self.judges, *(one.mean for one in (self.people.ceilings if self.people else ())))

    @cached_property
    def coverages(self) -> tuple[Coverage, ...]:
        """How much each judge has judged of the rows that remain."""
        found = [coverage(one) for each in self.gathered for one in each.judgements]
        for each in self.gathered:
            orders = {
                both.first.aspect: (coverage(both.first), coverage(both.second)) for both in each.orders
            }
            chosen = map(coverage, (*each.choices, *each.alone))
            found += [replace(one, orders=orders.get(one.aspect, ())) for one in chosen]
        return tuple(found)

    @property
    def empty(self) -> bool:
        """Whether a judge has judged nothing at all on an aspect, or people nothing at all on any."""
        judges = [one for one in self.coverages if one.judge != PEOPLE]
        uncompared = bool(judges) and all(one.uncompared for one in judges)
        return uncompared or any(one.empty for one in self.coverages)

    @property
    def warnings(self) -> list[str]:
        """What has to be said at once: nothing could be read, so much is missing that figures are not of all texts, or scales differ."""
        unreadable = [one.judge.unreadable for one in self.gathered if one.judge.unreadable]
        lacking = (*coverage_sentences(self.coverages), *uncompared_sentences(self.coverages))
        return [f"warning: {line}" for line in (*unreadable, *lacking, *self._of_scales())]

    @property
    def further(self) -> str:
        """Which argument asked for a table besides the one that CSV holds: compare, calibration or flip(); empty for none."""
        given = {"compare": self.comparisons, "calibration": self.calibrations, "flip()": self.orders}
        return next((name for name, tables in given.items() if tables), "")

    def to_text(self, *, width: int = WIDTH) -> str:
        """The tables as plain text that fits the width, and the caption."""
        width = max(width, WIDTH // 2)
        blocks = [block for grid in self.grids for block in (grid, "")]
        caption = [filled(line, width) for line in self._lines(BEST)]
        return "\n".join([printed(blocks, width), *caption]) + "\n"

    def to_markdown(self) -> str:
        """The tables in Markdown, and the caption."""
        return as_markdown(self.grids, self._lines(_BOLD))

    def to_latex(self) -> str:
        """The tables in LaTeX, with booktabs, and the caption."""
        return as_latex(self.grids, self._lines(_BOLD))

    def to_csv(self, *, raw: bool = False) -> str:
        """A line for each figure. Unless `raw`, no cell is one that a spreadsheet would run as a formula.

        Raises UsageError where there are differences, calibration or both orders, which are tables of their own.
        """
        if self.further:
            raise UsageError(f"CSV holds one table, and {self.further} gives others: take to_dict()")
        covered = {(one.judge, one.aspect): coverage_record(one) for one in self.coverages}
        lines = [
            csv_line([*COLUMNS, "reasons", "imputed", *(f"coverage_{name}" for name in FIGURES + LABELS)])
        ]
        for one in (*self.agreements, *(self.people.reliabilities if self.people else ())):
            found, known = agreement_record(one), covered.get((one.judge, one.aspect), {})
            more = [
                _in_csv(one.left_out),
                one.imputed,
                *(_in_csv(known.get(name)) for name in FIGURES + LABELS),
            ]
            lines.append(csv_line([*(found[name] for name in COLUMNS), *more], raw=raw))
        return "".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it: `rows`, `caption`, `coverage` and what else was asked for."""
        return {"rows": self.rows(), "caption": self.caption, **self._more()}

    def _lines(self, mark: str = "") -> list[str]:
        """The caption; `mark` is how the best figures are shown."""
        own = self.measures.of_dataset
        of = f" Statistic and level are those of {own.dataset}'s own paper." if own else ""
        return agreement_lines(
            self.agreements,
            origins=f"{self.origins}{of}",
            convention=self.measures.chosen,
            besides=self.besides,
            bootstrap=self.measures.bootstrap,
            missing=self.measures.missing_as,
            mark=mark,
        )

    def _of_scales(self) -> Iterator[str]:
        """Where judge and people score on different scales, and a figure takes both to score on one."""
        if not (self.calibrations or any(one.statistic in ON_ONE_SCALE for one in self.judges)):
            return
        for one in (one for each in self.gathered for one in each.judgements):
            if one.scale and one.people_scale and one.scale.ends != one.people_scale.ends:
                yield (
                    f"{one.judge}, {one.aspect}: the judge scores on {one.scale.ends}, and people on {one.people_scale.ends}: bias, errors, "
                    "calibration and alpha mean nothing between two scales"
                )

    def _more(self) -> dict[str, Any]:
        """What JSON has besides the table."""
        more: dict[str, Any] = {"coverage": [coverage_record(one) for one in self.coverages]}
        parts = {
            "readings": [one for each in self.gathered for one in readings_of(each.judge)],
            "people": _people_record(self.people) if self.people else {},
            "orders": [orders_record(one) for one in self.orders],
            "calibration": [calibration_record(one) for one in self.calibrations],
            "selective": [asdict(one) for one in self.selective],
            "comparisons": [comparison_record(one) for one in self.comparisons],
        }
        return more | {name: part for name, part in parts.items() if part}


def _people_record(one: HumanCeiling) -> dict[str, Any]:
    """Who rated, each annotator's own agreement with the others, and people's among themselves."""
    return {
        **asdict(one.people.raters),
        "annotators": [agreement_record(it) for each in one.ceilings for it in each.annotators],
        "reliability": [agreement_record(it) for it in one.reliabilities],
    }


def _in_csv(value: Any) -> Any:
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {count:.6g}" for name, count in value.items())
    return "" if value is None else value


def agreement_grid(found: Sequence[Agreement], unlike: Collection[str] = ()) -> Grid:
    """One statistic at one level: the judges as rows, the aspects as columns, and their mean where there are several.

    The best figure of a column is marked, but not where judges have figures of other texts: of the aspects in `unlike`.
    """
    by = {(one.judge, one.aspect): one for one in found}
    judges, aspects = (
        list(dict.fromkeys(judge for judge, _ in by)),
        list(dict.fromkeys(aspect for _, aspect in by)),
    )
    counts = {_count(one) for one in found}
    rows = [
        [
            judge,
            *(
                _cell(by, judge, aspect, several=len(counts) > 1, alike=aspect not in unlike)
                for aspect in aspects
            ),
            *_means(by, judge, aspects),
        ]
        for judge in judges
    ]
    of = f" ({counts.pop()})" if len(counts) == 1 else ""
    title = f"{statistic_name(found[0].statistic)}, {LEVELS.get(found[0].level, found[0].level)}{of}"
    return Grid(title, ("judge", *aspects, *([_MEAN] if len(aspects) > 1 else [])), rows)


Found = Mapping[tuple[str, str], Agreement]


def _cell(by: Found, judge: str, aspect: str, *, several: bool, alike: bool) -> Number:
    one = by.get((judge, aspect))
    if one is None:
        return Number(None)
    others = [it for (_, about), it in by.items() if about == aspect and it.judge != PEOPLE]
    alike = alike and len({(it.n, it.missing) for it in others}) == 1 < len(others)
    values = [_merit(it) for it in others if it.value is not None]
    best = alike and one.value is not None and judge != PEOPLE and _merit(one) == max(values)
    return replace(number_of(one, _count(one) if several else ""), best=best)


def _merit(one: Agreement) -> float:
    """How good a figure is as it is printed."""
    return merit(one.statistic, float(figure(one.value)))


def _means(by: Found, judge: str, aspects: Sequence[str]) -> list[Number]:
    """The mean over the aspects; there is none where one lacks."""
    if len(aspects) == 1:
        return []
    values = [one.value if (one := by.get((judge, aspect))) else None for aspect in aspects]
    known = [value for value in values if value is not None]
    return [Number(fmean(known) if len(known) == len(values) else None)]


def _count(one: Agreement) -> str:
    """What a figure is computed from."""
    if one.level == "group":
        whole = one.groups + one.groups_left_out
        sources = f"{one.groups} of {whole} sources" if one.groups_left_out else counted(one.groups, "source")
        return f"{sources}, n={one.n}"
    return f"{counted(one.groups, 'system')}, n={one.n}" if one.level == "system" else f"n={one.n}"
