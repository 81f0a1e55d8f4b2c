"""Ballots: one agent's judgement as ratings of aspects, and how it was read."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Rating(BaseModel):
    """One number given for one aspect of the text under judgement, or of one of several that are compared."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    aspect: str
    score: float
    candidate: str | None = None
    """The field of the item that holds the text, where several are compared."""

    @property
    def name(self) -> str:
        """What tables call it: the aspect, with the candidate behind it where there are several."""
        return self.aspect if self.candidate is None else f"{self.aspect}.{self.candidate}"


How = Literal["schema", "text", "repaired", "expected"]


class Reading(BaseModel):
    """How a ballot was got out of a reply.

    `how` is "schema" (the endpoint held the reply to a JSON schema), "text" (found in free text or in JSON nobody
    enforced), "repaired" (broken JSON was mended first) or "expected" (the score is the expectation over the tokens in
    which it was given; `mass` is the probability of those that are scores). `attempts` counts the replies it took: above 1, the agent
    was asked again, and `problems` says what was wrong with each earlier reply. `ends` says of a reply that was too long to
    be read in whole how many characters at its start and at its end were; it is None where all of it was read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    how: How
    rule: str = ""
    """The rule of docs/explanation/reading-replies.md by which the scores were found; one for each rating, with commas
    between, where they differ."""
    attempts: int = 1
    problems: tuple[str, ...] = ()
    mass: float | None = None
    ends: tuple[int, int] | None = None


class Ballot(BaseModel):
    """One agent's judgement: a rating for each aspect it was asked for, its reason, and how it was read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ratings: tuple[Rating, ...]
    reason: str = ""
    reading: Reading = Reading(how="text")

    @property
    def scores(self) -> dict[str, float]:
        """The score of each aspect by its name ("overall.answer_1" where candidates are compared)."""
        return {rating.name: rating.score for rating in self.ratings}

    def line(self) -> str:
        """The ballot in a few words: "coherence 4"."""
        return ", ".join(f"{name} {score:g}" for name, score in self.scores.items())

    @property
    def rules(self) -> dict[str, str]:
        """The rule by which each rating was found, by its name; empty names where that is not known."""
        rules = self.reading.rule.split(", ")
        if len(rules) != len(self.ratings):
            rules = rules[:1] * len(self.ratings)
        return {rating.name: rule for rating, rule in zip(self.ratings, rules, strict=True)}

    def after(self, problems: tuple[str, ...]) -> "Ballot":
        """The ballot as one that was had only after replies with these problems."""
        reading = self.reading.model_copy(update={"attempts": len(problems) + 1, "problems": problems})
        return self.model_copy(update={"reading": reading})
