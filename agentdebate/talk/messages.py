"""Messages of a debate, each kind a frozen dataclass that says what it holds.

A message gets its sequence number and time when the bus carries it; before that both are 0. The transcript is the
list of all messages in sequence. It is enough to show a debate and to rebuild what every agent knew: a `Tell` (and
the `hearing` of an `Ask`) names the messages that were put into memories, and a `Forget` those that were taken out of them,
so each text stands in it once.

A package adds kinds of its own: a dataclass on `Message` (on `Reply`, where agents are asked for it), frozen and with slots, that is registered
under the entry-point group `agentdebate.talk.messages` by its kind. Where the package is not installed, its messages are
`Unknown`, with everything that was written of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import Field, InstanceOf

from agentdebate import plugins
from agentdebate.ballots.ballot import Ballot, Rating, Source
from agentdebate.ballots.merge import Spread
from agentdebate.ballots.roster import Role
from agentdebate.errors import StrategyError
from agentdebate.tables.drawing import html_of, text_of
from agentdebate.usage import Spent
from agentdebate.visible import shortened
from agentdebate.wrong_values import in_words

FLOOR = "floor"
"""The address of the strategy's side of the debate. No one in a cast can have it."""

KINDS: dict[str, type["Message"]] = {}
"""The kinds that everybody has, with their classes; it is filled where the last of them is described."""

_LONGEST_REPR = 150
"""Characters of what a `repr` says."""

_LONGEST_LINE = 200
"""Characters of a line that says what a message has."""


def kind_of(message: type["Message"]) -> str:
    """Return the `kind` of a class of messages; a class on which others are built says nothing there."""
    kind: object = message.kind
    return kind if isinstance(kind, str) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Base of messages: number in the debate, sender, addressees, round and time."""

    kind: ClassVar[str] = ""
    seq: int = 0
    """Number within the debate, from 1; 0 until the bus has carried it."""
    sender: str = ""
    """Sender of the message; empty until the floor announces it."""
    to: tuple[str, ...] = ()
    round: int = 0
    """0 before the first round."""
    time: float = 0.0
    """Seconds since 1970-01-01 UTC; 0 until the bus has carried it."""

    def __init_subclass__(cls) -> None:
        """Raise StrategyError for a class that would go by the name of a built-in kind."""
        kind = kind_of(cls)
        if kind in KINDS:
            raise StrategyError(
                f"{cls.__module__}.{cls.__qualname__} has the kind {kind!r}, which is built in; give it a kind of its own: "
                'kind = "..."'
            )

    @property
    def brings(self) -> tuple[int, ...]:
        """The numbers of the earlier messages that it puts into the memories of its addressees."""
        return ()

    def line(self) -> str:
        """Return the line of a transcript about the message, behind its sender: its fields, as far as they fit."""
        own = [one.name for one in fields(self)[len(fields(Message)) :]]
        return shortened(", ".join(f"{name} {getattr(self, name)}" for name in own), _LONGEST_LINE)

    def spoken(self) -> str:
        """Return the words that listeners hear: its `text` where it has one, or else its line."""
        text = getattr(self, "text", None)
        return text if isinstance(text, str) else self.line()


class Transcript(tuple[Message, ...]):  # noqa: SLOT001 - a tuple can have no slots of its own
    """Messages of a debate, in order: a tuple of messages. `print` shows it as the command line does."""

    debate: str
    """The debate's id within its run; empty where it has none."""

    def __new__(cls, messages: Iterable[Message] = (), *, debate: str = "") -> Self:
        made = super().__new__(cls, messages)
        made.debate = debate
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[tuple[Message, ...]], dict[str, str]]:
        """Return the arguments by which pickle and copy make it again."""
        return (tuple(self),), {"debate": self.debate}

    def __repr__(self) -> str:
        about = f" of {self.debate[:80]!r}" if self.debate else ""
        return f"<Transcript{about}: {len(self)} messages>"

    def __str__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief(Message):
    """The task as given: the text that every agent is shown before anything else."""

    kind = "brief"
    task: str
    aspects: tuple[str, ...]
    item: str
    """The item's id."""
    candidates: tuple[str, ...] = ()
    """The fields of the texts that are compared, in the order in which they are shown."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Message):
    """The floor gives an agent the word. The messages in `hearing` go into its memory first."""

    kind = "ask"
    purpose: str
    reply: str
    """The way in which the reply is written and read: mostly the kind of message that is wanted back."""
    hearing: tuple[int, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    """Values that the strategy gives the turn's prompt, as JSON: `{{ given.coarse }}`."""
    confidence: Source | None = None
    """Source of the confidence of the ballot in the reply; None where it is not wanted."""

    @property
    def brings(self) -> tuple[int, ...]:
        """Numbers of the messages that are heard with the question."""
        return self.hearing


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell(Message):
    """The messages numbered in `heard` are put into the memories of the addressees."""

    kind = "tell"
    heard: tuple[int, ...]

    @property
    def brings(self) -> tuple[int, ...]:
        """Numbers of the messages that are told."""
        return self.heard


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget(Message):
    """The addressees forget the messages numbered in `dropped`; those in `instead` take their place in the memories."""

    kind = "forget"
    dropped: tuple[int, ...]
    instead: tuple[int, ...] = ()
    rule: str = ""
    """The history rule that says so; empty where the strategy does."""
    counted: str = ""
    """Method of a rule that counts tokens: "exact, o200k_base", "estimate, 4 bytes each"."""

    @property
    def brings(self) -> tuple[int, ...]:
        """Numbers of the messages that take the place of the forgotten."""
        return self.instead


