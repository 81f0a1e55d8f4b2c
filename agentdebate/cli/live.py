"""The debate printed as it happens: a listener on the bus."""

import re

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from agentdebate.cli.console import one_line, plain
from agentdebate.messages import (
    FORWARD,
    Ask,
    Brief,
    Critique,
    Failure,
    Message,
    Reply,
    Ruling,
    Score,
    Tell,
    Verdict,
)

STYLES = {"score": "cyan", "critique": "magenta", "ruling": "yellow", "statement": "dim", "summary": "green"}


class LiveView:
    """Prints what is said. What a relay passes on is one line, since it was printed when it was said."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._purposes: dict[int, str] = {}

    def __call__(self, message: Message) -> None:
        """Print one message."""
        if isinstance(message, Ask):
            self._purposes[message.seq] = message.purpose
        elif isinstance(message, Brief):
            self._rule(f"{message.item or 'item'}: {', '.join(message.aspects)}")
        elif isinstance(message, Reply):
            self._reply(message)
        elif isinstance(message, Verdict):
            self._verdict(message)
        elif isinstance(message, Failure):
            self._console.print(Text(failure_line(message), style="red"))
        elif not isinstance(message, Tell):
            self._console.print(Text(plain(f"{message.sender}: {message.kind}")))

    def _rule(self, title: str) -> None:
        self._console.rule(Text(plain(title)), align="left", style="dim")

    def _reply(self, message: Reply) -> None:
        style = STYLES.get(message.kind, "")
        if not message.model and self._purposes.get(message.answers) == FORWARD.name:
            self._console.print(Text(plain(f"{message.sender} passes it on"), style="dim italic"))
            return
        where = f", round {message.round}" if message.round else ""
        self._console.print(Text(plain(f"{message.sender}{where}{_gist(message)}"), style=f"bold {style}"))
        self._console.print(Padding(Text(plain(shown(message.text))), (0, 0, 1, 2)))

    def _verdict(self, verdict: Verdict) -> None:
        self._console.print(Text(verdict_line(verdict), style="bold"))
        self._console.print()


def verdict_line(verdict: Verdict) -> str:
    """A verdict in one line."""
    scores = ", ".join(f"{name} {score:g}" for name, score in verdict.scores.items())
    settled = "settled" if verdict.settled else "not settled"
    rounds = f"{verdict.rounds} round{'' if verdict.rounds == 1 else 's'}"
    return plain(f"verdict: {scores} ({settled}: {verdict.ended}; {rounds}; by {', '.join(verdict.models)})")


def failure_line(failure: Failure) -> str:
    """A failure in one line: an agent's, which need not end the debate, or the debate's."""
    what = f"{failure.error}: {failure.reason}"
    if failure.answers is not None:
        return one_line(f"{failure.agent or failure.sender} has no answer: {what}")
    who = f" ({failure.agent})" if failure.agent else ""
    return one_line(f"failed{who}: {what}")


def shown(text: str) -> str:
    """Text without runs of blank lines."""
    return re.sub(r"\n{3,}", "\n\n", text.strip())


def _gist(message: Message) -> str:
    """What a message comes down to."""
    if isinstance(message, Score | Ruling):
        return ": " + ", ".join(f"{name} {score:g}" for name, score in message.ballot.scores.items())
    if isinstance(message, Critique):
        if message.reading == "contradictory":
            return ": objects, and says that there is no issue"
        return ": no issue" if message.no_issue else ": objects"
    return ""
