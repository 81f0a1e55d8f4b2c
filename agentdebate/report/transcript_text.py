"""A debate in words, for a terminal: printed as it happens or as a whole, and what stands below it: its end, ballots and prompts."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from rich.console import Console
from rich.text import Text

from agentdebate.ballots.replies.outcome import class_of
from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.debates.record import offline_note
from agentdebate.errors import StrategyError
from agentdebate.meta.replies import WAYS
from agentdebate.report.grid import Block, Columns, Grid
from agentdebate.report.prose import counted
from agentdebate.store.run_tables import RunCall
from agentdebate.talk.messages import (
    FLOOR,
    Ask,
    Brief,
    Failure,
    Message,
    Reply,
    Tell,
    Verdict,
    line_of,
    words_of,
)
from agentdebate.tasks import Item, Task
from agentdebate.visible import one_line, shortened, visible

_STYLES = {
    "score": "cyan",
    "critique": "magenta",
    "ruling": "yellow",
    "summary": "green",
    "verdict": "bold",
    "failure": "red",
}
"""Terminal styles by the kind of message."""
MOST_LINES = 12
"""Lines that a terminal shows of a text of the item. A file or a pipe gets all."""
_PASSED_ON = 200
"""Characters of what an agent without a model passes on, which stands above already."""


@dataclass(frozen=True, slots=True)
class ItemText:
    """A field of an item as a reader is shown it."""

    name: str
    text: str
    judged: bool
    """True if the text is judged, false if it is only context."""


def texts_of(item: Item, task: Task | None) -> tuple[ItemText, ...]:
    """The texts of an item that agents are shown, those under judgement last; all of them where the task is not known."""
    if task is None:
        return tuple(ItemText(name, text, judged=True) for name, text in item.fields.items())
    judged = {task.judged, *task.candidates}
    shown = dict.fromkeys(name for name in (*task.fields, *task.optional) if item.fields.get(name))
    found = [ItemText(name, item.fields[name], name in judged) for name in shown]
    return tuple(sorted(found, key=lambda one: one.judged))


class LiveView:
    """Prints what is said. What an agent without a model says is one line: it puts the task, or repeats others.

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

    def __call__(self, message: Message) -> None:
        """Print one message; one that only asks or passes on is none of its own."""
        if isinstance(message, Ask | Tell):
            return
        number, style = f"{message.seq} " if self._numbered else "", _STYLES.get(message.kind, "")
        if isinstance(message, Brief):
            line = one_line(f"{number}{told_line(message)}")
            self._console.rule(Text(line), align="left", style="dim")
            if self._texts is not None and self._item != message.item:
                self._item = message.item
                self._print_texts(self._texts(message.item))
        elif not isinstance(getattr(message, "text", None), str):
            self._print(f"{number}{told_line(message)}", style)
        elif isinstance(message, Reply) and not message.model and message.sender != FLOOR:
            self._print(
                shortened(one_line(f"{number}{message.sender}: {message.text}"), _PASSED_ON), "dim italic"
            )
        else:
            where = f", round {message.round}" if message.round else ""
            told = told_line(message).removeprefix(f"{message.sender}: ")
            self._print(f"{number}{message.sender}{where}: {told}", f"bold {style}".strip())
            self._print_lines(self._wrapped(_told(words_of, message).strip()))
            self._console.print()

    def _print(self, line: str, style: str) -> None:
        self._console.print(Text(one_line(line), style=style), soft_wrap=True)

    def _print_texts(self, texts: Sequence[ItemText]) -> None:
        """Print texts below one another; a terminal has the beginning of a long one."""
        for one in texts:
            self._print(one.name, "bold" if one.judged else "dim")
            lines = self._wrapped(one.text.strip())
            if self._console.is_terminal and len(lines) > MOST_LINES + 1:
                lines = [*lines[:MOST_LINES], Text(f"... and {len(lines) - MOST_LINES} more lines")]
            self._print_lines(lines)
            self._console.print()

    def _wrapped(self, text: str) -> Sequence[Text]:
        return list(Text(visible(text, lines=True)).wrap(self._console, max(self._console.width - 2, 1)))

    def _print_lines(self, lines: Iterable[Text]) -> None:
        for line in lines:
            line.rstrip()
            self._console.print(Text.assemble("  " if line else "", line), soft_wrap=True)


def drawn(transcript: Iterable[Message]) -> str:
    """The messages of a debate as text, as the command line prints them."""
    stream = StringIO()
    view = LiveView(Console(file=stream, markup=False, highlight=False, emoji=False, force_jupyter=False))
    for message in transcript:
        view(message)
    return stream.getvalue().rstrip("\n")


