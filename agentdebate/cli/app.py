"""The app: its commands, and what each kind of error means for the exit code."""

import asyncio
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import Any

from cyclopts import App, CycloptsError, Group, Parameter, UnknownOptionError
from rich.console import Console

from agentdebate import __version__
from agentdebate.cli.console.command_lines import in_options
from agentdebate.cli.console.help_pages import HelpPages
from agentdebate.cli.console.logs import warnings_shown
from agentdebate.cli.console.output import one_line, say
from agentdebate.cli.console.watchdog import STOPPED, watching
from agentdebate.errors import AgentDebateError, UserError
from agentdebate.models.secrets import without_keys, without_pairs
from agentdebate.wrong_values import in_words

DAILY = Group("Commands", sort_key=1)
SHARED = Group("Queues, workers and stores", sort_key=2)


JUDGING = ("--task", "--aspects", "--field", "--model", "--base-url", "--api-key-env", "--set")
"""Options that nearly everyone needs who has something judged."""
AGAIN = ("--concurrency", "--budget-money", "--base-url", "--api-key-env", "--allow-endpoint", "--store")
"""Options of those who go on with a run."""


@dataclass(frozen=True)
class Command:
    """A command: what it does, and the options that --help shows where it has too many for a screen."""

    does: str
    first: tuple[str, ...] = ()
    function: str = ""
    """The function of its module, where that has another name than the command."""
    group: Group = DAILY

    def place(self, name: str) -> str:
        """Say where it lies, to be imported when it is called."""
        return f"agentdebate.cli.{name.replace('-', '_')}:{self.function or name}"


COMMANDS = {
    "demo": Command("Judge built-in examples on the offline judge."),
    "init": Command("Make a project with an agent, a strategy and a task of its own."),
    "list": Command("List strategies, agents, tasks, models, runs and more.", function="list_content"),
    "check": Command("Try a model: what works, how long it takes, what it costs."),
    "score": Command(
        "Judge one item, and print its debate as it happens.",
        first=(*JUDGING, "--item", "--cast", "--agents", "--quiet", "--json"),
    ),
    "run": Command(
        "Judge every item of a file, and keep everything in the store.",
        first=(*JUDGING, "--human", "--limit", "--concurrency", "--budget-money", "--dry-run", "--store"),
    ),
    "resume": Command("Go on with a run that was stopped or killed.", first=("--retry-failed", "--anyway", *AGAIN)),
    "show": Command("Show a run, or the transcript of one debate."),
    "view": Command("Show runs, debates and cost in the browser."),
    "report": Command("Write runs into one HTML file, or into Markdown."),
    "export": Command("Write out a run as JSONL or CSV."),
    "agree": Command(
        "Measure how well runs, scores or replies agree with people.",
        first=(
            "--data", "--as", "--scores", "--replies", "--on", "--aspects", "--human", "--score", "--choice", "--statistic", "--level",
            "--convention", "--missing", "--store", "--format",
        ),
    ),
    "gate": Command("Check a run against limits and another run, for CI."),
    "dynamics": Command("Count who moved in a run's debates, and after hearing whom."),
    "calibrate": Command("Find a cascade's thresholds from people's labels."),
    "replay-stops": Command("Replay stop rules on a run: what they would have kept and saved.", function="replay_stops"),
    "aggregate": Command("Combine the evaluators' scores of a run without a judge."),
    "plot": Command("Draw runs: scores, agreement, cost."),
    "sweep": Command(
        "Run an ablation, with controls at the same cost.",
        first=(*JUDGING, "--vary", "--control", "--human", "--dry-run", "--store"),
    ),
    "frontier": Command(
        "Show which strategy is worth its cost.",
        first=(*JUDGING, "--strategies", "--per", "--human", "--output", "--store"),
    ),
    "graph": Command("Draw who hears whom in a strategy."),
    "work": Command("Hold debates of a queue, beside other workers on any machine.", first=("--anyway", *AGAIN), group=SHARED),
    "ray": Command("Have every node of a Ray cluster work on a queue.", first=AGAIN, group=SHARED),
    "stop": Command("Stop all workers of a run.", group=SHARED),
    "store": Command("Look into a store; check or copy it; delete a run.", group=SHARED),
}  # fmt: skip
"""Every command of the app."""

