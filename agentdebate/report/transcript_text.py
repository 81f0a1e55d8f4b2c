"""A debate in words, for a terminal: printed as it happens, or a whole transcript as text."""

import re
from collections.abc import Callable, Iterable, Sequence
from io import StringIO

from rich.console import Console
from rich.text import Text

from agentdebate.errors import StrategyError
from agentdebate.report.judged_text import ItemText, print_texts, quotes_in, texts_in, with_own_quotes
from agentdebate.talk.messages import (
    FLOOR,
    FORWARD,
    Ask,
    Brief,
    Dropped,
    Evidence,
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


class LiveView:
    """Prints what is said. What an agent without a model says or passes on is one line: it puts the task, or repeats others.

    Where a cast is seated several times, each sitting is announced when its first agent speaks. A `numbered` view says
    the number of each message. `texts` gives the texts of an item by its id; they are shown once, before the first
    debate about it, with the `quotes` marked, and so is what replies quote from them.
    """

    def __init__(
        self,
        console: Console,
        *,
        numbered: bool = False,
        texts: Callable[[str], Sequence[ItemText]] | None = None,
        quotes: Sequence[str] = (),
    ) -> None:
        self._console, self._numbered = console, numbered
        self._texts_of, self._quotes = texts, quotes
        self._item: str | None = None
        self._texts: tuple[ItemText, ...] = ()
        self._purposes: dict[int, str] = {}
        self._unannounced: dict[str, Brief] = {}
        self._last = ""

    def __call__(self, message: Message) -> None:
        """Print one message."""
        self._announce(message.sender)
        if isinstance(message, Ask):
            self._purposes[message.seq] = message.purpose
        elif isinstance(message, Brief):
            self._brief(message)
        elif isinstance(message, Reply):
            self._reply(message)
        elif isinstance(message, Selection):
            self._selection(message)
        elif isinstance(message, Evidence):
            self._said("evidence", message, "")
        elif isinstance(message, Verdict):
            self._verdict(message)
        elif isinstance(message, Failure):
            self._console.print(Text(failure_line(message), style="red"))
        elif isinstance(message, Forget):
            line = one_line(f"{self._number(message)}{forget_line(message)}")
            self._console.print(Text(line, style="dim italic"))
        elif not isinstance(message, Tell):
            self._other(message)

    def _brief(self, brief: Brief) -> None:
        first = brief.seq <= 1
        if first:
            self._unannounced.clear()
        self._unannounced.update(dict.fromkeys(brief.to, brief))
        if first:
            self._rule(brief)
            self._show_texts(brief)
            for name in brief.to:
                self._unannounced.pop(name, None)

    def _show_texts(self, brief: Brief) -> None:
        """Print what the debate is about, where that has not just been shown."""
        if self._texts_of is None or self._item == brief.item:
            return
        self._item, self._texts = brief.item, tuple(self._texts_of(brief.item))
        print_texts(self._console, self._texts, self._quotes)

    def _announce(self, speaker: str) -> None:
        """Print what the speaker's sitting is about, once."""
        brief = self._unannounced.get(speaker)
        if brief is None:
            return
        for name in brief.to:
            self._unannounced.pop(name, None)
        self._rule(brief)

    def _rule(self, brief: Brief) -> None:
        self._console.rule(
            Text(one_line(f"{self._number(brief)}{brief_line(brief)}")), align="left", style="dim"
        )

    def _reply(self, message: Reply) -> None:
        style, number = STYLES.get(message.kind, ""), self._number(message)
        if not message.model and self._purposes.get(message.answers) == FORWARD.name:
            self._relay(f"{number}{message.sender} passes it on")
            return
        if _relayed(message):
            self._relay(f"{number}{message.sender}: {shown(message.text)}")
            return
        if message.sender == FLOOR and message.text == self._last:
            self._console.print(Text(one_line(f"{number}which everyone is told"), style="dim italic"))
            self._console.print()
            return
        self._last = message.text
        where = f", round {message.round}" if message.round else ""
        self._said(_headed(f"{message.sender}{where}", told(line_of, message)), message, style)

    def _relay(self, line: str) -> None:
        """Print a line that a terminal cuts at its width: it is not what anybody thinks."""
        text = Text(one_line(line.replace("\n", " ")), style="dim italic")
        if self._console.is_terminal:
            text.truncate(self._console.width, overflow="ellipsis")
        self._console.print(text, soft_wrap=True)

    def _other(self, message: Message) -> None:
        """Print a message of a kind that a package defines, or that nobody here knows."""
        head = f"{message.sender}: {message.kind}"
        if isinstance(getattr(message, "text", None), str):
            self._said(head, message, "")
        else:
            self._console.print(
                Text(one_line(_headed(f"{self._number(message)}{head}", told(line_of, message))))
            )

    def _said(self, head: str, message: Message, style: str) -> None:
        """Print who speaks, and what is said below it."""
        self._console.print(Text(one_line(f"{self._number(message)}{head}"), style=f"bold {style}".strip()))
        said = with_own_quotes(visible(shown(told(words_of, message)), lines=True), self._texts)
        for line in said.wrap(self._console, max(self._console.width - 2, 1)):
            line.rstrip()
            self._console.print(Text.assemble("  " if line else "", line), soft_wrap=True)
        self._console.print()

    def _number(self, message: Message) -> str:
        return f"{message.seq} " if self._numbered else ""

    def _selection(self, selection: Selection) -> None:
        self._console.print(
            Text(one_line(f"{self._number(selection)}{selection_line(selection)}"), style="green")
        )
        for dropped in selection.dropped:
            self._console.print(Text(f"  without {dropped_line(dropped)}", style="dim"))
        self._console.print()

    def _verdict(self, verdict: Verdict) -> None:
        self._console.print(Text(verdict_line(verdict), style="bold"))
        self._console.print()


def drawn(transcript: Iterable[Message]) -> str:
    """The messages of a debate as text, as the command line prints them."""
    stream, messages = StringIO(), tuple(transcript)
    briefs = {one.item: one for one in reversed(messages) if isinstance(one, Brief)}
    view = LiveView(
        Console(file=stream, markup=False, highlight=False, emoji=False, force_jupyter=False),
        texts=lambda item: texts_in(briefs[item]),
        quotes=quotes_in(messages),
    )
    for message in messages:
        view(message)
    return stream.getvalue().rstrip("\n")


def _relayed(message: Reply) -> bool:
    """Whether an agent without a model says it, and it comes to nothing but its text: its prompt says what it says."""
    return not (message.model or message.sender == FLOOR or told(line_of, message))


def brief_line(brief: Brief) -> str:
    """What a sitting is about; where texts are compared, in which order they are shown."""
    order = f"; shown: {', '.join(brief.candidates)}" if brief.candidates else ""
    return one_line(f"{brief.item or 'item'}: {', '.join(brief.aspects)}{order}")


def selection_line(selection: Selection) -> str:
    """Which recruits were seated."""
    return one_line(f"seated: {', '.join(role.type for role in selection.kept) or 'nobody'}")


def dropped_line(dropped: Dropped) -> str:
    """Which recruit was not seated, and why."""
    return one_line(f"{dropped.role.type}: like {dropped.instead} (cosine distance {dropped.distance:.2f})")


def verdict_line(verdict: Verdict) -> str:
    """A verdict in one line."""
    scores = ", ".join(f"{name} {score:g}" for name, score in verdict.scores.items())
    won = f"{winner_line(verdict)}: " if verdict.winners else ""
    rounds = f"{verdict.rounds} round{'' if verdict.rounds == 1 else 's'}"
    by = [f"by {', '.join(verdict.models)}"] if verdict.models else []
    how = [ending(verdict), rounds, *lacking(verdict), *by]
    if verdict.abstained:
        return one_line(f"abstained: {verdict.abstained} ({'; '.join(how[1:])})")
    return one_line(f"verdict: {won}{scores} ({'; '.join(how)})")


def ending(verdict: Verdict) -> str:
    """Whether a debate was settled, and why: a panel that talks up to its last round is settled where all then agree."""
    if not verdict.settled:
        return f"not settled: {verdict.ended}"
    return f"settled: {'all agree' if verdict.ended == 'round limit' else verdict.ended}"


def winner_line(verdict: Verdict) -> str:
    """The winner, or who ties, and whether all orders or samples came to it."""
    best = f"the winner is {verdict.winner}" if verdict.winner else f"tie of {', '.join(verdict.winners)}"
    agreed = {True: ", agreed", False: ", not agreed", None: ""}[verdict.agreed]
    return f"{best}{agreed}"


def lacking(verdict: Verdict) -> list[str]:
    """What a verdict does without: ballots or samples that could not be had, and agents that were lost."""
    missing = [f"{verdict.missing} missing"] if verdict.missing else []
    return missing + [f"lost {lost.agent} in round {lost.round}: {lost.error}" for lost in verdict.lost]


def failure_line(failure: Failure) -> str:
    """A failure in one line: an agent's, which need not end the debate, or the debate's."""
    what = f"{failure.error}: {failure.reason}"
    if failure.answers is not None:
        return one_line(f"{failure.agent or failure.sender} has no answer ({failure.error})")
    who = f" ({failure.agent})" if failure.agent else ""
    return one_line(f"failed{who}: {what}")


def forget_line(forget: Forget) -> str:
    """Who forgets what, and what takes its place."""
    who = f"{', '.join(forget.to)} forget{'s' if len(forget.to) == 1 else ''}"
    instead = f"; in the place: {_numbered(forget.instead)}" if forget.instead else ""
    counted = f" (tokens: {forget.counted})" if forget.counted else ""
    return f"{who} {_numbered(forget.dropped)}{instead}{counted}"


def _numbered(numbers: Sequence[int]) -> str:
    return f"message{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers)) or 'none'}"


def told(tell: Callable[[Message], str], message: Message) -> str:
    """What a message says of itself, or, where the class of a package raises, that it does: the others are shown all the same."""
    try:
        return tell(message)
    except StrategyError as error:
        return f"[{error}]"


def _headed(head: str, line: str) -> str:
    """A head with what a message comes down to behind it, where it says so."""
    return f"{head}: {line}" if line else head


def shown(text: str) -> str:
    """Text without runs of blank lines."""
    return re.sub(r"\n{3,}", "\n\n", text.strip())
