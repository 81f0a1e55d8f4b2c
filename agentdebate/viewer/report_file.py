"""A report as one HTML file, piece by piece: nothing of it is kept once it is written, so that a run may be larger than the memory."""

import base64
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

from markupsafe import Markup

from agentdebate import __version__
from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.errors import AgentDebateError, UsageError, nearest
from agentdebate.models.secrets import without_secrets
from agentdebate.project.project import Project, read_toml
from agentdebate.report.dynamics import dynamics
from agentdebate.report.output_file import check_free, written
from agentdebate.store.debate_list import EVERY, DebateFilter
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST
from agentdebate.store.run_head import RunHead, data_files
from agentdebate.viewer.agreement_page import agreement_page
from agentdebate.viewer.ballots_page import ballots_page
from agentdebate.viewer.call_page import call_pages
from agentdebate.viewer.colours import colours_of
from agentdebate.viewer.compare_page import compare_page, listings
from agentdebate.viewer.costs_page import costs_page
from agentdebate.viewer.debate_page import debate_page
from agentdebate.viewer.failures_page import FailuresPage, failures_page
from agentdebate.viewer.file_pages import FilePages, debate_anchor
from agentdebate.viewer.query import RunQuery
from agentdebate.viewer.report_markdown import report_markdown
from agentdebate.viewer.run_page import DebateLine, RunPage, debate_line, run_page
from agentdebate.viewer.runs_page import RunLine
from agentdebate.viewer.shelf import Shelf, Stored

Debates = Literal["all", "failures", "rows"]
"""Choice of debates: all with what was said, those that failed, or all as rows of the table and nothing else."""

ROWS = 100
"""Rows that are drawn, and laid out by the browser, at once."""
_SECTIONS = ("Summary", "Agreement", "Dynamics", "Cost", "Failures", "Debates", "Configuration", "Citation")
_COMPARED = 2
"""Runs that are set side by side."""
_CHANGES = 20
"""Debates of a list that compares two runs."""
_CONTENTS = {
    "all": "Every debate with what was said in it.",
    "failures": "Of the debates those that failed, with what was said in them.",
    "rows": "Every debate as a row; what was said is left out.",
}
_PUBLIC = (
    *("agentdebate", "models", "sampling", "form", "patience", "deadline", "aspects", "together"),
    *("concurrency", "content", "debates", "replaced", "unsent"),
)
"""Keys of a run's configuration that hold no text of a user's."""


