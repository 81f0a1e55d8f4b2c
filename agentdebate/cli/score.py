"""agentdebate score: one item, the debate printed as it happens, then the verdict."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any, get_args

from cyclopts import Parameter

from agentdebate.agents.setting import Form
from agentdebate.cli.console import console, offline_note, out, out_json, say, usage_line
from agentdebate.cli.live import LiveView
from agentdebate.cli.options import (
    DebateOptions,
    Json,
    ModelOptions,
    ProjectPath,
    aspects_of,
    pairs,
    project_at,
)
from agentdebate.debates import ready
from agentdebate.errors import DataError, UsageError
from agentdebate.prompts import Prompts
from agentdebate.results import Record
from agentdebate.tasks import Item, Task


async def score(
    strategy: str,
    /,
    *,
    task: str,
    field: Annotated[
        tuple[str, ...], Parameter(name=["--field", "-f"], help="NAME=TEXT, or NAME=@FILE.", negative="")
    ] = (),
    item: Annotated[str | None, Parameter(help="A JSON file with the fields; - is standard input.")] = None,
    aspects: Annotated[str | None, Parameter(help="Aspects with commas between them [all].")] = None,
    quiet: Annotated[bool, Parameter(help="Print the verdict only.", negative="")] = False,
    as_json: Json = False,
    project: ProjectPath = None,
    models: ModelOptions = ModelOptions(),
    debates: DebateOptions = DebateOptions(),
) -> int:
    """Judge one item and watch the debate.

    Parameters
    ----------
    strategy
        A strategy by name; "agentdebate list strategies" shows them.
    task
        The kind of item; "agentdebate list tasks" shows them.

    """
    found = project_at(project)
    chosen_task = debates.rescaled(Prompts(found).task(task))
    made = Item(fields=_fields(chosen_task, field, item), task=task, id=item or "item")
    chosen_task.check(made)
    chosen = chosen_task.choose(aspects_of(aspects))
    model = models.open(1)
    view = None if quiet else LiveView(console(stderr=as_json))
    try:
        async with ready(
            debates.strategy(strategy, found),
            model=model,
            project=found,
            form=form_of(debates.form),
            patience=debates.patience,
            deadline=debates.deadline,
            sampling=models.sampling,
            tasks={task: chosen_task},
        ) as debate:
            names = [aspect.name for aspect in chosen]
            records = [
                await debate.hold(made, together, listeners=[view] if view else [])
                for together in ([names] if debates.together else [[name] for name in names])
            ]
    finally:
        await model.aclose()
    _report(records, as_json=as_json)
    return 1 if any(record.failure for record in records) else 0


def form_of(text: str) -> Form:
    """The form of ballots that an option names. Raises UsageError."""
    if text not in get_args(Form):
        raise UsageError(f"--form is auto, text or schema, not {text!r}")
    return text  # type: ignore[return-value]  # checked against the type's own arguments


def _report(records: list[Record], *, as_json: bool) -> None:
    for record in records:
        if as_json:
            verdict = record.verdict.model_dump(mode="json") if record.verdict else None
            out_json({**record.row(), "verdict": verdict})
            continue
        if record.failure is not None:
            say(f"{', '.join(record.aspects)}: {record.failure.error}: {record.failure.reason}")
        for name, value in record.scores.items():
            out(f"{name}\t{value:g}")
        say(f"{', '.join(record.aspects)}: {usage_line(record.row())}")
    note = offline_note(model for record in records for model in record.row()["models"])
    if note:
        say(note)


def _fields(task: Task, given: tuple[str, ...], path: str | None) -> dict[str, str]:
    """The item's texts, from a JSON file and from the arguments, which go before it."""
    fields = _from_json(path) if path else {}
    known = {*task.fields, *task.optional}
    fields = {name: text for name, text in fields.items() if name in known}
    for name, text in pairs(given, "--field").items():
        if name not in known:
            raise UsageError(
                f"task {task.name!r} has no field {name!r}; its fields are {', '.join(sorted(known))}"
            )
        fields[name] = _read(Path(text[1:]), name) if text.startswith("@") else text
    return fields


def _from_json(path: str) -> dict[str, str]:
    name = "standard input" if path == "-" else path
    try:
        text = sys.stdin.read() if path == "-" else _read(Path(path), None)
        data: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"this is no JSON: {error.msg}", path=name, line=error.lineno) from error
    if not isinstance(data, dict):
        raise DataError("an object with the item's fields is wanted here", path=name)
    return {
        str(key): "\n".join(value) if isinstance(value, list) else str(value) for key, value in data.items()
    }


def _read(path: Path, field: str | None) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=path, field=field) from error
    except UnicodeDecodeError as error:
        raise DataError(f"this is not UTF-8 (byte {error.start})", path=path, field=field) from error
