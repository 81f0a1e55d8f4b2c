"""A model server on loopback that speaks three dialects and answers by the schema of a request: the scripted judge over HTTP.

A score follows from the marker `#N` in the text that is judged and from the score's place in the reply. A request without a schema is
answered "NO ISSUE", which every purpose without a form can use. What each reply costs is declared: 100 tokens and 7.
"""

import json
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

from scripted_judge import Draws, filled

_MARKER = re.compile(r"#(\d+)")


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Fault:
    """An answer that is given in the place of a reply."""

    status: int
    body: Any = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


class ScriptedEndpoint(ThreadingHTTPServer):
    """The server. `received` holds every request, `faults` is used up before anything is answered, `text` replaces every reply,
    and `prompt_tokens` is what every prompt is said to cost.
    Every answer takes `delay` seconds."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[Received] = []
        self.faults: list[Fault] = []
        self.text: str | None = None
        self.prompt_tokens = 100
        self.delay = 0.0
        self.lock = threading.Lock()

    @property
    def root(self) -> str:
        """The address of Anthropic's and Google's dialects."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def base_url(self) -> str:
        """The address of chat completions."""
        return f"{self.root}/v1"

    def answer(self, received: Received) -> Fault:
        """Note a request, and give the next fault or the reply in the request's dialect."""
        with self.lock:
            self.received.append(received)
            if self.faults:
                return self.faults.pop(0)
        time.sleep(self.delay)
        dialect = _dialect(received.path)
        text = self.text if self.text is not None else _reply(received.body, dialect)
        return Fault(200, _BODIES[dialect](text, self.prompt_tokens))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that are gone before their answer, as killed ones are; show other errors."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedEndpoint

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        given = self.server.answer(Received(self.path, dict(self.headers.items()), body))
        content = given.body if isinstance(given.body, bytes) else json.dumps(given.body).encode()
        self.send_response(given.status)
        for name, value in {"content-type": "application/json", **given.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@contextmanager
def scripted_endpoint() -> Iterator[ScriptedEndpoint]:
    """Serve in a thread until the block ends."""
    server = ScriptedEndpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _dialect(path: str) -> str:
    if path.endswith("/messages"):
        return "anthropic"
    return "gemini" if "generateContent" in path else "openai"


def _reply(body: Mapping[str, Any], dialect: str) -> str:
    schema = _SCHEMAS[dialect](body)
    if schema is None:
        return "NO ISSUE"
    markers = _MARKER.findall(json.dumps(body))
    number = int(markers[-1]) if markers else 0
    return json.dumps(filled(schema, Draws(count(number), count())))


def _openai_schema(body: Mapping[str, Any]) -> Any:
    return body.get("response_format", {}).get("json_schema", {}).get("schema")


def _anthropic_schema(body: Mapping[str, Any]) -> Any:
    return body.get("output_config", {}).get("format", {}).get("schema")


def _gemini_schema(body: Mapping[str, Any]) -> Any:
    config = body.get("generationConfig", {})
    return config.get("responseJsonSchema") or config.get("responseSchema")


_SCHEMAS = {"openai": _openai_schema, "anthropic": _anthropic_schema, "gemini": _gemini_schema}


def _openai_body(text: str, prompt: int) -> dict[str, Any]:
    return {
        "id": "made-up",
        "object": "chat.completion",
        "model": "scripted",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": 7, "total_tokens": prompt + 7},
    }


def _anthropic_body(text: str, prompt: int) -> dict[str, Any]:
    return {
        "id": "made-up",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": prompt, "output_tokens": 7},
    }


def _gemini_body(text: str, prompt: int) -> dict[str, Any]:
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": prompt,
            "candidatesTokenCount": 7,
            "totalTokenCount": prompt + 7,
        },
        "modelVersion": "scripted",
    }


_BODIES = {"openai": _openai_body, "anthropic": _anthropic_body, "gemini": _gemini_body}
