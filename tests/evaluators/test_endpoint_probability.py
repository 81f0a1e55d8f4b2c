"""The probability of a text by a completions endpoint, against replies given in advance."""

import json
import math
from collections.abc import Callable, Iterable
from typing import Any

import httpx
import pytest

from agentdebate.errors import AuthenticationError, ContextTooLong, DataError, MalformedReply, RequestRefused
from agentdebate.evaluators.base import Evaluator, Pair, Range
from agentdebate.evaluators.endpoint_probability import EndpointProbability, open_endpoint_probability

PAIR = Pair(("Ann: Hi!",), "Bob: Hello")
PROMPT = "Ann: Hi!\n\nBob: Hello"

Entries = Iterable[tuple[str, float | None]]


def reply(entries: Entries, **changes: Any) -> dict[str, Any]:
    """A completions reply whose tokens stand one behind the other."""
    tokens, logprobs = map(list, zip(*entries, strict=True))
    found = {"tokens": tokens, "token_logprobs": logprobs, "text_offset": None, "top_logprobs": None}
    return {"choices": [{"text": "".join(tokens), "logprobs": found, "finish_reason": "length"} | changes]}


def echoed(prompt: str) -> Entries:
    """Tokens of three characters and one that the endpoint added, each less probable than the one before."""
    parts = [prompt[start : start + 3] for start in range(0, len(prompt), 3)]
    return [(part, -number / 10 if number else None) for number, part in enumerate([*parts, " x"])]


class Server:
    """Answers what a function of the prompt says, and keeps the bodies that it was sent."""

    def __init__(self, answer: Callable[[str], Any] = lambda prompt: reply(echoed(prompt))) -> None:
        self.answer = answer
        self.bodies: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.bodies.append(json.loads(request.content))
        found = self.answer(self.bodies[-1]["prompt"])
        return found if isinstance(found, httpx.Response) else httpx.Response(200, json=found)

    def evaluator(self, **options: Any) -> EndpointProbability:
        """An evaluator that talks to this server."""
        options = {"base_url": "http://127.0.0.1:9/v1", "transport": httpx.MockTransport(self)} | options
        return open_endpoint_probability("org/tiny", **options)


def proven(answer: Callable[[str], Any]) -> Callable[[str], Any]:
    """A server whose answer to the first, harmless prompt is in order."""
    return lambda prompt: reply(echoed(prompt)) if prompt.startswith("One, two") else answer(prompt)


async def scores(evaluator: Evaluator, *pairs: Pair) -> list[float]:
    try:
        return await evaluator.score(pairs)
    finally:
        await evaluator.aclose()


async def test_the_score_is_the_mean_over_the_tokens_that_hold_the_text() -> None:
    """Ann|: H|i!\\n|\\nBo|b: |Hel|lo| x: the text begins in the fourth."""
    server = Server()
    assert await scores(server.evaluator(), PAIR) == pytest.approx([-(0.3 + 0.4 + 0.5 + 0.6) / 4])
    assert server.bodies[-1] == {
        "model": "org/tiny", "prompt": PROMPT, "max_tokens": 1, "temperature": 0, "echo": True, "logprobs": 1,
    }  # fmt: skip
    assert {request.url.path for request in server.requests} == {"/v1/completions"}


async def test_a_probability_and_a_template_can_be_asked_for() -> None:
    server = Server()
    evaluator = server.evaluator(output="probability", normalise="sum", template="Say: {hypothesis}")
    assert await scores(evaluator, Pair((), "yes, of")) == pytest.approx([math.exp(-0.1 - 0.2 - 0.3)])
    assert server.bodies[-1]["prompt"] == "Say: yes, of"
    assert evaluator.range == Range(0, 1)


async def test_a_mark_of_beginning_in_the_list_is_passed_over() -> None:
    """Offsets that count it are wrong for the prompt; the tokens' own text tells where they stand."""
    marked = proven(lambda prompt: reply([("<s>", None), *((t, v or -9.0) for t, v in echoed(prompt))]))
    assert await scores(Server(marked).evaluator(), PAIR) == pytest.approx([-0.45])


async def test_figures_of_other_tokens_are_refused() -> None:
    """A list without the added token has the figures of the next token in each place."""
    server = Server(lambda prompt: reply(list(echoed(prompt))[:-1], text=f"{prompt} x"))
    with pytest.raises(RequestRefused, match=r"does not reach the token that it adds.*local language model"):
        await scores(server.evaluator(), PAIR)


@pytest.mark.parametrize(
    "answer",
    [
        lambda prompt: {"choices": [{"text": prompt + " x"}]},
        lambda prompt: {"choices": [{"text": prompt + " x", "logprobs": None}]},
        lambda prompt: reply([(" x", -1.0)]),
        lambda prompt: reply([(prompt[:-1], -1.0)]),
        lambda prompt: {"choices": [{"logprobs": {"tokens": [prompt], "token_logprobs": []}}]},
    ],
)
async def test_no_log_probabilities_of_the_prompt_is_an_error_and_never_a_number(
    answer: Callable[[str], Any],
) -> None:
    for server in (Server(answer), Server(proven(answer))):
        with pytest.raises(RequestRefused, match=r"openai/org/tiny: .*\(echo with logprobs\)"):
            await scores(server.evaluator(), PAIR)


async def test_a_first_token_without_a_figure_is_an_error() -> None:
    with pytest.raises(DataError, match="nothing stands before 'Bob: Hello'"):
        await scores(Server().evaluator(template="{hypothesis}"), Pair((), "Bob: Hello"))


NOTHING = b'{"choices": [{"logprobs": {"tokens": [], "token_logprobs": []}}]}'
NAN = b'{"choices": [{"logprobs": {"tokens": ["a"], "token_logprobs": [NaN]}}]}'


@pytest.mark.parametrize("body", [b"no json", b'{"choices": []}', NOTHING, NAN])
async def test_a_reply_that_is_none_is_malformed(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asyncio.sleep", _at_once)
    server = Server(lambda prompt: httpx.Response(200, content=body))
    with pytest.raises(MalformedReply, match="openai/org/tiny"):
        await scores(server.evaluator(), PAIR)
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (401, "bad key sk-very-secret-0123456789", AuthenticationError),
        (400, "maximum context length is 5 tokens", ContextTooLong),
    ],
)
async def test_what_the_endpoint_refuses_is_a_typed_error_without_the_key(
    status: int, message: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")
    server = Server(lambda prompt: httpx.Response(status, json={"error": {"message": message}}))
    evaluator = server.evaluator(api_key_env="OPENAI_API_KEY")
    with pytest.raises(error) as caught:
        await scores(evaluator, PAIR)
    assert "very-secret" not in f"{caught.value} {evaluator!r} {evaluator.version}"
    assert server.requests[0].headers["authorization"] == "Bearer sk-very-secret-0123456789"


@pytest.mark.parametrize("pair", [Pair((), "text"), Pair(("source",), " ")])
async def test_an_empty_text_is_an_error_before_anything_is_sent(pair: Pair) -> None:
    server = Server()
    with pytest.raises(DataError, match="empty"):
        await scores(server.evaluator(), pair)
    assert server.bodies == []


async def _at_once(seconds: float) -> None:
    """In place of waiting."""
