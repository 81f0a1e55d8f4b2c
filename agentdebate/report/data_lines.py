"""Lines of JSON and CSV that are safe to look at: no terminal obeys them, and no cell is a formula in a spreadsheet."""

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from typing import IO, Any

from agentdebate.visible import HIDDEN, visible

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SIGNS = (
    "=+@\u2212\u207a\u207c\u208a\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20-"
)
"""First characters of a formula, with those that a spreadsheet may take for them: wide, small, raised and lowered forms."""
_BEFORE = "\\s'\"`\u2018\u2019\u201b-\u201d\u201f\uff02\uff07\uff40\u00ad\u200b-\u200d\u2060"
"""Characters that may stand before a formula: blanks, quotation marks, and characters without a width."""
_FORMULA = re.compile(f"(^|;)(?=[{_BEFORE}]*[{_SIGNS}])")
"""Pattern of a formula's beginning. In many countries spreadsheets part cells by semicolons, even where the file uses commas."""


def as_json(data: Any, *, ascii_only: bool = False, default: Callable[[Any], Any] | None = None) -> str:
    """JSON in which what would steer a screen is escaped: the same data, and safe to look at.

    `default` makes data of what JSON does not know.
    """
    text = json.dumps(data, ensure_ascii=ascii_only, default=default)
    return HIDDEN.sub(_json_escape, text)


def line_for(stream: IO[str], data: Any) -> str:
    """One line of JSON that the encoding of a stream can carry."""
    ascii_only = (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "") != "utf8"
    return as_json(data, ascii_only=ascii_only) + "\n"


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


def _json_escape(hidden: re.Match[str]) -> str:
    units = hidden[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
