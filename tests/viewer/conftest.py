"""A store with a run, and a client that looks at it."""

from collections.abc import Iterator

import pytest
from viewing import Client, Get, hold, item, looking


@pytest.fixture
async def run() -> str:
    """A run of twelve items, two of which fail; the scores are 1 to 5 in turn."""
    names = [f"a{number:02}" for number in range(12)]
    scores = {name: 1 + number % 5 for number, name in enumerate(names) if number not in (3, 7)}
    return await hold(
        scores,
        *(item(name, group=f"g{number % 2}", system=f"s{number % 3}") for number, name in enumerate(names)),
    )


@pytest.fixture
def client(run: str) -> Iterator[Client]:
    """A client of a store with that run."""
    with looking() as client:
        yield client


@pytest.fixture
def page(client: Client) -> Get:
    """The text of a page that is there."""

    def get(path: str, **query: object) -> str:
        told = {name: str(value) for name, value in query.items()}
        answer = client.get(path, params=told or None)
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    return get
