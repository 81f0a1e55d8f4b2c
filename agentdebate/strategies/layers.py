"""A strategy and those inside it as plain data: files read once, what the caller says laid over them, all made once.

The caller goes before the files, a file before those of the strategies inside it, and files before the classes.
docs/reference/what-overrides-what.md shows it case by case.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agentdebate.agents.seat import VACANT
from agentdebate.errors import ContentError, UsageError, nearest
from agentdebate.options import option_kind
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.strategies.base import Strategy, addresses
from agentdebate.strategies.cascade import OWN, STAGES
from agentdebate.strategies.layer import AROUND, Layer, check_cards, checked
from agentdebate.strategies.recruitment import Recruited
from agentdebate.strategies.strategy_file import StrategyFile, read_file, strategy_class

NOTHING: Mapping[str, Any] = {}


class Layers:
    """A strategy and those inside it, the outermost first, while settings are laid over each other."""

    def __init__(self, project: Project, outside: Sequence[str] = ()) -> None:
        self.project, self.outside = project, outside
        self.stack: list[Layer] = []
        self._replaced: frozenset[str] = frozenset()
        """Cards that sat in a role until another file, or the caller, seated others there: they need no models."""

    @classmethod
    def read(
        cls, name: str, project: Project, *, around: object = None, outside: Sequence[str] = ()
    ) -> "Layers":
        """Read the files of a strategy and of those inside it; `around` goes before what the outermost file says is inside.

        `outside` are the strategies of which it is a stage.

        Raises ContentError, and UsageError for an `around` that cannot be.
        """
        layers = cls(project, outside)
        layer = layers._read(name, None)
        if around is not None and AROUND not in layer.known:
            raise layers._no_option(AROUND)
        while AROUND in layer.known:
            inside, path = (layer.file.options.get(AROUND), layer.path) if around is None else (around, None)
            layer, around = layers._read(inside, path), None
        for number in reversed(range(len(layers.stack))):
            layers._seat_by_file(number)
        return layers

    @property
    def outermost(self) -> Layer:
        """The strategy that was asked for."""
        return self.stack[0]

    @property
    def panel(self) -> str | None:
        """The role that any number of agents can play."""
        return next((layer.kind.panel for layer in self.stack if layer.kind.panel), None)

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role that can be cast, those of the strategies inside first."""
        return tuple(dict.fromkeys(role for layer in reversed(self.stack) for role in layer.players))

    def home(self, role: str) -> Layer | None:
        """The outermost strategy that has a role."""
        return next((layer for layer in self.stack if role in layer.players), None)

    def build(
        self,
        options: Mapping[str, Any] = NOTHING,
        cast: Mapping[str, Any] = NOTHING,
        models: Mapping[str, Any] = NOTHING,
        trust: Trust = USER,
    ) -> Strategy:
        """Lay what the caller says over the files, and make each strategy once, from the inside out; `trust` says who the caller is.

        Raises UsageError for a mistake of the caller, ContentError for one of a file, and UserError for what either may not say.
        """
        name = self.outermost.file.name
        self._recruit(cast)
        for option, value in checked(
            options, lambda option: option_kind(self._taker(option).kind, option), models, trust, Path.cwd()
        ).items():
            self._taker(option).say("options", option, value, None)
        for role, who in cast.items():
            check_cards(who, trust)
            if not self._seat(role, who):
                hint = nearest(role, self.roles)
                raise UsageError(f"strategy {name!r} has no role {role!r}. {hint}", option="cast")
        for layer in self.stack:
            layer.check(self.project)
        for who, model in models.items():
            self.outermost.say("models", who, model, None)
        return self._made()

    def _read(self, name: object, path: Path | None) -> Layer:
        """Read the strategy of that name, which the file at `path` or the caller puts inside those that are read."""
        outside = [*self.outside, *(layer.file.name for layer in self.stack)]
        if not isinstance(name, str):
            problem = f"names the strategy that this one goes around, and is not {name!r}; in code, make the one around it yourself"
        elif name in outside:
            problem = f"a strategy cannot go around itself: {' around '.join((*outside, name))}"
        else:
            layer = _layer(self.project.find("strategies", name), self.project)
            self.stack.append(layer)
            return layer
        if path is not None:
            raise ContentError(problem, path=path, key=f"options.{AROUND}")
        raise UsageError(f"strategy {outside[-1]!r}, option {AROUND!r}: {problem}", option=AROUND)

    def _seat_by_file(self, number: int) -> None:
        """Lay the cast of a strategy's file over those inside it. Raises ContentError."""
        layer = self.stack[number]
        for role, who in layer.file.cast.items():
            if not self._seat(role, who, layer.path, number):
                roles = [role for one in self.stack[number:] for role in one.players]
                raise _unknown("cast", role, roles, layer.path)

    def _seat(self, role: str, who: Any, path: Path | None = None, number: int = 0) -> bool:
        """Seat somebody in the first strategy, from this one inwards, that has the role; False where none has."""
        for layer in self.stack[number:]:
            if role in layer.players:
                if path != layer.path:
                    self._replaced |= {*addresses(layer.players[role])}
                layer.seat(role, who, path)
                return True
        return False

    def _taker(self, option: str) -> Layer:
        """Find the first strategy that takes an option. Raises UsageError."""
        layer = next((layer for layer in self.stack if option in layer.known), None)
        if layer is None:
            raise self._no_option(option)
        return layer

    def _no_option(self, option: str) -> UsageError:
        name, known = self.outermost.file.name, {one for layer in self.stack for one in layer.known}
        return UsageError(
            f"strategy {name!r} has no option {option!r}. {nearest(option, known)}", option=option
        )

    def _recruit(self, cast: Mapping[str, Any]) -> None:
        """Put recruiting around them all, where a role waits for recruits and none of them finds any."""
        players = {role: who for layer in self.stack for role, who in layer.players.items()}
        players |= {role: who for role, who in cast.items() if role in players}
        recruiting = any(layer.kind.recruits for layer in self.stack)
        if not recruiting and any(VACANT in who for who in players.values()):
            first = self.outermost
            file = StrategyFile(name=first.file.name, about=first.file.about, uses="recruited")
            self.stack.insert(0, Layer(file, first.path, Recruited))

    def _made(self) -> Strategy:
        here = {name for layer in self.stack for who in layer.players.values() for name in addresses(who)}
        gone = self._replaced - here - {*self.roles}
        made, called = None, False
        for layer in reversed(self.stack):
            called = called or bool(layer.called)
            if isinstance(stages := layer.options.get(STAGES), list | tuple):
                layer.options[STAGES] = [*map(self._stage, stages)]
            made = layer.build(made, gone, called=called)
        assert made is not None, "a name has a strategy"
        return made

    def _stage(self, said: Any) -> Any:
        """A stage of a cascade, with its strategy where that is named. Raises UserError."""
        name = said.get("strategy") if isinstance(said, Mapping) else None
        if not isinstance(name, str):
            return said
        outside = [*self.outside, *(layer.file.name for layer in self.stack)]
        layers, source = Layers.read(name, self.project, outside=outside), said.get("confidence")
        own = {"confidence": source} if source in OWN else {}
        return {**said, "strategy": layers.build(own)}


def _layer(path: Path, project: Project) -> Layer:
    """Read one file, but for its cast, which may be of roles further inside. Raises ContentError."""
    file = read_file(path)
    layer = Layer(file, path, strategy_class(file.uses, path, project))
    for name, value in file.options.items():
        if name not in layer.known:
            raise _unknown("options", name, layer.known, path)
        if name != AROUND:
            layer.say("options", name, value, path)
    for name, model in file.models.items():
        layer.say("models", name, model, path)
    return layer


def _unknown(table: str, key: str, known: Any, path: Path) -> ContentError:
    return ContentError(
        f"this key means nothing here. {nearest(key, known)}", path=path, key=f"{table}.{key}"
    )
