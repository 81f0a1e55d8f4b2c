"""Stored configuration of a run: all that decides its verdicts besides its items."""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from agentdebate import __version__
from agentdebate.debates.ready import ReadyStrategy, unsent_by_model
from agentdebate.errors import UsageError
from agentdebate.models.secrets import without_secrets
from agentdebate.models.wrapper import settings_of
from agentdebate.project.model_spec import bare_name
from agentdebate.project.project import PROMPTS, Kind, Project
from agentdebate.runs.settings import Settings
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.code_prompts import inline_prompts
from agentdebate.strategies.wrapper import inside
from agentdebate.tasks import Task, aspect_names
from agentdebate.visible import visible


def configuration_of(
    debate: ReadyStrategy, settings: Settings, tasks: Mapping[str, Task], *, together: bool
) -> dict[str, Any]:
    """The configuration of a run, as JSON can hold it. `tasks` are those of its items, as far as they are known.

    Tasks are there as they are judged, with the scales of this run; models with the options they were opened with, and
    without keys.
    """
    replaced = replaced_files(debate.strategy, debate.prompts.project, tasks)
    more = {"prompts": inline_prompts(debate.strategy), "replaced": replaced}
    used = {f"agents/{card.name}" for card in debate.cast.cards}
    models = [{"name": model.name, **without_secrets(settings_of(model))} for model in debate.cast.models]
    return {
        "agentdebate": __version__,
        "strategy": without_secrets(_with_hosts(debate)),
        "models": [one for number, one in enumerate(models) if one not in models[:number]],
        "unsent": unsent_by_model(debate.cast),
        **settings.but(tasks={**settings.tasks, **tasks}).row(),
        "aspects": _aspects(settings, tasks),
        **({"scales": {name: str(one) for name, one in settings.scales.items()}} if not tasks else {}),
        "together": together,
        "concurrency": settings.concurrency,
        "content": {
            name: one
            for name, one in debate.prompts.project.digests().items()
            if name in used or not name.startswith("agents/")
        },
        **{name: part for name, part in more.items() if part},
    }


def _aspects(settings: Settings, tasks: Mapping[str, Task]) -> list[str] | None:
    """The aspects that are judged: one task's usual ones where none is named. None where several tasks have theirs."""
    if settings.aspects is not None:
        return list(aspect_names(settings.aspects))
    return (
        [aspect.name for task in tasks.values() for aspect in task.choose(None)] if len(tasks) == 1 else None
    )


def replaced_files(strategy: Strategy, project: Project, tasks: Iterable[str]) -> list[str]:
    """The files of the project, among those that debates on these tasks go by, that stand in the place of built-in ones."""
    names: dict[Kind, Iterable[str]] = {
        "agents": [
            card
            for seats in strategy.seats().values()
            for seat in seats
            for card in (seat.card, *seat.plays)
            if isinstance(card, str)
        ],
        "prompts/tasks": tasks,
        **{kind: project.names(kind) for kind in PROMPTS},
    }
    files = [path for one in inside(strategy) if (path := one.said_by_file(""))]
    for kind, some in names.items():
        known = project.names(kind)
        files += [known[name] for name in some if name in known]
    return [project.shown(path) for path in dict.fromkeys(files) if project.replaces(path)]


def own_models(strategy: Strategy) -> list[str]:
    """The models of agents that have one of their own, as they are written."""
    return [one for layer in inside(strategy) for one in layer.models.values() if isinstance(one, str)]


def _with_hosts(debate: ReadyStrategy) -> dict[str, Any]:
    """The strategy, with its agents' own models by the names that they have now that they are open: with their hosts."""
    opened = Counter(bare_name(name) for name in {model.name for model in debate.cast.models})
    names = {bare_name(model.name): model.name for model in debate.cast.models}

    def placed(said: dict[str, Any]) -> dict[str, Any]:
        models = {
            who: names[model] if opened[model] == 1 else model
            for who, model in said.get("models", {}).items()
        }
        around = {"around": placed(said["around"])} if isinstance(said.get("around"), dict) else {}
        stages = [{**one, "strategy": placed(one["strategy"])} for one in said.get("stages", ())]
        return {**said, "models": models, **around, **({"stages": stages} if stages else {})}

    return placed(debate.strategy.model_dump(mode="json", fallback=_plain))


def _plain(value: object) -> str:
    """Describe a value that JSON cannot hold, in the same words in every process."""
    return _ADDRESS.sub("", repr(value))


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")

