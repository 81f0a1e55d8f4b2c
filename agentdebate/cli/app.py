"""The app: its commands, and what each kind of error means for the exit code."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from cyclopts import App, CycloptsError
from rich.console import Console

from agentdebate import __version__
from agentdebate.cli.console import plain
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
    "init": Command(
        "agentdebate.cli.init:init",
        "Make a project with an agent, a strategy and a task of its own that run at once.",
        "agentdebate init my-judge",
    ),
}
"""Every command of the app."""

FAILED, MISUSED, STOPPED = 1, 2, 130
"""Exit codes: something failed; the user has to mend something; Ctrl-C."""


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
    try:
        code = build()(words, exit_on_error=False)
    except CycloptsError:
        return MISUSED  # cyclopts has said what is wrong
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone; there is nobody left to tell
        return FAILED
    except AgentDebateError as error:
        if "--debug" in argv:
            raise
        sys.stderr.write(f"agentdebate: {plain(str(error))}\n")
        return MISUSED if isinstance(error, UserError) else FAILED
    return code if isinstance(code, int) else 0
