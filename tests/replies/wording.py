"""Wordings: how a judge may put its judgement, with what is to be read in it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from replies.case import Case
from replies.form import Form

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


def table(
    half: str,
    kind: str,
    *texts: str,
    place: Place = "end",
    truth: Truth = "one",
    need: Need | None = None,
    fit: Fit | None = None,
    bare: bool = False,
    says: str = "x",
    cut_off: bool = False,
) -> Iterator[Wording]:
    """The wordings of a kind that share where they stand and what they need."""
    for number, text in enumerate(texts, 1):
        name = f"{half}-{kind}-{place}-{number:02}"
        yield Wording(
            name, kind, text, place=place, truth=truth, need=need, fit=fit, bare=bare, says=says, cut_off=cut_off
        )


def rows(half: str, kind: str, *entries: tuple[str, str, str]) -> Iterator[Wording]:
    """Wordings that rate several aspects: each the text, the row of an aspect, and what stands between rows."""
    for number, (text, row, join) in enumerate(entries, 1):
        yield Wording(f"{half}-{kind}-{number:02}", kind, text, row=row, join=join)


def fill(text: str, slots: Mapping[str, str], rng: Random) -> str:
    """The text with one of each set of variants, and its slots filled. Raises KeyError for a slot that is not known."""
    chosen = _ALTERNATIVES.sub(lambda match: rng.choice(match[1].split("|")), text)
    return _ARTICLE.sub(r"\1n ", _SLOT.sub(lambda match: slots[match[1]], chosen))
