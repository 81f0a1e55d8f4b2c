"""An endpoint for processes that are stopped while they wait for it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Endpoint(ThreadingHTTPServer):
    """An endpoint on this machine that answers so many requests at once, and every other one when it may."""

    def __init__(self, answers: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = iter(range(answers))
        self.waiting, self.may_answer = threading.Event(), threading.Event()
        self.held = list[str]()
        """The paths of those that had to wait."""

    @property
    def words(self) -> tuple[str, ...]:
        """The options that lead to it."""
        return "--model", "openai/slow", "--base-url", f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        if next(self.server.answers, None) is None:
            self.server.held.append(self.path)
            self.server.waiting.set()
            self.server.may_answer.wait(600)
        body = json.dumps({"model": "m", "choices": [{"message": {"content": "Coherence: 4"}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        with suppress(ConnectionError):  # the client may have been killed meanwhile
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: tests are quiet."""


@contextmanager
def endpoint(answers: int = 0) -> Iterator[Endpoint]:
    """An endpoint that serves while the context lasts; those who still wait then are answered."""
    with Endpoint(answers) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.may_answer.set()
            server.shutdown()
            thread.join()
