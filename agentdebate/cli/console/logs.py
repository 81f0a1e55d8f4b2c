"""Logging on the command line: warnings on standard error and never in floods, and all of it in a file where that is wanted."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from agentdebate.cli.console.output import one_line, say
from agentdebate.errors import UsageError
from agentdebate.report.data_lines import as_json
from agentdebate.store.place import DAMAGED, MIGRATED, create_private
from agentdebate.telemetry import AboutFilter

EVERY = 5.0
"""Seconds in which one kind of warning is shown once."""

ABOUT = ("run", "debate", "item", "agent")
"""Names that a line on standard error shows beside the message."""


class WarningLines(logging.Handler):
    """Shows warnings on standard error: one line each, and one of a kind in a while.

    `damaged` says whether a reader of a store met damage: the command's exit code says so too.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.WARNING)
        self.damaged = False
        self._clock, self._last = clock, dict[str, float]()

    def emit(self, record: logging.LogRecord) -> None:
        """Show a record, unless one of its kind was shown a moment ago."""
        kind = str(getattr(record, "kind", record.getMessage()))
        if kind in (DAMAGED, MIGRATED):
            self.damaged = self.damaged or kind == DAMAGED
            say(f"agentdebate: {one_line(record.getMessage())}")
        elif kind != "debate failed" and self._clock() - self._last.get(kind, float("-inf")) >= EVERY:
            self._last[kind] = self._clock()
            self._show(record)

    def _show(self, record: logging.LogRecord) -> None:
        told = {name: getattr(record, name) for name in ABOUT if getattr(record, name, None)}
        when = time.strftime("%H:%M:%S")
        words = [one_line(f"{name}={value}") for name, value in told.items()]
        say(" ".join([f"{when} {record.levelname.lower()}: {one_line(record.getMessage())}", *words]))


@contextmanager
def warnings_shown() -> Iterator[WarningLines]:
    """Show the package's warnings on standard error while the context lasts."""
    lines, ours = WarningLines(), logging.getLogger("agentdebate")
    before = ours.propagate
    ours.addHandler(lines)
    ours.propagate = False
    try:
        yield lines
    finally:
        ours.propagate = before
        ours.removeHandler(lines)


@contextmanager
def logged(path: Path | None) -> Iterator[None]:
    """Write every event into a file, if one is named, while the context lasts. Raises UsageError."""
    if path is None:
        yield
        return
    ours, file = logging.getLogger("agentdebate"), _json_file(path)
    before = ours.level
    ours.addHandler(file)
    ours.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        ours.setLevel(before)
        ours.removeHandler(file)
        file.close()


def _json_file(path: Path) -> logging.Handler:
    """Open a file that gets records as lines of JSON, each with what it is about. Raises UsageError."""
    try:
        if path.is_file():
            with path.open("rb") as stream:
                if stream.read(len(_HEAD)) not in (b"", _HEAD):
                    raise UsageError(f"--log: {path} holds something else than a log: name another file")
        create_private(path.resolve())
        handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"--log: {path} cannot be written: {error.strerror}") from error
    handler.addFilter(AboutFilter())
    handler.setFormatter(JsonLines())
    return handler


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON: its event first, and what it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record."""
        about = {name: value for name, value in vars(record).items() if name not in _USUAL}
        when = datetime.fromtimestamp(record.created, UTC).isoformat()
        told = {"event": record.getMessage(), **about, "level": record.levelname.lower(), "timestamp": when}
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return as_json(told, default=str)


_HEAD = b'{"event": '
"""First bytes of every log."""
_USUAL = {*vars(logging.makeLogRecord({})), "message", "asctime"}
"""Attributes that every record has."""