FAILED, MISUSED = 1, 2
"""Exit codes: something failed; the user has to fix something."""

ALL = "--help-all"


def build(asked: str = "", *, whole: bool = False) -> App:
    """Build the app with all its commands.

    The help of the command that is `asked` for is its docstring. It is `whole`, or has the options that most people need.
    """
    app = App(
        name="agentdebate",
        help="Judge texts by multi-agent debate.",
        version=__version__,
        help_format="plaintext",
        help_formatter=HelpPages(),
        help_epilogue="Errors are one line; --debug shows where they come from. Exit codes: 0 done, 1 something "
        "failed, 2 your input has to be fixed, 3 a gate needs more items, 130 stopped by Ctrl-C.",
        default_parameter=Parameter(negative=()),
        group_commands=DAILY,
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        backend="asyncio",
        error_console=Console(stderr=True),
    )
    for order, (name, command) in enumerate(COMMANDS.items()):
        first = frozenset(() if whole else command.first)
        app.command(
            command.place(name),
            name=name,
            help=None if name == asked else command.does,
            help_epilogue=f"All options: agentdebate {name} {ALL}" if first else "",
            help_formatter=HelpPages(first),
            group=command.group,
            sort_key=order,
        )
    app.register_install_completion_command(help="Have your shell complete commands and options.")
    return app


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: Sequence[str]) -> int:
    """Run the command line; its exit code comes back."""
    _open_streams()
    with watching() as watch, warnings_shown() as warnings:
        try:
            code = watch.call(_command(argv))
            sys.stdout.flush()
        except (KeyboardInterrupt, asyncio.CancelledError):
            return max(watch.codes, default=STOPPED)
        except BrokenPipeError:
            _leave_pipe()  # the reader of our output has gone
            return FAILED
        except Exception as error:  # noqa: BLE001 - the last place where an error can become a line for the user
            return _report(error, argv)
    code = code if isinstance(code, int) else 0
    return code or (FAILED if warnings.damaged else 0)


def _command(argv: Sequence[str]) -> Callable[[], Any]:
    """Parse a command line. Raises CycloptsError."""
    words = ["--help" if word == ALL else word for word in argv if word != "--debug"]
    asked = next(iter(COMMANDS.keys() & words[:1]), "") if "--help" in words else ""
    app = build(asked, whole=ALL in argv)
    command, bound, more = app.parse_args(words, exit_on_error=False, print_error=False)
    if "words" in more:
        from agentdebate.cli.options.words import typed_words  # bring pydantic along

        bound.arguments["words"] = typed_words(words[1:], app[words[0]].assemble_argument_collection())
    return partial(command, *bound.args, **bound.kwargs)


def _report(error: Exception, argv: Sequence[str]) -> int:
    """Say what is wrong, in a line or with its traceback; the exit code for it comes back."""
    if "--debug" in argv:
        # Indented, so that no line of a text that an error quotes looks like one of ours.
        say(indent(without_keys("".join(traceback.format_exception(error))).rstrip("\n"), "  "))
    if isinstance(error, CycloptsError):
        told = _told(error)
        if isinstance(error, UnknownOptionError):  # others that are spelt alike mean something else
            told = told.partition(" Did you mean")[0]
        if isinstance(error.__cause__, ValueError):  # pydantic's, of a parameter of the sampling
            told = f"--{in_words(error.__cause__).rpartition('Sampling.')[2].replace('_', '-', 1)}"
        say(f"agentdebate: {told} (see {ALL})")
        return MISUSED
    if isinstance(error, AgentDebateError):
        say(f"agentdebate: {_told(error)}")
        return MISUSED if isinstance(error, UserError) else FAILED
    say(
        f"agentdebate: an error in agentdebate itself: {type(error).__name__}: {_told(error)} "
        "(--debug shows where; please report it)"
    )
    return FAILED


def _told(error: Exception) -> str:
    """Write an error on one line, without what looks like a key."""
    return one_line(in_options(without_pairs(str(error))))


def _open_streams() -> None:
    """Have standard streams take every text: the null device stands in for a closed one, and characters that cannot be written are replaced."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open until the process ends
        elif isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def _leave_pipe() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not stumble over it at its end."""
    with suppress(OSError, io.UnsupportedOperation):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
