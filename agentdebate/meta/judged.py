"""What people and a judge say of the same texts, side by side: what every statistic of agreement is computed from."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from math import nan
from operator import eq
from typing import overload

from agentdebate.tasks import Scale


@dataclass(frozen=True, slots=True)
class Judged:
    """One aspect of one text: people's score and the judge's, None where there is none."""

    id: str
    source: str
    """What the text was made from, and shares with others: the article, the dialogue, the question."""
    system: str
    """What made the text; empty where that is not known."""
    human: float | None
    score: float | None
    replies: int = 0
    """Replies that the score is from, where replies were read; or recorded samples, where a list of them was."""
    unread: int = 0
    """Those of them in which no score was found."""
    text: int = 0
    """The number of the text, where it has a row for every person; 0 where it has this row alone."""


class Scores(Sequence[float | None]):
    """Numbers, 8 bytes each, and which of them are missing."""

    __slots__ = ("known", "numbers")

    def __init__(self, scores: Iterable[float | None] = ()) -> None:
        self.numbers, self.known = array("d"), bytearray()
        for one in scores:
            self.known.append(one is not None)
            self.numbers.append(nan if one is None else one)

    def __repr__(self) -> str:
        return f"<Scores: {sum(self.known)} of {len(self.known)}>"

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[float | None]:
        if all(self.known):
            return iter(self.numbers)
        return (one if known else None for one, known in zip(self.numbers, self.known, strict=True))

    @overload
    def __getitem__(self, place: int) -> float | None: ...
    @overload
    def __getitem__(self, place: slice) -> "Scores": ...
    def __getitem__(self, place: int | slice) -> "float | Scores | None":
        if isinstance(place, slice):
            return Scores(self[one] for one in range(*place.indices(len(self))))
        return self.numbers[place] if self.known[place] else None


@dataclass(frozen=True)
class RowNames:
    """What rows are called, what they share, and what made their texts; the columns of `Judged` of these names."""

    ids: Sequence[str] = field(repr=False)
    sources: Sequence[str] = field(repr=False)
    systems: Sequence[str] = field(repr=False)

    @cached_property
    def source_numbers(self) -> "array[int]":
        """The number of each row's source, in the order of their names. A row whose source is not known is one of its own."""
        own = sorted({name for name, source in zip(self.ids, self.sources, strict=True) if not source})
        alone = {name: number for number, name in enumerate(own)}
        shared = {name: number for number, name in enumerate(sorted({*self.sources} - {""}), len(own))}
        rows = zip(self.ids, self.sources, strict=True)
        return array("q", (shared[source] if source else alone[name] for name, source in rows))

    @cached_property
    def id_numbers(self) -> "array[int]":
        """The number of each row's id, in their order."""
        return _numbers(self.ids)

    @cached_property
    def system_numbers(self) -> "array[int]":
        """The number of each row's system, in the order of their names."""
        return _numbers(self.systems)


def _numbers(names: Sequence[str]) -> "array[int]":
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    return array("q", (numbers[name] for name in names))


class JudgedRows(Sequence[Judged]):
    """Rows as columns: as a tuple of Judged, at a tenth of what these take up."""

    def __init__(
        self,
        names: RowNames,
        human: Scores,
        score: Scores,
        *,
        replies: Sequence[int] = (),
        unread: Sequence[int] = (),
        text: Sequence[int] = (),
    ) -> None:
        self.names, self.human, self.score = names, human, score
        self.replies, self.unread, self.text = (_counts(one, len(human)) for one in (replies, unread, text))

    @classmethod
    def of(cls, rows: Iterable[Judged]) -> "JudgedRows":
        """The rows as columns; as they are where they are that already."""
        if isinstance(rows, JudgedRows):
            return rows
        kept = rows if isinstance(rows, Sequence) else tuple(rows)
        names = RowNames([row.id for row in kept], [row.source for row in kept], [row.system for row in kept])
        return cls(
            names,
            Scores(row.human for row in kept),
            Scores(row.score for row in kept),
            replies=[row.replies for row in kept],
            unread=[row.unread for row in kept],
            text=[row.text for row in kept],
        )

    def take(self, places: Sequence[int]) -> "JudgedRows":
        """The rows at these places."""
        names = (self.names.ids, self.names.sources, self.names.systems)
        return JudgedRows(
            RowNames(*([column[place] for place in places] for column in names)),
            Scores(self.human[place] for place in places),
            Scores(self.score[place] for place in places),
            replies=[self.replies[place] for place in places],
            unread=[self.unread[place] for place in places],
            text=[self.text[place] for place in places],
        )

    def with_scores(self, score: Scores) -> "JudgedRows":
        """The same texts with other scores of the judge's."""
        return JudgedRows(
            self.names, self.human, score, replies=self.replies, unread=self.unread, text=self.text
        )

    def __repr__(self) -> str:
        return f"<JudgedRows: {len(self)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]  # it is equal to a list of the same rows

    def __len__(self) -> int:
        return len(self.human)

    def __iter__(self) -> Iterator[Judged]:
        names = self.names
        scores = self.human, self.score, self.replies, self.unread, self.text
        return map(Judged, names.ids, names.sources, names.systems, *scores)

    @overload
    def __getitem__(self, place: int) -> Judged: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Judged]: ...
    def __getitem__(self, place: int | slice) -> Judged | Sequence[Judged]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        names = self.names
        name = names.ids[place], names.sources[place], names.systems[place]
        return Judged(
            *name,
            self.human[place],
            self.score[place],
            self.replies[place],
            self.unread[place],
            self.text[place],
        )


def _counts(counts: Sequence[int], size: int) -> Sequence[int]:
    """The counts, or as many zeros: which take up nothing."""
    return array("q", counts) if any(counts) else _Zeros(size)


class _Zeros(Sequence[int]):
    """A number of zeros."""

    __slots__ = ("_size",)

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[int]:
        return repeat(0, self._size)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[int]: ...
    def __getitem__(self, place: int | slice) -> int | Sequence[int]:
        found = range(self._size)[place]
        return 0 if isinstance(found, int) else _Zeros(len(found))


@dataclass(frozen=True)
class Judgements:
    """One judge's scores of one aspect."""

    judge: str
    aspect: str
    rows: Sequence[Judged]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Rows that are not among them, and why: reason to count."""
    scale: Scale | None = None
    """The scale of the judge's scores, where it is known."""
    people_scale: Scale | None = None
    """The scale of people's scores, where it is known and may be another one."""
    recorded: bool = False
    """Whether `replies` counts samples that were recorded as scores, and not replies that were read."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """People's choice among the texts of one item and the judge's, as labels; None where there is none."""

    id: str
    source: str
    human: str | None
    choice: str | None
    replies: int = 0
    """Replies that the choice is from, where replies were read; or recorded samples, where a list of them was."""
    unread: int = 0
    """Those of them in which no choice was found."""
    text: int = 0
    """The number of the text, where it has a row for every person; 0 where it has this row alone."""


@dataclass(frozen=True)
class Choices:
    """One judge's choices on one aspect, among the same labels throughout."""

    judge: str
    aspect: str
    labels: tuple[str, ...]
    """Every label that can be chosen, in their order; a tie is a label too."""
    rows: tuple[Chosen, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Rows that are not among them, and why: reason to count."""
    tie: str | None = None
    """The label that says that several texts are equally good; None where there is none."""
    recorded: bool = False
    """Whether `replies` counts samples that were recorded as choices, and not replies that were read."""
