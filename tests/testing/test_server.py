"""The fault server: replies as scripted, latency, its ledger, and how it starts and stops."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from served import ask, body, client, tell, until

from agentdebate.errors import RequestRefused, UsageError
from agentdebate.testing.chance import digest
from agentdebate.testing.server import FaultServer


async def test_replies_come_in_the_order_of_the_list_and_then_end() -> None:
    raw = {"choices": [{"message": {"content": "as it is"}, "finish_reason": "stop"}]}
    async with FaultServer(replies=["one", raw, "three"]) as server:
        assert [one.text for one in await tell(server, ask(), ask(), ask())] == ["one", "as it is", "three"]
        with pytest.raises(RequestRefused, match="list of replies has come to its end"):
            await tell(server, ask())


async def test_a_function_makes_replies_of_the_request() -> None:
    def said(request: Mapping[str, Any]) -> str:
        return f"{request['model']} heard {request['messages'][-1]['content']}"

    async with FaultServer(replies=said) as server:
        [found] = await tell(server, ask("a word", n=2))
    assert found.text == "tiny heard a word"
    assert found.others == (found.text,)


def test_a_text_is_no_list_of_replies() -> None:
    with pytest.raises(UsageError, match="lambda"):
        FaultServer(replies="Coherence: 4")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"{", "not JSON"),
        (b"[]", "messages"),
        (json.dumps({"messages": []}).encode(), "messages"),
        (json.dumps({"messages": ["x"]}).encode(), "messages"),
        (json.dumps(body(stream=True)).encode(), "stream"),
        (json.dumps(body(n=0)).encode(), "'n'"),
    ],
)
async def test_a_wrong_request_is_called_wrong(sent: bytes, said: str) -> None:
    async with FaultServer(faults={"500": 1.0}) as server, client() as session:
        async with session.post(f"{server.base_url}/chat/completions", data=sent) as answer:
            assert answer.status == 400
            assert said in (await answer.json())["error"]["message"]
        assert server.answered.total() == 0


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/models", 200),
        ("GET", "/ledger", 200),
        ("GET", "/", 404),
        ("GET", "/v1/chat/completions", 404),
    ],
)
async def test_other_paths(method: str, path: str, status: int) -> None:
    async with FaultServer() as server, client() as session:
        async with session.request(method, server.root + path) as answer:
            assert answer.status == status
            assert await answer.json()
        assert server.requests == 0


async def test_the_ledger_says_what_was_seen_and_given() -> None:
    async with FaultServer(faults=["500"], latency=0.05) as server, client() as session:
        address = f"{server.base_url}/chat/completions"

        async def post(text: str) -> None:
            async with session.post(address, json=body(text)) as answer:
                await answer.read()

        await asyncio.gather(*map(post, "abc"))
        await post("a")
        async with session.get(f"{server.root}/ledger") as answer:
            told = await answer.json()
    assert told.pop("prompt_tokens") == 1
    assert told.pop("completion_tokens") > 1
    assert told == {
        "requests": 4,
        "answered": {digest(body("a")): 1},
        "faults": {"500": 3},
        "in_flight": 0,
        "most_in_flight": 3,
    }


async def test_a_client_that_leaves_is_not_counted_as_answered() -> None:
    async with FaultServer(latency=30) as server:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await tell(server, ask())
        await until(lambda: not server.in_flight)
        assert (server.requests, server.answered.total()) == (1, 0)


async def test_a_server_closes_in_the_middle_of_answers() -> None:
    server = FaultServer(faults={"hang": 1.0})
    slow = FaultServer(latency=600)
    async with client() as session:
        async with asyncio.timeout(None) as leaving, server, slow:
            calls = [
                asyncio.create_task(_post(session, one.base_url)) for one in (server, slow) for _ in range(3)
            ]
            await until(lambda: server.in_flight + slow.in_flight == 6)
            leaving.reschedule(asyncio.get_running_loop().time() + 60)  # a tenth of what the slow one takes
        ended = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(one, Exception) for one in ended)
    assert (server.in_flight, slow.in_flight) == (0, 0)
    assert server.answered.total() == 0


async def test_a_port_that_is_taken_is_an_error_and_leaves_nothing_open() -> None:
    async with FaultServer() as first:
        port = int(first.root.rpartition(":")[2])
        with pytest.raises(OSError, match="address already in use"):
            await FaultServer(port=port).start()


async def _post(session: Any, base_url: str) -> int:
    async with session.post(f"{base_url}/chat/completions", json=body()) as answer:
        await answer.read()
        return int(answer.status)
