"""agentdebate score: one item, the debate printed as it happens, then the verdict."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.console.output import console, one_line, out, out_json, say
from agentdebate.cli.console.replaced import say_replaced
from agentdebate.cli.options.cast import CastOptions
from agentdebate.cli.options.common import (
    AllowCode,
    Allowed,
    DebateOptions,
    Json,
    ModelOptions,
    ProjectPath,
)
from agentdebate.cli.options.order import Order
from agentdebate.datasets.files import LONGEST_LINE, read_object
from agentdebate.datasets.named_values import pairs
from agentdebate.datasets.row import text_of
from agentdebate.debates.record import Record, offline_note
from agentdebate.errors import DataError, UsageError, nearest
from agentdebate.meta.talk import TIE
from agentdebate.report.run_results import usage_line
from agentdebate.report.transcript_text import LiveView, lacking, texts_of
from agentdebate.runs.evaluation import evaluate
from agentdebate.talk.envelope import message_data
from agentdebate.tasks import Item, Task
from agentdebate.visible import visible


async def score(
    strategy: str,
    /,
    *,
    task: str,
    field: Annotated[
        tuple[str, ...],
        Parameter(name=["--field", "-f"], help="NAME=TEXT, or NAME=@FILE.", negative="", show_default=False),
    ] = (),
    item: Annotated[
        str | None,
        Parameter(help="A JSON file with the fields; - is standard input.", allow_leading_hyphen=True),
    ] = None,
    also: Annotated[
        tuple[str, ...],
        Parameter(
            help="NAME=TEXT, or NAME=@FILE, of what evaluators compare with, such as reference=@reference.txt. The agents "
            "are not shown it.",
            negative="",
            show_default=False,
        ),
    ] = (),
    aspects: Annotated[
        str | None, Parameter(help="Aspects with commas between them [the usual ones].")
    ] = None,
    quiet: Annotated[
        bool, Parameter(help="Print the verdict only.", negative="", show_default=False)
    ] = False,
    as_json: Json = False,
    project: ProjectPath = None,
    allow_endpoint: Allowed = (),
    allow_code: AllowCode = False,
    models: ModelOptions = ModelOptions(),
    casting: CastOptions = CastOptions(),
    debates: DebateOptions = DebateOptions(),
    logs: LogOptions = LogOptions(),
) -> int:
    """Judge one item and watch the debate.

    Parameters
    ----------
    strategy
        A strategy by name; "agentdebate list strategies" shows them.
    task
        The kind of item; "agentdebate list tasks" shows them.

    """
    prepared = (
        Order(
            task=task,
            aspects=aspects,
            project=project,
            allow_endpoint=allow_endpoint,
            allow_code=allow_code,
            models=models,
            casting=casting,
            debates=debates,
        )
        .of(strategy)
        .prepared()
    )
    say_replaced(prepared)
    fields = {**_also(prepared.task, also), **_fields(prepared.task, field, item)}
    judged = Item(fields=fields, task=task, id="item")
    prepared.task.check(judged)
    listeners = (
        () if quiet else (LiveView(console(stderr=as_json), texts=lambda _: texts_of(judged, prepared.task)),)
    )
    settings = prepared.settings.but(listeners=listeners, together=True)
    records: list[Record] = []
    try:
        with logs.opened():
            for chosen in prepared.sets:  # one after the other, as they are shown
                how = settings.but(aspects=chosen)
                async with evaluate([judged], prepared.strategy, settings=how) as run:
                    records += [record async for record in run]
    except asyncio.CancelledError:
        say("stopped: the debate has no verdict, and nothing of it is kept")
        raise
    _report(records, as_json=as_json)
    return max(record.outcome.exit_code for record in records)


def _report(records: list[Record], *, as_json: bool) -> None:
    """The scores on standard output; what they cost, and what has to be said beside them, on standard error."""
    for record in records:
        if as_json:
            verdict = message_data(record.verdict) if record.verdict else None
            out_json({**record.row(), "verdict": verdict})
        if not as_json:
            _print_scores(record)
    sys.stdout.flush()
    for record in records:
        about = ", ".join(record.aspects)
        if record.failure is not None:
            say(one_line(f"{about}: {record.failure.error}: {record.failure.reason}"))
        elif record.verdict is not None and record.verdict.abstained:
            say(one_line(f"{about}: {record.outcome.cell}: {record.verdict.abstained}"))
        elif record.verdict is not None and lacking(record.verdict):
            say(one_line(f"{about}: {'; '.join(lacking(record.verdict))}"))
        say(one_line(f"{about}: {usage_line(record.row())}"))
    note = offline_note(model for record in records for model in record.row()["models"])
    if note:
        say(note)


def _print_scores(record: Record) -> None:
    """A line a score, and where texts were compared one with the winner."""
    for name, value in record.scores.items():
        out(f"{visible(name)}\t{value:g}")
    if record.verdict is not None and record.verdict.winners:
        out(f"winner\t{visible(record.verdict.winner or TIE)}")


def _fields(task: Task, given: tuple[str, ...], path: str | None) -> dict[str, str]:
    """The item's texts, from a JSON file and from the arguments, which go before it."""
    known = (*task.fields, *task.optional)
    if not (given or path):
        raise UsageError(
            f"--field NAME=TEXT or NAME=@FILE gives the texts of the item ({', '.join(task.fields)}), or --item FILE.json "
            "all of them"
        )
    texts = _texts(given, "--field")
    for name in texts:
        if name not in known:
            raise UsageError(f"--field: task {task.name!r} has no {name!r}. {nearest(name, known)}")
    row = read_object(path) if path else None
    fields = {name: text_of(row, name) for name in known if row and row.data.get(name) is not None}
    return {**fields, **texts}


def _also(task: Task, given: tuple[str, ...]) -> dict[str, str]:
    """Texts that the agents are not shown. Raises UsageError for a field of the task."""
    texts = _texts(given, "--also")
    for name in texts:
        if name in (*task.fields, *task.optional):
            raise UsageError(
                f"--also: {name!r} is a field of the task {task.name!r}; say --field {name}=TEXT"
            )
    return texts


def _texts(given: tuple[str, ...], option: str) -> dict[str, str]:
    """The texts of an option, from the command line or from the files that it names."""
    for name in (text.removesuffix("=") for text in given if text.endswith("=") and text.count("=") == 1):
        raise UsageError(f"{option}: the text for {name!r} is empty")
    return {
        name: _read(Path(text[1:]), name) if text.startswith("@") else _checked(text, name, option)
        for name, text in pairs(given, option).items()
    }


def _checked(text: str, field: str, option: str) -> str:
    """A text from the command line. Raises UsageError where the terminal sent something else than UTF-8."""
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        raise UsageError(f"{option}: the text for {field!r} is not UTF-8")
    return text


def _read(path: Path, field: str) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(LONGEST_LINE + 1)
        text = content.decode("utf-8-sig", "strict" if len(content) <= LONGEST_LINE else "ignore")
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=path, field=field) from error
    except UnicodeDecodeError as error:
        raise DataError(f"this is not UTF-8 (byte {error.start + 1})", path=path, field=field) from error
    if len(content) > LONGEST_LINE:
        raise DataError(
            f"it has more than {LONGEST_LINE:,} bytes, the most that a text has", path=path, field=field
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")
