"""What an endpoint answers in place of a completion, and which error that is."""

import base64
import logging
from email.utils import formatdate
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from endpoint_double import ADDRESS, KEY, Endpoint, ask, failed, refusal
from fault_cases import reply

from agentdebate.errors import (
    AccessDenied,
    AccountSpent,
    AuthenticationError,
    ContextTooLong,
    MalformedReply,
    ModelError,
    ModelTimeout,
    RateLimited,
    RequestRefused,
    ServerFailed,
    UnknownModel,
    UsageError,
)
from agentdebate.models.credentials import Credentials
from agentdebate.models.dialects.problems import retry_after


async def raised(answer: httpx.Response | Exception | dict[str, object], **options: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await Endpoint(answer).model(**options).complete(ask())
    return caught.value


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *((status, RequestRefused) for status in (400, 413, 418, 422)),
        (401, AuthenticationError),
        (402, AccountSpent),
        (403, AccessDenied),
        (404, UnknownModel),
        (408, ModelTimeout),
        (429, RateLimited),
        *((status, ServerFailed) for status in (500, 502, 503, 529)),
        (302, MalformedReply),
    ],
)
@pytest.mark.parametrize("body", ["It went wrong.", b"", b"<html>no</html>", b"\xff\xff"])
async def test_the_status_decides_the_error(status: int, kind: type[ModelError], body: str | bytes) -> None:
    error = await raised(failed(status, body, x_request_id="req-1"))
    assert type(error) is kind
    assert (error.status, error.model, error.request_id) == (status, "openai/tiny", "req-1")
    assert str(error).startswith(f"openai/tiny: HTTP {status}")


@pytest.mark.parametrize(
    "said",
    [
        refusal("Nothing to add.", code="context_length_exceeded"),
        refusal("This model's maximum context length is 2048 tokens. However, you requested 4020 tokens"),
        refusal("Requested tokens (4020) exceed context window of 2048"),
        refusal("the request exceeds the available context size", type="exceed_context_size_error"),
        refusal("prompt is too long: 210000 tokens > 200000 maximum"),
        {"object": "error", "message": "maximum context length is 4096 tokens", "code": 400},
        {"detail": "The prompt exceeds the context length of this model"},
    ],
)
@pytest.mark.parametrize("status", [400, 413])
async def test_a_request_that_does_not_fit_is_context_too_long(said: object, status: int) -> None:
    assert type(await raised(failed(status, said))) is ContextTooLong


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "99999999"}, 86400.0),
        ({"retry-after": "1", "retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "1", "retry-after-ms": "x"}, 1.0),
        ({"retry-after": formatdate(1_000_030, usegmt=True)}, 30.0),
        ({"retry-after": formatdate(999_000, usegmt=True)}, 0.0),
    ],
)
def test_the_wait_is_read_in_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, now=1_000_000.0) == seconds


async def test_an_error_in_a_good_status_counts_by_its_own_code() -> None:
    """Routers do this."""
    assert type(await raised({"error": {"message": "Slow down.", "code": 429}})) is RateLimited
    assert type(await raised({"error": {"message": "Something.", "code": "odd"}})) is MalformedReply


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_variable_that_endpoints_toml_names_and_that_has_no_key_is_an_error_too(
    value: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("MY_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("MY_KEY", value)
    (tmp_path / "agentdebate").mkdir()
    entry = tmp_path / "agentdebate" / "endpoints.toml"
    entry.write_text(f'[[endpoint]]\naddress = "{ADDRESS}"\napi_key_env = "MY_KEY"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="MY_KEY, which is named for its key, is not set"):
        Endpoint().model()
    assert Endpoint().model(headers={"Authorization": "Basic abc"}), "who is asking is said in another way"
    entry.write_text(f'[[endpoint]]\naddress = "{ADDRESS}"\n', encoding="utf-8")
    assert Endpoint().model(), "a server without a key"


@pytest.mark.parametrize(
    "answer",
    [
        failed(401, f"Incorrect API key provided: {KEY}. Get one."),
        failed(400, f"{KEY} is not for you"),
        failed(500, f"<html>{KEY}".encode()),
        failed(302, KEY.encode(), location=f"/{KEY}", x_request_id=KEY),
        httpx.Response(200, content=f"<html>{KEY}".encode()),
        httpx.Response(200, json={"choices": [{"message": {"content": 3}, "x": KEY}]}),
        httpx.ConnectError(f"bad header Bearer {KEY}"),
        httpx.Response(
            200, json=reply(f"Your key is {KEY}", id=KEY, model=KEY), headers={"x-request-id": KEY}
        ),
    ],
)
async def test_the_key_is_nowhere(
    answer: httpx.Response | Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not in an error, a completion, a repr or a log, even if the endpoint sends it back."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = Endpoint(answer).model(api_key_env="OPENAI_API_KEY")
    try:
        shown = repr(await model.complete(ask(temperature=0)))
    except ModelError as error:
        shown = f"{error} {error!r} {vars(error)}"
    assert KEY not in shown
    assert KEY not in caplog.text
    held = repr(model) + repr(vars(model))
    assert KEY not in held


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("", "base_url=... has no /v1 at its end; most servers want it"),
        ("/api/", "base_url=... has no /v1 at its end"),
        ("/v1/chat/completions", "base_url=... ends with /chat/completions, which requests add to it"),
        ("/v1/completions/", "base_url=... ends with /completions, which requests add to it"),
    ],
)
@pytest.mark.parametrize("status", [404, 405])
async def test_an_address_that_no_server_has_its_calls_at_is_named_in_the_error(
    address: str, hint: str, status: int
) -> None:
    assert hint in str(await raised(failed(status, "Not Found"), base_url=f"https://host.test{address}"))


@pytest.mark.parametrize("key", [KEY, "k?~>>ey/with+signs=&more!"])
def test_an_encoded_key_is_taken_out_of_texts_and_bodies(key: str) -> None:
    credentials = Credentials(key, "MY_KEY")
    for shown in (key, base64.b64encode(key.encode()).decode(), quote(key, safe="")):
        said = f"got {shown} here"
        assert "[key]" in credentials.hide(said)
        assert shown.rstrip("=") not in credentials.hide(said) + credentials.clean(said.encode()).decode()