@dataclass(frozen=True, slots=True, kw_only=True)
class CastBallot:
    """A ballot with who cast it, in which round, and the number of the message that carried it."""

    agent: str
    round: int
    message: int
    model: str
    ballot: Ballot
    weight: float = 1.0
    """Weight of the ballot where ballots were merged by weight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Message):
    """Answer of an agent to an Ask. `answers` is the number of the Ask, `text` is what was said."""

    answers: int
    text: str
    model: str = ""
    """The model that said it; empty for an agent that relays without one."""

    @property
    def carried(self) -> tuple[CastBallot, ...]:
        """The ballots that it carries, with who cast each."""
        return ()

    def line(self) -> str:
        """The ballots that it carries, in short; its text is shown beneath."""
        return "; ".join(cast.ballot.line() for cast in self.carried)

    def _cast(self, ballot: Ballot, agent: str = "") -> CastBallot:
        """A ballot of this message, cast by its sender where no other agent is named."""
        who = agent or self.sender
        return CastBallot(agent=who, round=self.round, message=self.seq, model=self.model, ballot=ballot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement(Reply):
    """Free talk. It may carry a ballot."""

    kind = "statement"
    ballot: Ballot | None = None

    @property
    def carried(self) -> tuple[CastBallot, ...]:
        """Ballot, where it has one."""
        return (self._cast(self.ballot),) if self.ballot else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement(Reply):
    """A ballot with its reason: what scores and rulings have in common."""

    ballot: Ballot

    @property
    def carried(self) -> tuple[CastBallot, ...]:
        """Ballot of the judgement."""
        return (self._cast(self.ballot),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Judgement):
    """A ballot with its reason."""

    kind = "score"


@dataclass(frozen=True, slots=True, kw_only=True)
class Critique(Reply):
    """An objection, or none.

    `reading` says how the reply was read: "clear", or "unclear" where it only spoke of the stop word, also when it was asked whether it says
    it, which counts as an objection. Stores of before have "contradictory", too, and `ends`: how much of a very long reply was read.
    """

    kind = "critique"
    no_issue: bool
    reading: Literal["clear", "contradictory", "unclear"] = "clear"
    ends: tuple[int, int] | None = None

    def line(self) -> str:
        """Say whether it objects."""
        if self.reading == "unclear":
            return "does not say whether the score may stand"
        return "no issue" if self.no_issue else "objects"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Reply):
    """Summary of a round."""

    kind = "summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Judgement):
    """A tie-breaker's ballot, after reading the whole debate."""

    kind = "ruling"


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster(Reply):
    """The roles that a recruiter wants at the table."""

    kind = "roster"
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A role that was not seated, and the one that speaks for readers like it."""

    role: Role
    instead: str
    """The type of the role that was kept."""
    distance: float
    """The cosine distance between the two, from 0 (alike) to 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection(Message):
    """Selection of roles: the seated ones, and those dropped since others are like them (DRPE, Section 3.1)."""

    kind = "selection"
    kept: tuple[Role, ...]
    dropped: tuple[Dropped, ...] = ()
    embedder: str
    """Embedder that turned the roles into vectors."""

    def line(self) -> str:
        """List the seated roles, and those dropped since others are like them."""
        seated = f"seated: {', '.join(role.type for role in self.kept) or 'nobody'}"
        others = ", ".join(f"{one.role.type} (like {one.instead})" for one in self.dropped)
        return shortened(f"{seated}; not seated: {others}" if others else seated, _LONGEST_LINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One player's vote: a ballot that gives 1 to the text that the player prefers and 0 to every other.

    The ballot's confidence is exp of the mean log-probability of the tokens of this vote's own part of the reply (DRPE,
    equation 3), None where the model gave no log-probabilities.
    """

    player: str
    """The title of the role that is played."""
    ballot: Ballot

    @property
    def confidence(self) -> float | None:
        """Confidence of the player, from 0 to 1."""
        return None if self.ballot.confidence is None else self.ballot.confidence.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll(Reply):
    """The votes of all the roles that one speaker plays."""

    kind = "poll"
    votes: tuple[Vote, ...]

    @property
    def carried(self) -> tuple[CastBallot, ...]:
        """A ballot for each player."""
        return tuple(self._cast(vote.ballot, vote.player) for vote in self.votes)

    def line(self) -> str:
        """Count the votes of each text."""
        chosen = Counter(
            rating.candidate for vote in self.votes for rating in vote.ballot.ratings if rating.score
        )
        counts = chosen.most_common()
        return ", ".join(
            f"{count} vote{'' if count == 1 else 's'} for {candidate}" for candidate, count in counts
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples(Reply):
    """Several samples of one judgement, each a ballot; a rating that could not be read in a sample is not in its ballot.

    `asked` counts the samples that were asked for, and `problems` says what was wrong with those that gave no ballot.
    """

    kind = "samples"
    ballots: tuple[Ballot, ...]
    asked: int
    problems: tuple[str, ...] = ()

    @property
    def carried(self) -> tuple[CastBallot, ...]:
        """A ballot for each sample that could be read."""
        return tuple(self._cast(ballot) for ballot in self.ballots)

    def line(self) -> str:
        """Return an empty line: all of its samples have forms of their own in its text."""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The evaluators that inform one aspect."""

    aspect: str
    evaluators: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Reply):
    """Plan for judging the items of a task, with the evaluators that inform each aspect (Fusion-Eval, Section 2)."""

    kind = "plan"
    chosen: tuple[Chosen, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Finding of one evaluator on a text: its score and range, and what it compared the text with.

    `score` is None where it is missing, `candidate` names the text where several are compared.
    """

    evaluator: str
    score: float | None
    low: float | None = None
    high: float | None = None
    premise: str = ""
    candidate: str | None = None
    version: str = ""
    about: str = ""
    """Description of the evaluator by itself, or of a column by the user."""
    better: Literal["higher", "lower", ""] = ""
    """Direction of better scores; empty where it is not known."""

    @property
    def share(self) -> float | None:
        """Position of the score from the worst (0) to the best (1) of its range; None where one of them is not known.

        What lies outside counts as the nearer end.
        """
        if self.score is None or self.low is None or self.high is None:
            return None
        share = min(max((self.score - self.low) / (self.high - self.low), 0.0), 1.0)
        return 1 - share if self.better == "lower" else share


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Message):
    """Findings of assistant evaluators on an item (Fusion-Eval, Section 2). `seconds` is the time they took."""

    kind = "evidence"
    findings: tuple[Finding, ...]
    text: str
    """Words, as agents are shown them."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageEnd(Message):
    """End of a stage of a cascade: its verdict, how sure it is, and whether it stands."""

    kind = "stage"
    stage: str
    ratings: tuple[Rating, ...] = ()
    winners: tuple[str, ...] = ()
    source: str = ""
    """Source of the confidence: "asked", "votes", ..."""
    confidence: float | None = None
    """Confidence of the verdict, from 0 to 1; None where it cannot be told."""
    threshold: float | None = None
    """Least confidence with which its verdicts stand; None where none do."""
    stands: bool = False
    problem: str = ""
    """Reason why the stage came to no verdict, where it came to none."""

    def line(self) -> str:
        """Say what the stage came to, and whether it stands."""
        scores = (f"{one.name} {one.score:g}" for one in self.ratings)
        won = f"winner {' and '.join(self.winners)}" if self.winners else ""
        sure = "unknown" if self.confidence is None else f"{self.confidence:.2f}"
        least = "none stands" if self.threshold is None else f"{self.threshold:.2f} is enough"
        said = self.problem or ", ".join(
            filter(None, (won, *scores, f"confidence {sure} ({self.source}; {least})"))
        )
        return shortened(f"{self.stage}: {said}: {'stands' if self.stands else 'goes on'}", _LONGEST_LINE)


def stands(confidence: float | None, threshold: float | None) -> bool:
    """Decide whether a stage's verdict stands: it is as sure as its threshold asks. A confidence that is unknown counts as 0."""
    return threshold is not None and (confidence or 0.0) >= threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """An agent that the debate went on without: since when, and why."""

    agent: str
    round: int
    error: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Message):
    """The debate's judgement: what was merged into which scores, how the debate ended, and what it cost."""

    kind = "verdict"
    sender: str = FLOOR
    to: tuple[str, ...] = ()
    ratings: tuple[Rating, ...]
    settled: bool
    """True if the agents agreed, as the strategy defines agreement."""
    ended: str
    """Reason for the end of the debate, in a word or two: "agreement", "round limit", "ruling", "one opinion"."""
    rounds: int
    """Number of rounds that were used."""
    merge: str
    """Name of the way in which the ballots became the scores: "last score", "ruling", or the name of a merge."""
    deciding: int | None = None
    """Number of the message with the ballot that alone decided, if one did."""
    ballots: tuple[CastBallot, ...]
    """Every ballot of the debate, in the order in which they were cast."""
    usage: tuple[Spent, ...] = ()
    """Cost of the debate, by agent and round."""
    models: tuple[str, ...] = ()
    """The models that spoke, in the order in which they first did."""
    winners: tuple[str, ...] = ()
    """Field of the best text, or of all that tie, where texts were compared."""
    agreed: bool | None = None
    """True if all answers were alike, where the same was asked several times (other positions, more samples)."""
    spread: tuple[Spread, ...] = ()
    """Spread of the ballots that were merged."""
    missing: int = 0
    """Ballots that should have been merged and could not be had."""
    lost: tuple[Lost, ...] = ()
    """Agents that the debate went on without."""
    by: Literal["scores", "votes"] = "scores"
    """Basis of the choice where texts were compared: the best scores, or the most ballots."""
    curtailed: str = ""
    """Effect of limits that made the debate a shorter one: "fewer rounds", or "merge of the latest ballots"."""
    abstained: str = ""
    """Reason why the strategy declined to judge, if it did; the verdict has no ratings then."""
    unsent: tuple[str, ...] = ()
    """Parameters that were asked for and not sent, since the model does not take them: "anthropic/NAME: temperature 0.0"."""
    transcript: Annotated[InstanceOf[Transcript], Field(exclude=True)] = field(
        default=Transcript(), compare=False
    )
    """Messages of the debate, this verdict last. It is stored by itself, so that it is empty in a verdict that was read
    alone."""

    def __repr__(self) -> str:
        return f"<Verdict {shortened(self.line(), _LONGEST_REPR)}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    def line(self) -> str:
        """The scores, or who won, and how the debate ended, in short."""
        scores = [f"{name} {score:g}" for name, score in self.scores.items()]
        won = [f"winner {' and '.join(self.winners)}"] if self.winners else []
        said = [f"abstained: {self.abstained}"] if self.abstained else [*won, *scores]
        return f"{', '.join(said)} ({'' if self.settled else 'not '}settled: {self.ended}, rounds: {self.rounds})"

    def after(self, transcript: Transcript) -> "Verdict":
        """Copy with the transcript that it is the end of."""
        return replace(self, transcript=transcript)

    @property
    def winner(self) -> str | None:
        """Field of the best text, where texts were compared; None for a tie."""
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def scores(self) -> dict[str, float]:
        """The score of each aspect by its name ("overall.answer_1" where candidates are compared)."""
        return {rating.name: rating.score for rating in self.ratings}

    @property
    def score(self) -> float:
        """The score, where the debate was about one aspect. Raises ValueError where it was about several, and where it abstained."""
        if self.abstained:
            raise ValueError(f"this verdict has no score, since it abstained: {self.abstained}")
        if len(self.ratings) != 1:
            raise ValueError(
                f"this verdict rates {len(self.ratings)} aspects: read .scores instead of .score"
            )
        return self.ratings[0].score


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure(Message):
    """Reason why a debate ended without a verdict, or why an agent could not answer an Ask.

    `error` is the name of the error's class, `agent` whose turn it was, `answers` the number of the Ask.
    """

    kind = "failure"
    sender: str = FLOOR
    to: tuple[str, ...] = ()
    error: str
    reason: str
    agent: str | None = None
    answers: int | None = None

    @classmethod
    def of(cls, error: Exception, **more: Any) -> "Failure":
        """The message that says what went wrong."""
        return cls(error=type(error).__name__, reason=in_words(error) or repr(error), **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown(Message):
    """A message of a kind that this version does not know. It is written back as it was read."""

    kind: str  # type: ignore[misc]  # of each, where those that are known have it of their class
    sender: str = ""
    to: tuple[str, ...] = ()
    others: Mapping[str, Any] = field(default_factory=dict)
    """Further fields that were written."""

    def line(self) -> str:
        """Return its fields as they were written, as far as they fit."""
        return shortened(", ".join(f"{name} {value}" for name, value in self.others.items()), _LONGEST_LINE)


KINDS |= {
    kind_of(message): message
    for message in (
        Brief, Ask, Tell, Forget, Statement, Score, Critique, Summary, Ruling, Roster, Selection, Poll, Samples, Plan, Evidence,
        StageEnd, Verdict, Failure,
    )
}  # fmt: skip


Kind = TypeVar("Kind", bound=Message)


def of_kind(messages: Iterable[Message], kind: type[Kind]) -> list[Kind]:
    """The messages of a kind, and of those that are built on it, in their order."""
    return [one for one in messages if isinstance(one, kind)]


ReplyType = TypeVar("ReplyType", bound=Reply)


def words_of(message: Message) -> str:
    """Return the words that listeners hear of a message. Raises StrategyError where the class of a package raises."""
    if message.kind in KINDS:
        return message.text if isinstance(message, Reply) else message.spoken()
    return str(plugins.call(f"spoken() of a message of the kind {message.kind!r}", message.spoken))


def line_of(message: Message) -> str:
    """Return the line of a transcript about a message. Raises StrategyError where the class of a package raises."""
    return str(plugins.call(f"line() of a message of the kind {message.kind!r}", message.line))
