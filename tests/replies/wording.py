"""Wordings: how a judge may put its judgement, with what is to be read in it."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random
from typing import Any, Literal

from replies.case import NEEDS, Case
from replies.form import FITS, Form

DATA = Path(__file__).with_name("wordings.jsonl")

Half = Literal["seen", "held"]
"""Which half of the wordings: the one that the writer of a reader may look at, or the one that is set aside."""

Place = Literal["end", "start", "alone", "any"]
"""Where the judgement stands: behind the reasons, before them, without any, or in any of these places."""

Truth = Literal["one", "none", "several"]
"""Whether a reply holds exactly one judgement, or none on the scale, or several that differ."""

Need = Callable[[Case], bool]
"""Whether a wording can put the score of a case."""

Fit = Callable[[Form], bool]
"""Whether a wording can put the choice of a form."""

_SLOT = re.compile(r"\{([A-Za-z]+[0-9]?)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=(?:answer|assistant|output|eight|8|11|18)\b|8[0-9.])")
_ALTERNATIVES = re.compile(r"«([^«»]*)»")


@dataclass(frozen=True, slots=True)
class Wording:
    """A way to put a judgement.

    In `text`, {n} and the like are slots (see case.py and form.py) and «a|b» is one of several variants. A wording with a
    `row` rates several aspects: {rows} in the text stands for a row an aspect.
    """

    id: str
    kind: str
    text: str
    place: Place = "end"
    truth: Truth = "one"
    need: Need | None = None
    fit: Fit | None = None
    row: str = ""
    join: str = "\n"
    bare: bool = False
    """Whether the judgement has no label, so that numbered reasons right beside it would hide it."""
    says: str = "x"
    """For choices: "x" where the chosen text wins, "tie" where no text does."""
    cut_off: bool = False
    """Whether the reply stopped at the length limit behind it."""


def wordings(half: str, bank: str) -> list[Wording]:
    """The wordings of a half in one table of wordings.jsonl: "scores" or "choices"."""
    names = [field.name for field in fields(Wording)]
    found = []
    for row in read_rows(half, bank):
        given = {name: row[name] for name in names if name in row}
        known: Mapping[str, Mapping[str, Any]] = {"need": NEEDS, "fit": FITS}
        given |= {name: those[row[name]] for name, those in known.items() if name in row}
        found.append(Wording(**given))
    return found


def read_rows(half: str, bank: str) -> list[dict[str, Any]]:
    """The rows of the data file for a half and a table; each has its source: a kind of recorded judge, or "made"."""
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if (row["set"], row["table"]) == (half, bank)]


def fill(text: str, slots: Mapping[str, str], rng: Random) -> str:
    """The text with one of each set of variants, and its slots filled. Raises KeyError for a slot that is not known."""
    chosen = _ALTERNATIVES.sub(lambda match: rng.choice(match[1].split("|")), text)
    return _ARTICLE.sub(r"\1n ", _SLOT.sub(lambda match: slots[match[1]], chosen))
