"""How several choices are put together, in sentences for the caption of a table."""

from collections.abc import Iterator, Mapping

from agentdebate.meta.choosing import Choosing
from agentdebate.meta.expression import Term

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


def put_together(choosing: Choosing) -> Iterator[str]:
    """What is made of several people's labels, of samples, and of both orders; nothing where there is one of each."""
    if choosing.people is not None:
        fields = " and ".join(choosing.people.fields)
        yield f"People's choice is, of {fields}, {_OF_PEOPLE[choosing.people.function]}."
    if len(choosing.terms) > 1:
        orders = " (flip: said of the texts in the other order, and turned around)" if choosing.orders else ""
        yield (
            f"A judge's choice is the vote {choosing.judge[0]}{orders}: a tie is a vote for none of the texts, equal votes are "
            "a tie, and a text that lacks one of the votes has no choice."
        )
    elif any(term.flipped for term in choosing.terms):
        yield f"A judge's choice is {choosing.judge[0]}: said of the texts in the other order, and turned around."
    if any(term.function for term in choosing.terms):
        yield "Of several samples the most frequent choice counts; where several are as frequent, it is a tie."
