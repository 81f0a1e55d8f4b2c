"""Secrets in options, addresses and URLs: used, and neither stored nor shown."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from listener import Listener
from typed import ITEM, typed, write

from agentdebate.models.dialects.options import OpenAIOptions
from agentdebate.models.secrets import HIDDEN, is_secret_name, plain_address, without_keys, without_secrets

Capsys = pytest.CaptureFixture[str]
KEY = "q7Zk2mXp91LtVw83RsYd"
JUDGE = (
    "run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "coherence", "--model", "openai/m",
)  # fmt: skip


OTHERS = ("max_tokens", "maxTokens", "api_key_env", "top_k", "keyboard", "tokenizer", "author", "")


@pytest.mark.parametrize(
    "name",
    [
        *OTHERS, "token", "authorization", "Authorization", "password", "api_key", "apiKey", "x-api-key", "X-API-KEY",
        "APIKEY", "accessToken", "access_token", "clientSecret", "PASSWD", "bearer", "auth", "keys",
        "proxy-authorization", "api_key2", "TOKEN_1", "access_tokens", "refreshTokens", "client_secrets", "mytoken",
        "dbpassword", "DB_PASS",
    ],
)  # fmt: skip
def test_names_of_secrets_are_known_however_they_are_spelled(name: str) -> None:
    assert is_secret_name(name) == (name not in OTHERS)


@given(
    st.recursive(
        st.just(KEY),
        lambda inner: st.dictionaries(st.text(max_size=3), inner, min_size=1) | st.lists(inner, min_size=1),
    )
)
def test_all_that_stands_under_the_name_of_a_secret_goes_at_any_depth(value: object) -> None:
    assert KEY not in json.dumps(without_secrets({"a": [{"apiKey": value}]}))


@pytest.mark.parametrize(
    "text",
    [
        f"Bearer {KEY}",
        "sk-abcdef123456",
        "ghp_abcdefghij1234567890",
        "hf_abcdefghijkl",
        "AKIAABCDEFGHIJKLMNOP",
    ],
)
def test_what_looks_like_a_key_goes_from_any_text(text: str) -> None:
    assert without_secrets({"note": f"it is {text}."})["note"].startswith(f"it is {HIDDEN}")


@pytest.mark.parametrize(
    "address",
    [
        f"https://gateway.test/{KEY}/v1",
        f"https://gateway.test/key/{KEY[:8]}/v1",
        f"https://user:{KEY}@gateway.test/v1",
        f"https://{KEY}@gateway.test/v1",
        f"https://gateway.test/v1?code={KEY}",
        f"https://gateway.test/v1?api-version=1&sig={KEY}#{KEY}",
        f"https://gateway.test/v1/sk-{KEY}",
        f"https://[gateway.test/{KEY}",
    ],
)
def test_an_address_is_shown_without_its_secrets(address: str) -> None:
    assert KEY[:8] not in plain_address(address)
    assert KEY[:8] not in without_keys(f"see {address} there")


def test_a_repr_of_options_shows_neither_address_nor_body() -> None:
    options = OpenAIOptions.read(
        {"base_url": f"http://h/{KEY}", "extra": {"token": KEY}, "headers": {"X": KEY}}
    )
    assert KEY not in repr(options)


EXTRA = (f"token={KEY}", f'inner={{"x-api-key": ["{KEY}"]}}', f"note=Bearer {KEY}")


@pytest.mark.parametrize("extra", EXTRA)
@pytest.mark.parametrize("debug", [(), ("--debug",)])
def test_a_secret_in_extra_is_sent_and_kept_nowhere(
    extra: str, debug: tuple[str, ...], listener: Listener, capsys: Capsys
) -> None:
    write([{"id": "a", **ITEM}])
    came = typed(
        capsys, *JUDGE, "--base-url", listener.address, "--extra", extra, "--log", "log.jsonl", *debug
    )
    said = [
        came.out,
        came.err,
        *(typed(capsys, *words).out for words in (("list", "runs", "--json"), ("show", "last", "--json"))),
    ]
    assert KEY in "".join(listener.requests)
    assert KEY not in "".join(said)
    assert all(KEY.encode() not in path.read_bytes() for path in Path().iterdir() if path.is_file())


@pytest.mark.parametrize("place", [f"{KEY}/v1", f"v1?code={KEY}"])
def test_a_secret_in_the_address_is_kept_nowhere_and_is_given_again_to_go_on(
    place: str, listener: Listener, capsys: Capsys
) -> None:
    write([{"id": "a", **ITEM}])
    address = f"http://{listener.place}/{place}"
    typed(capsys, *JUDGE, "--base-url", address)
    assert all(KEY.encode() not in path.read_bytes() for path in Path().iterdir() if path.is_file())
    refused = typed(capsys, "resume", "--allow-endpoint", listener.place)
    assert refused.code == 2
    assert "begun with a secret" in refused.err
    assert "--base-url" in refused.err
    before = len(listener.requests)
    came = typed(capsys, "resume", "--base-url", address, "--retry-failed")
    assert len(listener.requests) > before
    assert KEY not in came.out + came.err


def test_a_password_in_the_url_of_a_store_is_in_no_error_and_no_traceback(capsys: Capsys) -> None:
    for url in (
        f"nonsense://ann:{KEY}@h/db",
        f"postgresql://ann:{KEY}@127.0.0.1:9/db",
        f"sqlite://ann:{KEY}@h/db",
    ):
        came = typed(capsys, "show", "last", "--store", url, "--debug")
        assert came.code in (1, 2)
        assert KEY not in came.err


def test_a_secret_in_extra_that_is_written_wrongly_is_not_shown(capsys: Capsys) -> None:
    write([{"id": "a", **ITEM}])
    came = typed(capsys, *JUDGE, "--extra", f"token:{KEY}")
    assert came.code == 2
    assert "token" in came.err
    assert KEY not in came.err
