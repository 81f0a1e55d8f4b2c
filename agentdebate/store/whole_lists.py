"""The lists of calls put together: what a call was shown and sent, where its row says just what came after an earlier one's."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from agentdebate.store.damage import UNREADABLE, checked_names
from agentdebate.store.later_lists import Beginning, OwnNumbers, own_numbers, own_pieces

Row = Mapping[Any, Any]
Text = tuple[str, list[int | str]]
"""A message of a prompt: its role, and what its text is put together of."""

NEEDED = ("agent", "attempt", "shown", "roles", "prompt")
"""The columns of a call that one which goes on from it needs."""

MOST = 64
"""Calls that one may go on from, one after the other: a writer needs the logarithm of how many there are."""


class _Own(Protocol):
    @property
    def beginning(self) -> Beginning | None: ...


class _OwnPrompt(NamedTuple):
    texts: list[Text]
    beginning: Beginning | None


_List = TypeVar("_List", bound=_Own)


class WholeLists:
    """Puts together the lists of one debate's calls. What cannot be in a row raises what `reading` takes.

    `find` gives the row of an earlier call by its number; None where it is not there or cannot be read.
    """

    def __init__(self, find: Callable[[int], Row | None]) -> None:
        self._find = find

    def __repr__(self) -> str:
        return f"<WholeLists by {self._find!r}>"

    def shown(self, row: Row) -> tuple[int, ...]:
        """The numbers of the messages that a call was shown."""
        whole: tuple[int, ...] = ()
        for own in self._chain(row, _own_shown):
            if own.beginning is not None:
                _check_has(own.beginning.call, "messages shown", len(whole), own.beginning.whole)
                whole = whole[: own.beginning.whole]
            whole = (*whole, *own.numbers)
        return whole

    def prompt(self, row: Row) -> list[Text]:
        """The messages that a call was sent after the brief."""
        whole: list[Text] = []
        for own in self._chain(row, _own_prompt):
            whole = own.texts if own.beginning is None else _joined(whole, own.beginning, own.texts)
        return whole

    def _chain(self, row: Row, read: Callable[[Row], _List]) -> list[_List]:
        """What a row says itself, and before it what the earlier ones say that it goes on from, the first one first."""
        number, found = row["number"], [read(row)]
        while (beginning := found[-1].beginning) is not None:
            if beginning.call >= number:
                raise ValueError(
                    f"it begins as call {beginning.call}, which does not come before call {number}"
                )
            if len(found) > MOST:
                raise ValueError(f"it goes on from more than {MOST} calls, one after the other")
            number = beginning.call
            found.append(self._read(number, row["agent"], read))
        return found[::-1]

    def _read(self, number: int, agent: str, read: Callable[[Row], _List]) -> _List:
        row = self._find(number)
        if row is None:
            raise ValueError(f"it begins as call {number}, which is not there or cannot be read")
        if row["agent"] != agent:
            raise ValueError(f"it begins as call {number}, which another agent made")
        if row["attempt"] != 1:  # a writer goes on from first attempts alone
            raise ValueError(f"it begins as call {number}, which is not a first attempt")
        try:
            return read(row)
        except UNREADABLE as error:
            raise ValueError(f"it begins as call {number}, which is damaged") from error


def with_lists(rows: Iterable[Row]) -> Iterator[tuple[Row, WholeLists]]:
    """Rows of calls, each with what puts its lists together. Those of a debate follow each other, in the order of their numbers.

    What is needed of all earlier calls of the debate is kept: a row may go on from any of them, and says little itself.
    """
    debate: object = None
    seen: dict[int, Row] = {}
    lists = WholeLists(seen.get)
    for row in rows:
        if row["debate"] != debate:
            debate = row["debate"]
            seen.clear()
        seen[row["number"]] = {name: row[name] for name in NEEDED if name in row}
        yield row, lists


def _own_shown(row: Row) -> OwnNumbers:
    return own_numbers(row["shown"])


def _own_prompt(row: Row) -> _OwnPrompt:
    said, own = checked_names(row, "roles")["roles"], own_pieces(row["prompt"])
    roles = said.split(",") if said else []
    if len(roles) != len(own.texts):
        raise ValueError(f"its prompt has {len(own.texts)} messages and {len(roles)} roles")
    return _OwnPrompt(list(zip(roles, own.texts, strict=True)), own.beginning)


def _joined(earlier: list[Text], beginning: Beginning, own: list[Text]) -> list[Text]:
    """A prompt that begins as an earlier one, and goes on with texts of its own."""
    call, whole, parts = beginning
    _check_has(call, "messages", len(earlier), whole)
    if not parts:
        return [*earlier[:whole], *own]
    _check_has(call, "messages", len(earlier), whole + 1)
    _check_has(call, "pieces", len(earlier[whole][1]), parts)
    if not own:
        raise ValueError(f"it breaks off within a message of call {call}")
    (role, text), *rest = own
    return [*earlier[:whole], (role, [*earlier[whole][1][:parts], *text]), *rest]


def _check_has(call: int, what: str, there: int, wanted: int) -> None:
    if wanted > there:
        raise ValueError(f"it begins with {wanted} {what} of call {call}, which has {there}")
