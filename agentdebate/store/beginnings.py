"""What the calls of a debate begin as, while it is held: the lists of a call go on from those of an earlier one of the same agent.

A prompt shows the talk so far. Were every row to list all of it, rows would grow with the square of the rounds. So the nth call
of an agent goes on from its call n & (n - 1), which is n without its lowest bit: every other call goes on from the one before
it, the calls 1, 2, 4, 8, ... list everything, and at most log2(n) others have to be read for one of n. Calls with short prompts
do not count: they list everything, and nothing is remembered of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, count
from operator import ne
from typing import NamedTuple

from agentdebate.models.base import Call
from agentdebate.store.encoding import compact_json
from agentdebate.store.later_lists import Beginning, LaterPieces, later_numbers
from agentdebate.store.pieces import Cutter, Parts, PieceList

LEAST = 24
"""Pieces from which on a prompt is long."""

LEAST_SHOWN = 12
"""From how many messages in common on it takes less room to say so than to list them."""

Said = tuple[str, str]
"""A message of a prompt: its role and its text."""

Text = tuple[str, Parts]
"""The same with the text in pieces."""

Lists = tuple[str, str, PieceList]
"""The columns that say what a call was shown, in which roles it was sent what, and the pieces of that."""


class _Earlier(NamedTuple):
    """A call that a later one may begin as."""

    place: int
    """Which of those of its agent it was, from 1."""
    number: int
    shown: tuple[int, ...]
    prompt: Sequence[Text]


class Beginnings:
    """Of each agent in a debate, the calls that its later ones may begin as.

    `said` has what was said in the debate by the numbers of the messages, and `cutter` cuts prompts along it.
    """

    __slots__ = ("_calls", "_cutter", "_said", "_texts")

    def __init__(self, cutter: Cutter, said: Mapping[int, str]) -> None:
        self._cutter, self._said = cutter, said
        self._calls: dict[str, list[_Earlier]] = {}
        self._texts: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"<Beginnings of {sum(map(len, self._calls.values()))} calls>"

    def lists(self, call: Call, number: int, prompt: Sequence[Said]) -> Lists:
        """What the row of a call says, by the number of that call in the debate. `prompt` is what was sent after the brief."""
        place, before = self._before(call, number)
        begun = _begun(before, prompt) if before else None
        if before is None or begun is None:
            texts = self._cut(prompt, call.shown)
            lists = compact_json(call.shown), _roles(texts), PieceList([text for _, text in texts])
        else:
            texts, lists = self._later(before, *begun, call.shown)
        if call.attempt == 1 and sum([len(text) for _, text in texts]) >= LEAST:
            self._calls.setdefault(call.agent, []).append(_Earlier(place, number, call.shown, texts))
        return lists

    def _later(
        self, before: _Earlier, beginning: Beginning, rest: Sequence[Said], shown: tuple[int, ...]
    ) -> tuple[list[Text], Lists]:
        """The whole prompt of a call that goes on from an earlier one, and what its row says. The rest shows what is new."""
        same = _alike(before.shown, shown)
        own = self._cut(rest, shown[same:])
        pieces = LaterPieces(beginning, [text for _, text in own])
        return self._joined(before.prompt, beginning, own), (_shown(before, same, shown), _roles(own), pieces)

    def _joined(self, earlier: Sequence[Text], beginning: Beginning, own: Sequence[Text]) -> list[Text]:
        """The prompt that begins as an earlier one and goes on so. What a debate's prompts have in common is in memory once."""
        _, whole, parts = beginning
        texts = [*earlier[:whole], *[(role, tuple(map(self._once, text))) for role, text in own]]
        if parts:
            role, text = texts[whole]
            texts[whole] = role, (*earlier[whole][1][:parts], *text)
        return texts

    def _once(self, text: str) -> str:
        return self._texts.setdefault(text, text)

    def _before(self, call: Call, number: int) -> tuple[int, _Earlier | None]:
        """Which of its agent's a call is, and the one that it goes on from. Nothing goes on from a further attempt."""
        calls = self._calls.get(call.agent)
        if not calls:
            return 1, None
        place = calls[-1].place + 1
        while call.attempt == 1 and calls and calls[-1].place > place & (place - 1):
            calls.pop()
        return place, calls[-1] if calls and calls[-1].number < number else None

    def _cut(self, prompt: Iterable[Said], shown: Iterable[int]) -> list[Text]:
        """Messages in pieces, along what was said in those that were shown."""
        said = [*filter(None, map(self._said.get, shown))]
        return [(role, self._cutter.cut(text, said)) for role, text in prompt]


def _begun(before: _Earlier, prompt: Sequence[Said]) -> tuple[Beginning, Sequence[Said]] | None:
    """How a prompt begins that begins as an earlier one, all but how that ends, and what comes then; None for any other."""
    *first, (role, text) = before.prompt
    whole = len(first)
    if len(prompt) <= whole or [(one, "".join(parts)) for one, parts in first] != [*prompt[:whole]]:
        return None
    (now, said), *rest = prompt[whole:]
    head = "".join(text[:-1])
    if not said.startswith(head):
        return None
    if role == now and said[len(head) :] == text[-1]:
        return Beginning(before.number, whole + 1), rest
    return Beginning(before.number, whole, len(text) - 1), [(now, said[len(head) :]), *rest]


def _shown(before: _Earlier, same: int, shown: tuple[int, ...]) -> str:
    if same < LEAST_SHOWN:
        return compact_json(shown)
    return later_numbers(Beginning(before.number, same), shown[same:])


def _roles(prompt: Sequence[Text]) -> str:
    return ",".join([role for role, _ in prompt])


def _alike(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many numbers two have in common, from the first on."""
    if one == other[: len(one)]:  # in a talk that goes on
        return len(one)
    return next(compress(count(), map(ne, one, other)), len(other))
