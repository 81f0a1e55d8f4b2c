"""A store with a few runs, and a browser without scripts that looks at it."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from agentdebate.errors import ContentFiltered
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.tasks import Item
from agentdebate.viewer.app import app
from agentdebate.viewer.guard import App
from agentdebate.viewer.shelf import Shelf

SOURCE = "The ferry runs every twenty minutes, and the bridge stays closed until the end of May this year."
STORE = "runs.db"
TOKEN = "a-token-of-enough-letters"

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # starlette asks for a successor of httpx, which nothing else here uses
    from starlette.testclient import TestClient

Client = TestClient


@contextmanager
def looking(
    store: str | Path = STORE, *, host: str = "127.0.0.1", token: str | None = TOKEN
) -> Iterator[Client]:
    """A client of the viewer of a store, which shows this token."""
    with closing(Shelf(store)) as shelf, asking(app(shelf, host=host, token=TOKEN), token=token) as client:
        yield client


def asking(pages: App, *, token: str | None = TOKEN) -> Client:
    """A client of pages, which shows this token."""
    shown = {} if token is None else {"authorization": f"Bearer {token}"}
    return TestClient(pages, base_url="http://127.0.0.1", follow_redirects=False, headers=shown)


def item(name: str, **more: object) -> Item:
    """An item with people's scores."""
    told = {
        "fields": {"source": SOURCE, "summary": f"The bridge stays closed, says {name}."},
        "human": {"coherence": 2.0},
    }
    return Item.model_validate({"task": "summarization", "id": name, **told, **more})


def scoring(scores: dict[str, int]) -> Function:
    """A judge that gives each item its score, quotes the source, and fails on those that have none."""

    def answer(request: ModelRequest) -> Completion:
        context = request.context
        assert context is not None
        if context.item.id not in scores:
            raise ContentFiltered("the endpoint filtered the reply")
        said = (
            f"It says “the bridge stays closed until the end of May”.\n\nCoherence: {scores[context.item.id]}"
        )
        return Completion(text=said, model="m-1")

    return Function("scorer-model", answer)


def replies(*texts: str) -> Function:
    """A judge that gives these replies in turn."""
    left = iter(texts)
    return Function("scripted", lambda _: next(left))


async def hold(scores: dict[str, int], *items: Item, strategy: str = "solo", store: str = STORE) -> str:
    """Hold a run; its name."""
    held = evaluate(items, strategy, model=scoring(scores), aspects="coherence", store=store, concurrency=1)
    async with held as run:
        async for _ in run:
            pass
    assert run.id is not None
    return run.id


Get = Callable[..., str]
"""Gets the text of a page that is there."""
