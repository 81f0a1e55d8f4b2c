"""The ballots of a stored run, a row a rating."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentdebate.tables.column import Column
from agentdebate.talk.messages import CastBallot, Verdict

COLUMNS = (
    *(Column("debate"), Column("item"), Column("number", "integer"), Column("agent")),
    *(Column("round", "integer"), Column("model"), Column("aspect"), Column("candidate")),
    *(Column("score", "number"), Column("reason"), Column("weight", "number")),
    *(Column("confidence", "number"), Column("confidence_from")),
    *(Column("read_from"), Column("attempts", "integer"), Column("message", "integer")),
)


@dataclass(frozen=True)
class BallotRating:
    """One rating of a ballot. A ballot that rates nothing, such as a critic's without a score, has one without a score."""

    debate: str
    number: int
    """Of the ballot within its debate, from 1, in the order in which ballots were cast."""
    cast: CastBallot
    """The whole ballot."""
    aspect: str | None
    candidate: str | None
    score: float | None

    def __repr__(self) -> str:
        score = "no score" if self.score is None else f"{self.score:g}"
        return f"<BallotRating {self.number} of {self.debate[:80]!r}: {self.agent[:40]}, {(self.aspect or '')[:40]} {score}>"

    @property
    def item(self) -> str:
        """The item's id."""
        return self.debate.rpartition("/")[0]

    @property
    def agent(self) -> str:
        """Who cast the ballot."""
        return self.cast.agent

    @property
    def round(self) -> int:
        """In which round."""
        return self.cast.round

    @property
    def model(self) -> str:
        """The model that spoke."""
        return self.cast.model

    @property
    def reason(self) -> str:
        """The ballot's reason."""
        return self.cast.ballot.reason

    def row(self) -> dict[str, Any]:
        """It as one flat row."""
        ballot = self.cast.ballot
        sure = ballot.confidence
        return {
            **{name: getattr(self, name) for name in ("debate", "item", "number", "agent", "round", "model")},
            **{name: getattr(self, name) for name in ("aspect", "candidate", "score", "reason")},
            "weight": self.cast.weight,
            "confidence": None if sure is None else sure.value,
            "confidence_from": None if sure is None else sure.source,
            "read_from": ballot.reading.how,
            "attempts": ballot.reading.attempts,
            "message": self.cast.message,
        }


def ratings_of(debate: str, verdict: Verdict) -> Iterator[BallotRating]:
    """Every rating of every ballot of a debate."""
    for number, cast in enumerate(verdict.ballots, 1):
        for rating in cast.ballot.ratings:
            yield BallotRating(debate, number, cast, rating.aspect, rating.candidate, rating.score)
        if not cast.ballot.ratings:
            yield BallotRating(debate, number, cast, None, None, None)
