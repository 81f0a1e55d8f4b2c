"""`list_content`: what there is of strategies, agents, tasks and the like, and of runs, and where each comes from."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Literal, get_args

from agentdebate import plugins
from agentdebate.agents.card import load_card
from agentdebate.ballots.merge import GROUP as MERGES
from agentdebate.embedders.registry import GROUP as EMBEDDERS
from agentdebate.errors import AgentDebateError, UsageError, nearest
from agentdebate.evaluators.registry import GROUP as EVALUATORS
from agentdebate.meta.conventions import CONVENTIONS, Convention
from agentdebate.models.registry import GROUP as MODELS
from agentdebate.project.project import Kind as ContentKind
from agentdebate.project.project import Project, builtin_root
from agentdebate.project.trust import CodeRefused, EndpointRefused
from agentdebate.prompts.prompts import load_task
from agentdebate.report.grid import Grid
from agentdebate.report.run_page import crew_record, workers_in_words
from agentdebate.report.run_results import ended_columns
from agentdebate.store.crew import Crew
from agentdebate.store.lock import state
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import Reader, RunHead, read_store, state_of
from agentdebate.strategies.histories import GROUP as HISTORIES
from agentdebate.strategies.layers import Layers
from agentdebate.strategies.overrides import Overrides
from agentdebate.strategies.stops import GROUP as STOPS
from agentdebate.strategies.strategy_file import read_file
from agentdebate.tasks import Scale
from agentdebate.visible import one_line

ContentList = Literal[
    "strategies", "agents", "tasks", "merges", "models", "evaluators", "embedders", "stops", "histories", "conventions", "runs",
]  # fmt: skip

LISTS: tuple[ContentList, ...] = get_args(ContentList)[:-2]
"""What is listed where no kind is named."""

REGISTERED: Mapping[str, str] = {
    "merges": MERGES,
    "models": MODELS,
    "evaluators": EVALUATORS,
    "embedders": EMBEDDERS,
    "stops": STOPS,
    "histories": HISTORIES,
}
"""The entry-point groups of what packages register."""

IN_ITS_NAME = frozenset({"begun", "strategy", "outcomes", "crew"})
"""What a run's name says already, so that its table fits a terminal; JSON has it all."""


def list_content(
    kind: ContentList, *, project: Project | None = None, store: str | Path = USUAL_STORE
) -> list[dict[str, Any]]:
    """A record for each strategy, agent, task, merge, model, evaluator, embedder, stop rule, history rule, convention or run.

        [one["name"] for one in ad.list_content("strategies")]

    `from` says where it comes from: built in, from a package, or a file of the project; what cannot be used has an `error`. No
    code of a project is run. `store` is for "runs". Raises UsageError and StoreError.
    """
    if kind not in get_args(ContentList):
        raise UsageError(f"there is no list of {kind!r}. {nearest(kind, get_args(ContentList))}")
    if kind in REGISTERED:
        return _registered(REGISTERED[kind])
    if kind == "runs":
        return _runs(str(store))
    if kind == "conventions":
        return [{**asdict(one), "sets": _sets(one)} for one in CONVENTIONS.values()]
    read, folder = _READERS[kind]
    found = project or Project.here()
    return [_row(read, found, name, path) for name, path in found.names(folder).items()]


def content_table(kind: ContentList, rows: Sequence[Mapping[str, Any]]) -> Grid:
    """The records as a table."""
    figures = list(ended_columns({}, [row.get("outcomes") or {} for row in rows])) if kind == "runs" else []
    head = [name for name in (rows[0] if rows else ["name"]) if name not in IN_ITS_NAME | {"error"}]
    head = ["name", "about", "sets"] if kind == "conventions" else head
    lines = [[_cell(row.get(name)) for name in head] for row in rows]
    return Grid(kind.capitalize(), head, lines, figures, whole=("name", "run"))


def _cell(value: Any) -> object:
    return value if value is None or isinstance(value, int) else one_line(str(value))


def _sets(one: Convention) -> str:
    """The arguments that a convention stands for, as they would be typed."""
    lists = {"statistic": one.statistics, "level": one.levels, "aspects": one.aspects, "on": one.on}
    words = {name: ",".join(values) for name, values in lists.items()}
    words |= {"group": one.group or "", "system": one.system or ""}
    words |= {"where": " and ".join(f"{one.system}!={name}" for name in one.without)}
    words |= {"choice": f"{one.choice}={one.choice}" if one.choice else ""}
    words |= {"labels": ",".join(f"{ours}={theirs}" for ours, theirs in one.labels.items())}
    return " ".join(f"{name}='{value}'" for name, value in words.items() if value)


