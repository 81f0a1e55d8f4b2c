"""CSV that is safe to open in a spreadsheet: no cell of it is a formula, and none has control characters."""

import csv
import io
import re
from collections.abc import Sequence

from agentdebate.visible import visible

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SIGNS = (
    "=+@\u2212\u207a\u207c\u208a\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20-"
)
"""What a formula begins with, and what a spreadsheet may take for it: wide, small, raised and lowered forms."""
_BEFORE = "\\s'\"`\u2018\u2019\u201b-\u201d\u201f\uff02\uff07\uff40\u00ad\u200b-\u200d\u2060"
"""What may stand before a formula: blanks, quotation marks, and characters without a width."""
_FORMULA = re.compile(f"(^|;)(?=[{_BEFORE}]*[{_SIGNS}])")
"""Where a formula begins. In many countries spreadsheets part cells by semicolons, even where the file uses commas."""


def csv_line(cells: Sequence[object], *, raw: bool = False) -> str:
    """A line of CSV with its end. With `raw` every cell is written as it is, for programs that read it."""
    text = io.StringIO()
    # With both characters as the line's end, cells that have one of them are quoted.
    csv.writer(text, lineterminator="\r\n").writerow(cells if raw else map(csv_cell, cells))
    return f"{text.getvalue()[:-2]}\n"


def csv_cell(value: object) -> str:
    """A value as text in which nothing is hidden, with an apostrophe before what would be a formula. Numbers stay."""
    text = visible("" if value is None else str(value))
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub(r"\1'", text)
