"""How replies were read, in words: by the form, by JSON, by a pattern, after a question back, or not at all."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from agentdebate.ballots.ballot import Reading
from agentdebate.ballots.replies.outcome import class_of
from agentdebate.meta.prose import counted
from agentdebate.meta.replies import WAYS, Account
from agentdebate.talk.messages import Failure, Message, Verdict

ENDINGS = ("verdict", "failure")
"""The kinds of message that say how ballots were read."""


def ways_of(accounts: Iterable[Account]) -> Counter[str]:
    """How many replies of several accounts were read in which way."""
    found = Counter[str]()
    for account in accounts:
        found.update(account.ways)
    return found


def read_by(ways: Mapping[str, int]) -> str:
    """Say how many were read in which way: "2,130 were read by the form, 0 by JSON, 2,957 by a pattern"."""
    said = [f"{count:,} by {way}" for way, count in ways.items()]
    first = next(iter(ways.values()))
    return ", ".join(said).replace(" by", " was read by" if first == 1 else " were read by", 1)


class BallotReadings:
    """Counts how the ballots of debates were read, one message after the other."""

    def __init__(self) -> None:
        self._ways: Counter[str] = Counter(dict.fromkeys(WAYS.values(), 0))
        self._again = self._refused = 0
        self._never = set[tuple[str, str]]()

    def __repr__(self) -> str:
        return f"<BallotReadings of {self._ways.total()} ballots>"

    def take(self, debate: str, message: Message) -> None:
        """Take in a verdict, whose ballots are all that were cast, or an agent's failure."""
        if isinstance(message, Verdict):
            for cast in message.ballots:
                self._add(cast.ballot.reading)
        elif isinstance(message, Failure) and message.error == "UnreadableReply":
            self._never.add((debate, message.agent or ""))

    def _add(self, reading: Reading) -> None:
        # A kind of ballot that has no rules reads nothing but its form.
        kind = "JSON" if reading.how == "schema" else class_of(reading.rule) if reading.rule else "form"
        self._ways[WAYS[kind]] += 1
        self._again += reading.attempts > 1
        self._refused += reading.attempts - 1

    def lines(self) -> Iterator[str]:
        """Say it in a sentence; nothing where there is neither a ballot nor a refusal."""
        if not (self._ways.total() or self._never):
            return
        again = f", {self._again:,} of them after a question back" if self._again else ""
        refused = (
            f"; {counted(self._refused, 'reply', 'replies')} before {'was' if self._refused == 1 else 'were'} refused"
            if self._refused
            else ""
        )
        never = f"; {counted(len(self._never), 'agent')} gave none that could be read" if self._never else ""
        yield f"Of {counted(self._ways.total(), 'ballot')} {read_by(self._ways)}{again}{refused}{never}."
