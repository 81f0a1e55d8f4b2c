"""A report as one HTML file, piece by piece: nothing of it is kept once it is written, so that a run may be larger than the memory."""

import base64
import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from agentdebate.debates.outcome import FAILURE
from agentdebate.errors import AgentDebateError
from agentdebate.models.secrets import without_secrets
from agentdebate.report.dynamics import dynamics
from agentdebate.report.grid import Grid
from agentdebate.store.debate_list import EVERY, DebateFilter
from agentdebate.store.reader import RunHead
from agentdebate.viewer.agreement_page import agreement_page
from agentdebate.viewer.asked import Asked
from agentdebate.viewer.ballots_page import ballots_page
from agentdebate.viewer.call_page import call_pages
from agentdebate.viewer.citation import citation, method
from agentdebate.viewer.colours import colours_of
from agentdebate.viewer.compare_page import Asking, compare_lists, compare_page
from agentdebate.viewer.costs_page import costs_page
from agentdebate.viewer.debate_page import debate_page
from agentdebate.viewer.failures_page import failures_page
from agentdebate.viewer.file_pages import FilePages, debate_anchor
from agentdebate.viewer.report_choice import ReportChoice
from agentdebate.viewer.run_page import DebateLine, RunPage, debate_line, run_page
from agentdebate.viewer.runs_page import RunLine
from agentdebate.viewer.shelf import Shelf
from agentdebate.viewer.stored import Stored
from agentdebate.viewer.without_texts import (
    debate_without_texts,
    failures_without_texts,
    line_without_texts,
)

ROWS = 100
"""Rows that are drawn, and laid out by the browser, at once."""
_SECTIONS = ("Summary", "Agreement", "Dynamics", "Cost", "Failures", "Debates", "Configuration", "Citation")
_COMPARED = 2
"""Runs that are set side by side."""
_CHANGES = 20
"""Debates of a list that compares two runs."""
_SAMPLED = 12
"""Debates that are drawn to say how large the file will be."""
_PUBLIC = (
    *("agentdebate", "models", "sampling", "form", "patience", "deadline", "aspects", "together"),
    *("concurrency", "content", "debates", "replaced", "unsent"),
)
"""What of a run's configuration holds no text of a user's."""


