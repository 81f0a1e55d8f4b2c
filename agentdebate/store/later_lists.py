"""Lists that go on from those of an earlier call: a row says which call that is, how much it has in common with it, and what comes then."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from agentdebate.store.damage import loaded
from agentdebate.store.encoding import compact_json
from agentdebate.store.pieces import Parts, PieceList, listed, texts_in


class Beginning(NamedTuple):
    """How the list of a call begins."""

    call: int
    """The number of the earlier call of the same debate that it begins as."""
    whole: int
    """How many of that call's messages it has in common with it, from the first on."""
    parts: int = 0
    """How many pieces of the message after these: the first text of its own goes on behind them."""


class LaterPieces(PieceList):
    """The pieces of a prompt that begins as an earlier one: those that come then."""

    __slots__ = ("beginning",)

    def __init__(self, beginning: Beginning, texts: Iterable[Parts]) -> None:
        super().__init__(texts)
        self.beginning = beginning

    def encoded(self, numbers: Mapping[str, int]) -> str:
        """The column, by the numbers of the pieces."""
        return _later_prompt(self.beginning, PieceList(self.texts).encoded(numbers))

    def column(self, digits: Mapping[str, str]) -> str:
        """The same by the numbers in digits."""
        return _later_prompt(self.beginning, PieceList(self.texts).column(digits))


class OwnPieces(NamedTuple):
    """What a row lists of a prompt itself."""

    texts: list[list[int | str]]
    beginning: Beginning | None = None
    """How it begins where an earlier row has that."""

    def encoded(self) -> str:
        """The column."""
        texts = compact_json([one[0] if len(one) == 1 else one for one in self.texts])
        return texts if self.beginning is None else _later_prompt(self.beginning, texts)


class OwnNumbers(NamedTuple):
    """What a row itself says of the messages that were shown."""

    numbers: tuple[int, ...]
    beginning: Beginning | None = None


def _later_prompt(beginning: Beginning, texts: str) -> str:
    call, whole, parts = beginning
    return f'{{"as":{call},"keep":[{whole},{parts}],"then":{texts}}}'


def later_numbers(beginning: Beginning, numbers: Sequence[int]) -> str:
    """The column of the messages that were shown, where it begins as an earlier one."""
    return compact_json({"as": beginning.call, "keep": beginning.whole, "then": numbers})


def own_pieces(text: Any) -> OwnPieces:
    """What a column of pieces lists itself. Raises ValueError and TypeError for anything else."""
    if not _is_later(text):
        return OwnPieces(listed(text))
    match loaded(text):
        case {"as": call, "keep": [whole, parts], "then": texts} if _are_counts(call, whole, parts):
            return OwnPieces(texts_in(texts), Beginning(call, whole, parts))
        case _:
            raise TypeError(_UNKNOWN)


def own_numbers(text: Any) -> OwnNumbers:
    """What a column of messages that were shown says itself. Raises ValueError and TypeError for anything else."""
    said = loaded(text)
    if not isinstance(said, dict):
        return OwnNumbers(_NUMBERS.validate_python(said))
    match said:
        case {"as": call, "keep": whole, "then": numbers} if _are_counts(call, whole):
            return OwnNumbers(_NUMBERS.validate_python(numbers), Beginning(call, whole))
        case _:
            raise TypeError(_UNKNOWN)


_NUMBERS = TypeAdapter(tuple[int, ...])
_UNKNOWN = "it does not say how it begins and goes on"


def _is_later(text: Any) -> bool:
    return isinstance(text, str) and text.startswith("{")


def _are_counts(*values: Any) -> bool:
    return all(isinstance(one, int) and not isinstance(one, bool) and one >= 0 for one in values)