def verdict_line(verdict: Verdict) -> str:
    """A verdict in one line."""
    models = [f"by {', '.join(verdict.models)}"] if verdict.models else []
    return one_line(f"verdict: {'; '.join([verdict.line(), *lacking(verdict), *models])}")


def lacking(verdict: Verdict) -> list[str]:
    """Name what a verdict lacks: ballots or samples that could not be had, and agents that were lost."""
    missing = [f"{verdict.missing} missing"] if verdict.missing else []
    return missing + [f"lost {lost.agent} in round {lost.round}: {lost.error}" for lost in verdict.lost]


def failure_line(failure: Failure) -> str:
    """A failure in one line: an agent's, which need not end the debate, or the debate's."""
    if failure.answers is not None:
        return one_line(f"{failure.agent or failure.sender} has no answer ({failure.error})")
    who = f" ({failure.agent})" if failure.agent else ""
    return one_line(f"failed{who}: {failure.error}: {failure.reason}")


def told_line(message: Message) -> str:
    """A message in one line."""
    match message:
        case Brief():
            order = f"; shown: {', '.join(message.candidates)}" if message.candidates else ""
            return f"{message.item or 'item'}: {', '.join(message.aspects)}{order}"
        case Verdict():
            return verdict_line(message)
        case Failure():
            return failure_line(message)
    return f"{message.sender}: {_told(line_of, message) or message.kind}"


def _told(tell: Callable[[Message], str], message: Message) -> str:
    """Render a message, or say that its package's class raises, so that the others are shown all the same."""
    try:
        return tell(message)
    except StrategyError as error:
        return f"[{error}]"


_BALLOTS: Columns = {
    "agent": lambda line: line[0].agent,
    "round": lambda line: line[0].round,
    "rating": lambda line: line[1],
    "score": lambda line: line[2],
    "model": lambda line: line[0].model,
    "read from": lambda line: f"{line[0].ballot.reading.how} {line[0].ballot.reading.rule}".strip(),
}


def outcome_blocks(
    debate: str, messages: Sequence[Message], calls: Sequence[RunCall], row: Mapping[str, Any] | None
) -> Iterator[Block]:
    """Show the outcome of a debate; `row` is that of the store, None as long as it has not ended."""
    if row is None:
        yield one_line(f"{debate}: this debate has not ended")
    elif outcome_of(row) is FAILURE and not any(
        isinstance(one, Failure) and one.answers is None for one in messages
    ):
        yield one_line(f"{debate}: failed: {row['failure']['error']}: {row['failure']['reason']}")
    cast = [ballot for message in messages if isinstance(message, Verdict) for ballot in message.ballots]
    if cast:
        lines = [(one, name, score) for one in cast for name, score in one.ballot.scores.items()]
        yield from (Grid.of("Ballots", lines, _BALLOTS, numeric=["round", "score"]), "")
    for line in (readings_told(messages), offline_note(call.completion.model for call in calls)):
        if line:
            yield from (line, "")


def readings_told(messages: Iterable[Message]) -> str:
    """Say how the ballots of debates were read: by the form, by JSON, by a pattern."""
    ways = Counter(dict.fromkeys(WAYS.values(), 0))
    for cast in (cast for message in messages if isinstance(message, Verdict) for cast in message.ballots):
        reading = cast.ballot.reading
        # A kind of ballot that has no rules reads nothing but its form.
        kind = "JSON" if reading.how == "schema" else class_of(reading.rule) if reading.rule else "form"
        ways[WAYS[kind]] += 1
    told = ", ".join(f"{count:,} read by {way}" for way, count in ways.items())
    return f"Of {counted(ways.total(), 'ballot')} {told}." if ways.total() else ""


def sight_table(messages: Sequence[Message], calls: Sequence[RunCall]) -> Grid:
    """List the messages that each call was shown."""
    names = {m.seq: f"{m.seq} {m.sender} {m.kind}" for m in messages}
    columns: Columns = {
        "call": "number",
        "agent": "agent",
        "round": "round",
        "attempt": "attempt",
        "was shown": lambda call: ", ".join(names.get(seq, str(seq)) for seq in call.shown),
    }
    return Grid.of("Who saw what", calls, columns, numeric=["call", "round", "attempt"])


def prompt_blocks(messages: Sequence[Message], calls: Sequence[RunCall]) -> Iterator[Block]:
    """Show the prompts and replies, word for word."""
    brief = next((message.text for message in messages if isinstance(message, Brief)), "")
    yield f"--- every call begins with\n{brief}\n"
    for call in calls:
        yield one_line(f"--- call {call.number}: {call.agent}, round {call.round}, attempt {call.attempt}")
        for part in call.prompt:
            yield f"[{one_line(part['role'])}]\n{part['content']}\n"
        yield f"[reply of {one_line(call.completion.model)}]\n{call.completion.text}\n"