@dataclass(frozen=True)
class ReportFile:
    """What a report is written of."""

    shelf: Shelf
    heads: Sequence[RunHead]
    choice: ReportChoice
    version: str

    def pieces(self) -> Iterator[str]:
        """The file from its beginning to its end. Raises StoreError."""
        pages = self._pages()
        runs = [run_page(self.shelf, head, Asked({"layout": "debates"}), costs=True) for head in self.heads]
        yield self._top(pages, [one.run for one in runs])
        for at, page in enumerate(runs, 1):
            yield self._run(pages, at, page)
        if len(self.heads) == _COMPARED:
            yield self._comparison(pages)
        for at, page in enumerate(runs, 1):
            yield from self._rows(pages, at, page)
        yield pages.draw("report_keys.html", script=Markup(_script()))  # noqa: S704 - a file of ours
        for at, page in enumerate(runs, 1):
            yield from self._debates(pages, at, page)
        yield "</main>\n</body>\n</html>\n"

    def size(self) -> int:
        """About how many bytes the file will have: as some of its debates are, so are all."""
        pages, total = self._pages(), 120_000
        for head in self.heads:
            page = run_page(self.shelf, head, Asked({"layout": "debates"}))
            count = self._count(head)
            sample = list(self._sample(head, page, count))
            if sample:
                drawn = [_length(pages, page, one, self._debate(pages, 1, head, one)) for one in sample]
                total += sum(drawn) * count // len(drawn)
        return total

    def _pages(self) -> FilePages:
        return FilePages([head.id for head in self.heads], partial(self.choice.holds, self.shelf))

    def _top(self, pages: FilePages, runs: Sequence[RunLine]) -> str:
        style = _style()
        title = f"{runs[0].head.strategy} on {runs[0].head.task}" if len(runs) == 1 else f"{len(runs)} runs"
        return pages.draw(
            "report_top.html",
            policy=policy(style, _script()),
            style=Markup(style),  # noqa: S704 - files of ours
            title=title,
            runs=runs,
            sections=_SECTIONS,
            compared=len(runs) == _COMPARED,
            written=time.time(),
            version=self.version,
            contents=self.choice.told,
        )

    def _run(self, pages: FilePages, at: int, page: RunPage) -> str:
        head, within = page.run.head, f"r{at}"
        costs = costs_page(self.shelf, head, wait=True)
        failures = failures_page(self.shelf, head)
        if self.choice.public:
            failures = failures_without_texts(failures)
        several = len(self.heads) > 1
        text = pages.draw(
            "report_run.html",
            at=at,
            several=several,
            public=self.choice.public,
            run=page.run,
            with_people=page.with_people,
            outcomes=", ".join(f"{name} {count:,}" for name, count in head.outcomes.items()),
            agreement=pages.part(
                "agreement.html", within=within, deeper=2, page=agreement_page(self.shelf, head, whole=True)
            ),
            dynamics=self._dynamics(pages, head),
            costs=pages.part(
                "costs.html", within=within, deeper=2, page=costs, colours=colours_of(self.shelf, head)
            ),
            failures=pages.part("failures.html", within=within, deeper=2, page=failures),
            configuration=configuration(head, public=self.choice.public),
            method=method(head.strategy),
            citation=citation(self.version),
        )
        return pages.of_run(text, at) if several else text

    def _dynamics(self, pages: FilePages, head: RunHead) -> Markup:
        try:
            found = dynamics(Stored(self.shelf.reader(), head))
        except AgentDebateError as error:
            told = _tables(problem="" if self.choice.public else str(error))
        else:
            told = _tables(*found.tables, opening=found.opening[:1])
        return Markup(pages.draw("report_tables.html", **told))  # noqa: S704 - a template has escaped it

    def _comparison(self, pages: FilePages) -> str:
        first, second = self.heads
        page = compare_page(self.shelf, first, second, Asking(statistic="spearman"), whole=True)
        if self.choice.public and not page.grids:
            page = replace(page, problem="")
        lists = compare_lists(self.shelf, page, _CHANGES)
        return pages.draw("report_compared.html", page=page, lists=lists)

    def _rows(self, pages: FilePages, at: int, page: RunPage) -> Iterator[str]:
        several, talk = len(self.heads) > 1, self.choice.debates != "rows"
        rows = self._count(page.run.head)
        yield pages.draw("report_rows_top.html", at=at, several=several, talk=talk, rows=rows)
        lines, first = list[DebateLine](), 1
        for line in self._lines(page):
            lines.append(line_without_texts(line) if self.choice.public else line)
            if len(lines) == ROWS:
                yield pages.draw("report_rows.html", page=page, lines=lines, first=first)
                lines, first = [], first + ROWS
        if lines:
            yield pages.draw("report_rows.html", page=page, lines=lines, first=first)
        yield "</div></div>\n</section>\n"

    def _debates(self, pages: FilePages, at: int, page: RunPage) -> Iterator[str]:
        if self.choice.debates == "rows":
            return
        of_run = f" in run {at}" if len(self.heads) > 1 else ""
        yield f'<section class="in-full" aria-labelledby="full-{at}">\n<h2 id="full-{at}">What was said{of_run}</h2>\n'
        for line in self._lines(page):
            yield self._debate(pages, at, page.run.head, line)
        yield "</section>\n"

    def _debate(self, pages: FilePages, at: int, head: RunHead, line: DebateLine) -> str:
        if self.choice.debates == "rows":
            return ""
        anchor = debate_anchor(head.id, line.debate)
        page = debate_page(self.shelf, head, line.debate, Asked(), whole=True)
        ballots: str = ""
        if self.choice.public:
            page = debate_without_texts(page)
        else:
            page = replace(
                page, calls=call_pages(self.shelf, head, line.debate) if self.choice.prompts else {}
            )
            cast = ballots_page(self.shelf, head, line.debate, Asked())
            if len(cast.rounds) > 1:
                ballots = pages.part("ballots.html", within=anchor, deeper=1, page=cast)
        talk = pages.part("debate.html", within=anchor, deeper=1, page=page)
        return pages.draw("report_debate.html", anchor=anchor, at=at, page=page, talk=talk, ballots=ballots)

    def _count(self, head: RunHead) -> int:
        if self.choice.names:
            return sum(1 for name in self.choice.names if self.shelf.reader().row(head.id, name))
        return self.shelf.debates(head.id).count(self._wanted())

    def _wanted(self) -> DebateFilter:
        return DebateFilter(outcome=FAILURE.name) if self.choice.debates == "failures" else EVERY

    def _lines(self, page: RunPage) -> Iterator[DebateLine]:
        """The debates that are wanted, a part at a time."""
        head, debates = page.run.head, self.shelf.debates(page.run.head.id)
        if self.choice.names:
            rows = (self.shelf.reader().row(head.id, name) for name in self.choice.names)
            yield from (debate_line(row, 0, page.scores) for row in map(_priced, rows) if row)
            return
        start = 0
        while some := debates.part(self._wanted(), start=start, most=ROWS):
            yield from (debate_line(row, start + at, page.scores) for at, row in enumerate(some))
            start += ROWS

    def _sample(self, head: RunHead, page: RunPage, count: int) -> Iterator[DebateLine]:
        if self.choice.names or count <= _SAMPLED:
            yield from self._lines(page)
            return
        debates = self.shelf.debates(head.id)
        for place in range(_SAMPLED):
            rows = debates.part(self._wanted(), start=place * count // _SAMPLED, most=1)
            yield from (debate_line(row, 0, page.scores) for row in rows)


def _tables(*tables: Grid, opening: Sequence[str] = (), problem: str = "") -> dict[str, Any]:
    """What the template of tables is told."""
    return {"problem": problem, "opening": opening, "tables": tables}


def configuration(head: RunHead, *, public: bool) -> str:
    """How a run was held, as JSON without keys; for everybody without what holds texts and prompts."""
    told: dict[str, Any] = without_secrets(dict(head.configuration))
    if public:
        strategy = told.get("strategy")
        name = strategy.get("name") if isinstance(strategy, dict) else strategy
        told = {"strategy": name} | {key: told[key] for key in _PUBLIC if key in told}
    return json.dumps(told, indent=2, ensure_ascii=False, default=str)


def policy(style: str, script: str) -> str:
    """What the file may load: nothing. Its own style and script are known by their digests."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _style() -> str:
    return "".join(map(_static, ("view.css", "report.css")))


def _script() -> str:
    return _static("report.js")


def _static(name: str) -> str:
    return files("agentdebate.viewer").joinpath("static", name).read_text(encoding="utf-8")


def _length(pages: FilePages, page: RunPage, line: DebateLine, talk: str) -> int:
    """The bytes of a debate: its row and what was said in it."""
    row = pages.draw("report_rows.html", page=page, lines=[line], first=1)
    return len(row.encode()) // 3 + len(talk.encode())


def _priced(row: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if row is None else {"money": None, **row}
