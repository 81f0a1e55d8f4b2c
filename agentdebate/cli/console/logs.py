"""Logging on the command line: warnings on standard error and never in floods, and all of it in a file where that is wanted."""

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import structlog
from cyclopts import Parameter

from agentdebate.cli.console.output import as_json, one_line, say
from agentdebate.errors import UsageError
from agentdebate.store.place import DAMAGED, MIGRATED, create_private
from agentdebate.telemetry import AboutFilter

EVERY = 5.0
"""Seconds in which one kind of warning is shown once."""

SHOWN_ELSEWHERE = frozenset({"debate failed", DAMAGED, MIGRATED})
"""Events that the commands themselves tell the user of."""

LEVELS = ("debug", "info", "warning")

_LONGEST_LINE = 1_000_000
"""Bytes of a file's first line that are looked at."""

ABOUT = ("run", "debate", "item", "agent")
"""What a record may say that it is about, on standard error."""


class Thinned:
    """Drops what was said a moment ago, and says how often when it comes up again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[str, float] = {}
        self._dropped: dict[str, int] = {}

    def __call__(
        self, _logger: Any, _method: str, event: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Pass an event on, or drop it."""
        # A kind stands for lines that differ in their numbers.
        name, now = str(event.pop("kind", event.get("event"))), self._clock()
        if name in SHOWN_ELSEWHERE:
            raise structlog.DropEvent
        if now - self._last.get(name, float("-inf")) < EVERY:
            self._dropped[name] = self._dropped.get(name, 0) + 1
            raise structlog.DropEvent
        self._last[name] = now
        dropped = self._dropped.pop(name, 0)
        return {**event, "more_like_it": dropped} if dropped else event


class _Line:
    """A logger that says what it is given, wherever standard error is at that moment."""

    def msg(self, text: str) -> None:
        say(text)

    debug = info = warning = error = critical = exception = msg


class _Handler(logging.Handler):
    """Gives the records of the package to structlog, which has them go the way of all lines."""

    def emit(self, record: logging.LogRecord) -> None:
        about = {name: getattr(record, name) for name in (*ABOUT, "kind") if getattr(record, name, None)}
        structlog.get_logger().log(record.levelno, record.getMessage(), exc_info=record.exc_info, **about)


@Parameter(name="*")
@dataclass(frozen=True)
class LogOptions:
    """Where what goes on is written down."""

    log: Annotated[
        Path | None, Parameter(help="A file that gets every event as a line of JSON, behind what it holds.")
    ] = None
    log_level: Annotated[
        str, Parameter(help="The least of what goes there: debug (every call), info or warning.")
    ] = "info"

    @contextmanager
    def opened(self, *, quiet: bool = False) -> Iterator[None]:
        """Log while the context lasts; standard error gets warnings, unless `quiet`. Raises UsageError."""
        level = logging.getLevelNamesMapping().get(self.log_level.upper())
        if self.log_level not in LEVELS or level is None:
            raise UsageError(f"--log-level is {', '.join(LEVELS)}, not {self.log_level!r}")
        to_stderr(logging.ERROR if quiet else logging.WARNING)
        if self.log is None:
            yield
            return
        ours, handler = logging.getLogger("agentdebate"), _json_file(self.log, level)
        before = ours.level
        ours.addHandler(handler)
        ours.setLevel(min(level, logging.WARNING))
        try:
            yield
        finally:
            ours.setLevel(before)
            ours.removeHandler(handler)
            handler.close()


def _json_file(path: Path, level: int) -> logging.Handler:
    """What adds records to a file, each a line of JSON that says what it is about. Raises UsageError."""
    try:
        _check_log(path)
        create_private(path.resolve())
        handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"--log: {path} cannot be written: {error.strerror}") from error
    handler.setLevel(level)
    handler.addFilter(AboutFilter())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.stdlib.ExtraAdder(),
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.format_exc_info,
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(serializer=as_json),
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
    if head and not _is_event(head):
        raise UsageError(f"--log: {path} holds something else than a log: name another file")


def _is_event(line: bytes) -> bool:
    try:
        row = json.loads(line)
    except ValueError:
        return False
    return isinstance(row, Mapping) and {"event", "level"} <= row.keys()


def to_stderr(least: int = logging.WARNING) -> None:
    """Send log lines of that level and above to standard error, since standard output is for results."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            Thinned(),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S"),
            structlog.processors.format_exc_info,
            _render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=lambda *_: _Line(),
        cache_logger_on_first_use=False,
    )
    ours = logging.getLogger("agentdebate")
    ours.handlers[:] = [_Handler(least)]
    ours.propagate = False


def _render(_logger: Any, _method: str, event: Mapping[str, Any]) -> str:
    """An event as one line: time, level, what happened, and the rest as name=value."""
    known = ("timestamp", "level", "event", "exception")
    rest = [
        f"{one_line(str(name))}={one_line(str(value))}" for name, value in event.items() if name not in known
    ]
    head = f"{event.get('timestamp', '')} {event.get('level', '')}: {one_line(str(event.get('event', '')))}"
    trace = f"\n{event['exception']}" if event.get("exception") else ""
    return " ".join([head.strip(), *rest]) + trace
