"""agentdebate list: agents, strategies, tasks, models and runs, and where each comes from."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from agentdebate.agents.card import load_card
from agentdebate.cli.console import out, out_json, table
from agentdebate.cli.options import STORE, Json, ProjectPath, StorePath, project_at
from agentdebate.errors import AgentDebateError, ContentError
from agentdebate.models.registry import registered
from agentdebate.project import Project, builtin_root
from agentdebate.prompts import load_task
from agentdebate.store.reader import read_store
from agentdebate.strategies.load import read_file
from agentdebate.strategies.load import strategy as load_strategy

Kind = Literal["agents", "strategies", "tasks", "models", "runs"]

IN_ITS_NAME = frozenset({"begun", "strategy"})
"""What a run's name says already, so that its table fits a terminal; JSON has it all."""

FIGURES = ("verdicts", "failures")
"""Columns of figures."""


def list_content(
    kind: Kind | None = None,
    /,
    *,
    project: ProjectPath = None,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """List what there is, and where it comes from.

    Parameters
    ----------
    kind
        agents, strategies, tasks, models or runs; without it, everything but the runs.

    """
    kinds: tuple[Kind, ...] = (kind,) if kind else ("strategies", "agents", "tasks", "models")
    for place, one in enumerate(kinds):
        rows = _rows(one, project_at(project), store)
        if as_json:
            for row in rows:
                out_json({"kind": one, **row})
        else:
            if place:
                out()
            _table(one, rows)
    return 0


def _table(kind: Kind, rows: Sequence[Mapping[str, Any]]) -> None:
    head = [name for name in (rows[0] if rows else ["name"]) if name not in IN_ITS_NAME]
    lines = [[row.get(name) for name in head] for row in rows]
    whole = [name for name in head if name != "about"]
    table(
        kind.capitalize(), head, lines, numeric=FIGURES, whole=[name for name in whole if name not in FIGURES]
    )


def _rows(kind: Kind, project: Project, store: str) -> list[dict[str, Any]]:
    if kind == "models":
        return _models()
    if kind == "runs":
        return _runs(store)
    readers = {"agents": _agent, "strategies": _strategy, "tasks": _task}
    folder: Any = {"agents": "agents", "strategies": "strategies", "tasks": "prompts/tasks"}[kind]
    return [readers[kind](project, name, path) for name, path in project.names(folder).items()]


def _agent(project: Project, name: str, path: Path) -> dict[str, Any]:
    try:
        card = load_card(project, name)
    except ContentError as error:
        return {"name": name, "about": f"broken: {error}", "from": _origin(project, path)}
    return {"name": name, "about": card.about, "from": _origin(project, path)}


def _strategy(project: Project, name: str, path: Path) -> dict[str, Any]:
    """A strategy with all its options and agents looked up; no model is opened."""
    try:
        about = read_file(path).about
        for seats in load_strategy(name, project=project).seats().values():
            for seat in seats:
                _ = load_card(project, seat.card) if isinstance(seat.card, str) else seat.card
    except (
        AgentDebateError,
        ImportError,
        AttributeError,
    ) as error:  # the last two: a class that cannot be loaded
        about = f"broken: {error}"
    return {"name": name, "about": about, "from": _origin(project, path)}


def _task(project: Project, name: str, path: Path) -> dict[str, Any]:
    try:
        task = load_task(project, name)
    except ContentError as error:
        return {
            "name": name,
            "about": f"broken: {error}",
            "fields": "",
            "aspects": "",
            "from": _origin(project, path),
        }
    aspects = ", ".join(
        f"{aspect.name} {aspect.scale.low:g}-{aspect.scale.high:g}" for aspect in task.aspects
    )
    fields = ", ".join((*task.fields, *(f"[{name}]" for name in task.optional)))
    return {
        "name": name,
        "about": task.about,
        "fields": fields,
        "aspects": aspects,
        "from": _origin(project, path),
    }


def _models() -> list[dict[str, Any]]:
    about = {
        "offline": "The embedded judge: text features, no network, no key. A baseline, not a language model.",
        "openai": "openai/NAME: any endpoint that speaks chat completions (--base-url for other addresses).",
    }
    return [
        {"name": name, "about": about.get(name, ""), "from": place} for name, place in registered().items()
    ]


def _runs(store: str) -> list[dict[str, Any]]:
    with read_store(store) as reader:
        return [
            {
                "run": head.id,
                "begun": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(head.created)),
                "state": "ended" if head.ended else "running, or stopped",
                "strategy": head.strategy,
                "task": head.task,
                "model": head.model,
                "verdicts": head.verdicts,
                "failures": head.failures,
            }
            for head in reader.runs()
        ]


def _origin(project: Project, path: Path) -> str:
    """Where a file comes from: built in, or yours, and then whether it stands in the place of a built-in one."""
    if project.is_builtin(path):
        return "built-in"
    root = project.root or Path()
    inside = path.relative_to(root)
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    shadows = (builtin_root() / inside).is_file()
    return f"{shown} (in the place of the built-in one)" if shadows else str(shown)
