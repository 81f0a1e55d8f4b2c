"""Ports on which a test's server can start once more."""

import random
import socket
from contextlib import suppress


def free_port() -> int:
    """One below those that connections are given, so that it is still free when the server was stopped and starts again."""
    for port in random.sample(range(20_000, 32_000), 50):
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")
