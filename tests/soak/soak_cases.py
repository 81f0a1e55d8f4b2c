"""What the soak tests share: items, an endpoint that is watched, what a process has open, and what a store holds."""

import asyncio
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

from patience import PATIENCE

from agentdebate.errors import ModelError
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.wrapper import WrapperModel
from agentdebate.store.reader import read_store
from agentdebate.tasks import Item


class Watched(WrapperModel):
    """An endpoint of which is noted which replies came whole, by the server's own ids, and which errors there were."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.came, self.errors = Counter[str](), Counter[str]()

    async def complete(self, request: ModelRequest) -> Completion:
        try:
            completion = await self.model.complete(request)
        except (ModelError, asyncio.CancelledError) as error:
            self.errors[type(error).__name__] += 1
            raise
        assert completion.request_id is not None
        self.came[completion.request_id] += 1
        return completion


def items(count: int) -> list[Item]:
    """So many summaries of one text."""
    return [
        Item(
            task="summarization",
            id=f"s{number}",
            fields={"source": "The bridge closes in March.", "summary": f"A bridge closes; take {number}."},
        )
        for number in range(count)
    ]


def request_ids(store: str | Path) -> Counter[str]:
    """The server's ids of the calls that a store has."""
    found = Counter[str]()
    with read_store(store) as reader:
        for run in reader.runs():
            found.update(str(call.completion.request_id) for call in reader.asked(run.id))
    return found


def by_digest(ids: Counter[str]) -> Counter[str]:
    """The server's ids, req-DIGEST-TRY, by what they are of the digest."""
    found = Counter[str]()
    for name, count in ids.items():
        found[name.split("-")[1]] += count
    return found


def cut_short(answered: Counter[str]) -> Counter[str]:
    """Counts by digest, with as much of each as the server's ids have."""
    found = Counter[str]()
    for digest, count in answered.items():
        found[digest[:16]] += count
    return found


def open_files() -> Counter[str]:
    """Return what this process has open, sockets and pipes too."""
    found = Counter[str]()
    for path in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the one with which the folder is listed
            found[str(path.readlink())] += 1
    return found


def open_threads() -> set[threading.Thread]:
    """The threads of this process, once those that were told to end have done so."""
    for one in threading.enumerate():
        if one.name.startswith("AnyIO"):
            one.join(PATIENCE)
    return set(threading.enumerate())
