"""Logging on the command line: warnings on standard error and never in floods, and all of it in a file where that is wanted."""

import json
import logging
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from agentdebate.cli.console.output import as_json, one_line, say
from agentdebate.cli.options.common import OUTPUT
from agentdebate.errors import UsageError
from agentdebate.store.place import DAMAGED, MIGRATED, create_private
from agentdebate.telemetry import AboutFilter

EVERY = 5.0
"""Seconds in which one kind of warning is shown once."""

ABOUT = ("run", "debate", "item", "agent")
"""Names that a line on standard error shows beside the message."""

_LONGEST_LINE = 1_000_000
"""Bytes of a file's first line that are looked at."""


class WarningLines(logging.Handler):
    """Shows warnings on standard error: one line each, and one of a kind in a while.

    `damaged` says whether a reader of a store met damage: the command's exit code says so too.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.WARNING)
        self.damaged, self.quiet = False, False
        self._clock, self._last, self._dropped = clock, dict[str, float](), dict[str, int]()

    def emit(self, record: logging.LogRecord) -> None:
        """Show a record, or count it where one of its kind was shown a moment ago."""
        kind = str(getattr(record, "kind", record.getMessage()))
        if kind in (DAMAGED, MIGRATED):
            self.damaged = self.damaged or kind == DAMAGED
            say(f"agentdebate: {one_line(record.getMessage())}")
        elif kind != "debate failed" and not (self.quiet and record.levelno < logging.ERROR):
            self._show(kind, record)

    def _show(self, kind: str, record: logging.LogRecord) -> None:
        now = self._clock()
        if now - self._last.get(kind, float("-inf")) < EVERY:
            self._dropped[kind] = self._dropped.get(kind, 0) + 1
            return
        self._last[kind] = now
        told = {name: getattr(record, name) for name in ABOUT if getattr(record, name, None)}
        if dropped := self._dropped.pop(kind, 0):
            told["more_like_it"] = dropped
        words = [one_line(f"{name}={value}") for name, value in told.items()]
        head = f"{time.strftime('%H:%M:%S')} {record.levelname.lower()}: {one_line(record.getMessage())}"
        trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
        say(" ".join([head, *words]) + (f"\n{trace.rstrip()}" if trace else ""))


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


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True)
class LogOptions:
    """Options of the log file."""

    log: Path | None = None
    """A file that gets every event as a line of JSON, behind what it holds."""
    log_level: Annotated[Literal["debug", "info", "warning"], Parameter(show_choices=False)] = "info"
    """The lowest level that is logged there: debug (every call), info or warning."""

    @contextmanager
    def opened(self, *, quiet: bool = False) -> Iterator[None]:
        """Log while the context lasts; where `quiet`, standard error gets no warnings. Raises UsageError."""
        import structlog

        structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))  # a plugin's own lines
        ours = logging.getLogger("agentdebate")
        for handler in ours.handlers:
            if isinstance(handler, WarningLines):
                handler.quiet = quiet
        if self.log is None:
            yield
            return
        level = logging.getLevelNamesMapping()[self.log_level.upper()]
        before, file = ours.level, _json_file(self.log, level)
        ours.addHandler(file)
        ours.setLevel(min(level, logging.WARNING))
        try:
            yield
        finally:
            ours.setLevel(before)
            ours.removeHandler(file)
            file.close()


def _json_file(path: Path, level: int) -> logging.Handler:
    """Open a file that gets records as lines of JSON, each with what it is about. Raises UsageError."""
    from structlog import processors, stdlib

    try:
        _check_log(path)
        create_private(path.resolve())
        handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"--log: {path} cannot be written: {error.strerror}") from error
    handler.setLevel(level)
    handler.addFilter(AboutFilter())
    handler.setFormatter(
        stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                stdlib.ExtraAdder(),
                processors.add_log_level,
                processors.TimeStamper(fmt="iso", utc=True),
                processors.format_exc_info,
            ],
            processors=[
                stdlib.ProcessorFormatter.remove_processors_meta,
                processors.JSONRenderer(serializer=as_json),
            ],
        )
    )
    return handler


def _check_log(path: Path) -> None:
    """Raise UsageError for a file that holds something else than a log, which lines behind it would spoil."""
    if not path.is_file():
        return
    with path.open("rb") as stream:
        head = stream.readline(_LONGEST_LINE)
    try:
        row = json.loads(head or '{"event": "", "level": ""}')
    except ValueError:
        row = None
    if not (isinstance(row, Mapping) and {"event", "level"} <= row.keys()):
        raise UsageError(f"--log: {path} holds something else than a log: name another file")
