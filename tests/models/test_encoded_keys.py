"""Keys that an endpoint sends back in another form: in base64, alone or as a user's password, and in percent signs."""

import base64
import json
import logging
from urllib.parse import quote

import httpx
import pytest
from cpu_time import grows_evenly
from dialect_doubles import claude, gemini
from endpoint_double import KEY, Endpoint, ask, failed, refusal

from agentdebate.errors import ModelError
from agentdebate.models.credentials import Credentials

OTHER = "k?~>>ey/with+signs=&more!"
"""A key whose base64 has the signs in which the two alphabets differ."""
SHORTEST = "0?>~/+%8"


def encodings(key: str) -> list[str]:
    """A key as servers may write it, alone and within more."""
    said = [
        f"{before}{key}{after}".encode() for before in ("", "u", "us", "user:") for after in ("", ":", "\nx")
    ]
    coded = [code(one).decode() for one in said for code in (base64.b64encode, base64.urlsafe_b64encode)]
    percent = "".join(f"%{ord(one):02x}" for one in key)
    return [
        *coded,
        *(one.rstrip("=") for one in coded),
        *(quote(one, safe="") for one in coded),
        percent,
        percent.upper(),
    ]


def traces(encoded: str) -> set[str]:
    """Parts of an encoded key that would be enough to know most of it."""
    return {encoded[at : at + 10] for at in range(4, len(encoded) - 14)}


@pytest.mark.parametrize("key", [KEY, OTHER, SHORTEST, "hunter2000"])
def test_an_encoded_key_is_taken_out_of_texts_and_bodies(key: str) -> None:
    credentials = Credentials(key, "MY_KEY")
    for encoded in [*encodings(key), quote(key, safe="")]:
        for text in (f"Basic {encoded} is wrong", f'{{"got":"{encoded}"}}', f"?auth={encoded}&x=1"):
            for shown in (credentials.hide(text), credentials.clean(text.encode()).decode()):
                assert "[key]" in shown, text
                assert not [one for one in traces(encoded) if one in shown], text


@pytest.mark.parametrize("opened", [Endpoint.model, claude, gemini])
@pytest.mark.parametrize("encoded", encodings(KEY)[:4])
async def test_an_encoded_key_is_in_no_error(
    opened: object, encoded: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("MY_KEY", KEY)
    for answer in (
        failed(401, refusal(f"Authorization: Basic {encoded} is not known")),
        failed(500, f"<html>{encoded}".encode(), x_request_id=encoded, request_id=encoded),
        failed(302, b"", location=f"/login?from={encoded}"),
        httpx.Response(200, content=json.dumps({"said": encoded}).encode()),
    ):
        model = opened(Endpoint(answer), api_key_env="MY_KEY")  # type: ignore[operator]
        with pytest.raises(ModelError) as caught:
            await model.complete(ask())
        shown = f"{caught.value} {caught.value!r} {vars(caught.value)}"
        assert encoded not in shown
        assert not [one for one in traces(encoded) if one in shown + caplog.text]


@pytest.mark.parametrize(
    "text",
    [
        "A reply of 100 % plain words.",
        base64.b64encode(b"some other text of ours").decode(),
        "%41%42 and a/b+c=",
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    credentials = Credentials(KEY, "MY_KEY")
    assert credentials.hide(text) == text
    assert credentials.clean(text.encode()) == text.encode()
    assert credentials.clean(b"\xff%\xfe" + text.encode()) == b"\xff%\xfe" + text.encode()


@pytest.mark.parametrize("unit", ["A", "%41", "A=%", "A" * 1000 + " %", KEY[:-1] + "%"])
def test_a_long_body_takes_time_in_proportion(unit: str) -> None:
    credentials = Credentials(KEY, "MY_KEY")

    def clean(size: int) -> bytes:
        return credentials.clean((unit * (size // len(unit))).encode())

    assert grows_evenly(clean, 800_000)
