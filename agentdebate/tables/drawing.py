"""The one way up: values of all rooms are drawn by `report`, which is looked up when a notebook or `print` asks for it.

Nothing else is imported from above. The test of the layers names this look-up.
"""

from importlib import import_module
from typing import Any

HTML, TEXT = "agentdebate.report.notebook", "agentdebate.report.transcript_text"
"""The modules that draw, each with a function `drawn(value)`."""


def html_of(value: Any) -> str:
    """The value as HTML for a notebook: static, escaped, for dark and light pages."""
    return _drawn(HTML, value)


def text_of(value: Any) -> str:
    """The value as the command line prints it."""
    return _drawn(TEXT, value)


def _drawn(module: str, value: Any) -> str:
    return str(import_module(module).drawn(value))
