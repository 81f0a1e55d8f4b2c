"""What a hostile folder or store would have things sent to: a listener on loopback that notes whatever comes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = "wJalrXUtnFEMI-of-the-cloud"
OPENAI = "sk-of-openai-0123456789"


class Listener(ThreadingHTTPServer):
    """Notes every request, headers and body, and answers 404."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[str] = []

    @property
    def place(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.server_port}"

    @property
    def address(self) -> str:
        """Up to /v1."""
        return f"http://{self.place}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        """Note it, and answer."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.requests.append(f"{self.path}\n{self.headers}\n{body.decode()}")
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST  # noqa: N815 - the base class looks for this name

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def listening() -> Iterator[Listener]:
    """A listener for as long as the block runs."""
    with Listener() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
