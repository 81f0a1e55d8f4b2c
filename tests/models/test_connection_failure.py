"""Errors of HTTP libraries and of the operating system, in plain words."""

import errno
import ssl

import aiohttp
import httpx
import pytest
from aiohttp.client_reqrep import ConnectionKey
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.models.connection_failure import in_plain_words, plainly

CLOSED = "it closed the connection before its answer was whole"


def connector_error(behind: OSError) -> aiohttp.ClientConnectorError:
    key = ConnectionKey("tiny.test", 443, True, ssl.create_default_context(), None, None, None)
    return aiohttp.ClientConnectorError(key, behind)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, "x"), "connection refused"),
        (connector_error(OSError(errno.EHOSTUNREACH, "x")), "no route to host"),
        (connector_error(OSError("Multiple exceptions: refused, no route")), "Multiple exceptions: refused, no route"),
        (aiohttp.ServerDisconnectedError(), CLOSED),
        (aiohttp.ServerDisconnectedError("<RawResponseMessage(version=1, code=200)>"), CLOSED),
        (aiohttp.ServerDisconnectedError("RawResponseMessage(version=1, code=200)"), CLOSED),
        (httpx.RemoteProtocolError("Server disconnected without sending a response."), CLOSED),
        (httpx.RemoteProtocolError("peer closed connection without sending complete message body (received 5 bytes, expected 9)"), CLOSED),
        (aiohttp.ClientPayloadError("400, message:\n  Invalid character in chunk size:\n\n  b'zz'\n    ^"), "Invalid character in chunk size (zz)"),
        (aiohttp.ClientPayloadError("Response payload is not completed: <PayloadEncodingError: 400, message='odd'>"), "Response payload is not completed: odd"),
        (aiohttp.ClientConnectionError("Connector is closed."), "Connector is closed"),
        (ValueError(), "ValueError"),
    ],
)  # fmt: skip
def test_an_error_is_said_in_plain_words(error: Exception, said: str) -> None:
    assert plainly(error) == said


def test_what_the_system_says_goes_before_what_the_client_makes_of_it() -> None:
    error = httpx.ConnectError("All connection attempts failed")
    error.__cause__ = ConnectionResetError(errno.ECONNRESET, "x")
    assert plainly(error) == "connection reset by peer"


@given(st.binary(max_size=60))
def test_the_bytes_that_a_parser_names_are_shown_as_text(data: bytes) -> None:
    assert in_plain_words(f"Odd:\n\n  {data!r}\n   ^") == named(repr(data)[2:-1])
    assert in_plain_words(f"Odd when reading: {data!r}.") == named(repr(data)[2:-1])
    assert in_plain_words(f"Odd: {bytearray(data)!r}") == named(repr(bytearray(data))[12:-2])


def named(written: str) -> str:
    return " ".join(f"Odd ({written})".split()) if written else "Odd"


@given(st.text())
def test_what_is_said_is_one_line(text: str) -> None:
    assert len(in_plain_words(text).splitlines()) <= 1
