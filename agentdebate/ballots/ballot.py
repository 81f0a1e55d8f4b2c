"""Ballots: one agent's judgement as ratings of aspects, and how it was read."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Rating(BaseModel):
    """One number given for one aspect."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    aspect: str
    score: float


class Reading(BaseModel):
    """How a ballot was got out of a reply.

    `how` is "schema" (the endpoint held the reply to a JSON schema), "text" (found in free text or in JSON nobody
    enforced) or "repaired" (broken JSON was mended first). `attempts` counts the replies it took: above 1, the agent
    was asked again, and `problems` says what was wrong with each earlier reply.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    how: Literal["schema", "text", "repaired"]
    attempts: int = 1
    problems: tuple[str, ...] = ()


class Ballot(BaseModel):
    """One agent's judgement: a rating for each aspect it was asked for, its reason, and how it was read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ratings: tuple[Rating, ...]
    reason: str = ""
    reading: Reading = Reading(how="text")

    @property
    def scores(self) -> dict[str, float]:
        """The score of each aspect by its name."""
        return {rating.aspect: rating.score for rating in self.ratings}
