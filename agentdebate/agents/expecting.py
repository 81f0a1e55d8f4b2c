"""A ballot whose score is the expectation over the tokens in which it was given (G-Eval, Section 2.3)."""

import re
from dataclasses import replace

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.expectation import TokenChoice, expected
from agentdebate.ballots.lineup import Line
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.errors import RequestRefused
from agentdebate.models.base import Completion, TokenLogprob

_LABEL_ENDS = re.compile(
    r"[^\n:\d(\[]*+(?:[(\[][^()\[\]\n]{0,40}\d\D{1,20}\d[^()\[\]\n]{0,40}[)\]])?[^\n:\d]*+:?"
)
"""From behind an aspect's title to its score: brackets with the scale, and a colon."""


def expectation(completion: Completion, ballot: Ballot, line: Line) -> Ballot | Problem:
    """The ballot with the expected score in the place of the one that was given, and how much of the probability it rests on.

    Raises RequestRefused where the model gave no log-probabilities.
    """
    if completion.logprobs is None:
        raise RequestRefused(
            'it gave no log-probabilities: take a model that gives them, or mode = "sampled"',
            model=completion.model,
        )
    tokens = [TokenChoice(one.token, _alternatives(one)) for one in completion.logprobs]
    given = ballot.ratings[0]
    found = expected(
        tokens, completion.text, given.score, line.aspect.scale, after=_after_label(completion.text, line)
    )
    if found is None:
        return Problem("missing", f"I cannot tell which of its tokens are the score {given.score:g}.")
    reading = replace(ballot.reading, how="expected", mass=found.mass)
    rating = Rating(aspect=given.aspect, candidate=given.candidate, score=found.score)
    return replace(ballot, ratings=(rating,), reading=reading)


def _alternatives(one: TokenLogprob) -> dict[str, float]:
    return {**dict(one.top), one.token: one.logprob}


def _after_label(text: str, line: Line) -> int:
    """Where the form's own label ends, which may repeat the scale. What begins a line goes before what is said in prose."""
    title = re.escape(line.aspect.title)
    labels = list(re.finditer(rf"^(?:[^\w\n]|[_\d]){{0,40}}{title}", text, re.IGNORECASE | re.MULTILINE))
    labels = labels or list(re.finditer(title, text, re.IGNORECASE))
    ends = _LABEL_ENDS.match(text, labels[-1].end()) if labels else None
    return ends.end() if ends else 0