FREE = frozenset(
    {"agentdebate", "concurrency", "deadline", "command", "debates", "items", "replaced", "sweep", "unsent"}
)
"""Parts that may differ when a run is resumed."""
ELSEWHERE = frozenset({"base_url", "headers", "max_retries"})
"""Options of a model that say where it is reached: each worker's own matter."""
ANYWAY = "Start a new run, put it back, or go on anyway (anyway=True)"
"""Default advice about a run with another configuration."""
_CONNECTION = frozenset({"connections", "timeout", "tier"})
"""Options of a model that decide how soon it answers, and not what."""
_CONTENT = "content."
"""Prefix of content files' names."""
_SAID_ALONE = frozenset({"sampling", "debate_limits"})
"""Parts without an entry unless they were given, in every version."""
_FILES = 5
"""Content files that are named."""
_MOST = 8
"""Differences that are named."""
_LONGEST = 72
"""Characters of a value that is shown."""


def check_same(
    run: str,
    held: Mapping[str, Any],
    now: Mapping[str, Any],
    *,
    here: bool = False,
    instead: str = ANYWAY,
) -> None:
    """Raise UsageError, which names what differs, where a run would go on in another way than it was held so far.

    Where the run began by another version of ours nothing differs that one of the two does not know, but for content. `here` says that
    this process would work on a run that was entered so, wherever its own requests go; `instead` is what can be done.
    """
    now = json.loads(json.dumps(now))
    # A run over a stream knew no tasks, one of several tasks names no aspects, and Python gives items and no file.
    unknown = {name for name in ("tasks", "aspects", "data") if not (held.get(name) and now.get(name))}
    free, ignored = FREE | unknown, _CONNECTION
    if here:
        free, ignored = free | {"data"}, ignored | ELSEWHERE
    before, after = (_flat(_compared(one, free, ignored)) for one in (held, now))
    updated, both = held.get("agentdebate") != now.get("agentdebate"), before.keys() & after.keys()
    different = [
        name
        for name in {**before, **after}
        if before.get(name) != after.get(name)
        and (
            name in both
            or name.partition(".")[0] in _SAID_ALONE
            or not (updated or name.startswith(_CONTENT))
        )
    ]
    if not different:
        return
    told = [_told(name, before, after) for name in different if not name.startswith(_CONTENT)]
    if files := [name.removeprefix(_CONTENT) for name in different if name.startswith(_CONTENT)]:
        told.append(f"content files have changed ({len(files)}): {', '.join(files[:_FILES])}")
    if len(told) > _MOST:
        told[_MOST:] = [f"{len(told) - _MOST} more"]
    raise UsageError(f"run {run} was held with another configuration: {visible('; '.join(told))}. {instead}")


def _compared(
    configuration: Mapping[str, Any], free: Container[str], ignored: Container[str]
) -> dict[str, Any]:
    """Return the compared parts of a configuration: models by their bare names and by what changes their replies."""
    kept = {name: part for name, part in configuration.items() if name not in free}
    models = kept.get("models", ())
    if isinstance(models, list):
        kept["models"] = {str(place): _plain_model(one, ignored) for place, one in enumerate(models)}
    return kept


def _plain_model(model: Any, ignored: Container[str]) -> Any:
    if not isinstance(model, Mapping):
        return model
    kept = {name: value for name, value in model.items() if name not in ignored}
    return {**kept, "name": bare_name(str(model.get("name")))}


def _told(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Describe a value before and after, where both are short."""
    was, now = (
        json.dumps(values[name], ensure_ascii=False) if name in values else "absent"
        for values in (before, after)
    )
    return f"{name} was {was} and is {now}" if max(len(was), len(now)) <= _LONGEST else f"{name} was changed"


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """The leaves of nested tables by their dotted names."""
    if not isinstance(value, Mapping):
        return {name: value}
    return {
        leaf: one
        for key, inner in value.items()
        for leaf, one in _flat(inner, f"{name}.{key}" if name else key).items()
    }


def code_of(strategy: Strategy) -> dict[str, Any]:
    """The digest of each module of another package that the strategy is made of."""
    modules = {
        kind.__module__
        for one in inside(strategy)
        for kind in type(one).__mro__
        if issubclass(kind, Strategy) and kind.__module__.partition(".")[0] != "agentdebate"
    }
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in sorted(modules)}
    return {name: hashlib.sha256(Path(file).read_bytes()).hexdigest() for name, file in files.items() if file}