@dataclass(frozen=True)
class ReportFile:
    """Runs as a file. Without `prompts` calls have no prompt and reply; what is `public` has no text, prompt or reason."""

    shelf: Shelf
    heads: Sequence[RunHead]
    debates: Debates = "all"
    prompts: bool = True
    public: bool = False

    def __post_init__(self) -> None:
        if self.debates not in get_args(Debates):
            raise UsageError(
                f"debates cannot be {self.debates!r}. {nearest(self.debates, get_args(Debates))}"
            )

    def pieces(self) -> Iterator[str]:
        """The file from its beginning to its end. Raises StoreError."""
        pages = FilePages([head.id for head in self.heads], self._holds)
        runs = [run_page(self.shelf, head, RunQuery({"layout": "debates"})) for head in self.heads]
        yield self._top(pages, [one.run for one in runs])
        for at, page in enumerate(runs, 1):
            yield self._run(pages, at, page)
        if len(self.heads) == _COMPARED:
            yield self._comparison(pages)
        for at, page in enumerate(runs, 1):
            yield from self._rows(pages, at, page)
        yield pages.draw("report_keys.html", script=Markup(_static("report.js")))  # noqa: S704 - a file of ours
        if self._with_talk:
            for at, page in enumerate(runs, 1):
                yield from self._talks(pages, at, page)
        yield "</main>\n</body>\n</html>\n"

    @property
    def _with_talk(self) -> bool:
        return self.debates != "rows" and not self.public

    def _holds(self, run: str, debate: str) -> bool:
        """Tell whether a debate of a run is written out in the report."""
        if not self._with_talk or self.debates == "all":
            return self._with_talk
        row = self.shelf.reader().row(run, debate)
        return row is not None and outcome_of(row) is FAILURE

    def _top(self, pages: FilePages, runs: Sequence[RunLine]) -> str:
        style = _style()
        return pages.draw(
            "report_top.html",
            policy=policy(style, _static("report.js")),
            style=Markup(style),  # noqa: S704 - files of ours
            title=f"{runs[0].head.strategy} on {runs[0].head.task}"
            if len(runs) == 1
            else f"{len(runs)} runs",
            runs=runs,
            sections=_SECTIONS,
            compared=len(runs) == _COMPARED,
            written=time.time(),
            version=__version__,
            contents=_CONTENTS["rows" if self.public and self.debates == "all" else self.debates],
        )

    def _run(self, pages: FilePages, at: int, page: RunPage) -> str:
        head, within, several = page.run.head, f"r{at}", len(self.heads) > 1
        agreement, costs = agreement_page(self.shelf, head, whole=True), costs_page(self.shelf, head)
        colours, failures = colours_of(self.shelf, head), self._failures(head)
        text = pages.draw(
            "report_run.html",
            at=at,
            several=several,
            public=self.public,
            run=page.run,
            with_people=page.with_people,
            worth=page.worth,
            outcomes=", ".join(f"{name} {count:,}" for name, count in head.outcomes.items()),
            agreement=pages.part("agreement.html", within=within, deeper=2, page=agreement),
            dynamics=self._dynamics(pages, head),
            costs=pages.part("costs.html", within=within, deeper=2, page=costs, colours=colours),
            failures=pages.part("failures.html", within=within, deeper=2, page=failures),
            configuration=configuration(head, public=self.public),
            method=_method(head.strategy),
            version=__version__,
        )
        return pages.of_run(text, at) if several else text

    def _failures(self, head: RunHead) -> FailuresPage:
        page = failures_page(self.shelf, head)
        if not self.public:
            return page
        return replace(page, kinds=tuple(replace(kind, reasons=()) for kind in page.kinds))

    def _dynamics(self, pages: FilePages, head: RunHead) -> Markup:
        try:
            found, problem = dynamics(Stored(self.shelf.reader(), head)), ""
        except AgentDebateError as error:
            found, problem = None, "" if self.public else str(error)
        return Markup(pages.draw("report_tables.html", problem=problem, found=found))  # noqa: S704 - a template has escaped it

    def _comparison(self, pages: FilePages) -> str:
        page = compare_page(self.shelf, *self.heads, whole=True)
        if self.public and not page.grids:
            page = replace(page, problem="")
        return pages.draw("report_compared.html", page=page, lists=listings(self.shelf, page, _CHANGES))

    def _rows(self, pages: FilePages, at: int, page: RunPage) -> Iterator[str]:
        rows = self.shelf.debates(page.run.head.id).count(self._wanted)
        several = len(self.heads) > 1
        yield pages.draw("report_rows_top.html", at=at, several=several, talk=self._with_talk, rows=rows)
        for lines in self._lines(page):
            yield pages.draw("report_rows.html", page=page, lines=lines, first=lines[0].at + 1)
        yield "</div></div>\n</section>\n"

    def _talks(self, pages: FilePages, at: int, page: RunPage) -> Iterator[str]:
        of_run = f" in run {at}" if len(self.heads) > 1 else ""
        yield f'<section class="in-full" aria-labelledby="full-{at}">\n<h2 id="full-{at}">What was said{of_run}</h2>\n'
        for lines in self._lines(page):
            for line in lines:
                yield self._talk(pages, at, page.run.head, line.debate)
        yield "</section>\n"

    def _talk(self, pages: FilePages, at: int, head: RunHead, debate: str) -> str:
        anchor = debate_anchor(head.id, debate)
        page = debate_page(self.shelf, head, debate, RunQuery())
        if self.prompts:
            page = replace(page, calls=call_pages(self.shelf, head, debate))
        cast, ballots = ballots_page(self.shelf, head, debate, RunQuery()), ""
        if len(cast.rounds) > 1:
            ballots = pages.part("ballots.html", within=anchor, deeper=1, page=cast)
        talk = pages.part("debate.html", within=anchor, deeper=1, page=page)
        return pages.draw("report_debate.html", anchor=anchor, at=at, page=page, talk=talk, ballots=ballots)

    @property
    def _wanted(self) -> DebateFilter:
        return DebateFilter(outcome=FAILURE.name) if self.debates == "failures" else EVERY

    def _lines(self, page: RunPage) -> Iterator[list[DebateLine]]:
        """The debates that are wanted, a part at a time. Who was lost may have a name that a model made up."""
        debates, start = self.shelf.debates(page.run.head.id), 0
        while some := debates.part(self._wanted, start=start, most=ROWS):
            rows = ({**row, "lost": ()} if self.public else row for row in some)
            yield [debate_line(row, start + at, page.scores) for at, row in enumerate(rows)]
            start += ROWS


