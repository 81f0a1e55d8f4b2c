"""The app: its commands, and what each kind of error means for the exit code."""

import asyncio
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from inspect import iscoroutine
from pathlib import Path
from typing import Any

from cyclopts import App, CycloptsError, MissingArgumentError, UnusedCliTokensError
from rich.console import Console

from agentdebate import __version__
from agentdebate.cli.console.damage import damage_shown
from agentdebate.cli.console.named_store import with_store
from agentdebate.cli.console.output import one_line, say
from agentdebate.cli.console.watchdog import STOPPED, TERMINATED, wake_by, watching
from agentdebate.cli.options.names import in_options
from agentdebate.errors import AgentDebateError, UserError
from agentdebate.models.secrets import without_keys, without_pairs
from agentdebate.runs.garbage import collecting_seldom


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
    "resume": Command(
        "agentdebate.cli.resume:resume",
        "Go on with a run that was stopped, or killed: what was paid for is not paid for again.",
        "agentdebate resume last --retry-failed",
    ),
    "work": Command(
        "agentdebate.cli.work:work",
        "Hold debates of a run that was entered by run --queue, beside any other processes that do, on any machine.",
        "agentdebate work last --store postgresql://me@db.example/judging -j 4",
    ),
    "ray": Command(
        "agentdebate.cli.ray:ray",
        "Have every node of a Ray cluster work on a run that was entered by run --queue.",
        "agentdebate ray last --store postgresql://me@db.example/judging --address head.example:6379",
    ),
    "stop": Command(
        "agentdebate.cli.stop:stop",
        "Tell all processes that work on a run to stop.",
        "agentdebate stop last --drain",
    ),
    "show": Command(
        "agentdebate.cli.show:show",
        "Show a run, or the transcript of one debate, and who saw what in it.",
        "agentdebate show last A0/M11/coherence --who",
    ),
    "view": Command(
        "agentdebate.cli.view:view",
        "Show runs, debates, ballots and cost in the browser.",
        "agentdebate view last --open",
    ),
    "report": Command(
        "agentdebate.cli.report:report",
        "Write runs into one HTML file that loads nothing, or into Markdown for a pull request.",
        "agentdebate report last -o report.html",
    ),
    "export": Command(
        "agentdebate.cli.export:export",
        "Write out a run as JSONL or CSV.",
        "agentdebate export last --format csv -o verdicts.csv",
    ),
    "aggregate": Command(
        "agentdebate.cli.aggregate:aggregate",
        "Put the evaluators' scores of a run together without a judge, and write them out as JSONL.",
        "agentdebate aggregate last --how corrw -o corrw.jsonl",
    ),
    "agree": Command(
        "agentdebate.cli.agree:agree",
        "Say how well a run, or any file of scores or replies, agrees with people, and under which convention.",
        "agentdebate agree --data responses.jsonl --scores predicted.jsonl --convention topicalchat-pooled",
    ),
    "dynamics": Command(
        "agentdebate.cli.dynamics:dynamics",
        "Count what talk did in the debates of a run: who moved, which way, after hearing whom, and where it led.",
        "agentdebate dynamics last",
    ),
    "means": Command(
        "agentdebate.cli.means:means",
        "Print means and shares of columns by group, with intervals: calls, tokens and rounds of a run, or a file's columns.",
        "agentdebate means last --of calls,rounds --by system",
    ),
    "plot": Command(
        "agentdebate.cli.plot:plot",
        "Draw a run, or several side by side: scores against people's, agreement against rounds, cost and more.",
        "agentdebate plot people last -o people.png",
    ),
    "sweep": Command(
        "agentdebate.cli.sweep:sweep",
        "Hold an ablation: a run for every combination of what varies, with controls at the same cost.",
        "agentdebate sweep debate summaries.jsonl --task summarization --vary rounds=1,2,4 --human coherence=expert",
    ),
    "list": Command(
        "agentdebate.cli.list:list_content",
        "List strategies, agents, tasks, merges, models, evaluators, embedders, rules or runs, and where each comes from.",
        "agentdebate list strategies",
    ),
    "check": Command(
        "agentdebate.cli.check:check",
        "Ask a model for a reply of each kind, and say what works, how long it took and what it cost.",
        "agentdebate check openai/gpt-6-luna",
    ),
    "store": Command(
        "agentdebate.cli.store:store",
        "Say what a store holds, delete a run, or bring a store of an older version up to date.",
        "agentdebate store delete last --store runs.db",
    ),
    "datasets": Command(
        "agentdebate.cli.datasets:datasets",
        "List the published datasets that --as reads, show one, or fetch one from its authors' address.",
        "agentdebate datasets get faireval",
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

COMPLETION = Command(
    "agentdebate.cli.install_completion:install_completion",
    "Have bash, zsh or fish complete commands and options.",
    "Example: agentdebate --install-completion bash",
)
"""What looks like an option and ends with its work done, as --help and --version do."""

FAILED, MISUSED = 1, 2
"""Exit codes: something failed; the user has to fix something."""


def build() -> App:
    """The app with all its commands."""
    app = App(
        name="agentdebate",
        help="Judge texts by multi-agent debate.",
        version=__version__,
        help_format="plaintext",
        help_epilogue="Errors are one line; --debug shows where they come from. Exit codes: 0 done, 1 something "
        "failed, 2 your input has to be fixed, 130 stopped by Ctrl-C.",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        backend="asyncio",
        error_console=Console(stderr=True),
    )
    for order, (name, command) in enumerate(COMMANDS.items()):
        example = f"Example: {command.example}"
        app.command(command.place, name=name, help=command.does, help_epilogue=example, sort_key=order)
    app.command(
        COMPLETION.place, name="--install-completion", help=COMPLETION.does, help_epilogue=COMPLETION.example
    )
    return app


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    with watching():
        code = run(sys.argv[1:] if argv is None else argv)
    sys.exit(code)


def run(argv: Sequence[str]) -> int:
    """Run the command line; its exit code comes back."""
    words = [word for word in argv if word != "--debug"]
    with _terminating() as terminated, _open_streams(), damage_shown() as damage:
        try:
            code = terminated.call(_command(words))
            sys.stdout.flush()
        except KeyboardInterrupt:
            return TERMINATED if terminated.came else STOPPED
        except asyncio.CancelledError:
            if not terminated.came:
                raise
            return TERMINATED
        except BrokenPipeError:
            _leave_pipe()  # the reader of our output has gone
            return FAILED
        except Exception as error:  # noqa: BLE001 - the last place where an error can become a line for the user
            return _report(error, argv)
    code = code if isinstance(code, int) else 0
    return code or (FAILED if damage.met else 0)


def _command(words: Sequence[str]) -> Callable[[], Any]:
    """What the words ask for, with its arguments. Raises CycloptsError."""
    command, bound, _ = build().parse_args(words, exit_on_error=False, print_error=False)
    return partial(command, *bound.args, **bound.kwargs)


def _report(error: Exception, argv: Sequence[str]) -> int:
    """Say what is wrong, in a line or with its traceback; the exit code for it comes back."""
    if "--debug" in argv:
        say(without_keys("".join(traceback.format_exception(error))).rstrip("\n"))
    if isinstance(error, CycloptsError):
        say(f"agentdebate: {_misuse(error)} (see --help)")
        return MISUSED
    if isinstance(error, AgentDebateError):
        say(f"agentdebate: {with_store(_told(error), argv)}")
        return MISUSED if isinstance(error, UserError) else FAILED
    say(
        f"agentdebate: an error in agentdebate itself: {type(error).__name__}: {_told(error)} "
        "(--debug shows where; please report it)"
    )
    return FAILED


def _misuse(error: CycloptsError) -> str:
    """What is wrong with the words of a command line."""
    if isinstance(error, MissingArgumentError) and error.argument is not None and not error.tokens_so_far:
        if error.keyword is None:
            return f"{' '.join(error.command_chain or ())} needs {error.argument.name}"
        return f"{error.keyword} needs a value behind it"
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return one_line(
            without_pairs(f"this is more than the command takes: {' '.join(error.unused_tokens)!r}")
        )
    return _told(error)


def _told(error: Exception) -> str:
    """What an error says, on one line and without what looks like a key."""
    return one_line(in_options(without_pairs(str(error))))


@dataclass
class _Termination:
    """SIGTERM, which ends a command as cleanly as Ctrl-C does; the first time by cancelling it, then at once.

    It goes its own way, and not that of SIGINT, which a shell has its background jobs ignore.
    """

    came: int = 0
    _task: "asyncio.Task[Any] | None" = field(default=None, repr=False)

    def call(self, command: Callable[[], Any]) -> Any:
        """What the command returns; one that is a coroutine is run to its end."""
        result = command()
        if not iscoroutine(result):
            return result
        with collecting_seldom():
            return asyncio.run(self._main(result))

    def __call__(self, _number: int, _frame: object) -> None:
        """Take the signal."""
        self.came += 1
        if self._task is None or self.came > 1:
            raise KeyboardInterrupt
        self._task.get_loop().call_soon_threadsafe(self._task.cancel)

    async def _main(self, command: Coroutine[Any, Any, Any]) -> Any:
        self._task = asyncio.current_task()
        wake_by(partial(asyncio.get_running_loop().call_soon_threadsafe, _look))
        try:
            return await command
        finally:
            self._task = None


def _look() -> None:
    """Nothing: before it is called, the interpreter handles the signals that came."""


@contextmanager
def _terminating() -> Iterator[_Termination]:
    """Take SIGTERM while the context lasts, where signals can be taken."""
    termination = _Termination()
    if threading.current_thread() is not threading.main_thread():
        yield termination
        return
    before = signal.signal(signal.SIGTERM, termination)
    try:
        yield termination
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _open_streams() -> Iterator[None]:
    """Standard streams that take every text: the null device stands in for a closed one, and characters that cannot be written are replaced."""
    with ExitStack() as stack:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None:
                null = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
                setattr(sys, name, null)
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
