"""A judge's choices among texts beside people's: labels that are said in one way here and in another there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum

from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.fields import has, label_in, score_in
from agentdebate.meta.judged import Choices, Chosen
from agentdebate.meta.predicted import Joined, Naming, Pair, name_of
from agentdebate.meta.reply_counts import counted_in
from agentdebate.meta.talk import TIE

_DECIMALS = 9


@dataclass(frozen=True)
class Choosing:
    """The field of people's choice, and of the judge's; or the fields of the judge's scores of the texts, the best of which
    is its choice.
    """

    aspect: str
    human: str
    judge: tuple[str, ...]
    """One field of its choice, or one of a text's score each; FIELD+FIELD where several scores of a text are added, such as
    those of both orders in which the texts were shown.
    """
    labels: Mapping[str, str] = field(default_factory=dict)
    """What each of people's labels is called by the judge; where empty, both say the same.

    A judge that scores the texts says the name of the field that holds the best one's score, or its number from 1, or "tie".
    """

    @classmethod
    def parse(cls, text: str, labels: Mapping[str, str]) -> "Choosing":
        """Read FIELD=FIELD, or FIELD=FIELD,FIELD for scores that are compared; FIELD+FIELD is a sum. Raises UsageError."""
        human, equals, judge = text.partition("=")
        fields = tuple(part.strip() for part in judge.split(",") if part.strip())
        if not (human and equals and fields):
            raise UsageError(
                f"--choice takes FIELD=FIELD, people's choice and the judge's, or FIELD=FIELD,FIELD, not {text!r}"
            )
        return cls(human, human, fields, labels)


def summands(text: str) -> tuple[str, ...]:
    """The fields of FIELD+FIELD. Raises UsageError for a sum of nothing."""
    fields = tuple(part.strip() for part in text.split("+"))
    if not all(fields):
        raise UsageError(f"--choice: FIELD+FIELD adds two fields, and {text!r} lacks one")
    return fields


def choices(judge: str, joined: Joined, choosing: Choosing, naming: Naming) -> Choices:
    """One judge's choices beside people's, as people's labels. Raises DataError for a label that is not known."""
    chosen = [_chosen(pair, choosing, naming, number) for number, pair in enumerate(joined.pairs, 1)]
    labels = tuple(choosing.labels) or _labels(judge, chosen, choosing)
    return Choices(
        judge, choosing.aspect, labels, tuple(chosen), joined.left_out, tie_of(choosing.labels, labels)
    )


def tie_of(named: Mapping[str, str], labels: Sequence[str]) -> str | None:
    """The label of people's for a tie: the one that the judge calls "tie", or that is called so; None where there is none."""
    tie = next((ours for ours, theirs in named.items() if theirs.casefold() == TIE), None)
    return tie or next((label for label in labels if label.casefold() == TIE), None)


def _chosen(pair: Pair, choosing: Choosing, naming: Naming, number: int) -> Chosen:
    name, source, _ = name_of(pair.data, naming, number)
    human = label_in(pair.data, choosing.human)
    if human is not None and choosing.labels and human not in choosing.labels:
        raise pair.data.error(_unknown(human, choosing.labels), choosing.human)
    if pair.scores is None:
        return Chosen(name, source, human, None)
    return Chosen(
        name, source, human, _said(pair.scores, choosing), *counted_in(pair.scores, choosing.judge[0])
    )


def _said(row: Row, choosing: Choosing) -> str | None:
    """What the judge says, in people's words."""
    said = label_in(row, choosing.judge[0]) if len(choosing.judge) == 1 else _best(row, choosing.judge)
    if said is None or not choosing.labels:
        return said
    meant = {theirs: ours for ours, theirs in choosing.labels.items()}
    names = [said, *_places(said, choosing.judge)]
    found = next((meant[name] for name in names if name in meant), None)
    if found is None:
        raise row.error(_unknown(said, meant), choosing.judge[0])
    return found


def _places(said: str, fields: Sequence[str]) -> Iterator[str]:
    """The number of a field among several, from 1."""
    if len(fields) > 1 and said in fields:
        yield str(fields.index(said) + 1)


def _best(row: Row, fields: Sequence[str]) -> str | None:
    """The field with the greatest number, a tie where several have it, None where one has none."""
    scores = {field: _sum(row, field) for field in fields}
    known = {field: score for field, score in scores.items() if score is not None}
    if len(known) < len(scores):
        return None
    best = [field for field, score in known.items() if score == max(known.values())]
    return best[0] if len(best) == 1 else TIE


def _sum(row: Row, fields: str) -> float | None:
    """The sum of the numbers in FIELD+FIELD; None where one of them is not there."""
    names = (fields,) if has(row, fields) else summands(fields)  # a field's own name may have a plus in it
    scores = [score_in(row, field) for field in names]
    known = [score for score in scores if score is not None]
    # Sums that are equal as they are written are equal here: 8.1 + 7.3 is 8.2 + 7.2.
    return round(fsum(known), _DECIMALS) if len(known) == len(scores) else None


def _labels(judge: str, chosen: Sequence[Chosen], choosing: Choosing) -> tuple[str, ...]:
    """The labels that both sides use. Raises UsageError where they have none in common."""
    human = dict.fromkeys(one.human for one in chosen if one.human is not None)
    said = dict.fromkeys(one.choice for one in chosen if one.choice is not None)
    if human and said and not human.keys() & said.keys():
        raise UsageError(
            f"--choice: people say {', '.join(human)} in {choosing.human!r}, and {judge} says {', '.join(said)}: "
            f"--labels says which is which, {next(iter(human))}={next(iter(said))},..."
        )
    return (*human, *(label for label in said if label not in human))


def _unknown(label: str, known: Mapping[str, str]) -> str:
    return f"--labels does not list {label!r}. {nearest(label, known)}"
