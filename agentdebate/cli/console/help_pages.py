"""The help of a command: the options that most people need, and all of them on request."""

from typing import TYPE_CHECKING

from cyclopts.help import DefaultFormatter, HelpEntry, HelpPanel, InlineText

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

_NO_DEFAULTS = {"()", "False", "None"}
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
            text = text.partition(". ")[0].rstrip(".") + "."
        return entry.copy(default=default, description=InlineText.from_format(text, "plaintext"))