def _row(read: "Read", project: Project, name: str, path: Path) -> dict[str, Any]:
    """A row about a file. One that is broken hides none of the others: its error is in its row."""
    origin = {"from": _origin(project, path)}
    try:
        return {"name": name, **read(project, name, path), **origin}
    except EndpointRefused as refused:
        about, error = f"needs allow_endpoints='{refused.host}'", str(refused)
    except Exception as broken:  # noqa: BLE001 - whatever is wrong with one file, the others are listed
        error = str(broken) or type(broken).__name__
        about = f"broken: {error}"
    beside = {"fields": "", "aspects": ""} if read is _task else {}
    return {"name": name, "about": about, **beside, **origin, "error": error}


def _agent(project: Project, name: str, _: Path) -> dict[str, Any]:
    return {"about": load_card(project, name).about}


def _strategy(project: Project, name: str, path: Path) -> dict[str, Any]:
    """A strategy with all its options and agents looked up; no model is opened."""
    try:
        layers = Layers.read(name, replace(project, allow_code=False))
    except CodeRefused:  # what lists a folder runs nothing of it, whoever named it
        file = read_file(path)
        return {"about": f"{file.about} ({file.uses})"}
    for seats in layers.laid(Overrides()).build().seats().values():
        for card in (
            card for seat in seats for card in (*seat.standing, *([seat.card] if seat.plays else []))
        ):
            if isinstance(card, str):
                load_card(project, card)
    return {"about": layers.outermost.about}


def _task(project: Project, name: str, _: Path) -> dict[str, Any]:
    task = load_task(project, name)
    aspects = ", ".join(f"{aspect.name} {_ends(aspect.scale)}" for aspect in task.aspects)
    fields = ", ".join((*task.fields, *(f"[{name}]" for name in task.optional)))
    return {"about": task.about, "fields": fields, "aspects": aspects}


def _ends(scale: Scale) -> str:
    return str(scale).replace(" to ", "-") if scale.grades else f"{scale.low:g}-{scale.high:g}"


Read = Callable[[Project, str, Path], dict[str, Any]]
"""What reads a content file by name, for a row of the list."""

_READERS: Mapping[str, tuple[Read, ContentKind]] = {
    "agents": (_agent, "agents"),
    "strategies": (_strategy, "strategies"),
    "tasks": (_task, "prompts/tasks"),
}


def _registered(group: str) -> list[dict[str, Any]]:
    """What is registered under an entry-point group, with the first sentence of what each says of itself."""
    clashes = plugins.clashes(group)
    return [
        {"name": name, **_about(name, point, clashes), "from": _home(point)}
        for name, point in plugins.registered(group).items()
    ]


def _about(name: str, point: EntryPoint, clashes: Mapping[str, str]) -> dict[str, str]:
    """What something registered says of itself. What cannot be used hides none of the others: its error is in its row."""
    try:
        if name in clashes:
            raise UsageError(clashes[name])
        return {"about": plugins.says(point)}
    except AgentDebateError as broken:
        return {"about": f"broken: {broken}", "error": str(broken)}


def _home(point: EntryPoint) -> str:
    return "built-in" if point.value.startswith("agentdebate.") else point.value


def _runs(store: str) -> list[dict[str, Any]]:
    with read_store(store) as reader:
        runs = list(reader.listed())
        crews = {name: reader.crew(name) for name in reader.queued()}
        ends = [run.outcomes for run in runs if isinstance(run, RunHead)]
        return [
            _damaged(run, ends) if isinstance(run, str) else _run(run, reader, store, ends, crews)
            for run in runs
        ]


def _run(
    head: RunHead,
    reader: Reader,
    store: str,
    ends: Sequence[Mapping[str, int]],
    crews: Mapping[str, Crew | None],
) -> dict[str, Any]:
    crew = crews.get(head.id)
    return {
        "run": head.id,
        "begun": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(head.created)),
        "state": state_of(reader, store, head.id, crew)
        if crew
        else state(store, head.id, ended=head.ended is not None),
        **({"workers": workers_in_words(crew) if crew else ""} if crews else {}),
        "strategy": head.strategy,
        "task": head.task,
        "model": ", ".join(head.models),
        **ended_columns(head.outcomes, ends),
        "outcomes": dict(head.outcomes),
        **({"crew": crew_record(crew)} if crew else {}),
    }


def _damaged(run: str, ends: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    unknown = ("strategy", "task", "model", *ended_columns({}, ends), "outcomes")
    return {"run": run, "begun": None, "state": "damaged", **dict.fromkeys(unknown)}


def _origin(project: Project, path: Path) -> str:
    """Where a file comes from: built in, or yours, and then whether it stands in the place of a built-in one."""
    if project.is_builtin(path):
        return "built-in"
    root = project.root or Path()
    inside = path.relative_to(root)
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    shadows = (builtin_root() / inside).is_file()
    return f"{shown} (in the place of the built-in one)" if shadows else str(shown)
