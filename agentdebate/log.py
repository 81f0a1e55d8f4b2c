"""The package's loggers: structlog's, around those of Python's logging, and set up for this package alone.

A library leaves the configuration of logging and of structlog to the program that it is part of. So each logger brings
processors of its own (`structlog.wrap_logger`), which hand an event on to the logger of `logging` that has the module's name:
its words as the message, and what it tells besides as attributes of the record. Whatever handlers the program has get it, and
`structlog.stdlib.ProcessorFormatter` with `ExtraAdder` makes an event of it again.

structlog takes a tenth of a second to import. It is imported with the first event that somebody wants to have.
"""

import logging
from typing import Any

_FRAMES = 6
"""Frames from `logging` up to the caller: the record names their file and line, not structlog's."""


class Log:
    """A logger for events: words, their arguments as in `logging`, and `name=value` for readers by name."""

    __slots__ = ("_bound", "_standard", "is_enabled_for")

    def __init__(self, name: str) -> None:
        self._standard = logging.getLogger(name)
        self._bound: Any = None
        self.is_enabled_for = self._standard.isEnabledFor
        """Tell whether events of a level are logged: ask before costly work on an event."""

    def __repr__(self) -> str:
        return f"<Log {self._standard.name!r}>"

    def debug(self, event: str, *args: object, **told: object) -> None:
        """Log what is of interest to those who follow every call."""
        self._log(logging.DEBUG, event, args, told)

    def info(self, event: str, *args: object, **told: object) -> None:
        """Log what goes its way."""
        self._log(logging.INFO, event, args, told)

    def warning(self, event: str, *args: object, **told: object) -> None:
        """Log what somebody should know of."""
        self._log(logging.WARNING, event, args, told)

    def _log(self, level: int, event: str, args: tuple[object, ...], told: dict[str, object]) -> None:
        if self.is_enabled_for(level):
            if self._bound is None:
                self._bound = _bound(self._standard)
            self._bound.log(level, event, *args, stacklevel=_FRAMES, **told)


def get_log(name: str, *, quiet: bool = False) -> Log:
    """The logger of a module: `get_log(__name__)`.

    What a `quiet` one says is not printed where a program has set up no logging: Python would print warnings then. That is
    for what comes right by itself, such as a call that is tried again.
    """
    if quiet:
        logging.getLogger(name).addHandler(logging.NullHandler())
    return Log(name)


def _bound(standard: logging.Logger) -> Any:
    """A logger of structlog around one of `logging`, with a configuration that is its own."""
    import structlog

    return structlog.wrap_logger(
        standard,
        processors=[structlog.stdlib.render_to_log_args_and_kwargs],
        wrapper_class=structlog.stdlib.BoundLogger,
        context_class=dict,
        cache_logger_on_first_use=False,
    ).bind()
