"""The readers that are measured. Whoever writes a new one puts it in here; nothing else of the corpus knows a reader."""

from collections.abc import Mapping
from typing import Literal

from agentdebate.ballots.replies.choices import read_choice
from agentdebate.ballots.replies.critic import read_critic
from agentdebate.ballots.replies.scores import read_scores
from replies.corpus import ChoiceReply, Reply, ScoreReply
from replies.stop_word import Critique, Outcome

Judgement = Mapping[str, float] | int | Literal["tie"]
"""The scores of the aspects, or the place of the text that is chosen, from 0, or "tie"."""


def truth_of(reply: Reply) -> Judgement | None:
    """Return what is to be read in a reply; None where it has to be refused."""
    return reply.scores if isinstance(reply, ScoreReply) else reply.choice


def read(reply: Reply) -> Judgement | None:
    """Return what our reader makes of a reply; None where it refuses it."""
    return _scores(reply) if isinstance(reply, ScoreReply) else _choice(reply)


def _scores(reply: ScoreReply) -> Mapping[str, float] | None:
    found = read_scores(reply.text, reply.aspects, cut_off=reply.wording.cut_off)
    return None if found.refused else found.scores


def _choice(reply: ChoiceReply) -> int | Literal["tie"] | None:
    labels = [candidate.label for candidate in reply.candidates]
    found = read_choice(
        reply.text, labels, ties=reply.ties, tie_mark=reply.tie_mark, cut_off=reply.wording.cut_off
    )
    if found.choice is None:
        return None
    return "tie" if found.choice == "tie" else labels.index(found.choice)


def read_critique(critique: Critique) -> Outcome:
    """Return what our reader makes of a critic's reply; "unclear" where the critic is asked again."""
    found = read_critic(critique.text)
    return "unclear" if found.agrees is None else "agrees" if found.agrees else "objects"
