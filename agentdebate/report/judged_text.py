"""The texts that a debate is about, above what is said of them: folded to the width, with what the agents quote marked."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from agentdebate.talk.messages import Brief, Message, Reply
from agentdebate.tasks import Item, Task
from agentdebate.visible import one_line, shortened, visible

QUOTED = "bold underline"
"""How words are marked that an agent quotes from a text."""

MOST_LINES, MOST_OF_OTHERS = 12, 4
"""Lines that a terminal shows of a text under judgement, and of a text beside it. A file or a pipe gets all."""

_QUOTE = re.compile(r"“([^“”]{1,400})”|\"([^\"\n]{1,400})\"")
_FENCED = re.compile(r"^([^\n]{1,100}):\n(~{4,})\n(.*?)\n\2$", re.MULTILINE | re.DOTALL)
_CUT, _CUT_OF_OTHERS = 900, 300
"""Characters of a text under judgement, and of one beside it, where a transcript is printed."""
_SHORTEST = 3
"""Characters of a quote that is looked for: a shorter one stands anywhere."""
_MOST_QUOTES = 500


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
    shown = [name for name in (*task.fields, *task.optional) if item.fields.get(name)]
    found = [ItemText(name, item.fields[name], name in judged) for name in dict.fromkeys(shown)]
    return tuple(sorted(found, key=lambda one: one.judged))


def texts_in(brief: Brief) -> tuple[ItemText, ...]:
    """The texts that a brief has between lines of tildes, the last of them under judgement, long ones cut.

    There are none where the brief was written in another way.
    """
    found = [
        (one[1].strip().lower().replace(" ", "_"), one[3].strip()) for one in _FENCED.finditer(brief.text)
    ]
    beside = max(len(found) - max(len(brief.candidates), 1), 0)
    names = brief.candidates or [name for name, _ in found[beside:]]
    others = [ItemText(name, shortened(text, _CUT_OF_OTHERS), judged=False) for name, text in found[:beside]]
    judged = zip(names, found[beside:], strict=False)
    return (*others, *(ItemText(name, shortened(text, _CUT), judged=True) for name, (_, text) in judged))


def quotes_in(messages: Iterable[Message]) -> tuple[str, ...]:
    """What the replies of a debate quote, each once."""
    found: dict[str, None] = {}
    for message in messages:
        if isinstance(message, Reply):
            found.update(dict.fromkeys(words for _, _, words in _quotes(message.text)))
    return tuple(found)[:_MOST_QUOTES]


def with_marks(text: str, quotes: Iterable[str]) -> Text:
    """A text in which these words are marked wherever they stand."""
    drawn = Text(visible(text, lines=True))
    for words in quotes:
        for found in _pattern(words).finditer(drawn.plain):
            drawn.stylize(QUOTED, *found.span())
    return drawn


def with_own_quotes(said: str, texts: Sequence[ItemText]) -> Text:
    """What somebody says, in which those quotes are marked that stand in the texts."""
    drawn = Text(said)
    if texts:
        for start, end, words in _quotes(said):
            if any(_pattern(words).search(one.text) for one in texts):
                drawn.stylize(QUOTED, start, end)
    return drawn


def print_texts(console: Console, texts: Sequence[ItemText], quotes: Sequence[str] = ()) -> None:
    """Print the texts below one another, those under judgement with the quotes marked."""
    for one in texts:
        style = "bold" if one.judged else "dim"
        console.print(Text(one_line(one.name), style=style), soft_wrap=True)
        lines = with_marks(one.text.strip(), quotes).wrap(console, max(console.width - 2, 1))
        most = MOST_LINES if one.judged else MOST_OF_OTHERS
        left = len(lines) - most if console.is_terminal else 0
        for line in lines[:most] if left > 1 else lines:
            line.rstrip()
            console.print(Text.assemble("  " if line else "", line), soft_wrap=True)
        if left > 1:
            console.print(Text(f"  ... and {left} more lines", style="dim"))
        console.print()


def _quotes(said: str) -> Iterator[tuple[int, int, str]]:
    """Where something is quoted, and what."""
    for found in _QUOTE.finditer(said):
        place = 1 if found[1] is not None else 2
        words = found[place].strip(" \t\n.,;:!?…")
        if len(words) >= _SHORTEST:
            yield (*found.span(place), words)


def _pattern(words: str) -> re.Pattern[str]:
    """Words with any blanks between them, in capitals or not."""
    parts = r"\s+".join(map(re.escape, words.split()))
    return re.compile(rf"(?<!\w){parts}(?!\w)", re.IGNORECASE)
