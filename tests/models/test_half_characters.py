r"""Replies with half a character, \ud83d alone: read in every dialect, kept, and sent on as a replacement character."""

import json

import httpx
import pytest
from dialect_doubles import candidate, claude, gemini, generated, message
from endpoint_double import Endpoint, ask, reply
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic_core import from_json

from agentdebate.errors import MalformedReply, ModelError
from agentdebate.models.base import Model
from agentdebate.models.dialects.half_characters import loaded, read_shape
from agentdebate.models.dialects.wire import ChatReply

HALF = "Fine \ud83d here, and \udc00 too: \\ud83d, \U0001f600."


def _chat(body: bytes) -> Model:
    return Endpoint(httpx.Response(200, content=body)).model()


def _claude(body: bytes) -> Model:
    return claude(Endpoint(httpx.Response(200, content=body)))


def _gemini(body: bytes) -> Model:
    return gemini(Endpoint(httpx.Response(200, content=body)))


DIALECTS = [
    pytest.param(_chat, reply(HALF), id="chat completions"),
    pytest.param(_claude, message(HALF), id="messages"),
    pytest.param(_gemini, generated(candidate(HALF)), id="generateContent"),
]


@pytest.mark.parametrize(("model", "said"), DIALECTS)
async def test_half_a_character_in_a_reply_is_read(model: object, said: object) -> None:
    opened: Model = model(json.dumps(said).encode())  # type: ignore[operator]
    assert (await opened.complete(ask())).text == HALF


@pytest.mark.parametrize(("model", "said"), DIALECTS)
@pytest.mark.parametrize(
    "wrong",
    [
        (b"here", b"\x01"),  # a control character
        (b"here", b"\xff"),  # which is not UTF-8
        (b"here", b"\\x"),  # which is not an escape
        (b"Fine", b'"'),
        (b'{"', b'{"deep":' + b"[" * 300 + b"]" * 300 + b',"'),
    ],
)
async def test_what_else_is_wrong_with_such_a_reply_is_still_refused(
    model: object, said: object, wrong: tuple[bytes, bytes]
) -> None:
    body = json.dumps(said).encode().replace(*wrong, 1)
    opened: Model = model(body)  # type: ignore[operator]
    with pytest.raises(MalformedReply):
        await opened.complete(ask())


async def test_half_a_character_in_an_error_hides_nothing_of_it() -> None:
    body = rb'{"error": {"message": "no \ud83d model", "type": "x"}}'
    model = Endpoint(httpx.Response(404, content=body)).model()
    with pytest.raises(ModelError, match="HTTP 404: no model"):
        await model.complete(ask())


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(st.characters()), st.lists))
def test_json_is_read_as_python_reads_it(data: object) -> None:
    body = json.dumps([data, "\ud83d"]).encode()
    assert loaded(body) == json.loads(body)


@given(st.binary(max_size=12))
def test_beside_half_a_character_what_was_refused_is_refused(noise: bytes) -> None:
    """Whatever stands beside it: it is refused where it would be with a whole character."""
    half, whole = b'["\\ud83d"%b]' % noise, b'["\\ufffd"%b]' % noise
    try:
        from_json(whole)
    except ValueError:
        with pytest.raises(ValueError, match=r"line \d"):
            loaded(half)
    else:
        loaded(half)


def test_a_reply_of_another_shape_is_refused_in_the_same_words() -> None:
    for text in ("\\ud83d", "x"):
        with pytest.raises(ValidationError, match="choices"):
            read_shape(ChatReply, b'{"id": "%b", "choices": 3}' % text.encode())


PAGE = b"\n<!DOCTYPE html><html><body>Login</body></html>"


@pytest.mark.parametrize("model", [_chat, _claude, _gemini])
async def test_a_page_in_place_of_a_reply_hints_at_the_address(model: object) -> None:
    opened: Model = model(PAGE)  # type: ignore[operator]
    with pytest.raises(
        MalformedReply, match=r"Login.*\(check the address in base_url: the server is 127\.0\.0\.1"
    ):
        await opened.complete(ask())


@pytest.mark.parametrize("model", [_chat, _claude, _gemini])
async def test_a_reply_that_broke_off_does_not_hint_at_the_address(model: object) -> None:
    opened: Model = model(b'{"choices": [{')  # type: ignore[operator]
    with pytest.raises(MalformedReply) as caught:
        await opened.complete(ask())
    assert "base_url" not in str(caught.value)
