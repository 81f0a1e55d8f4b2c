"""Votes out of the choices that were found in a reply, each with the confidence that it was given with."""

from collections.abc import Sequence

from agentdebate.ballots.ballot import Ballot, Confidence, Rating, Reading
from agentdebate.ballots.confidence import confidence
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.poll import Choice
from agentdebate.models.base import Completion
from agentdebate.talk.messages import Vote

ITSELF = ""
"""The player of a vote that the speaker cast as itself."""


def votes(
    choices: Sequence[Choice],
    completion: Completion,
    titles: Sequence[str],
    candidates: Sequence[Candidate],
    aspect: str,
) -> tuple[Vote, ...]:
    """A vote for each choice: 1 for the chosen text and 0 for the others, so that a mean of ballots is a share of votes.

    The confidence is that of the tokens of the choice's own part of the reply (DRPE, equation 3).
    """
    tokens = (
        None if completion.logprobs is None else [(one.token, one.logprob) for one in completion.logprobs]
    )
    return tuple(
        Vote(
            player=title,
            ballot=_ballot(
                choice,
                candidates,
                aspect,
                confidence(tokens, completion.text, choice.start, choice.end) if tokens else None,
            ),
        )
        for choice, title in zip(choices, titles or [ITSELF], strict=True)
    )


def poll_text(
    choices: Sequence[Choice], completion: Completion, titles: Sequence[str], candidates: Sequence[Candidate]
) -> str:
    """What the others get to hear: a reply in JSON becomes each player's reason and vote."""
    if not completion.text.lstrip("` \njson").startswith(("{", "[")):
        return completion.text.strip()
    labels = {candidate.field: candidate.label for candidate in candidates}
    parts = [
        "\n".join([*([f"{title}:"] if title else []), choice.reason, f"Vote: {labels[choice.candidate]}"])
        for choice, title in zip(choices, titles or [ITSELF], strict=True)
    ]
    return "\n\n".join(parts)


def _ballot(choice: Choice, candidates: Sequence[Candidate], aspect: str, sure: float | None) -> Ballot:
    ratings = tuple(
        Rating(aspect=aspect, candidate=candidate.field, score=float(candidate.field == choice.candidate))
        for candidate in candidates
    )
    reading = Reading(how=choice.how, rule=choice.rule)
    confident = None if sure is None else Confidence(value=sure, source="log-probabilities")
    return Ballot(ratings=ratings, reason=choice.reason, reading=reading, confidence=confident)
