"""A browser without a screen: it opens `agentdebate view`, keeps its cookie, sends its forms, and reads pages as a reader does."""

import http.client
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urlsplit

import pytest

Attributes = list[tuple[str, str | None]]


@dataclass(frozen=True)
class Response:
    """What a page's address answered."""

    status: int
    headers: http.client.HTTPMessage
    body: str


@dataclass
class Viewer:
    """A viewer in a process of its own, and the cookies that it gave."""

    address: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, *, method: str = "GET", body: str | None = None, **headers: str) -> Response:
        """Ask for a page as a browser that has been given the address would."""
        given = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} | headers
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=30)
        connection.request(method, path, body, headers=given)
        response = connection.getresponse()
        found = Response(response.status, response.headers, response.read().decode())
        connection.close()
        return found

    def enter(self) -> None:
        """Open the printed address, and keep its cookie."""
        asked = urlsplit(self.address)
        response = self.get(f"{asked.path or '/'}?{asked.query}")
        for said in response.headers.get_all("set-cookie") or []:
            name, _, value = said.partition(";")[0].partition("=")
            self.cookies[name] = value

    def send(self, path: str, form: Mapping[str, str]) -> Response:
        """Send a form of a page of its own."""
        origin = "http://" + urlsplit(self.address).netloc
        kind = "application/x-www-form-urlencoded"
        return self.get(path, method="POST", body=urlencode(form), Origin=origin, **{"Content-Type": kind})


@contextmanager
def viewing(store: str, *more: str) -> Iterator[Viewer]:
    """Start `agentdebate view` on a free port, and read the address that it prints."""
    command = [sys.executable, "-m", "agentdebate", "view", *more, "--store", store, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                found = re.search(r"http://\S+", line)
                if found:
                    yield Viewer(found.group().rstrip(".,;"))
                    break
            else:
                pytest.fail(said)
        finally:
            process.terminate()
            process.wait(60)


BLOCKS = frozenset(
    {
        "article", "aside", "blockquote", "br", "caption", "dd", "details", "div", "dl", "dt", "fieldset", "figure", "footer", "form", "header",
        "legend", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "svg", "table", "tbody", "tfoot", "thead", "title", "tr", "ul",
    }
)  # fmt: skip
"""Elements that stand on lines of their own."""
CHANGES = frozenset({"ins", "del", "mark"})
"""Elements that are drawn as something new, gone, or pointed at."""
UNREAD = frozenset({"script", "style", "template", "noscript"})


class _Reader(HTMLParser):
    """Writes a page down as text: headings with #, links as [text](address), cells with | between them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[str] = []
        self._addresses: list[str] = []
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        given = {name: value or "" for name, value in attrs}
        self._unread += tag in UNREAD
        if re.fullmatch("h[1-6]", tag):
            self.said.append("\n" + "#" * int(tag[1]) + " ")
        elif tag in BLOCKS:
            self.said.append("\n")
        elif tag in ("td", "th"):
            self.said.append(" | ")
        elif tag in CHANGES:
            self.said.append(f"{{{tag}: ")
        elif tag == "a":
            self._addresses.append(given.get("href", ""))
            self.said.append("[")
        elif tag in ("input", "select", "textarea", "button") and given.get("type") != "hidden":
            named = given.get("name") or given.get("type", "")
            self.said.append(
                f" <{tag} {named} {given['value']}> " if given.get("value") else f" <{tag} {named}> "
            )

    def handle_endtag(self, tag: str) -> None:
        self._unread -= tag in UNREAD
        if tag == "a" and self._addresses:
            self.said.append(f"]({self._addresses.pop()})")
        elif tag in CHANGES:
            self.said.append("}")
        elif tag in BLOCKS or re.fullmatch("h[1-6]", tag):
            self.said.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.said.append(data)


def read(page: str) -> str:
    """Give a page's text with its headings, links, tables and fields, a line for each block."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.said).split("\n"))
    return "\n".join(line for line in lines if line.strip("| "))


def hidden(page: str) -> dict[str, str]:
    """Give the hidden fields of a page's forms, which go back with them."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
    return dict(found)
