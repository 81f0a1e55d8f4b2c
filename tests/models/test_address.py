"""Addresses in their parts: plain ones are read here, to the same parts as httpx reads."""

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.models.address import Address, read_address

PIECES = (
    "api",
    "example",
    "xn--a",
    "127",
    "0",
    "1",
    "256",
    ".",
    "-",
    "_",
    "/",
    "//",
    "/v1",
    "/..",
    "/.",
    "~",
    "%41",
    "%",
    " ",
    "ü",
)
ADDRESSES = st.builds(
    "{}://{}{}{}".format,
    st.sampled_from(["http", "https", "HTTP", "ftp"]),
    st.sampled_from(
        ["localhost", "127.0.0.1", "256.0.0.1", "01.2.3.4", "[::1]", "Api.Example.org", "a@b", ""]
    )
    | st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.sampled_from(["", ":", ":80", ":443", ":8080", ":0", ":070", ":65536", ":x"]),
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
)
PATHS = st.sampled_from(["/chat/completions", "/models/a:generateContent", "/a b", "/%41"])


def as_httpx_reads(base: str, path: str) -> Address:
    url = httpx.URL(base.strip())
    url = url.copy_with(path=url.path.rstrip("/") + path)
    netloc = url.netloc.decode("ascii")
    return Address(str(url), url.scheme, url.host, url.port, netloc, url.raw_path, url.userinfo)


@given(ADDRESSES, PATHS)
def test_an_address_has_the_parts_that_httpx_finds(base: str, path: str) -> None:
    try:
        read = read_address(base, path)
    except ValueError:
        with pytest.raises((httpx.InvalidURL, ValueError)):
            as_httpx_reads(base, path)
        return
    if read.host:
        assert read == as_httpx_reads(base, path)


@pytest.mark.parametrize(
    ("base", "place"),
    [
        ("http://127.0.0.1:8080/v1", "127.0.0.1:8080"),
        ("https://api.example.org/v1/", "api.example.org:443"),
        (" http://models ", "models:80"),
        ("http://[::1]/v1", "::1:80"),
    ],
)
def test_the_place_is_host_and_port(base: str, place: str) -> None:
    assert read_address(base, "/chat/completions").place == place


def test_an_address_is_split_as_it_stands() -> None:
    read = read_address("https://api.example.org:8443/v1/", "/chat/completions")
    text = "https://api.example.org:8443/v1/chat/completions"
    assert read == Address(
        text, "https", "api.example.org", 8443, "api.example.org:8443", b"/v1/chat/completions"
    )
