"""One strategy of several around each other, before it is made: what its file says, and what is laid over that."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from agentdebate.agents.seat import VACANT, Card
from agentdebate.embedders.registry import check_said as check_embedder
from agentdebate.errors import ContentError, UsageError, nearest
from agentdebate.evaluators.registry import check_said as check_evaluators
from agentdebate.options import NO_FILES, OptionKind, option_kind
from agentdebate.project.project import Project, content_error
from agentdebate.project.trust import Trust
from agentdebate.strategies.base import NOBODY, Strategy
from agentdebate.strategies.strategy_file import StrategyFile
from agentdebate.wrong_values import plain_problem, problem_and_value

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

AROUND = "around"
"""The option of a wrapper that says what is inside it."""

_NO_OPTIONS = frozenset({"name", "cast", "sampling", "models"})
"""Fields of a strategy that no table of options sets."""


@dataclass(slots=True, eq=False)
class Layer:
    """A strategy with its settings: options, cast and models, each with the file that says it."""

    file: StrategyFile
    path: Path
    kind: type[Strategy]
    options: dict[str, Any] = field(default_factory=dict)
    cast: dict[str, Any] = field(default_factory=dict)
    """Cast of roles, where it is not the one of the class."""
    models: dict[str, Any] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    """The file that says an option, "rounds", a part of the cast, "cast.critic", or a model, "models.critic"."""
    called: set[str] = field(default_factory=set)
    """Options, parts of the cast and models that the caller says."""

    @property
    def known(self) -> frozenset[str]:
        """The options that it takes."""
        return frozenset(self.kind.model_fields) - _NO_OPTIONS

    @property
    def players(self) -> Mapping[str, tuple[str | Card, ...]]:
        """Cast, by role; its roles are those of the class."""
        usual = self.kind.model_fields["cast"].default
        players: dict[str, Any] = {**usual, **self.cast} if isinstance(usual, Mapping) else {}
        return {role: (who,) if isinstance(who, str | Card) else tuple(who) for role, who in players.items()}

    def say(self, table: str, key: str, value: Any, path: Path | None) -> None:
        """Lay a setting over those that are there: one of the file at `path`, or of the caller."""
        said = {"cast": self.cast, "models": self.models}.get(table, self.options)
        said[key] = value
        name = key if said is self.options else f"{table}.{key}"
        if path is None:
            self.files.pop(name, None)
            self.called.add(name)
        else:
            self.files[name] = path

    def seat(self, role: str, who: Any, path: Path | None) -> None:
        """Have somebody play a role. A file's number of cards in the panel was of the cards that sat there before."""
        counts = self.kind.counts
        if role == self.kind.panel and self.files.get(counts, path) != path:
            del self.options[counts], self.files[counts]
        self.say("cast", role, who, path)

    def check(self, project: Project) -> None:
        """Raise UserError for what files may not say, or unknown agents; what the caller put in their place does not count."""
        said = {name: value for name, value in self.options.items() if name in self.files}
        trust = project.trust(self.path)
        self.options.update(
            checked(said, partial(option_kind, self.kind), self.models, trust, self.path.parent.parent)
        )
        known = project.names("agents")
        for role, who in self.cast.items():
            path = self.files.get(f"cast.{role}")
            for card in who if path else ():
                if isinstance(card, str) and card != VACANT and card not in known:
                    problem = f"there is no agent {card!r}. {nearest(card, known)}"
                    raise ContentError(problem, path=path, key=f"cast.{role}")
            if path:
                check_cards(who, project.trust(path))

    def build(self, inside: Strategy | None, gone: frozenset[str], *, called: bool) -> Strategy:
        """Make it, around the strategy inside, without models for cards that are gone; `called`: the caller had a say in either.

        Raises UsageError for a mistake of the caller, and ContentError for one of a file.
        """
        plain = {**self.options, "name": self.file.name, "sampling": self.file.sampling, "cast": self.players}
        models = {name: model for name, model in self.models.items() if name not in gone}
        around = {} if inside is None else {AROUND: inside}
        try:
            made = self.kind(**plain, **around, models=models)
        except ValidationError as error:
            raise self._problem(error, called=called) from error
        made._files = {"": self.path, **self.files}  # noqa: SLF001 - which nobody who makes a strategy in code may set
        return made

    def _problem(self, error: ValidationError, *, called: bool) -> Exception:
        """Return an error that names whose mistake it is: the caller's, or a file's with its key."""
        found = error.errors()
        place = [str(part) for part in found[0]["loc"]]
        if found[0]["type"] == NOBODY:
            place = ["models", found[0]["ctx"]["name"]]
        setting = ".".join(place[:2]) if place[:1] in (["cast"], ["models"]) else "".join(place[:1])
        if setting in self.called or (called and not place):
            of = f", option {place[0]!r}" if place else ""
            return UsageError(f"strategy {self.file.name!r}{of}: {_told(found)}", option="".join(place[:1]))
        if found[0]["type"] == NOBODY and setting in self.files:
            return ContentError(_told(found), path=self.files[setting], key=setting)
        return content_error(error, self.files.get(setting, self.path))


def checked(
    options: Mapping[str, Any],
    kind_of: Callable[[str], OptionKind | None],
    models: Mapping[str, Any],
    trust: Trust,
    base: Path,
) -> dict[str, Any]:
    """The options of a strategy from a file or a store, where `trust` says whose they are; files that they name begin at `base`.

    Raises UserError for an address, a key's variable, a model to be fetched or a file elsewhere that only the user may
    name. What the user says is passed on as it is.
    """
    found = dict(options)
    if trust.said_in is None:
        return found
    check_evaluators(found.get("evaluators", ()), trust)
    check_embedder(found.get("embedder"), trust)
    for role, model in models.items():
        trust.check_model(model, f"the model of {role!r}")
    trust.check_options(found, kind_of, "the strategy", base=base)
    for name, written in options.items() if base != Path.cwd() else ():
        if kind_of(name) is OptionKind.FILE and written not in NO_FILES:
            found[name] = str(base / str(written))
    return found


def check_cards(who: Iterable[str | Card], trust: Trust) -> None:
    """Raise UserError for a card with a model at an address that `trust` may not name."""
    for card in who:
        if isinstance(card, Card):
            trust.check_model(card.model, f"the agent {card.name!r}")


def _told(found: "list[ErrorDetails]") -> str:
    """Describe what is wrong with an option; of one that takes values of several kinds, every kind."""
    first = found[0]
    if not first["loc"] or first["type"] == NOBODY:
        return plain_problem(first)
    if first["type"] == "missing":
        return f"{'.'.join(map(str, first['loc'][1:]))} is missing"
    kinds = " or ".join(dict.fromkeys(plain_problem(one) for one in found if one["input"] is first["input"]))
    return problem_and_value(first, 100).replace(plain_problem(first), kinds, 1)
