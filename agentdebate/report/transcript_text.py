"""A debate in words, for a terminal: printed as it happens, or a whole transcript as text."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO

from rich.console import Console
from rich.text import Text

from agentdebate.errors import StrategyError
from agentdebate.talk.messages import (
    FLOOR,
    Ask,
    Brief,
    Failure,
    Forget,
    Message,
    Reply,
    Selection,
    Tell,
    Verdict,
    line_of,
    words_of,
)
from agentdebate.talk.purposes import FORWARD
from agentdebate.tasks import Item, Task
from agentdebate.visible import one_line, visible

STYLES = {
    "score": "cyan",
    "critique": "magenta",
    "ruling": "yellow",
    "statement": "dim",
    "summary": "green",
    "poll": "cyan",
    "roster": "green",
}
MOST_LINES, MOST_OF_OTHERS = 12, 4
"""Lines that a terminal shows of a text under judgement, and of a text beside it. A file or a pipe gets all."""


@dataclass(frozen=True, slots=True)
class ItemText:
    """A field of an item as a reader is shown it."""

    name: str
    text: str
    judged: bool
    """Whether it is judged, and not only what the judged text is judged by."""


def texts_of(item: Item, task: Task | None) -> tuple[ItemText, ...]:
    """The texts of an item that agents are shown, those under judgement last; all of them where the task is not known."""
    if task is None:
        return tuple(ItemText(name, text, judged=True) for name, text in item.fields.items())
    judged = {task.judged, *task.candidates}
    shown = dict.fromkeys(name for name in (*task.fields, *task.optional) if item.fields.get(name))
    found = [ItemText(name, item.fields[name], name in judged) for name in shown]
    return tuple(sorted(found, key=lambda one: one.judged))


class LiveView:
    """Prints what is said. What an agent without a model says or passes on is one line: it puts the task, or repeats others.

    A `numbered` view says the number of each message. `texts` gives the texts of an item by its id; they are shown once, before
    the first debate about it.
    """

    def __init__(
        self,
        console: Console,
        *,
        numbered: bool = False,
        texts: Callable[[str], Sequence[ItemText]] | None = None,
    ) -> None:
        self._console, self._numbered, self._texts = console, numbered, texts
        self._item: str | None = None
        self._forwarded: set[int] = set()

    def __call__(self, message: Message) -> None:
        """Print one message; a Tell is none of its own."""
        if isinstance(message, Ask):
            if message.purpose == FORWARD.name:
                self._forwarded.add(message.seq)
        elif isinstance(message, Brief):
            self._brief(message)
        elif isinstance(message, Reply):
            self._reply(message)
        elif isinstance(message, tuple(_STYLES)) or not isinstance(getattr(message, "text", None), str):
            if not isinstance(message, Tell):
                self._line(told_line(message), message, _STYLES.get(type(message), ""))
        else:
            self._said(f"{message.sender}: {message.kind}", message)

    def _brief(self, brief: Brief) -> None:
        """Announce a debate, with the texts of its item where they have not been shown."""
        line = one_line(f"{self._number(brief)}{told_line(brief)}")
        self._console.rule(Text(line), align="left", style="dim")
        if self._texts is not None and self._item != brief.item:
            self._item = brief.item
            _print_texts(self._console, self._texts(brief.item))

    def _reply(self, message: Reply) -> None:
        line = told(line_of, message)
        if message.answers in self._forwarded and not message.model:
            self._line(f"{message.sender} passes it on", message, "dim italic")
        elif not (message.model or line or message.sender == FLOOR):
            self._line(f"{message.sender}: {shown(message.text)}", message, "dim italic")
        else:
            where = f", round {message.round}" if message.round else ""
            head = f"{message.sender}{where}{f': {line}' if line else ''}"
            self._said(head, message, STYLES.get(message.kind, ""))

    def _line(self, line: str, message: Message, style: str) -> None:
        """Print a line; a terminal cuts one that nobody thinks, but passes on."""
        text = Text(one_line(f"{self._number(message)}{line}"), style=style)
        if self._console.is_terminal and "italic" in style:
            text.truncate(self._console.width, overflow="ellipsis")
        self._console.print(text, soft_wrap=True)

    def _said(self, head: str, message: Message, style: str = "") -> None:
        """Print who speaks, and what is said below it."""
        self._console.print(Text(one_line(f"{self._number(message)}{head}"), style=f"bold {style}".strip()))
        _print_lines(self._console, _wrapped(self._console, shown(told(words_of, message))))
        self._console.print()

    def _number(self, message: Message) -> str:
        return f"{message.seq} " if self._numbered else ""


def drawn(transcript: Iterable[Message]) -> str:
    """The messages of a debate as text, as the command line prints them."""
    stream = StringIO()
    view = LiveView(Console(file=stream, markup=False, highlight=False, emoji=False, force_jupyter=False))
    for message in transcript:
        view(message)
    return stream.getvalue().rstrip("\n")


def verdict_line(verdict: Verdict) -> str:
    """A verdict in one line."""
    scores = ", ".join(f"{name} {score:g}" for name, score in verdict.scores.items())
    rounds = f"{verdict.rounds} round{'' if verdict.rounds == 1 else 's'}"
    by = [f"by {', '.join(verdict.models)}"] if verdict.models else []
    how = [rounds, *lacking(verdict), *by]
    if verdict.abstained:
        return one_line(f"abstained: {verdict.abstained} ({'; '.join(how)})")
    return one_line(f"verdict: {_winner(verdict)}{scores} ({'; '.join([ending(verdict), *how])})")


def ending(verdict: Verdict) -> str:
    """Whether a debate was settled, and why: a panel that talks up to its last round is settled where all then agree."""
    if not verdict.settled:
        return f"not settled: {verdict.ended}"
    return f"settled: {'all agree' if verdict.ended == 'round limit' else verdict.ended}"


def lacking(verdict: Verdict) -> list[str]:
    """What a verdict does without: ballots or samples that could not be had, and agents that were lost."""
    missing = [f"{verdict.missing} missing"] if verdict.missing else []
    return missing + [f"lost {lost.agent} in round {lost.round}: {lost.error}" for lost in verdict.lost]


def failure_line(failure: Failure) -> str:
    """A failure in one line: an agent's, which need not end the debate, or the debate's."""
    if failure.answers is not None:
        return one_line(f"{failure.agent or failure.sender} has no answer ({failure.error})")
    who = f" ({failure.agent})" if failure.agent else ""
    return one_line(f"failed{who}: {failure.error}: {failure.reason}")


def told_line(message: Message) -> str:
    """A message that has no text of its own, in one line."""
    match message:
        case Brief():
            order = f"; shown: {', '.join(message.candidates)}" if message.candidates else ""
            return f"{message.item or 'item'}: {', '.join(message.aspects)}{order}"
        case Selection():
            seated = ", ".join(role.type for role in message.kept) or "nobody"
            without = ", ".join(f"{one.role.type} (like {one.instead})" for one in message.dropped)
            return f"seated: {seated}{f'; without {without}' if without else ''}"
        case Verdict():
            return verdict_line(message)
        case Failure():
            return failure_line(message)
        case Forget():
            instead = f"; in the place: {_numbered(message.instead)}" if message.instead else ""
            return f"{', '.join(message.to)} forget {_numbered(message.dropped)}{instead}"
    line = told(line_of, message)
    return f"{message.sender}: {message.kind}{f': {line}' if line else ''}"


def told(tell: Callable[[Message], str], message: Message) -> str:
    """What a message says of itself, or, where the class of a package raises, that it does: the others are shown all the same."""
    try:
        return tell(message)
    except StrategyError as error:
        return f"[{error}]"


def shown(text: str) -> str:
    """Text without runs of blank lines."""
    return re.sub(r"\n{3,}", "\n\n", text.strip())


_STYLES: dict[type[Message], str] = {
    Selection: "green",
    Verdict: "bold",
    Failure: "red",
    Forget: "dim italic",
}


def _print_texts(console: Console, texts: Sequence[ItemText]) -> None:
    """Print texts below one another; a terminal has the beginning of a long one."""
    for one in texts:
        console.print(Text(one_line(one.name), style="bold" if one.judged else "dim"), soft_wrap=True)
        lines = _wrapped(console, one.text.strip())
        most = MOST_LINES if one.judged else MOST_OF_OTHERS
        if console.is_terminal and len(lines) > most + 1:
            lines = [*lines[:most], Text(f"... and {len(lines) - most} more lines", style="dim")]
        _print_lines(console, lines)
        console.print()


def _wrapped(console: Console, text: str) -> Sequence[Text]:
    return list(Text(visible(text, lines=True)).wrap(console, max(console.width - 2, 1)))


def _print_lines(console: Console, lines: Iterable[Text]) -> None:
    for line in lines:
        line.rstrip()
        console.print(Text.assemble("  " if line else "", line), soft_wrap=True)


def _winner(verdict: Verdict) -> str:
    """The winner, or who ties, and whether all orders or samples came to it."""
    if not verdict.winners:
        return ""
    best = f"the winner is {verdict.winner}" if verdict.winner else f"tie of {', '.join(verdict.winners)}"
    agreed = {True: ", agreed", False: ", not agreed", None: ""}[verdict.agreed]
    return f"{best}{agreed}: "


def _numbered(numbers: Sequence[int]) -> str:
    return f"message{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers)) or 'none'}"
