"""Readers recruited for each text, in front of any strategy (DRPE, Section 3.1)."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Self

from anyio.to_thread import run_sync
from pydantic import Field, model_validator

from agentdebate.agents.seat import VACANT, Card
from agentdebate.ballots.roster import MOST_ROLES, Role
from agentdebate.embedders.base import Embedder
from agentdebate.embedders.registry import check_known, embedder
from agentdebate.extras import require
from agentdebate.strategies.base import Cards
from agentdebate.strategies.diversity import diverse, text_of
from agentdebate.strategies.wrapper import Wrapper, inside
from agentdebate.talk.messages import Selection, Verdict
from agentdebate.talk.purposes import RECRUIT

if TYPE_CHECKING:
    from agentdebate.strategies.floor import Floor  # which brings along what holds debates

RECRUITER = "recruiter"
"""The role of the agent that recruits."""


class Recruited(Wrapper):
    """A recruiter finds readers for the text; those unlike each other take the place that is kept for recruits."""

    k: int = Field(default=5, ge=0, le=MOST_ROLES)
    """Number of readers that are recruited: half of them by walk of life, half by what they know of the topic."""
    fine: int | None = Field(default=None, ge=0)
    """Number of them that are recruited by what they know; half of them, rounded down, where this is left open."""
    apart: bool = False
    """True to ask for the two kinds one after the other, in separate calls."""
    cluster: bool = True
    """True to keep only one of several readers who are alike."""
    embedder: str = "tf-idf"
    """Embedder that turns readers into vectors: "tf-idf", "sentence-transformers/MODEL", "openai/MODEL"."""
    eps: float | None = Field(default=None, gt=0, le=2)
    """The cosine distance within which two readers are alike; the embedder's own where this is left open."""
    cast: Mapping[str, Cards] = {RECRUITER: ("recruiter",)}

    recruits: ClassVar[bool] = True

    @model_validator(mode="after")
    def _recruits_somebody(self) -> Self:
        if not any(VACANT in cards for one in inside(self) for cards in one.cast.values()):
            raise ValueError(
                f"no role of {self.around.title} waits for recruits: give one of {', '.join(self.around.cast)} the agent "
                '"recruit" beside its own, or take a strategy that does not recruit'
            )
        if VACANT in self.cast.get(RECRUITER, ()):
            raise ValueError("the recruiter cannot be recruited: name an agent")
        if not self.k:
            self._has_readers()
        if self.fine is not None and self.fine > self.k:
            raise ValueError(f"{self.fine} of {self.k} readers cannot be chosen by what they know")
        return self

    def _has_readers(self) -> None:
        for role, seats in self.seats().items():
            if any(seat.vacant for seat in seats) and not any(seat.standing for seat in seats):
                raise ValueError(
                    f"with k = 0 no agent is in the role {role!r}: give it an agent, or recruit some"
                )

    async def debate(self, floor: "Floor") -> Verdict:
        """Recruit, drop readers that are like another one, seat the rest, and hold the debate inside.

        In a further sitting over the same item the readers of the first one sit there already.
        """
        if floor.filled:
            return await self.around.debate(floor)
        roles = await self.recruit(floor) if self.k else ()
        selection = await self.select(floor, roles)
        await floor.announce(selection)
        await floor.fill([Card.of_recruit(role) for role in selection.kept])
        return await self.around.debate(floor)

    async def recruit(self, floor: "Floor") -> tuple[Role, ...]:
        """The readers that the recruiter finds: both kinds in one call, or in one call each."""
        recruiter, fine = floor.one(RECRUITER), self.k // 2 if self.fine is None else self.fine
        asked = [{"coarse": self.k - fine, "fine": 0}, {"coarse": 0, "fine": fine}]
        wanted = asked if self.apart else [{"coarse": self.k - fine, "fine": fine}]
        rosters = [
            await floor.ask(recruiter, RECRUIT, given=given) for given in wanted if any(given.values())
        ]
        return tuple(role for roster in rosters for role in roster.roles)

    async def select(self, floor: "Floor", roles: Sequence[Role]) -> Selection:
        """Select the readers that are seated: of those that are alike, the one nearest their centre."""
        if floor.rehearsal or not (self.cluster and roles):
            return Selection(kept=tuple(dict.fromkeys(roles)), embedder="none")
        standing = [Role(type=card.title, description=card.persona) for card in floor.standing]
        everyone = [*standing, *roles]
        embeds = await floor.shared(f"embedder {self.embedder}", self._embedder)
        vectors = await embeds.embed([text_of(role) for role in everyone])
        eps = embeds.eps if self.eps is None else self.eps
        cluster = partial(diverse, everyone, vectors, standing=len(standing), eps=eps)
        kept, dropped = await run_sync(cluster)  # in a thread, since the library takes seconds to load
        return Selection(kept=tuple(kept), dropped=tuple(dropped), embedder=embeds.name)

    def require(self) -> None:
        """Raise UserError where there is no such embedder, or what clusters is not installed."""
        super().require()
        if self.cluster and self.k:
            require("sklearn", "drpe")
            check_known(self.embedder)

    def _embedder(self) -> Embedder:
        return embedder(self.embedder)
