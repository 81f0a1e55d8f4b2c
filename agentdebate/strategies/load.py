"""Reads strategies/: a TOML file names a registered class, its options, and who plays which role."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from agentdebate import plugins
from agentdebate.agents.card_set import card_set
from agentdebate.errors import ContentError, UsageError, nearest
from agentdebate.models.base import Sampling
from agentdebate.project import Project, check_name, content_error, read_toml
from agentdebate.strategies.base import Cards, Strategy
from agentdebate.strategies.recruited import Recruited
from agentdebate.strategies.said_options import checked
from agentdebate.trust import USER, Trust

GROUP = "agentdebate.strategies"
"""The entry-point group under which strategy classes are registered, ours included."""

RECRUITER = "recruiter"
"""The role of whoever recruits, where a cast waits for recruits."""

_OWN = frozenset({"name", "cast", "sampling", "models"})
"""Fields of a strategy that are no options."""

_NOUNS = {"options": "option", "cast": "role", "models": "role or card"}
"""What a key of each table of a file names."""


class StrategyFile(BaseModel):
    """A file in strategies/."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    about: str
    uses: str
    """The registered class."""
    source: str = ""
    """The paper and section that it follows."""
    differs: str = ""
    """What differs from it."""
    options: Mapping[str, Any] = {}
    cast: Mapping[str, Cards] = {}
    sampling: Sampling = Sampling()
    models: Mapping[str, str] = {}
    """Models of their own for some agents, by card or by role."""


@dataclass(frozen=True)
class Given:
    """Options that are laid over those of a file, and whose they are."""

    options: Mapping[str, Any]
    trust: Trust = USER

    def with_options(self, options: Mapping[str, Any]) -> "Given":
        """Other options of the same."""
        return Given(options, self.trust)


def strategy(name: str, *, project: Project | None = None, **options: Any) -> Strategy:
    """The strategy in strategies/NAME.toml, with `options` in the place of the file's.

    A wrapper passes options that it does not have itself on to the strategy inside it. `cast` may be among them, roles
    and who plays them, and `models`, cards or roles and what speaks for them; both go before the file's. Raises
    ContentError for what is wrong with the file, and UsageError for what is wrong with the options.

    Who plays a role is an agent card by its name, or several: "tag:mdrpe" for all cards with that tag, "folder:readers"
    for all cards in a folder, and "recruit" for readers who are recruited for each text.

    What the files say of addresses, keys and models to be fetched counts only for the project's `allow_endpoints`.
    """
    return load(name, project or Project.here(), options, USER)


def load(name: str, found: Project, said: Mapping[str, Any], trust: Trust) -> Strategy:
    """As `strategy`, with options of which `trust` says whose they are: the user's, or a store's."""
    options = {**said, **checked({k: v for k, v in said.items() if k != "cast"}, trust, Path.cwd())}
    _check_options(name, found, options)
    recruiting, others = _recruiting(options)
    made = _load(name, found, Given(others, trust), within=())
    if made.waits() and not made.recruits():
        return _around(Recruited(name=made.name, around=made), recruiting)
    return _load(name, found, Given(options, trust), within=()) if recruiting else made


def _check_options(name: str, project: Project, options: Mapping[str, Any]) -> None:
    """Raise UsageError for an option that neither the strategy nor one inside it has."""
    asked = options.keys() - {"cast", "models"}
    if not asked or not isinstance(options.get("around", ""), str):
        return
    known = {*Recruited.model_fields} - _OWN
    for file, path in _chain(name, project, options.get("around")):
        known |= strategy_class(file.uses, path).model_fields.keys() - _OWN
    for option in sorted(asked - known):
        raise UsageError(f"strategy {name!r} has no option {option!r}. {nearest(option, known)}")


def _chain(name: str, project: Project, around: str | None) -> Iterator[tuple[StrategyFile, Path]]:
    """The file of a strategy, and those of the strategies inside it; `around` goes before what the first file says."""
    inside: object = name
    seen: set[str] = set()
    while (
        isinstance(inside, str) and inside not in seen
    ):  # one that goes around itself is for others to refuse
        seen.add(inside)
        path = project.find("strategies", inside)
        file = read_file(path)
        yield file, path
        inside, around = around or file.options.get("around"), None


