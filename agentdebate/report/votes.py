"""How several choices are put together, in sentences for the caption of a table."""

from collections.abc import Iterator, Mapping, Sequence

from agentdebate.meta.expression import Term
from agentdebate.meta.labels import words_of
from agentdebate.meta.readers import Choosing

_OF_PEOPLE: Mapping[str, str] = {
    "majority": "the most frequent label; where several are as frequent, a tie",
    "each": "each person's label, a row each of the same source",
}


_SCORES: Mapping[str, str] = {
    "majority": "the most frequent one; where several are as frequent, the text has none",
    "mean": "their mean",
    "each": "each person's, a row each of the same source",
}


def scores_together(term: Term) -> str:
    """What is made of several people's scores."""
    return f"People's score is, of {' and '.join(term.fields)}, {_SCORES[term.function]}."


def lists_together(fields: Sequence[str], whose: str) -> str:
    """What is made of lists of scores of which nobody says what they come to."""
    return f"{whose} score is, of the {'list' if len(fields) == 1 else 'lists'} {' and '.join(fields)}, the mean."


def labels_told(labels: Mapping[str, str]) -> Iterator[str]:
    """What each of people's labels is called by a judge, where both do not say the same."""
    if any(words_of(theirs) != (ours,) for ours, theirs in labels.items()):
        told = "; ".join(f"{ours} = {' or '.join(words_of(theirs))}" for ours, theirs in labels.items())
        yield f"Labels, people's and what judges say for them: {told}."


def grades_told(grades: Mapping[str, float]) -> Iterator[str]:
    """Which scores words stand for."""
    if grades:
        yield f"Words are scores: {', '.join(f'{word} = {score:g}' for word, score in grades.items())}."


def put_together(choosing: Choosing, *, lists: bool = False) -> Iterator[str]:
    """What is made of several people's labels, of samples, and of both orders; nothing where there is one of each.

    `lists` says that a field of the judge's holds samples, whatever is written.
    """
    human = choosing.human
    if human is not None and human.function:
        yield f"People's choice is, of {' and '.join(human.fields)}, {_OF_PEOPLE[human.function]}."
    if len(choosing.terms) > 1:
        yield (
            f"A judge's choice is the vote {choosing.told} (flip: said of the texts in the other order, and turned around): a tie is a vote "
            "for none of the texts, equal votes are a tie, and a text that lacks one of the votes has no choice."
        )
    elif any(term.order == "flip" for term in choosing.terms):
        yield f"A judge's choice is {choosing.told}: said of the texts in the other order, and turned around."
    if lists or any(term.function for term in choosing.terms):
        yield "Of several samples the most frequent choice counts; where several are as frequent, it is a tie."
