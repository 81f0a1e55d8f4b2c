"""From a completion to what a message of the wanted kind says, or to what is wrong with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agentdebate.agents.expecting import expectation
from agentdebate.agents.votes import poll_text, votes
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.fold import spoken
from agentdebate.ballots.objection import read_objection
from agentdebate.ballots.plan import read_plan
from agentdebate.ballots.poll import poll_schema, read_poll
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.roster import read_roster, roster_schema
from agentdebate.ballots.schema import ballot_schema
from agentdebate.ballots.sheet import fill_in, read_sheet
from agentdebate.errors import StrategyError
from agentdebate.lineup import Candidate, Line, Player
from agentdebate.messages import (
    Chosen,
    Critique,
    Plan,
    Poll,
    Reply,
    Roster,
    Ruling,
    Samples,
    Score,
    Statement,
    Summary,
    kind_of,
)
from agentdebate.models.base import Completion
from agentdebate.tasks import Aspect

Fields = Mapping[str, Any]
"""The fields of a message that come out of the completion."""

DOUBTS: Mapping[str, str] = {
    "contradictory": (
        "The reply says that there is no issue and objects to the score as well; it can only be one of the two."
    ),
    "in other words": (
        "The reply seems to accept the score, and does not say so in the words that were asked for. Write NO ISSUE if you "
        "accept it; if you do not, say what is wrong with it."
    ),
    "unclear": (
        "The reply does not say whether the score may stand. Write NO ISSUE if you accept it; if you do not, say what is wrong "
        "with it."
    ),
}
"""What a critic is asked about whose reply can be taken in two ways."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a reply says as far as can be told, and why the agent is asked about it while its patience lasts."""

    fields: Fields
    text: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a reply has to hold: word on aspects, the lines of a ballot, votes of players for candidates, what the strategy gave."""

    aspects: tuple[Aspect, ...] = ()
    lines: tuple[Line, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    players: tuple[Player, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    samples: int = 1
    """How many samples were asked for."""

    @property
    def titles(self) -> tuple[str, ...]:
        """What the players are called."""
        return tuple(player.title for player in self.players)

    @property
    def roles(self) -> int:
        """How many roles are to be recruited."""
        return sum(self.given.get(grain, 0) for grain in ("coarse", "fine"))


def read_opinion(completion: Completion, wanted: Wanted) -> Fields | Problem:
    """A reply that carries a ballot."""
    cut_off = completion.finish == "length"
    ballot = read_sheet(completion.text, wanted.lines, structured=completion.structured, cut_off=cut_off)
    if isinstance(ballot, Problem):
        return ballot
    return {"ballot": ballot, "text": _as_prose(ballot, completion.text, wanted.lines)}


def read_critique(completion: Completion, wanted: Wanted) -> Fields | Problem | Doubt:
    """A critic's reply. One that can be taken in two ways is asked about, and marked if it stays so."""
    objection = read_objection(completion.text, aspects=[line.aspect for line in wanted.lines])
    if isinstance(objection, Problem):
        return objection
    fields = {
        "text": completion.text.strip(),
        "no_issue": objection.no_issue,
        "reading": objection.reading,
        "ends": objection.ends,
    }
    return Doubt(fields, DOUBTS[objection.reading]) if objection.reading in DOUBTS else fields


def read_talk(completion: Completion, wanted: Wanted) -> Fields | Problem:  # noqa: ARG001 - one signature
    """Free talk: anything but silence."""
    text = completion.text.strip()
    return {"text": text} if text else Problem("nothing", "The reply is empty.")


def read_votes(completion: Completion, wanted: Wanted) -> Fields | Problem:
    """The votes of everyone that the speaker plays; without players, its own."""
    cut_off = completion.finish == "length"
    choices = read_poll(
        completion.text, wanted.titles, wanted.candidates, structured=completion.structured, cut_off=cut_off
    )
    if isinstance(choices, Problem):
        return choices
    cast = votes(choices, completion, wanted.titles, wanted.candidates, wanted.lines[0].rated)
    return {"votes": cast, "text": poll_text(choices, completion, wanted.titles, wanted.candidates)}


def read_roles(completion: Completion, wanted: Wanted) -> Fields | Problem:
    """The roles that a recruiter wants."""
    cut_off = completion.finish == "length"
    roles = read_roster(completion.text, wanted.roles, structured=completion.structured, cut_off=cut_off)
    if isinstance(roles, Problem):
        return roles
    return {"roles": roles, "text": "\n".join(f"{role.type}: {role.description}" for role in roles)}


