"""The transcripts of a stored run, each read when it is its turn."""

from collections.abc import Iterator
from itertools import groupby

from agentdebate.store.damage import naming
from agentdebate.store.reader import Reader
from agentdebate.talk.messages import Message
from agentdebate.talk.transcript import Transcript


class Transcripts:
    """What was said in each debate of a run, also in those that have not ended: iterate over it, as often as you like.

    The store is read as it is gone through, and raises StoreError where it cannot be.
    """

    def __init__(self, reader: Reader, run: str) -> None:
        self._reader, self._run = reader, run

    def __repr__(self) -> str:
        return f"<Transcripts of {self._run}>"

    def __iter__(self) -> Iterator[Transcript[Message]]:
        with naming(self._reader.place):
            for debate, messages in groupby(self._reader.said(self._run), lambda one: one[0]):
                yield Transcript((message for _, message in messages), debate=debate)
