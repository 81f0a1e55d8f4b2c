"""Some of the entries of a sequence, in an order of their own, without a copy of them."""

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Picked(Sequence[T], Generic[T]):
    """The entries at these places of a sequence."""

    __slots__ = ("entries", "places")

    def __init__(self, entries: Sequence[T], places: Sequence[int]) -> None:
        self.entries = entries
        self.places = places

    def __repr__(self) -> str:
        return f"<{len(self.places)} of {self.entries!r}>"

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[T]:
        entries = self.entries
        return (entries[place] for place in self.places)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> "Picked[T]": ...
    def __getitem__(self, place: int | slice) -> "T | Picked[T]":
        if isinstance(place, slice):
            return Picked(self.entries, self.places[place])
        return self.entries[self.places[place]]


def picked(entries: Sequence[T], places: Sequence[int]) -> Sequence[T]:
    """The entries at these places, in their order, which are places of `entries` that rise; itself where these are all."""
    return entries if len(places) == len(entries) else Picked(entries, places)
