"""What filling a template may take: turns of loops, characters read or made on the way, and characters of output.

A template of a project may be somebody else's file. A few characters of it could ask for gigabytes or for hours, and
neither a deadline nor Ctrl-C gets through to an expression that Python is working on. So work is counted before it is done.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sized
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any

from jinja2 import Undefined

STEPS = 300_000
"""Operations in the loops of one rendering: the turns of each, times the operations in a turn."""
CHARACTERS = 10_000_000
"""Characters read and made by the expressions of one rendering, beyond `SHARE` times those of its variables."""
OUTPUT = 1_000_000
"""Characters of one rendered text, beyond `SHARE` times those of its variables."""
SHARE = 8
"""How often a template may show, or work on, all that its variables hold."""
PART = 20
"""What a part of a list or a table counts as, in characters, besides those in it."""
BITS = 1024
"""The longest whole number that a template may make: some 300 digits."""

_FLAT = frozenset((int, float, bool, type(None)))
_CONTAINERS: tuple[type[Collection[Any]], ...] = list, tuple, Mapping, AbstractSet, deque, type({}.values())


class TooMuchWork(Exception):
    """A template asks for more than one rendering may take."""


class Work:
    """Counts what one rendering takes. Its methods raise TooMuchWork once that is too much."""

    def __init__(self, variables: Mapping[str, object]) -> None:
        self._variables = variables
        self._steps = self._characters = 0
        self._brought: int | None = None

    def step(self, count: int) -> None:
        """Count operations in turns of a loop."""
        self._steps += count
        if self._steps > STEPS:
            raise TooMuchWork(
                f"its loops take more than {STEPS:,} steps (turns times the operations in a turn); have it loop over less"
            )

    def spend(self, characters: int) -> None:
        """Count characters that are read or made."""
        self._characters += characters
        if self._characters > CHARACTERS and self._characters > CHARACTERS + SHARE * self._all():
            raise TooMuchWork(
                f"its expressions work on more than {CHARACTERS:,} characters (and {SHARE} times those of its variables); "
                "have it make shorter texts, and not in every turn of a loop"
            )

    def read(self, *values: object) -> None:
        """Count all of some values, as deep as they go."""
        for value in values:
            if type(value) is str:
                self.spend(len(value))
            elif type(value) not in _FLAT:
                self._walk(value, texts=False)

    def show(self, *values: object) -> None:
        """Count values that are about to become texts."""
        for value in values:
            if type(value) is str:
                self.spend(len(value))
            elif type(value) not in _FLAT:
                self._walk(value, texts=True)

    def output(self, pieces: Iterable[str]) -> None:
        """Count the pieces of the rendered text, before they are put together."""
        length = sum(map(len, pieces))
        if length > OUTPUT and length > OUTPUT + SHARE * self._all():
            raise TooMuchWork(
                f"its text would have {length:,} characters; it may have {OUTPUT:,} (and {SHARE} times those of its variables)"
            )

    def _walk(self, value: object, *, texts: bool) -> None:
        """Count what is in a value. What stands in it twice counts twice, since it would be written out twice."""
        for part in _parts(value):
            self.spend(PART + _length(part, texts=texts))

    def _all(self) -> int:
        """The characters of the variables, counted where it matters how many they are."""
        if self._brought is None:
            values = tuple(self._variables.values())
            self._brought = sum(PART + _length(part, texts=True) for part in _parts(values))
        return self._brought


def size(value: object) -> int:
    """How many things are in a value, each of which is a turn of a loop over it."""
    return len(value) if isinstance(value, Sized) and not isinstance(value, Undefined) else 1


def check_number(value: object) -> None:
    """Raises TooMuchWork for a whole number of more than `BITS` bits."""
    if isinstance(value, int) and value.bit_length() > BITS:
        raise TooMuchWork(
            f"a whole number in it has more than {BITS} bits; no prompt needs so large a number"
        )


def _length(part: object, *, texts: bool) -> int:
    """The characters of a part of a value, without those of the parts in it."""
    if isinstance(part, str):
        return len(part)
    if isinstance(part, range):
        return len(part)
    if not texts or type(part) in _FLAT or isinstance(part, _CONTAINERS):
        return 0
    return len(str(part))


def _parts(value: object) -> Iterator[object]:
    """A value and all that is in it, in depth and without recursion."""
    left: deque[Iterator[object]] = deque([iter((value,))])
    while left:
        part = next(left[-1], left)
        if part is left:
            left.pop()
            continue
        yield part
        if isinstance(part, Mapping):
            left.append(chain.from_iterable(part.items()))
        elif isinstance(part, _CONTAINERS):
            left.append(iter(part))
