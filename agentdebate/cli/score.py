"""agentdebate score: one item, the debate printed as it happens, then the verdict."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.logs import logged
from agentdebate.cli.console.output import console, one_line, out, out_json, say
from agentdebate.cli.console.run_page import say_replaced
from agentdebate.cli.options.common import DATA, Consent, Json, Log, Quiet
from agentdebate.cli.options.order import Order
from agentdebate.cli.options.settings import CastGroup, CastOptions, SettingGroup, SettingOptions
from agentdebate.datasets.data_source import check_columns
from agentdebate.datasets.files import read_object
from agentdebate.datasets.items import Columns, item_of
from agentdebate.datasets.named_values import pairs
from agentdebate.datasets.row import Row
from agentdebate.debates.record import Record, offline_note
from agentdebate.errors import UsageError
from agentdebate.meta.talk import TIE
from agentdebate.project.project import read_text
from agentdebate.report.run_page import usage_line
from agentdebate.report.transcript_text import LiveView, lacking, texts_of
from agentdebate.runs.evaluation import evaluate
from agentdebate.talk.envelope import message_data
from agentdebate.tasks import Item, Task
from agentdebate.visible import visible

_DATA = Parameter(group=DATA)


async def score(
    strategy: str,
    /,
    *,
    task: Annotated[str, _DATA],
    field: Annotated[tuple[str, ...], Parameter(name=["--field", "-f"], group=DATA)] = (),
    item: Annotated[str | None, Parameter(allow_leading_hyphen=True, group=DATA)] = None,
    also: Annotated[tuple[str, ...], _DATA] = (),
    casting: CastGroup = CastOptions(),
    settings: SettingGroup = SettingOptions(),
    consent: Consent = Consent(),
    quiet: Quiet = False,
    as_json: Json = False,
    log: Log = None,
) -> int:
    """Judge one item and watch its debates, one at a time; --quiet holds --concurrency of them at once.

    Example: agentdebate score debate --task summarization --aspects coherence -f source=@article.txt -f summary=@text.txt

    Parameters
    ----------
    strategy
        A strategy by name (agentdebate list strategies).
    task
        The kind of item, such as summarization (list tasks).
    field
        NAME=TEXT, or NAME=@FILE, of a field of the item.
    item
        A JSON file with the fields; - is standard input.
    also
        NAME=TEXT, or NAME=@FILE, of what evaluators compare with, such as reference=@reference.txt. The agents are not shown it.

    """
    order = Order(strategy, task=task, casting=casting, typed=settings, consent=consent)
    say_replaced(order.replaced)
    judged = _item(order.kind, field, also, item)
    view = LiveView(console(stderr=as_json), texts=lambda _: texts_of(judged, order.kind))
    # Debates that are shown are held one after the other.
    how = order.settings if quiet else order.settings.but(listeners=(view,), concurrency=1)
    try:
        with logged(log):
            async with evaluate([judged], order.strategy, settings=how) as run:
                records = [record async for record in run]
    except asyncio.CancelledError:
        say("stopped: the debate has no verdict, and nothing of it is kept")
        raise
    for record in records:
        if as_json:
            verdict = message_data(record.verdict) if record.verdict else None
            out_json({**record.row(), "verdict": verdict})
        else:
            _print_scores(record)
    sys.stdout.flush()
    for record in records:
        about = ", ".join(record.aspects)
        for line in filter(None, (_remark(record), usage_line(record.row()))):
            say(one_line(f"{about}: {line}"))
    if note := offline_note(model for record in records for model in record.row()["models"]):
        say(note)
    return max(record.outcome.exit_code for record in records)


def _print_scores(record: Record) -> None:
    """Print a line a score, and where texts were compared one with the winner."""
    for name, value in record.scores.items():
        out(f"{visible(name)}\t{value:g}")
    if record.verdict is not None and record.verdict.winners:
        out(f"winner\t{visible(record.verdict.winner or TIE)}")


def _remark(record: Record) -> str:
    """Explain why a debate has no verdict, or what its verdict lacks."""
    if record.failure is not None:
        return f"{record.failure.error}: {record.failure.reason}"
    if record.verdict is None:
        return ""
    if record.verdict.abstained:
        return f"{record.outcome.cell}: {record.verdict.abstained}"
    return "; ".join(lacking(record.verdict))


def _item(task: Task, field: tuple[str, ...], also: tuple[str, ...], path: str | None) -> Item:
    """Make the item of a JSON file and of the texts of options, which go before it. Raises UserError."""
    texts, more = _texts(field, "--field"), _texts(also, "--also")
    columns = Columns(fields={name: name for name in texts}, also={name: name for name in more})
    check_columns(columns, task)
    row = read_object(path) if path else Row("the command line", 1, {})
    data = {**row.data, **texts, **more}
    if missing := [name for name in task.fields if name not in data]:
        raise UsageError(
            f"the item lacks {' and '.join(missing)}: --field NAME=TEXT or NAME=@FILE gives a text, --item FILE.json all of them"
        )
    item = item_of(replace(row, data=data), task, columns)
    return item.model_copy(update={"id": "item"})


def _texts(given: tuple[str, ...], option: str) -> dict[str, str]:
    """Read the texts of an option, from the command line or from the files that it names. Raises UserError."""
    found = {}
    for name, text in pairs(given, option).items():
        found[name] = read_text(Path(text[1:])) if text.startswith("@") else text
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise UsageError(f"{option}: the text for {name!r} is not UTF-8")
    return found
