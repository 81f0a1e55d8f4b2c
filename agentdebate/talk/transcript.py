"""A transcript: the messages of a debate in their order. It is a tuple that can be read."""

from collections.abc import Iterable
from typing import Self, TypeVar

from agentdebate.tables.drawing import html_of, text_of

Message_co = TypeVar("Message_co", covariant=True)


class Transcript(tuple[Message_co, ...]):  # noqa: SLOT001 - a tuple can have no slots of its own
    """Everything said in a debate, in order: a tuple of messages. `print` shows it as the command line does."""

    debate: str
    """The debate's id within its run; empty where it has none."""

    def __new__(cls, messages: Iterable[Message_co] = (), *, debate: str = "") -> Self:
        made = super().__new__(cls, messages)
        made.debate = debate
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[tuple[Message_co, ...]], dict[str, str]]:
        """How it is made again by pickle and copy."""
        return (tuple(self),), {"debate": self.debate}

    def __repr__(self) -> str:
        about = f" of {self.debate[:80]!r}" if self.debate else ""
        return f"<Transcript{about}: {len(self)} message{'' if len(self) == 1 else 's'}>"

    def __str__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)
