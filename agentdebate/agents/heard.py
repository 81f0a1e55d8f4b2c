"""The talk that an agent remembers, as models see it that are no language model."""

from collections.abc import Iterator, Sequence
from typing import overload

from agentdebate.models.base import Heard
from agentdebate.talk.messages import Message, words_of


class HeardTalk(Sequence[Heard]):
    """Talk in structure. It is made when somebody looks at it, which language models never do.

    `known` has what was made of the same messages before, by their numbers.
    """

    __slots__ = ("_known", "_talk")

    def __init__(self, talk: Sequence[Message], known: dict[int, Heard]) -> None:
        self._talk, self._known = talk, known

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # scores are not hashable

    def __len__(self) -> int:
        return len(self._talk)

    def __iter__(self) -> Iterator[Heard]:
        return map(self._heard, self._talk)

    @overload
    def __getitem__(self, place: int) -> Heard: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Heard]: ...
    def __getitem__(self, place: int | slice) -> Heard | Sequence[Heard]:
        if isinstance(place, slice):
            return HeardTalk(self._talk[place], self._known)
        return self._heard(self._talk[place])

    def _heard(self, message: Message) -> Heard:
        known = self._known.get(message.seq)
        if known is None:
            ballot = getattr(message, "ballot", None)
            scores = ballot.scores if ballot else {}
            known = Heard(message.sender, message.kind, words_of(message), scores)
            self._known[message.seq] = known
        return known
