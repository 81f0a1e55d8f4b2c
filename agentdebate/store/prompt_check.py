"""Prompts of calls that go on from an earlier one, held against the digests of their requests: what is put together was sent.

A digest is made of more than a store has: of the schema that a reply is held to, and of the system message, which is the brief,
and in a chat the brief with a word behind it. So a prompt is said to be another one only where neither can be the reason: the
request had no schema, and the call that it goes on from agrees with its digest. The same agent made that in the same process.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

import sqlalchemy as sa
from pydantic import ValidationError

from agentdebate.models.base import ChatMessage, ModelRequest, RequestKeys, Sampling
from agentdebate.store.damage import UNREADABLE, Damage
from agentdebate.store.database import Database, Unread
from agentdebate.store.later_lists import own_pieces
from agentdebate.store.reader import Reader, StoredCall
from agentdebate.store.schema import CALLS, RUNS, TALKS

_Messages = tuple[ChatMessage, ...]


class PromptCheck:
    """Reads all calls of a run, and holds their prompts against the digests of their requests."""

    def __init__(self, reader: Reader, database: Database, run: str) -> None:
        self._reader, self._database, self._run = reader, database, run
        self._keys = RequestKeys()

    def __repr__(self) -> str:
        return f"<PromptCheck of {self._run!r}>"

    def problems(self) -> Iterator[str]:
        """The calls whose prompts are not what was sent. Calls that cannot be read are noted by the reader."""
        for debate, calls in groupby(self._reader.asked(self._run), key=itemgetter(0)):
            for number in self._others(debate, (call for _, call in calls)):
                problem = "what its row lists is not what was sent: the digest of its request is another one"
                yield str(Damage(self._run, f"call {number} of the debate {debate!r}", problem))

    def _others(self, debate: str, calls: Iterable[StoredCall]) -> Iterator[int]:
        """The numbers of a debate's calls whose prompts are other ones than were sent."""
        begins = self._beginnings(debate)
        looked_at = {*begins, *begins.values()}
        systems = self._systems(debate) if begins else []
        agreeing: set[int] = set()
        for call in calls:
            if call.number not in looked_at or call.schema:
                continue
            agrees = self._agrees(call, systems)
            if agrees:
                agreeing.add(call.number)
            elif agrees is False and begins.get(call.number) in agreeing:
                yield call.number

    def _beginnings(self, debate: str) -> Mapping[int, int]:
        """By the number of a call, that of the call that its prompt goes on from."""
        query = sa.select(CALLS.c.number, CALLS.c.prompt).join(TALKS, TALKS.c.number == CALLS.c.talk)
        query = query.join(RUNS, RUNS.c.number == TALKS.c.run).where(
            RUNS.c.id == self._run, TALKS.c.debate == debate, CALLS.c.prompt.startswith("{")
        )
        found: dict[int, int] = {}
        for row in self._database.stream(query.order_by(CALLS.c.number), (CALLS.c.number,)):
            if not isinstance(row, Unread) and (earlier := _earlier(row["prompt"])) is not None:
                found[row["number"]] = earlier
        return found

    def _systems(self, debate: str) -> list[_Messages]:
        """What the prompts of a debate may begin with: one of its briefs, or nothing."""
        briefs = self._reader.briefs(self._run, [debate]).get(debate, ())
        texts = dict.fromkeys(brief.text for brief in briefs)
        return [*((ChatMessage("system", text),) for text in texts), ()]

    def _agrees(self, call: StoredCall, systems: Iterable[_Messages]) -> bool | None:
        """Whether a call's prompt is the one that its digest was made of; None where that cannot be told."""
        try:
            prompt = tuple([ChatMessage(**one) for one in call.prompt])  # type: ignore[arg-type]  # as they were stored
            sampling = Sampling(**call.sampling)
        except ValidationError:
            return None
        requests = (ModelRequest((*first, *prompt), sampling, sample=call.sample) for first in systems)
        return any(self._keys.of(request) == call.key for request in requests)


def _earlier(prompt: object) -> int | None:
    """The call that a prompt goes on from; None for one that cannot be read, which the reader of calls tells."""
    try:
        beginning = own_pieces(prompt).beginning
    except UNREADABLE:
        return None
    return None if beginning is None else beginning.call
