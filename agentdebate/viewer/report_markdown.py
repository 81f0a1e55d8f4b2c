"""A report as Markdown for a pull request: short, tables of GitHub's kind, and nothing in it that is markup of a user's."""

from collections.abc import Iterable, Iterator, Sequence

from agentdebate.debates.outcome import ABSTAINED
from agentdebate.models.secrets import without_keys
from agentdebate.report.grid import figure, interval, statistic_name
from agentdebate.report.markup import markdown_text, paragraph
from agentdebate.store.run_head import RunHead
from agentdebate.viewer import words
from agentdebate.viewer.agreement_page import agreement_page
from agentdebate.viewer.compare_page import compare_page
from agentdebate.viewer.failures_page import FailureKind, failures_page
from agentdebate.viewer.run_page import worth_told
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.shelf import Shelf
from agentdebate.visible import visible

_LONGEST = 120
"""Characters of a cell."""
_SAID = ("Agreement with people", "In brackets")
"""Beginnings of the remarks on agreement that stand below its table; `agree` has the others."""
_KINDS = 10
_COMPARED = 2
"""Runs that are set side by side."""
_SCORES = 24


def report_markdown(shelf: Shelf, heads: Sequence[RunHead], *, public: bool = False) -> str:
    """Runs, their means, agreement with people, failures by kind; reasons of failures are left out where it is `public`."""
    runs = [run_line(shelf, head, sums=True) for head in heads]
    parts = [
        "## agentdebate",
        _table(("Run", "Strategy", "Task", "Models", "Ended", "Failed", "Tokens", "Money"), map(_run, runs)),
        *(paragraph(f"{head.id}: {head.replaced_told}.") for head in heads if head.replaced),
        _means(runs),
        *_agreement(shelf, heads),
        *(paragraph(f"{head.id}: {' '.join(told)}") for head in heads if (told := worth_told(shelf, head))),
        *(_comparison(shelf, *heads) if len(heads) == _COMPARED else ()),
        _failures(shelf, heads, public=public),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _run(run: RunLine) -> tuple[str, ...]:
    head, sums = run.head, run.costs or {}
    ended = f"{run.outcomes.total:,}"
    if run.planned and run.planned > run.outcomes.total:
        ended += f" of {run.planned:,}"
    if abstained := run.outcomes[ABSTAINED]:
        ended += f", {abstained:,} abstained"
    tokens, money = words.count(sums.get("tokens")), words.money(sums.get("money"))
    return (
        head.id,
        head.strategy,
        head.task,
        ", ".join(run.models),
        ended,
        f"{head.failures:,}",
        tokens,
        money,
    )


def _means(runs: Sequence[RunLine]) -> str:
    rows = [
        (
            run.head.id,
            one.name,
            f"{one.scores:,}",
            words.score(one.mean),
            words.score(one.people_mean),
        )
        for run in runs
        for one in run.means[:_SCORES]
    ]
    return _table(("Run", "Score", "n", "Mean", "People’s mean"), rows)


def _agreement(shelf: Shelf, heads: Sequence[RunHead]) -> Iterator[str]:
    """Write how far each run agrees with people, as `agree` has it, and below it what the figures and the intervals are."""
    pages = [(head, agreement_page(shelf, head, whole=True)) for head in heads]
    rows = [
        (
            head.id,
            one.aspect,
            statistic_name(one.statistic),
            one.level,
            figure(one.value),
            interval(one.low, one.high) or words.NOTHING,
            f"{one.n:,}",
            f"{one.missing:,}",
        )
        for head, page in pages
        for one in page.figures
    ]
    columns = ("Run", "Agreement", "Statistic", "Level", "Value", "Interval", "n", "Missing")
    yield _table(columns, rows)
    for _, page in pages:
        if page.figures:
            yield paragraph(" ".join(one for one in page.caption.splitlines() if one.startswith(_SAID)))


def _comparison(shelf: Shelf, first: RunHead, second: RunHead) -> Iterator[str]:
    """Write how much the second run's scores differ from the first's, and which of them people agree with more."""
    page = compare_page(shelf, first, second, whole=True)
    yield _table(
        ("Score", "Both", "Higher in the second", "Lower", "Same", "Mean change", "Mean size"),
        (
            (
                one.name,
                *map(words.count, (one.n, one.up, one.down, one.n - one.up - one.down)),
                words.signed(one.mean),
                words.score(one.size),
            )
            for one in page.changes
        ),
    )
    alone = [words.counted(count, "debate") for count in page.only]
    flips = "" if page.flips is None else f"{words.counted(page.flips, 'comparison')} with another winner. "
    yield paragraph(f"{flips}{alone[0]} ended in the first run only, {alone[1]} in the second only.")
    for grid in page.grids:
        yield paragraph(grid.title)
        yield _table(grid.head, grid.texts)


def _failures(shelf: Shelf, heads: Sequence[RunHead], *, public: bool) -> str:
    rows = [
        (head.id, *_kind(kind, public=public))
        for head in heads
        if head.failures
        for kind in failures_page(shelf, head).kinds[:_KINDS]
    ]
    columns = ("Run", "Failure", "Debates", "Such as", *([] if public else ["Reason"]))
    return _table(columns, rows)


def _kind(kind: FailureKind, *, public: bool) -> Iterator[str]:
    yield kind.error
    yield f"{kind.count:,}"
    yield kind.examples[0]["debate"]
    if not public:
        yield kind.reasons[0][0]


def _table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; nothing where it has no row."""
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in map(tuple, rows)]
    rule = f"| {' | '.join('---' for _ in head)} |"
    return "\n".join([f"| {' | '.join(head)} |", rule, *lines]) if lines else ""


def _cell(text: str) -> str:
    return markdown_text(words.line(visible(without_keys(text)), _LONGEST))
