"""The messages of a stored run, each with its debate."""

from dataclasses import dataclass
from typing import Any

from agentdebate.tables.column import Column
from agentdebate.talk.messages import Message, words_of

COLUMNS = (
    *(Column("debate"), Column("item"), Column("seq", "integer"), Column("kind"), Column("sender")),
    *(Column("to", "texts"), Column("round", "integer"), Column("time", "time"), Column("text")),
)


@dataclass(frozen=True)
class RunMessage:
    """A message of a stored run, and the id of the debate in which it was said."""

    debate: str
    message: Message

    def __repr__(self) -> str:
        said = self.message
        return f"<RunMessage {said.seq} of {self.debate[:80]!r}: {said.kind[:20]} of {said.sender[:40]}>"

    def row(self) -> dict[str, Any]:
        """It as one flat row; `text` is what those hear who are told of it."""
        said = self.message
        return {
            **{name: getattr(said, name) for name in ("seq", "kind", "sender", "to", "round")},
            "debate": self.debate,
            "item": self.debate.rpartition("/")[0],
            "time": said.time or None,
            "text": words_of(said),
        }
