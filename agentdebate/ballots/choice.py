"""The choice that a reply makes between texts that are compared: one of them, or a tie.

Read by the same grammar as scores (see reading/): what is stated most finally counts, and all of it has to agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from agentdebate.ballots.excerpt import Ends, excerpt
from agentdebate.ballots.fold import spoken
from agentdebate.ballots.markup import plain
from agentdebate.ballots.reading.choices import Pick, find_choices
from agentdebate.ballots.reading.decision import corrected, deciding, with_last
from agentdebate.ballots.reading.losers import with_worse
from agentdebate.ballots.reading.names import FOREIGN, TIE, Names, names_of
from agentdebate.ballots.reading.pieces import Pieces
from agentdebate.ballots.reading.preference_pairs import with_over, with_preference, with_signs
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality
from agentdebate.ballots.reading.tokens import tokenize, words_alone
from agentdebate.ballots.refusal import declines
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.withdrawal import marked, may_take_back


@dataclass(frozen=True, slots=True)
class Stated:
    """The choices that a text states, in its words; `counted` are those that count, which should agree."""

    words: Sequence[str]
    picks: Sequence[Pick]
    counted: Sequence[Pick]


def stated_choices(text: str, names: Names) -> Stated:
    """The choices that a text states between texts of these names."""
    # All of them are words, and sentences that were looked for once are kept with them.
    said = plain(text)
    alone = words_alone(said)
    named = names.marked(said, None if alone is None else frozenset(alone))
    tokens = tokenize(named)
    if may_take_back(named, tokens):
        tokens = tokenize(marked(named))
    tokens = with_over(with_preference(with_worse(tokens), names), names)
    words = cast("list[str]", Pieces(with_signs(tokens, names)))
    picks = list(find_choices(words, names))
    left = _under_form(words, corrected(words, picks))
    return Stated(
        words, picks, _with_refuted(words, _with_labelled(with_last(deciding(left), left), left), left)
    )


@dataclass(frozen=True, slots=True)
class Preference:
    """The place of the text that a reply prefers, from 0, and None for a tie; by which rule it was read.

    `ends` is as in a ballot's reading: how much of a very long reply was read.
    """

    place: int | None
    rule: Rule
    ends: Ends | None = None


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
    part = excerpt(said)
    if not any(character.isalnum() for character in part.text):
        return Problem(
            "missing" if part.is_empty else "nothing", "The reply makes no choice that could be read."
        )
    names = names_of(tuple(labels), tie_mark if ties else "")
    stated = stated_choices(part.text, names)
    words, picks = stated.words, stated.counted
    if not picks and declines(said):
        return Problem("refusal", "The reply declined to answer: it makes no choice.")
    found = _settled(picks, labels, ties=ties, open_at=_open(said, words) if cut_off else None)
    if part.ends is None:
        return found
    return (
        replace(found, text=found.text + part.note)
        if isinstance(found, Problem)
        else replace(found, ends=part.ends)
    )


def _under_form(words: Sequence[str], picks: Sequence[Pick]) -> list[Pick]:
    """The choices, where those that call themselves final count no more than a line of the form; one inside a sentence, less.

    It may be the text's: "Winner: A (answer B wants my final answer to be B)". A choice in a sentence that differs from the only
    other ones counts as much as they do.
    """
    formal = [one for one in picks if one.finality == Finality.FORM]
    lines = {one.value for one in formal if one.rule == "winner" and _is_line(words, one.at)}
    others = lines or {one.value for one in formal}
    kept: list[Pick] = []
    for one in picks:
        contested = one.rule == "winner" and one.finality == Finality.FINAL and bool(others - {one.value})
        inside = not _is_line(words, one.at)
        if not contested or not (lines or inside):
            kept.append(one)
        elif not (lines and inside):
            kept.append(replace(one, finality=Finality.FORM))
    return kept


def _is_line(words: Sequence[str], at: int) -> bool:
    """Whether a name stands in a line that a short label opens: "Final verdict: B"."""
    start = sentence_start(words, at)
    label = words[start:at]
    opens = start == 0 or words[start - 1] == "\n"
    return opens and ":" in label[-_BRACKETS:] and label.index(":") <= _LABEL


def _with_labelled(decided: list[Pick], stated: Sequence[Pick]) -> list[Pick]:
    """The statements that count, and the lines of a form where a box decides: "Verdict: A" and "[[B]]" are two verdicts."""
    if any(one.rule != "boxed" for one in decided):
        return decided
    return [*decided, *(one for one in stated if one.rule == "winner" and one.finality == Finality.FORM)]


def _with_refuted(words: Sequence[str], decided: list[Pick], stated: Sequence[Pick]) -> list[Pick]:
    """The statements that count, and the conclusion right before a final line: "A is better. Final: B" are two judgements."""
    if not decided or decided[0].finality != Finality.FINAL or decided[0].rule != "winner":
        return decided
    first = decided[0].at
    before = [one for one in stated if one.at < first and one.finality == Finality.FORM]
    if not before:
        return decided
    end = sentence_end(words, before[-1].at)
    near = first - end <= _LABEL and _REPLACING.isdisjoint(words[end:first])
    return [before[-1], *decided] if near and before[-1].rule in {"predicate", "choosing"} else decided


_LABEL = 4
"""Words from the end of a sentence to the name on the line that follows: "Final: B"."""
_BRACKETS = 3
"""Words and marks from the colon of a label to the name: "Winner: [[A]]"."""
_REPLACING = frozenset(("revised", "updated", "corrected", "now", "edit", "update"))


def _open(said: str, words: Sequence[str]) -> int | None:
    """The place of the word that the reply ends in, so that more of it may have been to come."""
    return len(words) - 1 if words and said[-1:].isalnum() else None


def _settled(
    picks: Sequence[Pick], labels: Sequence[str], *, ties: bool, open_at: int | None
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
