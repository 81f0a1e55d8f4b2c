"""How well the objections among a critic's replies are told from the rest."""

from collections.abc import Iterable
from dataclasses import dataclass

from replies.readers import read_critique
from replies.stop_word import Critique


@dataclass(frozen=True, slots=True)
class Rates:
    """Of so many replies, how many were read right; and of those read as objections, and those that are, how many are both."""

    replies: int
    right: int
    precision: float
    recall: float

    @property
    def row(self) -> str:
        """The figures as a row of a table: right, precision and recall."""
        return f"{self.right} of {self.replies} | {self.precision:.2f} | {self.recall:.2f} |"


def rates(replies: Iterable[Critique]) -> Rates:
    """The rates of our reader on these replies."""
    pairs = [(reply.outcome, read_critique(reply)) for reply in replies]
    both = sum(truth == read == "objects" for truth, read in pairs)
    said, are = (sum(pair[k] == "objects" for pair in pairs) for k in (1, 0))
    right = sum(truth == read for truth, read in pairs)
    return Rates(len(pairs), right, both / max(said, 1), both / max(are, 1))