def configuration(head: RunHead, *, public: bool) -> str:
    """Write a run's configuration as JSON, without keys; a public one also without texts and prompts."""
    told: dict[str, Any] = without_secrets(dict(head.configuration))
    if public:
        strategy = told.get("strategy")
        name = strategy.get("name") if isinstance(strategy, dict) else strategy
        told = {"strategy": name} | {key: told[key] for key in _PUBLIC if key in told}
    return json.dumps(told, indent=2, ensure_ascii=False, default=str)


def _method(strategy: str) -> str:
    """The paper that a strategy of ours follows; empty where it is another's or follows nothing."""
    try:
        return str(read_toml(Project().find("strategies", strategy)).get("source", ""))
    except AgentDebateError:  # a strategy of the user's, which is not looked for on whoever's machine this is
        return ""


def policy(style: str, script: str) -> str:
    """Return the policy on what the file may load: nothing. Its own style and script are known by their digests."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _style() -> str:
    return "".join(map(_static, ("view.css", "report.css")))


def _static(name: str) -> str:
    return files("agentdebate.viewer").joinpath("static", name).read_text(encoding="utf-8")


def write_report(
    *runs: str,
    output: str | Path,
    store: str | Path = USUAL_STORE,
    debates: Debates = "all",
    prompts: bool = True,
    public: bool = False,
    markdown: bool = False,
) -> Path:
    """Write runs into one HTML file that loads nothing, or with `markdown` into a short page for a pull request; its path.

    `runs` are names of runs in `store`, the beginnings of names, or "last"; with none it is the last one. `debates` says which
    are in it: "all" with what was said, those that failed ("failures"), or all as rows of a table ("rows"). Without `prompts` the
    prompt and the raw reply of each call are left out; with `public` all that was said, and reasons of failures: debates are rows
    then. Two runs are compared with one another too, the second with the first.

        ad.write_report("last", output="report.html", store="runs.db", public=True)

    Raises UsageError and StoreError; a file that was there stays as it was then.
    """
    with closing(Shelf(store)) as shelf:
        heads = _heads(shelf, runs)
        check_free(Path(output), data_files(heads))
        pieces: Iterable[str]
        if markdown:
            pieces = (report_markdown(shelf, heads, public=public),)
        else:
            pieces = ReportFile(shelf, heads, debates, prompts=prompts, public=public).pieces()
        with written(Path(output)) as stream:
            stream.writelines(pieces)
    return Path(output)


def markdown_of(*runs: str, store: str | Path = USUAL_STORE, public: bool = False) -> str:
    """The short page of Markdown as text. Raises UsageError and StoreError."""
    with closing(Shelf(store)) as shelf:
        return report_markdown(shelf, _heads(shelf, runs), public=public)


def _heads(shelf: Shelf, runs: Sequence[str]) -> list[RunHead]:
    """Each run once, whichever of its names it was called by."""
    found = (shelf.reader().run(name) for name in dict.fromkeys(runs or (LAST,)))
    return list({head.id: head for head in found}.values())
