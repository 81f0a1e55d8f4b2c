"""The prompts that a strategy brings along in its code, found before a debate is held.

They are those of the purposes in its options, in its class, and at the top of the file that the class is in. A purpose that is made
while a debate is held is not found; what is wrong with it shows when it is asked.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentdebate.errors import ContentError
from agentdebate.prompts.prompts import Prompts
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.wrapper import inside
from agentdebate.talk.purposes import Purpose

_OURS = "agentdebate."
"""Prefix of the modules whose prompts are all files."""


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
    relays = any(seat.relay for seats in strategy.seats().values() for seat in seats)
    for name, text in inline_prompts(strategy).items():
        try:
            prompts.turn(name, text)
        except ContentError:
            if not relays:
                raise
            prompts.prompt("prompts/relays", name, text)


def _purposes(strategy: Strategy) -> Iterator[Purpose[Any]]:
    """The purposes with a prompt that a strategy names, and those inside it."""
    for one in inside(strategy):
        yield from _in(vars(one).values())
        for kind in type(one).__mro__:
            if issubclass(kind, Strategy) and not kind.__module__.startswith(_OURS):
                yield from _in(vars(kind).values())
                yield from _in(vars(sys.modules.get(kind.__module__, kind)).values())


def _in(values: Iterable[object]) -> Iterator[Purpose[Any]]:
    """The purposes among values, and in the lists and tables among them."""
    for value in values:
        if isinstance(value, Mapping):
            yield from _in(one for one in value.values() if isinstance(one, Purpose))
        elif isinstance(value, list | tuple):
            yield from _in(one for one in value if isinstance(one, Purpose))
        elif isinstance(value, Purpose) and value.prompt:
            yield value
