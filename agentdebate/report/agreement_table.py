"""How well judges agree with people: all numbers that were asked for, in each format that they are shown in."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement, agreement_rows
from agentdebate.meta.calibration import Calibrated
from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.coverage import Coverage, coverage, of_other_texts
from agentdebate.meta.judgements import Choices, Chosen, Judged, Judgements, Rated
from agentdebate.meta.judges import readings_of
from agentdebate.meta.measures import OF_SCORES, ON_ONE_SCALE
from agentdebate.meta.prose import counted
from agentdebate.meta.request import Gathered
from agentdebate.meta.selective import Selective
from agentdebate.meta.settings import HumanCeiling, Measures
from agentdebate.meta.two_orders import OrderFigures, order_figures
from agentdebate.report.agreement_caption import agreement_caption, comparison_caption
from agentdebate.report.calibrated import (
    calibration_caption,
    calibration_grids,
    calibration_record,
)
from agentdebate.report.compared import Corrected, comparison_grids, comparison_record
from agentdebate.report.coverage_table import (
    coverage_grids,
    coverage_record,
    coverage_sentences,
    uncompared_sentences,
)
from agentdebate.report.grid import Grid
from agentdebate.report.latex import as_latex
from agentdebate.report.markdown import as_markdown
from agentdebate.report.orders import orders_caption, orders_grids, orders_record
from agentdebate.report.origins import origins, together
from agentdebate.report.panel import Panel, grid_of, panels
from agentdebate.report.people import people_record, reliability_grids
from agentdebate.report.people_caption import listed_caption, people_caption
from agentdebate.report.plain import BEST, WIDTH, as_text
from agentdebate.report.records import as_csv, record
from agentdebate.report.scales import missing_told, scales_told
from agentdebate.report.selective import selective_caption, selective_grids, selective_record
from agentdebate.tables.inferred import inferred
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular

_TABLES = ("coverage", "comparisons", "calibration", "orders")
"""What is a table of its own beside that of agreement."""
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
    people: HumanCeiling | None = None
    calibrations: tuple[Calibrated, ...] = ()
    selective: tuple[Selective, ...] = ()
    """How right judges are by how sure they are."""
    worded: Callable[[str], str] = str
    """How sentences name arguments; those of the library are `scale=...`."""

    def __repr__(self) -> str:
        judges = dict.fromkeys(one.judge for one in self.agreements)
        return (
            f"<AgreementTable of {counted(len(self.agreements), 'figure')}, {counted(len(judges), 'judge')}>"
        )

    def __str__(self) -> str:
        return self.to_text()

    def rows(self) -> list[dict[str, Any]]:
        """A record for each figure: judge, aspect, statistic, level, value, interval, counts, and what is missing."""
        return [dict(record(one)) for one in self.agreements]

    def to_table(self) -> Table[dict[str, Any]]:
        """A row for each figure, in columns that every such table has; the reasons for what was left out are a text."""
        return agreement_rows(self.agreements)

    def to_tables(self) -> dict[str, Table[dict[str, Any]]]:
        """All tables by name: "agreement", "coverage", and "comparisons", "calibration" and "orders" where they were asked for."""
        more = {name: part for name, part in self._more().items() if name in _TABLES}
        return {"agreement": self.to_table(), **{name: inferred(name, part) for name, part in more.items()}}

    @property
    def caption(self) -> str:
        """What has to be said of the figures."""
        return self._captioned()

    @property
    def grids(self) -> tuple[Grid, ...]:
        """The tables as a page shows them: one for each statistic and level, and those below them."""
        return (*map(grid_of, self._panels()), *self._grids())

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

    @cached_property
    def unlike(self) -> frozenset[str]:
        """The aspects of which judges have figures of other texts than one another."""
        found: list[Judgements | Choices] = []
        for each in self.gathered:
            found += [*each.judgements, *each.choices]
        return of_other_texts(found, self.measures.missing_as)

    @property
    def empty(self) -> bool:
        """Whether a judge has judged nothing at all on an aspect, or people nothing at all on any."""
        judges = [one for one in self.coverages if one.judge != PEOPLE]
        uncompared = bool(judges) and all(one.uncompared for one in judges)
        return uncompared or any(one.empty for one in self.coverages)

    @property
    def warnings(self) -> list[str]:
        """What has to be said at once: nothing could be read, or so much is missing that figures are not of all texts."""
        unreadable = [one.judge.unreadable for one in self.gathered if one.judge.unreadable]
        lacking = (*coverage_sentences(self.coverages), *uncompared_sentences(self.coverages))
        return [f"warning: {self.worded(line)}" for line in (*unreadable, *lacking)]

    @property
    def further(self) -> str:
        """Which argument asked for a table besides the one that CSV holds: compare, calibration or flip(); empty for none."""
        given = {"compare": self.comparisons, "calibration": self.calibrations, "flip()": self.orders}
        return next((name for name, tables in given.items() if tables), "")

    def to_text(self, *, width: int = WIDTH) -> str:
        """The tables as plain text, in blocks that fit the width, and the caption."""
        return as_text(self._panels(), self._captioned(BEST), self._grids(), width=max(width, WIDTH // 2))

    def to_markdown(self) -> str:
        """The tables in Markdown, and the caption."""
        return as_markdown(self._panels(), self._captioned(_BOLD), self._grids())

    def to_latex(self) -> str:
        """The tables in LaTeX, with booktabs, and the caption."""
        return as_latex(self._panels(), self._captioned(_BOLD), self._grids())

    def to_csv(self, *, raw: bool = False) -> str:
        """A line for each figure. Unless `raw`, no cell is one that a spreadsheet would run as a formula.

        Raises UsageError where there are differences, calibration or both orders, which are tables of their own.
        """
        if self.further:
            raise UsageError(f"CSV holds one table, and {self.further} gives others: take to_dict()")
        lines = [*self.agreements, *(self.people.reliabilities if self.people else ())]
        return as_csv(lines, {(one.judge, one.aspect): one for one in self.coverages}, raw=raw)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it: `rows`, `caption`, `coverage` and what else was asked for."""
        return {"rows": self.rows(), "caption": self.caption, **self._more()}

    def _panels(self) -> Sequence[Panel]:
        return panels(self.agreements, self.unlike)

    def _captioned(self, mark: str = "") -> str:
        """What has to be said of the numbers; `mark` is how the best figures are shown."""
        orders = orders_caption(self.orders)
        said = [
            self._of_agreements(mark),
            *self._of_dataset(),
            *self._of_scales(),
            *orders,
            *self._of_people(),
            *selective_caption(self.selective),
            *self._of_comparisons(),
        ]
        return self.worded(" ".join(said))

    def _more(self) -> dict[str, Any]:
        """What JSON has besides the table."""
        more: dict[str, Any] = {"coverage": [coverage_record(one) for one in self.coverages]}
        readings = [one for each in self.gathered for one in readings_of(each.judge)]
        if readings:
            more["readings"] = readings
        if self.people:
            one = self.people
            more["people"] = people_record(one.people.raters, one.ceilings, one.reliabilities)
        if self.orders:
            more["orders"] = [orders_record(one) for one in self.orders]
        if self.calibrations:
            more["calibration"] = [calibration_record(one) for one in self.calibrations]
        if self.selective:
            more["selective"] = [selective_record(one) for one in self.selective]
        if self.comparisons:
            more["comparisons"] = [comparison_record(one) for one in self.comparisons]
        return more

    def _grids(self) -> tuple[Grid, ...]:
        """The tables below the first."""
        among = reliability_grids(self.people.reliabilities, self.people.people.raters) if self.people else ()
        return (
            *coverage_grids(self.coverages),
            *orders_grids(self.orders),
            *among,
            *calibration_grids(self.calibrations),
            *selective_grids(self.selective),
            *comparison_grids(self.comparisons),
        )

    def _of_agreements(self, mark: str) -> str:
        return agreement_caption(
            self.agreements,
            origins=tuple(
                together((one.judge.name, tuple(origins(one.judge, one.source))) for one in self.gathered)
            ),
            convention=self.measures.chosen,
            bootstrap=self.measures.bootstrap,
            mark=mark,
            sources=self._with_sources(),
            texts=self._texts(),
            choices=self._with_choices(),
            besides=self.besides,
            coverages=self.coverages,
            missing=self.measures.missing_as,
            compared=self.measures.resampling.of_differences.resamples if self.comparisons else 0,
            unlike=self.unlike,
            beside=tuple(self._beside()),
        )

    def _of_dataset(self) -> Iterator[str]:
        """Whose statistic and level these are, where nobody asked for one."""
        own = self.measures.of_dataset
        if own is not None:
            yield f"Statistic and level are those of {own.dataset}'s own paper; statistic=... and level=... ask for others."

    def _beside(self) -> Iterator[Agreement]:
        """The figures of the tables below the first that have intervals."""
        yield from self.people.reliabilities if self.people else ()
        for one in self.calibrations:
            yield from (one.bias, one.error)
        for both in self.orders:
            yield from (
                both.first,
                both.second,
                both.mean,
                both.both,
                both.same,
                both.kappa,
                both.shown_first,
            )

    def _of_scales(self) -> Iterator[str]:
        """What has to be said of scales, where figures take both sides to score on one."""
        asked = {one.statistic for one in self.judges} | ({"bias"} if self.calibrations else set())
        missing, found = self.measures.missing_as, [one for each in self.gathered for one in each.judgements]
        yield from missing_told(found, asked, missing)
        if asked & ON_ONE_SCALE:
            yield from scales_told(found)

    def _of_people(self) -> list[str]:
        said = [calibration_caption()] if self.calibrations else []
        if self.people is None:
            return said
        people = self.people.people
        if not self.people.ceilings:
            scores = not people.choose
            return [listed_caption(people.raters, self.people.reliabilities, scores=scores), *said]
        asked = dict.fromkeys(one.mean.statistic for one in self.people.ceilings)
        labels = [] if people.choose else [name for name in asked if name not in OF_SCORES]
        caption = people_caption(
            people.raters,
            choices=people.choose,
            labels=labels,
            each=any(row.text for row in self._judged_rows()),
        )
        return [caption, *said]

    def _of_comparisons(self) -> list[str]:
        if not self.comparisons:
            return []
        bootstrap = self.measures.resampling.of_differences
        compared = [one.comparison for one in self.comparisons]
        return [comparison_caption(compared, bootstrap, missing=self.measures.missing_as)]

    def _with_choices(self) -> bool:
        return any(one.choices for one in self.gathered) or bool(self.people and self.people.people.choose)

    def _texts(self) -> int:
        """How many texts, or comparisons, there are in all."""
        judged = {row.text or row.id for row in self._judged_rows()}
        return len(judged or {row.id for row in self._rows()})

    def _judged_rows(self) -> Iterator[Judged | Chosen]:
        for one in self.gathered:
            for judged in one.judgements:
                yield from judged.rows
            for chosen in one.choices:
                yield from chosen.rows

    def _rows(self) -> Iterator[Judged | Chosen | Rated]:
        """Whatever judges and people said, of whatever aspect."""
        people = self.people.people if self.people else None
        yield from self._judged_rows()
        for rated in people.ratings if people else ():
            yield from rated.rows

    def _with_sources(self) -> bool:
        return any(row.source for row in self._rows())
