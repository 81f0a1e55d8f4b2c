"""The choice that a reply makes between texts that are compared: one of them, or a tie.

Read by the same grammar as scores (see reading/): what is stated most finally counts, and all of it has to agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.ballots.fold import fold, spoken
from agentdebate.ballots.markup import plain
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.reading.choices import Pick, find_choices
from agentdebate.ballots.reading.decision import corrected, deciding
from agentdebate.ballots.reading.gist import gist_of_choices
from agentdebate.ballots.reading.names import FOREIGN, TIE, Names, names_of
from agentdebate.ballots.reading.pieces import tokenize
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.statement import Finality
from agentdebate.ballots.refusal import declines


@dataclass(frozen=True, slots=True)
class Preference:
    """The place of the text that a reply prefers, from 0, and None for a tie; by which rule it was read."""

    place: int | None
    rule: Rule


def read_choice(
    text: str,
    labels: Sequence[str],
    *,
    ties: bool = True,
    tie_mark: str | None = None,
    cut_off: bool = False,
) -> Preference | Problem:
    """The choice in a reply about texts that were shown under these labels ("Answer A", "Output (b)"); or why there is none.

    `ties` says whether no text may be better, `tie_mark` which key stands for that; None for the key behind the last of two
    texts' ("C", "3"), an empty one for no key. `cut_off` says that the reply stopped at the length limit: then a choice at its
    very end is not trusted. Raises nothing.
    """
    said = spoken(text)
    if not any(character.isalnum() for character in said):
        return Problem("nothing", "The reply was empty: it makes no choice.")
    names = names_of(tuple(labels), (tie_mark if tie_mark is None or tie_mark else "") if ties else "")
    words = tokenize(gist_of_choices(plain(names.marked(fold(said)))))
    stated = corrected(words, list(find_choices(words, names)))
    picks = _with_last(deciding(stated), stated)
    if not picks and declines(said):
        return Problem("refusal", "The reply declined to answer: it makes no choice.")
    return _settled(picks, labels, names, ties=ties, open_at=_open(said, words) if cut_off else None)


def _with_last(picks: list[Pick], stated: list[Pick]) -> list[Pick]:
    """The statements that count, and the reply's last one: it must not differ from those that merely conclude."""
    last = stated[-1:] if picks and picks[0].finality == Finality.FORM else []
    return [*picks, *(one for one in last if one.finality == Finality.PROSE and one.at > picks[-1].at)]


def _open(said: str, words: Sequence[str]) -> int | None:
    """The place of the word that the reply ends in, so that more of it may have been to come."""
    return len(words) - 1 if words and said[-1:].isalnum() else None


def _settled(
    picks: Sequence[Pick], labels: Sequence[str], names: Names, *, ties: bool, open_at: int | None
) -> Preference | Problem:
    places = {pick.value for pick in picks}
    hints = any(pick.finality == Finality.HINT for pick in picks)
    if not picks or hints:
        return Problem("cut_off" if open_at is not None else "missing", "I found no choice in the reply.")
    if len(places) > 1:
        found = " and ".join(dict.fromkeys(_shown(pick.value, labels) for pick in picks))
        return Problem("several", f"I found {found}, and cannot tell which one is meant.")
    place = places.pop()
    if place == FOREIGN or (place == TIE and not ties):
        return Problem("off_scale", f"I found {_shown(place, labels)}, which is none of {', '.join(labels)}.")
    if all(pick.at == open_at for pick in picks):
        return Problem("cut_off", "The reply was cut off before its choice was complete.")
    return Preference(None if place == TIE else place, picks[-1].rule)


def _shown(place: int, labels: Sequence[str]) -> str:
    return "a tie" if place == TIE else "a text that is not there" if place == FOREIGN else labels[place]
