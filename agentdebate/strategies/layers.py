"""A strategy and those inside it as plain data: files read once, what the caller says laid over them, all made once.

The caller goes before the files, a file before those of the strategies inside it, and files before the classes.
docs/reference/what-overrides-what.md shows it case by case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from agentdebate.agents.card import VACANT, Card
from agentdebate.errors import ContentError, UsageError, nearest
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.layer import AROUND, Layer, Said, unknown_key
from agentdebate.strategies.overrides import Overrides
from agentdebate.strategies.stack import Stack, allowed, card_names, no_option, placed, roles, several
from agentdebate.strategies.strategy_file import StrategyFile, read_file, strategy_class

_NAMES = "names the strategy that this one goes around"


class Pool(NamedTuple):
    """The cards of a panel that a number counts off, in order, and what stands beside them whatever the number."""

    cards: tuple[str | Card, ...]
    beside: tuple[str | Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Layers:
    """A strategy, those inside it, and the project that their files are of."""

    project: Project
    stack: Stack

    @classmethod
    def read(cls, name: str, project: Project, *, around: object = None) -> "Layers":
        """Read the files of a strategy and of those inside it; `around` goes before what the first wrapper's file says.

        Raises ContentError, and UsageError for an `around` that cannot be.
        """
        read: list[tuple[Layer, StrategyFile]] = []
        inside, said_by = Said(name), None
        while inside.value is not None:
            names = [layer.name for layer, _ in read]
            layer, file = _layer(inside, project, names, said_by)
            read.append((layer, file))
            inside, around = _inside(layer, file, around)
            said_by = layer
        if around is not None:
            raise no_option(AROUND, name, [layer for layer, _ in read])
        stack = tuple(layer for layer, _ in read)
        for number, (layer, file) in reversed(list(enumerate(read))):
            stack = _file_cast(stack, number, layer.path, file, project)
        return cls(project, stack)

    @property
    def outermost(self) -> Layer:
        """The strategy that was asked for."""
        return self.stack[0]

    @property
    def panel(self) -> str | None:
        """The role that any number of agents can play."""
        return next((layer.kind.panel for layer in self.stack if layer.kind.panel), None)

    def counted(self, role: str, most: int) -> Pool:
        """Find the pool that a number of agents is counted off: the one of the strategy's class where its cast is from there, and else its
        own cast, so that no number seats another method's agents. One card for all is there `most` times.

        Raises UsageError where an option says how many sit there.
        """
        layer = next(layer for layer in self.stack if role in layer.usual)
        option = layer.kind.counts
        if option in layer.options:
            raise UsageError(
                f"agents=...: the panel of {layer.name!r} has agents who always sit, and {option!r} says how many sit beside them: "
                f"write options='{option}=2' for two of these, or name all agents, with commas between them"
            )
        cast = several(layer.players[role])
        own = tuple(card for card in cast if card != VACANT)
        if not own or all(card in layer.kind.pool for card in own):
            return Pool(layer.kind.pool)
        if len(own) > 1 and all(card == own[0] for card in own):
            return Pool(own[:1] * most)
        return Pool(own, tuple(card for card in cast if card == VACANT))

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role that can be cast, those of the strategies inside first."""
        return tuple(dict.fromkeys(role for layer in reversed(self.stack) for role in layer.usual))

    def seated_by_files(self) -> Iterator[tuple[str, tuple[str | Card, ...], Path]]:
        """Every role that a file has somebody play, who that is, and the file."""
        for layer in self.stack:
            for role, said in layer.cast.items():
                if said.path is not None:
                    yield role, said.value, said.path

    def laid(self, call: Overrides) -> "Layers":
        """The same with what the caller says laid over it.

        Raises UsageError for what no layer has, and UserError for what a file may not say.
        """
        return replace(self, stack=call.over(self.stack, self.project))

    def build(self) -> Strategy:
        """Make each strategy once, from the inside out. Raises UsageError, or ContentError for the mistake of a file."""
        *around, innermost = self.stack
        called = innermost.is_called
        made = _built(innermost, None, called=called)
        for layer in reversed(around):
            called = called or layer.is_called
            made = _built(layer, made, called=called)
        return made


def _layer(
    inside: Said, project: Project, outside: Sequence[str], said_by: Layer | None
) -> tuple[Layer, StrategyFile]:
    """A strategy by its name, inside those of the names `outside`, the last of which is `said_by`."""
    if not isinstance(inside.value, str):
        raise _wrong_around(
            f"{_NAMES}, and is not {inside.value!r}; in code, make the one around it yourself",
            inside,
            said_by,
        )
    if inside.value in outside:
        trail = " around ".join((*outside, inside.value))
        raise _wrong_around(f"a strategy cannot go around itself: {trail}", inside, said_by)
    path = project.find("strategies", inside.value)
    file = read_file(path)
    return _of_file(file, path, project), file


def _wrong_around(problem: str, inside: Said, said_by: Layer | None) -> Exception:
    if inside.path is not None:
        return ContentError(problem, path=inside.path, key=f"options.{AROUND}")
    whose = f"strategy {said_by.name!r}, option {AROUND!r}: " if said_by else ""
    return UsageError(f"{whose}{problem}", option=AROUND)


def _of_file(file: StrategyFile, path: Path, project: Project) -> Layer:
    """Read the layer of a file, but for its cast, which may be of roles further inside. Raises ContentError."""
    said = {name: Said(value, path) for name, value in file.options.items() if name != AROUND}
    models = {name: Said(model, path) for name, model in file.models.items()}
    kind = strategy_class(file.uses, path, project)
    layer = Layer(file.name, path, kind, file.about, file.sampling, said, models=models)
    known = {*layer.known, AROUND} if layer.wraps else layer.known
    for name in file.options:
        if name not in known:
            raise unknown_key("options", name, nearest(name, known), path)
    return layer


def _inside(layer: Layer, file: StrategyFile, around: object) -> tuple[Said, object]:
    """Return the strategy inside a layer, and the rest of `around` for the layers inside it."""
    if not layer.wraps:
        return Said(None), around
    if around is not None:
        return Said(around), None
    if AROUND not in file.options:
        raise ContentError(_NAMES, path=layer.path, key=f"options.{AROUND}")
    return Said(file.options[AROUND], layer.path), None


def _file_cast(stack: Stack, number: int, path: Path, file: StrategyFile, project: Project) -> Stack:
    """The layers with the cast of the file of one of them laid over those inside it. Raises ContentError."""
    outside, inside = stack[:number], stack[number:]
    trust = project.trust(path)
    for role, who in file.cast.items():
        found = placed(inside, role, Said(allowed(who, trust), path))
        if found is None:
            raise unknown_key("cast", role, nearest(role, roles(inside)), path)
        inside = found
    first, *rest = inside
    return (*outside, replace(first, foreseen=card_names(inside)), *rest)


def _built(layer: Layer, inside: Strategy | None, *, called: bool) -> Strategy:
    try:
        return layer.build(inside)
    except ValidationError as error:
        raise layer.problem(error, called=called) from error
