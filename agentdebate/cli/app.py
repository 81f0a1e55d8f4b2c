"""The app: its commands, and what each kind of error means for the exit code."""

import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from cyclopts import App, CycloptsError
from rich.console import Console

from agentdebate import __version__
from agentdebate.cli.console import one_line, say
from agentdebate.errors import AgentDebateError, UserError


@dataclass(frozen=True)
class Command:
    """A command: where it lies, to be imported when it is called, what it does, and an example."""

    place: str
    does: str
    example: str


COMMANDS = {
    "demo": Command(
        "agentdebate.cli.demo:demo",
        "Judge the built-in examples by DEBATE on the embedded offline judge.",
        "agentdebate demo",
    ),
    "score": Command(
        "agentdebate.cli.score:score",
        "Judge one item: the debate is printed as it happens, then the verdict.",
        "agentdebate score debate --task summarization --aspects coherence -f source=@article.txt -f summary=@text.txt",
    ),
    "run": Command(
        "agentdebate.cli.run:run",
        "Judge every item of a file, each aspect in a debate of its own, and keep everything in the store.",
        "agentdebate run debate summaries.jsonl --task summarization --aspects coherence,fluency -f source=article",
    ),
    "show": Command(
        "agentdebate.cli.show:show",
        "Show a run, or the transcript of one debate, and who saw what in it.",
        "agentdebate show last A0/M11/coherence --who",
    ),
    "export": Command(
        "agentdebate.cli.export:export",
        "Write out a run as JSONL or CSV.",
        "agentdebate export last --format csv -o verdicts.csv",
    ),
    "list": Command(
        "agentdebate.cli.listing:list_content",
        "List strategies, agents, tasks, models or runs, and where each comes from.",
        "agentdebate list strategies",
    ),
    "graph": Command(
        "agentdebate.cli.graph:graph",
        "Draw who hears whom in a strategy, from a debate held with made-up words.",
        "agentdebate graph chateval-one-by-one --agents 3",
    ),
    "init": Command(
        "agentdebate.cli.init:init",
        "Make a project with an agent, a strategy and a task of its own that run at once.",
        "agentdebate init my-judge",
    ),
}
"""Every command of the app."""

FAILED, MISUSED, STOPPED, TERMINATED = 1, 2, 130, 143
"""Exit codes: something failed; the user has to mend something; Ctrl-C; SIGTERM."""


def build() -> App:
    """The app with all its commands."""
    app = App(
        name="agentdebate",
        help="Judge texts by multi-agent debate.",
        version=__version__,
        help_format="plaintext",
        help_epilogue="Errors are one line; --debug shows where they come from. Exit codes: 0 done, 1 something "
        "failed, 2 something of yours has to be mended, 130 stopped by Ctrl-C.",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        backend="asyncio",
        error_console=Console(stderr=True),
    )
    for order, (name, command) in enumerate(COMMANDS.items()):
        example = f"Example: {command.example}"
        app.command(command.place, name=name, help=command.does, help_epilogue=example, sort_key=order)
    return app


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: Sequence[str]) -> int:
    """Run the command line; its exit code comes back."""
    words = [word for word in argv if word != "--debug"]
    with _terminating() as terminated, _open_streams():
        try:
            code = build()(words, exit_on_error=False, print_error=False)
            sys.stdout.flush()
        except KeyboardInterrupt:
            return TERMINATED if terminated else STOPPED
        except BrokenPipeError:
            _leave_pipe()  # whoever read our output has gone
            return FAILED
        except Exception as error:  # noqa: BLE001 - the last place where an error can become a line for the user
            return _report(error, debug="--debug" in argv)
    return code if isinstance(code, int) else 0


def _report(error: Exception, *, debug: bool) -> int:
    """Say what is wrong, in a line or with its traceback; the exit code for it comes back."""
    if debug:
        traceback.print_exception(error)
    if isinstance(error, CycloptsError):
        say(f"agentdebate: {one_line(str(error))} (see --help)")
        return MISUSED
    if isinstance(error, AgentDebateError):
        say(f"agentdebate: {one_line(str(error))}")
        return MISUSED if isinstance(error, UserError) else FAILED
    say(
        f"agentdebate: an error in agentdebate itself: {type(error).__name__}: {one_line(str(error))} "
        "(--debug shows where; please report it)"
    )
    return FAILED


@contextmanager
def _terminating() -> Iterator[list[int]]:
    """Take SIGTERM for Ctrl-C while the context lasts, so that a run ends as cleanly; the list says that it came."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    def stop(number: int, _frame: object) -> None:
        came.append(number)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield came
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _open_streams() -> Iterator[None]:
    """Standard streams that take whatever is written: one that was closed is nobody's, and no character is too much."""
    with ExitStack() as stack:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None:
                nobody = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
                setattr(sys, name, nobody)
                stack.callback(setattr, sys, name, None)
            elif isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
                stream.reconfigure(errors="replace")
        yield


def _leave_pipe() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not stumble over it at its end."""
    with suppress(OSError, io.UnsupportedOperation):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