def _recruiting(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options that Recruited has, and the others."""
    own = Recruited.model_fields.keys() - _OWN - {"around"}
    mine = {name: value for name, value in options.items() if name in own}
    others = {name: value for name, value in options.items() if name not in own}
    for table in ("cast", "models"):
        given = others.get(table)
        if isinstance(given, Mapping) and RECRUITER in given:
            mine[table] = {RECRUITER: given[RECRUITER]}
            others[table] = {role: one for role, one in given.items() if role != RECRUITER}
    return mine, others


def _around(recruited: Recruited, options: Mapping[str, Any]) -> Strategy:
    """The recruiting that a cast brings with it, with these options. Raises UsageError."""
    try:
        return Recruited(**{**_fields(recruited), **options})
    except ValidationError as error:
        raise _option_error(error, recruited.title, Path(recruited.name), options) from error


def _load(name: str, project: Project, given: Given, *, within: tuple[str, ...]) -> Strategy:
    """As `strategy`; `within` names the wrappers that go around this one."""
    path = project.find("strategies", name)
    file = read_file(path)
    try:
        return _build(file, path, project, given, within)
    except ValidationError as error:
        raise _option_error(error, name, path, given.options) from error


def read_file(path: Path) -> StrategyFile:
    """Read and check one file. Raises ContentError."""
    try:
        file = StrategyFile.model_validate(read_toml(path))
    except ValidationError as error:
        raise content_error(error, path, (*StrategyFile.model_fields, *Sampling.model_fields)) from error
    check_name(file.name, path)
    return file


def registered() -> dict[str, str]:
    """The registered classes: name to where each comes from."""
    return plugins.places(GROUP)


def strategy_class(name: str, path: Path) -> type[Strategy]:
    """The class registered under a name. Raises ContentError."""
    points = plugins.registered(GROUP)
    if name not in points:
        raise ContentError(
            f"no strategy class is registered as {name!r}. {nearest(name, points)}", path=path, key="uses"
        )
    found = points[name].load()
    if not (isinstance(found, type) and issubclass(found, Strategy)):
        raise ContentError(
            f"{points[name].value} is registered as {name!r} and is no Strategy", path=path, key="uses"
        )
    return found


def _build(
    file: StrategyFile, path: Path, project: Project, said: Given, within: tuple[str, ...]
) -> Strategy:
    given = said.options
    cls = strategy_class(file.uses, path)
    known = cls.model_fields.keys() - _OWN
    own, passed_on = _split({**given}, known, wraps="around" in known)
    options = {**_of_file(file, path, project, replaced=own), **own}
    _check_keys(options, known, path, "options", where_given=own)
    seated = given.get("cast", {})
    root, of_file = path.parent.parent, project.trust(path)
    cast = {
        role: card_set(cards, project, *((Path.cwd(), said.trust) if role in seated else (root, of_file)))
        for role, cards in {**file.cast, **seated}.items()
    }
    if "around" in known:
        inner = _inner(options.get("around"), path, project, said.with_options(passed_on), within)
        cast, inner_cast = _own_roles(_default_cast(cls), cast)
        options["around"] = _recast(inner, inner_cast, path, seated)
    _check_keys(cast, _default_cast(cls), path, "cast", where_given=seated)
    made = cls(name=file.name, sampling=file.sampling, cast={**_default_cast(cls), **cast}, **options)
    return _with_models(made, file, given, path)


def _of_file(file: StrategyFile, path: Path, project: Project, replaced: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a file but those that the caller replaces, checked for what a file may not say. Raises ContentError."""
    kept = {name: value for name, value in file.options.items() if name not in replaced}
    trust, root = project.trust(path), path.parent.parent
    checked({"models": file.models}, trust, root)
    return checked(kept, trust, root)


def _with_models(made: Strategy, file: StrategyFile, given: Mapping[str, Any], path: Path) -> Strategy:
    """The strategy with the file's models, and the caller's before them."""
    chosen = given.get("models", {})
    if not isinstance(chosen, Mapping):
        raise UsageError(
            f"strategy {path.stem!r}, option 'models': gives models to cards or roles, and is not {chosen!r}"
        )
    if not (file.models or chosen):
        return made
    known = made.speakers()
    # Whoever the caller's cast replaced needs no model any more.
    kept = {name: model for name, model in file.models.items() if name in known or not given.get("cast")}
    models = {**kept, **chosen}
    _check_keys(models, known, path, "models", where_given=chosen)
    return type(made)(**{**_fields(made), "models": models}) if models else made


def _split(
    given: dict[str, Any], known: frozenset[str] | set[str], *, wraps: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options that are the strategy's own, and those for the strategy inside it."""
    for name in ("cast", "models"):
        given.pop(name, None)
    if not wraps:
        return given, {}
    return {k: v for k, v in given.items() if k in known}, {k: v for k, v in given.items() if k not in known}


def _inner(name: object, path: Path, project: Project, given: Given, within: tuple[str, ...]) -> Strategy:
    """The strategy that a wrapper goes around: made in code, or named."""
    if isinstance(name, Strategy):
        if given.options:
            raise UsageError(
                f"strategy {path.stem!r} has no option {next(iter(given.options))!r}, and the strategy that it goes around"
                " was made in code: give it its options there"
            )
        return name
    if not isinstance(name, str):
        raise ContentError("names the strategy that this one goes around", path=path, key="options.around")
    outer = (*within, path.stem)
    if name in outer:
        trail = " around ".join((*outer, name))
        raise ContentError(f"a strategy cannot go around itself: {trail}", path=path, key="options.around")
    return _load(name, project, given, within=outer)


def _own_roles(own: Mapping[str, Any], cast: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a cast says of a wrapper's own roles, and what it says of the roles inside."""
    return {k: v for k, v in cast.items() if k in own}, {k: v for k, v in cast.items() if k not in own}


def _recast(inner: Strategy, cast: Mapping[str, Any], path: Path, seated: Mapping[str, Any]) -> Strategy:
    """The strategy with other agents in these roles, which may be those of a strategy inside it."""
    if not cast:
        return inner
    fields = _fields(inner)
    if isinstance(fields.get("around"), Strategy):
        cast, deeper = _own_roles(inner.cast, cast)
        fields["around"] = _recast(fields["around"], deeper, path, seated)
    _check_keys(cast, inner.cast, path, "cast", where_given=seated)
    made = type(inner)(**{**fields, "models": {}, "cast": {**inner.cast, **cast}})
    known = made.speakers() if inner.models else ()
    models = {name: model for name, model in inner.models.items() if name in known}
    return type(made)(**{**_fields(made), "models": models}) if models else made


def _fields(strategy: Strategy) -> dict[str, Any]:
    return {name: getattr(strategy, name) for name in type(strategy).model_fields}


def _default_cast(cls: type[Strategy]) -> Mapping[str, Any]:
    default = cls.model_fields["cast"].default
    return default if isinstance(default, Mapping) else {}


def _check_keys(
    given: Mapping[str, Any], known: Any, path: Path, table: str, *, where_given: Mapping[str, Any]
) -> None:
    for key in given:
        if key in known:
            continue
        if key in where_given:
            raise UsageError(f"strategy {path.stem!r} has no {_NOUNS[table]} {key!r}. {nearest(key, known)}")
        raise ContentError(
            f"this key means nothing here. {nearest(key, known)}", path=path, key=f"{table}.{key}"
        )


def _option_error(error: ValidationError, name: str, path: Path, given: Mapping[str, Any]) -> Exception:
    """A value that does not fit: the caller's mistake where the caller gave it, the file's otherwise."""
    first = error.errors()[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    problem = first["msg"].removeprefix("Value error, ")
    if key in given:
        return UsageError(f"strategy {name!r}, option {key!r}: {problem}, not {first['input']!r}")
    if not key and given:
        return UsageError(f"strategy {name!r}: {problem}")
    return content_error(error, path)
