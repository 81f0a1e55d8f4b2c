"""How a run was held, as it is stored with it: whatever else decides its verdicts besides its items."""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agentdebate import __version__
from agentdebate.debates.checks import unsent_by_model
from agentdebate.debates.ready import ReadyStrategy
from agentdebate.errors import UsageError
from agentdebate.models.secrets import without_secrets
from agentdebate.models.wrapper import settings_of
from agentdebate.project.model_spec import bare_name
from agentdebate.project.project import PROMPTS, Kind, Project
from agentdebate.runs.settings import Settings
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.inline_prompts import inline_prompts
from agentdebate.strategies.wrapper import inside
from agentdebate.tasks import Task, aspect_names


def configuration_of(
    debate: ReadyStrategy, settings: Settings, tasks: Mapping[str, Task], *, together: bool
) -> dict[str, Any]:
    """The configuration of a run, as JSON can hold it. `tasks` are those of its items, as far as they are known.

    Tasks are there as they are judged, with the scales of this run; models with the options they were opened with, and
    without keys.
    """
    prompts = inline_prompts(debate.strategy)
    replaced = replaced_files(debate.strategy, debate.prompts.project, tasks)
    models = [{"name": model.name, **without_secrets(settings_of(model))} for model in debate.cast.models]
    return {
        "agentdebate": __version__,
        "strategy": without_secrets(_with_hosts(debate)),
        "models": [one for number, one in enumerate(models) if one not in models[:number]],
        "unsent": unsent_by_model(debate.cast),
        **settings.but(tasks={**settings.tasks, **tasks}).row(),
        "aspects": None if settings.aspects is None else list(aspect_names(settings.aspects)),
        "together": together,
        "concurrency": settings.concurrency,
        "content": debate.prompts.project.digests(),
        **({"prompts": prompts} if prompts else {}),
        **({"replaced": replaced} if replaced else {}),
    }


def replaced_files(strategy: Strategy, project: Project, tasks: Iterable[str]) -> list[str]:
    """The files of the project, among those that debates on these tasks go by, that stand in the place of built-in ones."""
    seats = [seat for some in strategy.seats().values() for seat in some]
    names: dict[Kind, Iterable[str]] = {
        "agents": [card for seat in seats for card in (seat.card, *seat.plays) if isinstance(card, str)],
        "prompts/tasks": tasks,
        **{kind: project.names(kind) for kind in PROMPTS},
    }
    files = [path for one in inside(strategy) if (path := one.said_by_file(""))]
    for kind, some in names.items():
        known = project.names(kind)
        files += [known[name] for name in some if name in known]
    return [project.shown(path) for path in dict.fromkeys(files) if project.replaces(path)]


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
        return {**said, "models": models, **around}

    return placed(debate.strategy.model_dump(mode="json", fallback=_told))


def plainly(configuration: Mapping[str, Any]) -> dict[str, Any]:
    """What callers add to a configuration, without secrets; what a sweep calls its cells is not one."""
    return {name: part if name == "sweep" else without_secrets(part) for name, part in configuration.items()}


def _told(value: object) -> str:
    """What JSON cannot hold, in the same words in every process."""
    return _ADDRESS.sub("", repr(value))


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")

FREE = frozenset(
    {"agentdebate", "concurrency", "deadline", "command", "debates", "items", "replaced", "sweep", "unsent"}
)
"""What may differ where a run is taken up again."""
DIGEST = "data.sha256"
"""What tells the data from data that was changed."""
ANYWAY = "go on anyway (anyway=True)"
"""What can be done about a run that was held in another way, where nobody says otherwise."""
_SHOWN = 5
"""Differences that are named."""
_CONTENT = "content."
"""How the names of content files begin."""
_SAID_ALONE = frozenset({"content", "sampling", "debate_limits"})
"""What has no entry where nobody said it, in whatever version."""


def usual_options(strategy: Strategy) -> frozenset[str]:
    """The strategy's options that have their defaults, by their names in a configuration."""
    whole, said = (
        _flat({"strategy": strategy.model_dump(mode="json", fallback=_told, exclude_defaults=only_said)})
        for only_said in (False, True)
    )
    return frozenset(whole.keys() - said.keys())


def check_same(
    run: str,
    held: Mapping[str, Any],
    now: Mapping[str, Any],
    usual: Container[str] = frozenset(),
    *,
    here: bool = False,
    instead: str = ANYWAY,
) -> None:
    """Raise UsageError, which names what differs, where a run would go on in another way than it was held so far.

    An option that is `usual` now and was unknown when the run began does not differ, and where the run began by another version of ours
    nothing does that one of the two does not know, but for content. `here` says that other processes go on
    with it as it was begun, and `instead` what can be done but to put it back. A run that was begun with a stream knew no tasks.
    """
    if not held.get("tasks"):
        held = {**held, "tasks": now.get("tasks", {})}
    updated = "agentdebate" in held and held["agentdebate"] != now.get("agentdebate")
    before, after = (
        _flat(_with_plain_models(_with_aspects(one), apart=updated))
        for one in (held, json.loads(json.dumps(now)))
    )
    free = FREE if "data" in held and "data" in now else FREE | {"data"}  # Python gives items, and not a file
    names = [name for name in (*before, *after) if name.partition(".")[0] not in free]
    different = [
        name for name in dict.fromkeys(names) if _differs(name, before, after, usual, updated=updated)
    ]
    if not different:
        return
    told = "; ".join(_told_apart(different, before, after))
    if here:
        raise UsageError(
            f"run {run} was entered in another way than this process would hold it: {told}. Have the same code and "
            "content files here, or take part all the same with anyway=True"
        )
    raise UsageError(f"run {run} was held in another way: {told}. Start a new run, put it back, or {instead}")


