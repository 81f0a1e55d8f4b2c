"""The judges whose agreement is asked for: runs of the store, files of scores, files of raw replies, or fields of the data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_frame
from agentdebate.datasets.named_values import names
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import check_field
from agentdebate.meta.joining import by_judge, by_order
from agentdebate.meta.options import AgreementOptions
from agentdebate.meta.replies import Account
from agentdebate.meta.run_rows import RunRows, run_rows
from agentdebate.store.reader import read_store


@dataclass(frozen=True)
class Judge:
    """A judge, and the rows that hold what it says."""

    name: str
    rows: Sequence[Row] = field(repr=False)
    run: RunRows | None = None
    replies: bool = False
    """True if its rows hold replies to be read."""
    aside: Sequence[Row] = field(default=(), repr=False)
    """Its rows that do not fulfil the conditions."""
    accounts: tuple[Account, ...] = ()
    """Counts of its replies about the texts that remain, by outcome."""
    unreadable: str = ""
    """A message where not one reply about an aspect could be read: where the first is, and what it says."""

    @property
    def readings(self) -> list[dict[str, Any]]:
        """An account of its replies as JSON: of each aspect how many there are, how many each rule read, and why not."""
        return [{"judge": self.name, **account.record} for account in self.accounts]


def judges_of(runs: Sequence[str | RunRows], options: AgreementOptions) -> tuple[Judge, ...]:
    """The runs and the files that are named; none where all stands in the data. Raises UserError."""
    found = [*_of_runs(runs, options.store)]
    for texts, replies in ((options.scores, False), (options.replies, True)):
        for name, path in map(named_path, texts):
            found.append(Judge(name, read_frame(path), replies=replies))
    for number, judge in enumerate(found):
        if judge.name in [other.name for other in found[:number]]:
            raise UsageError(f"two judges are called {judge.name!r}: name one of them, NAME={judge.name}")
    return tuple(found)


def apart(judge: Judge, options: AgreementOptions, on: Sequence[str], *, lone: bool) -> Iterator[Judge]:
    """The judges of one file, each with a row a text: both orders of it together. `lone` says that there is no other file."""
    if judge.run or not (options.by or options.orders):
        yield judge
        return
    fields = names(options.by)
    for name in fields:
        check_field(judge.rows, name, "by=...")
    others = by_judge(judge.aside, fields)
    for name, rows in by_judge(judge.rows, fields).items():
        yield replace(
            judge,
            name=name if lone and name else f"{judge.name} {name}".strip(),
            rows=by_order(rows, options.order, on) if options.orders else rows,
            aside=others.get(name, ()),
        )


def _of_runs(runs: Sequence[str | RunRows], store: str) -> Iterator[Judge]:
    named = [("", one) if isinstance(one, RunRows) else one.rpartition("=")[::2] for one in runs]
    found = [run if isinstance(run, RunRows) else _stored(run, store) for _, run in named]
    strategies = [run.head.strategy for run in found]
    for (name, _), run in zip(named, found, strict=True):
        usual = run.head.strategy if strategies.count(run.head.strategy) == 1 else run.head.id
        yield Judge(name or usual, run.rows, run)


def _stored(run: str, store: str) -> RunRows:
    if Path(run).is_file():
        raise UsageError(
            f"{run} is a file and no run: scores='{run}', the option again for each file (or replies=..., data=...)"
        )
    with read_store(store) as reader:
        return run_rows(reader, reader.run(run))


def named_path(text: str) -> tuple[str, str]:
    """Read NAME=FILE; the name of a file without one is what it is called but for its ending."""
    name, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        return Path(text).stem, text
    if not (name and path):
        raise UsageError(f"FILE, or NAME=FILE, is wanted here, not {text!r}")
    return name, path
