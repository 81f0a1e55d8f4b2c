"""The prompts that a strategy brings along in its code, found before a debate is held.

They are looked for where code names them: in the attributes of the class, and in the globals and closures of its methods and of the
functions of the same file that these name. A purpose that is made while a debate is held is not found; what is wrong with it shows
when it is asked.
"""

from collections.abc import Iterator, Mapping
from inspect import unwrap
from types import CodeType, FunctionType
from typing import Any

from agentdebate.errors import ContentError
from agentdebate.prompts.prompts import Prompts
from agentdebate.strategies.base import Strategy
from agentdebate.talk.messages import Purpose

_OURS = "agentdebate."
"""How the modules begin whose prompts all are files."""


def inline_prompts(strategy: Strategy) -> dict[str, str]:
    """The prompts in the code of a strategy and of those inside it, by purpose; others of the same name have a number."""
    found: dict[str, str] = {}
    for purpose in _purposes(strategy):
        name, number = purpose.name, 1
        while found.get(name, purpose.prompt) != purpose.prompt:
            number += 1
            name = f"{purpose.name}~{number}"
        found[name] = purpose.prompt
    return dict(sorted(found.items()))


def check_inline_prompts(strategy: Strategy, prompts: Prompts) -> None:
    """Compile them, so that what is wrong shows before a call is paid for. Raises ContentError, which names the purpose."""
    for name, text in inline_prompts(strategy).items():
        try:
            prompts.turn(name, text)
        except ContentError:
            if not _relays(strategy):
                raise
            prompts.relay(name, text)


def _relays(strategy: Strategy) -> bool:
    return any(seat.relay for seats in strategy.seats().values() for seat in seats)


def _purposes(strategy: Strategy) -> Iterator[Purpose[Any]]:
    """The purposes with a prompt that a strategy names, and those inside it."""
    for value in vars(strategy).values():
        if isinstance(value, Strategy):
            yield from _purposes(value)
        else:
            yield from _in(value)
    seen: set[CodeType] = set()
    for value in _attributes(type(strategy)).values():
        yield from _in(value)
        yield from _named_by(value, seen)


def _attributes(kind: type[Strategy]) -> dict[str, object]:
    """What a class has of its own and from classes that are not ours: of a name that several have, what goes before."""
    found: dict[str, object] = {}
    for one in reversed(kind.__mro__):
        if issubclass(one, Strategy) and not one.__module__.startswith(_OURS):
            found.update(vars(one))
    return found


def _in(value: object) -> Iterator[Purpose[Any]]:
    """The purposes that a value is or holds, in their order. A list may be in itself, and anything in many places."""
    seen: dict[int, object] = {}  # with the objects, so that no other gets the number of one that is gone
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, Purpose):
            if one.prompt:
                yield one
        elif isinstance(one, Mapping | list | tuple) and id(one) not in seen:
            seen[id(one)] = one
            left += reversed([*(one.values() if isinstance(one, Mapping) else one)])


def _named_by(value: object, seen: set[CodeType]) -> Iterator[Purpose[Any]]:
    """The purposes that a function names, and the functions of its file that it names."""
    function = _function(value)
    if function is None or function.__code__ in seen:
        return
    seen.add(function.__code__)
    around = function.__globals__
    names = [name for code in _codes(function.__code__) for name in code.co_names]
    named = [around[name] for name in dict.fromkeys(names) if name in around]
    for one in (*named, *_enclosed(function)):
        yield from _in(one)
        inner = _function(one)
        if inner is not None and inner.__globals__ is around:
            yield from _named_by(inner, seen)


def _function(value: object) -> FunctionType | None:
    """The function of a method, whatever decorates it; None where there is none."""
    value = value.fget if isinstance(value, property) else value
    value = value.__func__ if isinstance(value, staticmethod | classmethod) else value
    value = unwrap(value) if callable(value) else value
    return value if isinstance(value, FunctionType) else None


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those that are written in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _enclosed(function: FunctionType) -> Iterator[object]:
    """What a function has from the functions around it."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not filled yet
            continue
