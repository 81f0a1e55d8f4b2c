"""The help of a command: the options that most people need, and all of them on request."""

import re
from typing import TYPE_CHECKING

from cyclopts.help import DefaultFormatter, HelpEntry, HelpPanel, InlineText

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

_SENTENCE_END = re.compile(r"(?<=[^.]\.) ")
_NO_DEFAULTS = {"()", "{}", "False", "None"}
"""Defaults that say nothing: the option was not given."""


class HelpPages(DefaultFormatter):
    """Draws the parts of a help page; where `first` names options, these only, and one sentence about each."""

    def __init__(self, first: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.first = first

    def __call__(self, console: "Console", options: "ConsoleOptions", panel: HelpPanel) -> None:
        """Draw a part, unless none of its options is shown."""
        entries = [self._plain(entry) for entry in panel.entries if self._shows(entry)]
        if entries:
            super().__call__(console, options, panel.copy(entries=entries))

    def render_description(
        self, console: "Console", _options: "ConsoleOptions", description: InlineText
    ) -> None:
        """Print what the command does, and its example; on a short page one paragraph of it."""
        words = getattr(getattr(description, "primary_renderable", None), "plain", "")
        paragraphs = [" ".join(one.split()) for one in words.split("\n\n")]
        shown = [*paragraphs[:1], *paragraphs[1:][-1:]] if self.first else paragraphs
        console.print("\n\n".join(shown), markup=False, highlight=False, end="\n\n")

    def _shows(self, entry: HelpEntry) -> bool:
        return not self.first or not entry.names or bool(self.first.intersection(entry.names))

    def _plain(self, entry: HelpEntry) -> HelpEntry:
        """Leave out defaults that say nothing, and where the lines of a docstring end."""
        default = None if entry.default in _NO_DEFAULTS else entry.default
        words = getattr(getattr(entry.description, "primary_renderable", None), "plain", None)
        if not words:
            return entry.copy(default=default)
        text = " ".join(words.split())
        if self.first:
            text = _SENTENCE_END.split(text, maxsplit=1)[0]
        return entry.copy(default=default, description=InlineText.from_format(text, "plaintext"))
