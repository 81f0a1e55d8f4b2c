"""`list_content`: strategies, agents, tasks and the like, and runs, and where each comes from."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

from agentdebate import plugins
from agentdebate.agents.seat import load_card
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.conventions import CONVENTIONS
from agentdebate.project.project import Kind as ContentKind
from agentdebate.project.project import Project
from agentdebate.project.trust import CodeRefused
from agentdebate.prompts.prompts import load_task
from agentdebate.report.grid import Grid
from agentdebate.report.run_page import crew_record
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import Reader, read_store, state_of
from agentdebate.store.run_head import RunHead
from agentdebate.strategies.layers import Layers
from agentdebate.strategies.strategy_file import read_file
from agentdebate.visible import one_line

ContentList = Literal[
    "strategies", "agents", "tasks", "merges", "models", "evaluators", "embedders", "stops", "histories", "conventions", "runs",
]  # fmt: skip

LISTS: tuple[ContentList, ...] = get_args(ContentList)[:-2]
"""Kinds that are listed by default."""

Row = dict[str, Any]


def list_content(
    kind: ContentList, *, project: Project | None = None, store: str | Path = USUAL_STORE
) -> list[Row]:
    """A record for each strategy, agent, task, merge, model, evaluator, embedder, stop rule, history rule, convention or run.

        [one["name"] for one in ad.list_content("strategies")]

    `from` says where it comes from: built in, from a package, or a file of the project; what cannot be used has an `error`. No
    code of a project is run. `store` is for "runs". Raises UsageError and StoreError.
    """
    if kind not in get_args(ContentList):
        raise UsageError(f"there is no list of {kind!r}. {nearest(kind, get_args(ContentList))}")
    if kind == "runs":
        with read_store(store) as reader:
            return [
                {"run": run, "state": "damaged"} if isinstance(run, str) else _run(run, reader)
                for run in reader.listed(counted=False)
            ]
    if kind == "conventions":
        return [{name: value for name, value in vars(one).items() if value} for one in CONVENTIONS.values()]
    if kind not in _READERS:
        return _registered(f"agentdebate.{kind}")
    read, folder = _READERS[kind]
    found = project or Project.here()
    return [
        {"name": name, **_said(read, found, name, path), "from": _origin(found, path)}
        for name, path in found.names(folder).items()
    ]


_HEADS: Mapping[str, Sequence[str]] = {
    "runs": ("run", "state", "strategy", "task", "model"),
    "tasks": ("name", "about", "fields", "aspects", "from"),
    "conventions": ("name", "about", "statistics", "levels", "aspects"),
}


def content_table(kind: ContentList, rows: Sequence[Mapping[str, Any]]) -> Grid:
    """The records as a table."""
    head = _HEADS.get(kind, ("name", "about", "from"))
    lines = [[_cell(row.get(name)) for name in head] for row in rows]
    return Grid(kind.capitalize(), head, lines, (), whole=("name", "run"))


def _cell(value: Any) -> str:
    return one_line(", ".join(value) if isinstance(value, tuple) else str("" if value is None else value))


Read = Callable[[Project, str, Path], Row]
"""Reads a content file by name, for a row of the list."""


def _said(read: Read, project: Project, name: str, path: Path) -> Row:
    """Describe a content file. A broken one does not hide the others: its error is in its row."""
    try:
        return read(project, name, path)
    except Exception as broken:  # noqa: BLE001 - whatever is wrong with one file, the others are listed
        return {"about": f"broken: {broken}", "error": str(broken) or type(broken).__name__}


def _strategy(project: Project, name: str, path: Path) -> Row:
    """A strategy with its options looked up; no model is opened."""
    try:
        layers = Layers.read(name, replace(project, allow_code=False))
        made = layers.build()
    except CodeRefused:  # what lists a folder runs nothing of it, whoever named it
        return {"about": read_file(path).about}
    for seats in made.seats().values():
        for card in (card for seat in seats for card in seat.standing if isinstance(card, str)):
            load_card(project, card)
    return {"about": layers.outermost.file.about}


def _task(project: Project, name: str, _: Path) -> Row:
    task = load_task(name, project=project)
    aspects = ", ".join(f"{aspect.name} {aspect.scale}" for aspect in task.aspects)
    fields = ", ".join((*task.fields, *(f"[{one}]" for one in task.optional)))
    return {"about": task.about, "fields": fields, "aspects": aspects}


_READERS: Mapping[str, tuple[Read, ContentKind]] = {
    "agents": (lambda project, name, _: {"about": load_card(project, name).about}, "agents"),
    "strategies": (_strategy, "strategies"),
    "tasks": (_task, "prompts/tasks"),
}


def _registered(group: str) -> list[Row]:
    """List an entry-point group, with the first sentence of each docstring."""
    clashes, points = plugins.clashes(group), plugins.registered(group)

    def read(_: Project, name: str, __: Path) -> Row:
        if name in clashes:
            raise UsageError(clashes[name])
        return {"about": plugins.says(points[name])}

    return [
        {
            "name": name,
            **_said(read, Project(), name, Path()),
            "from": "built-in" if point.value.startswith("agentdebate.") else point.value,
        }
        for name, point in points.items()
    ]


def _run(head: RunHead, reader: Reader) -> Row:
    crew = reader.crew(head.id)
    return {
        "run": head.id,
        "begun": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(head.created)),
        "state": state_of(reader, head.id, crew),
        "strategy": head.title,
        "task": head.task,
        "model": ", ".join(head.models),
        **({"crew": crew_record(crew)} if crew else {}),
    }


def _origin(project: Project, path: Path) -> str:
    """Say where a file comes from: built in, or yours, and then whether it stands in the place of a built-in one."""
    if project.is_builtin(path):
        return "built-in"
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"{shown} (in the place of the built-in one)" if project.replaces(path) else str(shown)
