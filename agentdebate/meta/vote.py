"""The choice that several come to: samples of one judge, and the same judge in both orders of two texts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agentdebate.datasets.row import Row
from agentdebate.errors import nearest
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import choice_of, value_in
from agentdebate.meta.labels import Pair
from agentdebate.meta.talk import TIE


def samples_in(row: Row, fields: Sequence[str]) -> tuple[str, ...]:
    """The labels in fields, each of which may hold one or a list of them; those that are empty are left out.

    Raises DataError for what names nothing.
    """
    if len(fields) == 1 and not isinstance(value := value_in(row, fields[0]), list):
        label = choice_of(row, fields[0], value)
        return () if label is None else (label,)
    found = []
    for field in fields:
        value = value_in(row, field)
        if not isinstance(value, list):
            found.append(choice_of(row, field, value))
            continue
        found += [choice_of(row, f"{field}.{n}", entry) for n, entry in enumerate(value)]
    return tuple(label for label in found if label is not None)


def sample_counts(row: Row, terms: Sequence[Term]) -> tuple[int, int]:
    """How many samples stand in lists, or in the several fields of a majority, and how many of them are empty."""
    total = empty = 0
    for term in terms:
        values = [value_in(row, field) for field in term.fields]
        entries = [one for each in values for one in (each if isinstance(each, list) else [each])]
        if len(values) > 1 or isinstance(values[0], list):
            total += len(entries)
            empty += sum(choice_of(row, term.fields[0], one) is None for one in entries)
    return total, empty


def majority(labels: Sequence[str], tie: str = TIE) -> str | None:
    """The most frequent label, a tie being one like any other; a tie where several are as frequent, None without any."""
    if len(labels) == 1:
        return labels[0]
    counts = Counter(labels).most_common()
    if not counts:
        return None
    return counts[0][0] if len(counts) == 1 or counts[0][1] > counts[1][1] else tie


def vote(choices: Sequence[str | None], tie: str = TIE) -> str | None:
    """What single votes come to: the label with the most, where a vote for a tie is for none of the texts.

    A tie where several have as many, or all are ties; None where one of the votes is missing.
    """
    if None in choices:
        return None
    return majority([choice for choice in choices if choice is not None and choice != tie], tie) or tie


def said(row: Row, term: Term, pair: Pair | None) -> str | None:
    """The choice of one term, of the texts in their first order. Raises DataError for a label that is not known."""
    labels = samples_in(row, term.fields)
    if pair is None:
        return majority(labels)
    try:
        known = [pair.known(label) for label in labels]
    except KeyError as error:
        texts = (pair.first, pair.second, pair.tie)
        raise row.error(
            f"this is none of the choices that flip() can turn around: {error.args[0]!r}. "
            f"{nearest(error.args[0], pair.words or texts)}{_how_to_say(error.args[0])}",
            term.fields[0],
        ) from error
    chosen = majority(known, pair.tie)
    return pair.flipped(chosen) if term.flipped and chosen is not None else chosen


def _how_to_say(word: str) -> str:
    """What to do about a tie that no label stands for."""
    return f" Say what a tie is called: labels='TIE={word}'" if word.casefold() == TIE else ""


def voted(row: Row, terms: Sequence[Term], pair: Pair | None) -> Row:
    """The row with the vote of the terms under their own text, which stands for a field from then on."""
    tie = pair.tie if pair else TIE
    choice = (
        vote([said(row, term, pair) for term in terms], tie) if len(terms) > 1 else said(row, terms[0], pair)
    )
    return replace(row, data={**row.data, text_of(terms): choice})


def text_of(terms: Iterable[Term]) -> str:
    """A vote as it is written."""
    return "+".join(map(str, terms))


def may_be_scores(terms: Sequence[Term]) -> bool:
    """Whether a sum has plain fields only, so that they could hold scores, or replies in both orders, as well as choices."""
    return len(terms) > 1 and not any(term.flipped or term.function for term in terms)