def read_samples(completion: Completion, wanted: Wanted) -> Fields | Problem:
    """Several samples of one opinion. What cannot be read in one of them is missing there; each rating is in one at least."""
    texts = [completion.text, *(spoken(other) for other in completion.others)]
    cut = [completion.finish == "length", *(at in completion.cut for at in range(len(completion.others)))]
    read = [
        read_sheet(text, wanted.lines, structured=completion.structured, cut_off=cut_off, partial=True)
        for text, cut_off in zip(texts, cut, strict=True)
    ]
    ballots = tuple(one for one in read if isinstance(one, Ballot))
    rated = {(rating.aspect, rating.candidate) for ballot in ballots for rating in ballot.ratings}
    if any((line.rated, line.candidate) not in rated for line in wanted.lines):
        whole = read_sheet(texts[0], wanted.lines, structured=completion.structured, cut_off=cut[0])
        return whole if isinstance(whole, Problem) else Problem("missing", "An aspect is rated in no sample.")
    problems = (*(one.text for one in read if isinstance(one, Problem)), *completion.lost)
    return {
        "ballots": ballots,
        "problems": problems,
        "asked": max(wanted.samples, len(texts)),
        "text": _as_prose(ballots[0], texts[0], wanted.lines),
    }


def read_expected(completion: Completion, wanted: Wanted) -> Fields | Problem:
    """A form filled in, whose score becomes the expectation over its tokens (G-Eval, Section 2.3).

    Raises RequestRefused where the reply came without log-probabilities: no other score takes the place of this one.
    """
    read = read_opinion(completion, wanted)
    if isinstance(read, Problem):
        return read
    found = expectation(completion, read["ballot"], wanted.lines[0])
    return found if isinstance(found, Problem) else {**read, "ballot": found}


def read_planned(completion: Completion, wanted: Wanted) -> Fields | Problem:
    """A plan, with the evaluators that it names for each aspect."""
    if completion.finish == "length":
        return Problem("cut_off", "The plan was cut off before its end.")
    chosen = read_plan(
        completion.text, wanted.aspects, [one["name"] for one in wanted.given.get("evaluators", ())]
    )
    if isinstance(chosen, Problem):
        return chosen
    each = tuple(Chosen(aspect=name, evaluators=names) for name, names in chosen.items())
    return {"chosen": each, "text": completion.text.strip()}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of reply: its message, its reader, and how it is asked for, as text and held to a schema."""

    message: type[Reply]
    read: Callable[[Completion, Wanted], Fields | Problem | Doubt]
    form: str = ""
    """The prompt part that says how the reply has to look."""
    structured: str = ""
    """The same where the reply is held to `schema`."""
    schema: Callable[[Wanted], dict[str, Any]] | None = None
    name: str = ""
    """What a purpose calls it, where its message has several kinds of reply; else it has its message's name."""


def _ballot_schema(wanted: Wanted) -> dict[str, Any]:
    return ballot_schema([line.aspect for line in wanted.lines])


_EACH = (
    Kind(Statement, read_talk),
    Kind(Summary, read_talk),
    Kind(Score, read_opinion, "form-text", "form-schema", _ballot_schema),
    Kind(Ruling, read_opinion, "form-text", "form-schema", _ballot_schema),
    Kind(Critique, read_critique, "form-critique"),
    Kind(Samples, read_samples, "form-text", "form-schema", _ballot_schema),
    Kind(Score, read_opinion, "form-fill", "form-schema", _ballot_schema, name="filled"),
    Kind(Samples, read_samples, "form-fill", "form-schema", _ballot_schema, name="filled-samples"),
    Kind(Score, read_expected, "form-fill", name="expected"),
    Kind(Plan, read_planned, "form-plan"),
    Kind(Poll, read_votes, "form-poll", "form-poll-schema", lambda w: poll_schema(w.titles, w.candidates)),
    Kind(Roster, read_roles, "form-roster", "form-roster-schema", lambda w: roster_schema(w.roles)),
)

KINDS: Mapping[str, Kind] = {kind.name or kind_of(kind.message): kind for kind in _EACH}
"""The kinds that agents can be asked for."""


def read_reply(kind: str, completion: Completion, wanted: Wanted) -> Fields | Problem | Doubt:
    """What a completion says as a message of this kind. Raises StrategyError for a kind that nobody can be asked for."""
    if completion.finish == "refusal" and not completion.others:  # of several samples, each is read by itself
        return Problem("refusal", "The reply declines to answer.")
    said = spoken(completion.text)  # without the thinking that some models put before it
    aloud = completion if said == completion.text else completion.model_copy(update={"text": said})
    return reply_kind(kind).read(aloud, wanted)


def reply_kind(kind: str) -> Kind:
    """The kind of that name. Raises StrategyError where there is none."""
    if kind not in KINDS:
        raise StrategyError(f"no agent can be asked for a {kind!r}; the kinds are {', '.join(KINDS)}")
    return KINDS[kind]


def _as_prose(ballot: Ballot, text: str, lines: tuple[Line, ...]) -> str:
    """What the others get to hear: a reply in JSON becomes its reason and its scores."""
    if ballot.reason == text.strip():
        return ballot.reason
    return "\n".join(([ballot.reason, ""] if ballot.reason else []) + fill_in(ballot, lines))