def _told_apart(names: Sequence[str], before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What differs, the first five of it; of content files their names."""
    files = [name.removeprefix(_CONTENT) for name in names if name.startswith(_CONTENT)]
    others = [name for name in names if not name.startswith(_CONTENT)]
    for name in others[:_SHOWN]:
        yield "{} was {} and is {}".format(name, *_shown(before, after, name))
    if len(others) > _SHOWN:
        yield f"and {len(others) - _SHOWN} more"
    if files:
        more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
        yield f"content files have changed: {', '.join(files[:_SHOWN])}{more}"


def _with_plain_models(configuration: Mapping[str, Any], *, apart: bool) -> Mapping[str, Any]:
    """The configuration with models by their bare names, beside which their addresses stand, and without what changes no reply.

    Where they are told `apart`, each option of each is compared by itself.
    """
    models = configuration.get("models")
    if not isinstance(models, list):
        return configuration
    plain = [_plain_model(one) for one in models]
    return {
        **configuration,
        "models": dict(zip(map(str, range(len(plain))), plain, strict=True)) if apart else plain,
    }


def _plain_model(model: Any) -> Any:
    if not isinstance(model, Mapping):
        return model
    kept = {name: value for name, value in model.items() if name not in _OF_CONNECTIONS}
    return {**kept, "name": bare_name(str(model.get("name")))}


_OF_CONNECTIONS = ("connections", "timeout")
"""Options of a model that decide how soon it answers, and not what."""


def _with_aspects(configuration: Mapping[str, Any]) -> Mapping[str, Any]:
    """The configuration with the aspects that are judged by their names: one task's usual ones where none is named."""
    aspects, tasks = configuration.get("aspects"), configuration.get("tasks")
    if isinstance(aspects, str):
        return {**configuration, "aspects": [aspects]}
    if aspects is not None or not isinstance(tasks, Mapping) or len(tasks) != 1:
        return configuration
    try:
        task = Task.model_validate(*tasks.values())
    except ValidationError:  # the store is damaged: what differs is named as it is
        return configuration
    return {**configuration, "aspects": [aspect.name for aspect in task.choose(None)]}


def _differs(
    name: str, before: Mapping[str, Any], after: Mapping[str, Any], usual: Container[str], *, updated: bool
) -> bool:
    if name in usual and name not in before:
        return False  # an option that the version which began the run did not have
    if updated and name.partition(".")[0] not in _SAID_ALONE and (name not in before or name not in after):
        return False  # what one of the versions does not have
    if name.startswith(_CONTENT) and name not in before:
        return False  # a file that the run could not make use of
    if name == DIGEST and name not in before:
        return False  # the run was stopped before its data was looked through
    return bool(before.get(name) != after.get(name))


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """The leaves of nested tables by their dotted names."""
    if not isinstance(value, Mapping):
        return {name: value}
    return {
        leaf: one
        for key, inner in value.items()
        for leaf, one in _flat(inner, f"{name}.{key}" if name else key).items()
    }


def _shown(before: Mapping[str, Any], after: Mapping[str, Any], name: str) -> tuple[str, str]:
    """What a value was and is; of long ones, how they begin and the part from which on they differ."""
    was, now = (_value(values[name]) if name in values else "absent" for values in (before, after))
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(was, now, strict=False)))
    start = alike - _BEGINNING if alike > 2 * _BEGINNING else 0
    return _part(was, start), _part(now, start)


def _value(value: Any) -> str:
    """A value as JSON; of a digest, as much as anybody compares."""
    digest = isinstance(value, str) and _DIGEST.fullmatch(value)
    return json.dumps(value[:_COMPARED] if digest else value, ensure_ascii=False)


def _part(text: str, start: int) -> str:
    if len(text) <= _LONGEST:
        return text
    beginning = f"{text[:_BEGINNING]}..." if start else ""
    end = start + _LONGEST - len(beginning)
    return f"{beginning}{text[start:end]}{'...' if end < len(text) else ''}"


_DIGEST = re.compile("[0-9a-f]{16,}")
_COMPARED = 16
"""Characters of a digest that are shown."""
_LONGEST, _BEGINNING = 72, 20
"""Characters of a value that are shown, and of its beginning where the difference is further on."""


_OURS = "agentdebate"
"""This package, whose digest is that of all of it."""


def code_of(strategy: Strategy) -> dict[str, Any]:
    """The version and digest of this package, and the digest of each module of another package that the strategy is made of."""
    return {"agentdebate": __version__, "digest": _package(), "strategy": _modules(strategy)}


def _modules(strategy: Strategy) -> dict[str, str]:
    """The modules of a strategy's classes, of those in it included, as far as they are not ours."""
    found: dict[str, str] = {}
    for each in _parts(strategy):
        for kind in type(each).__mro__:
            name = kind.__module__
            file = getattr(sys.modules.get(name), "__file__", None)
            if file and issubclass(kind, Strategy) and name.partition(".")[0] != _OURS:
                found[name] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return dict(sorted(found.items()))


def _parts(strategy: Strategy) -> list[Strategy]:
    """A strategy and those in it."""
    inner = [value for value in vars(strategy).values() if isinstance(value, Strategy)]
    return [strategy, *(part for one in inner for part in _parts(one))]


@cache
def _package() -> str:
    """The digest of every module of this package."""
    root = Path(__file__).parents[1]
    whole = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        whole.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()
