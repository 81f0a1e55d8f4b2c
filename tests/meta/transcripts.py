"""Transcripts made by hand: who says what to whom, without a model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.talk.messages import FLOOR, Ask, Brief, Critique, Message, Score, Statement, Tell, Verdict

ASPECT = "fluency"
ANSWERS = ("answer_1", "answer_2")


class Minutes:
    """Takes down a debate."""

    def __init__(self, *, candidates: Sequence[str] = ()) -> None:
        self.said: list[Message] = []
        self.round = 1
        self._put(
            Brief(
                sender=FLOOR,
                to=("a", "b"),
                task="text",
                aspects=(ASPECT,),
                item="1",
                candidates=tuple(candidates),
                text="",
            )
        )

    def score(self, agent: str, value: float | Mapping[str, float], *, hearing: Sequence[int] = ()) -> int:
        """An agent is asked for a ballot and casts it; the message's number comes back."""
        asked = self._ask(agent, "score", hearing)
        if isinstance(value, Mapping):
            ratings = tuple(Rating(aspect=ASPECT, candidate=name, score=one) for name, one in value.items())
        else:
            ratings = (Rating(aspect=ASPECT, score=value),)
        return self._put(
            Score(
                sender=agent,
                to=(FLOOR,),
                round=self.round,
                answers=asked,
                text="So I say.",
                model="m",
                ballot=Ballot(ratings=ratings),
            )
        )

    def speak(self, agent: str, *, hearing: Sequence[int] = (), model: str = "m") -> int:
        """An agent says something; without a model it is a relay."""
        asked = self._ask(agent, "speak", hearing)
        return self._put(
            Statement(sender=agent, to=(FLOOR,), round=self.round, answers=asked, text="Well.", model=model)
        )

    def object(self, agent: str, *, hearing: Sequence[int] = ()) -> int:
        """An agent objects."""
        asked = self._ask(agent, "criticise", hearing)
        return self._put(
            Critique(
                sender=agent,
                to=(FLOOR,),
                round=self.round,
                answers=asked,
                text="No.",
                model="m",
                no_issue=False,
            )
        )

    def tell(self, heard: Sequence[int], *to: str) -> None:
        """Have what was said heard."""
        self._put(Tell(sender=FLOOR, to=to, round=self.round, heard=tuple(heard)))

    def end(self, value: float) -> None:
        """The verdict."""
        self._put(
            Verdict(
                ratings=(Rating(aspect=ASPECT, score=value),),
                settled=True,
                ended="agreement",
                rounds=self.round,
                merge="average",
                ballots=(),
            )
        )

    def _ask(self, agent: str, purpose: str, hearing: Sequence[int]) -> int:
        return self._put(
            Ask(
                sender=FLOOR,
                to=(agent,),
                round=self.round,
                purpose=purpose,
                reply="score",
                hearing=tuple(hearing),
            )
        )

    def _put(self, message: Message) -> int:
        seq = len(self.said) + 1
        self.said.append(replace(message, seq=seq))
        return seq


def simultaneous(rounds: Sequence[Mapping[str, float]], verdict: float | None = None) -> list[Message]:
    """Every agent casts a ballot in each round, and all of them hear all of it before the next one."""
    minutes = Minutes()
    for number, ballots in enumerate(rounds, 1):
        minutes.round = number
        cast = [minutes.score(agent, score) for agent, score in ballots.items()]
        minutes.tell(cast, *ballots)
    if verdict is not None:
        minutes.end(verdict)
    return minutes.said
