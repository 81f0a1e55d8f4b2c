"""The table of pieces: a text is looked up by its digest and entered where it is new, and read back by its number."""

from collections.abc import Iterable, Sequence

import sqlalchemy as sa

from agentdebate.errors import StoreError
from agentdebate.store.database import Database
from agentdebate.store.pieces import digest
from agentdebate.store.problems import of_one_value
from agentdebate.store.schema import PIECES, RUN_PIECES
from agentdebate.store.sqlite_file import LARGEST
from agentdebate.store.statements import batches, insert_rows, rows_of

KEPT = 8 << 20
"""Characters of pieces that a reader keeps, since many records list the same ones."""


def enter_pieces(connection: sa.Connection, run: int, texts: Iterable[str]) -> dict[str, int]:
    """The number of each text's piece; those that are new are entered, and all are listed as the run's.

    They are entered in the order of their digests, so that two writers of a server never wait for each other in a ring.
    """
    digests = {text: digest(text) for text in texts}
    if not digests:
        return {}
    rows = [
        {"digest": value, "text": text} for text, value in sorted(digests.items(), key=lambda one: one[1])
    ]
    insert_rows(connection, PIECES, rows, again=True)
    found = rows_of(connection, PIECES.c.digest, PIECES.c.number, [row["digest"] for row in rows])
    numbers = {bytes(value): number for value, number in found}
    insert_rows(
        connection,
        RUN_PIECES,
        [{"piece": number, "run": run} for number in sorted(numbers.values())],
        again=True,
    )
    return {text: numbers[value] for text, value in digests.items()}


class PieceShelf:
    """Reads pieces, several at once, and keeps those that were read last."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: dict[int, str | StoreError] = {}
        self._size = 0

    def __repr__(self) -> str:
        return f"<PieceShelf with {len(self._kept)} pieces>"

    def fetch(self, numbers: Iterable[int]) -> None:
        """Read the pieces of these numbers, as far as they are not there already."""
        if self._size > KEPT:
            self._kept, self._size = {}, 0
        wanted = [number for number in dict.fromkeys(numbers) if number not in self._kept]
        for some in batches(wanted):
            for number, value in self._read(some).items():
                self._kept[number] = value
                self._size += len(value) if isinstance(value, str) else 0

    def joined(self, texts: Iterable[Sequence[int | str]]) -> list[str]:
        """Texts from their pieces. Raises ValueError where one of these is not there or not what was entered."""
        texts = list(texts)
        numbers = {part for parts in texts for part in parts if isinstance(part, int)}
        if not self._kept.keys() >= numbers:  # at once, as an earlier call's may be many
            self.fetch(numbers)
        return [self._joined(parts) for parts in texts]

    def _joined(self, parts: Sequence[int | str]) -> str:
        found = [part if isinstance(part, str) else self._piece(part) for part in parts]
        if sum(map(len, found)) > LARGEST:
            raise ValueError(f"its pieces have more than {LARGEST >> 20} million characters together")
        return "".join(found)

    def _piece(self, number: int) -> str:
        if number not in self._kept:
            self.fetch([number])
        value = self._kept.get(number)
        if value is None:
            raise ValueError(f"it lists piece {number}, which is not in the store")
        if isinstance(value, StoreError):
            raise ValueError(f"it lists piece {number}: {value}")  # noqa: TRY004 - what is wrong is the store's content
        return value

    def _read(self, numbers: Sequence[int]) -> dict[int, str | StoreError]:
        query = sa.select(PIECES.c.number, PIECES.c.digest, PIECES.c.text).where(PIECES.c.number.in_(numbers))
        try:
            return {number: _checked(value, text) for number, value, text in self._database.rows(query)}
        except StoreError as error:
            problem = of_one_value(error.__cause__)
            if problem is None:
                raise
            if len(numbers) == 1:
                return {numbers[0]: StoreError(problem)}
        return {number: value for one in numbers for number, value in self._read([one]).items()}


def _checked(value: object, text: object) -> str | StoreError:
    """A piece whose digest is that of its text: a prompt that is shown is the one that was sent."""
    try:
        if isinstance(text, str) and isinstance(value, bytes | memoryview) and digest(text) == bytes(value):
            return text
    except UnicodeEncodeError:
        pass
    return StoreError("its text is not the one that was stored under its digest")
