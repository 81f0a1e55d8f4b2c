"""The page of one model call: what was sent, what came back, and what it cost."""

from dataclasses import dataclass

from agentdebate.errors import UsageError
from agentdebate.models.prices import built_in, total_cost
from agentdebate.store.run_head import RunHead
from agentdebate.store.run_tables import RunCall
from agentdebate.talk.messages import Brief, Message, Reply
from agentdebate.viewer.conversation import reading_words
from agentdebate.viewer.debate_page import quotes_free
from agentdebate.viewer.quotes import Text
from agentdebate.viewer.shelf import Shelf


@dataclass(frozen=True)
class CallPage:
    """A model call."""

    head: RunHead
    debate: str
    call: RunCall
    brief: tuple[Text, ...]
    """Text that every call of the agent begins with."""
    prompt: tuple[tuple[str, Text], ...]
    """The chat messages after it: role and text."""
    reply: Text
    others: tuple[Text, ...]
    read: tuple[str, ...]
    """Reading of the ballots in the reply, and the faults of replies before it."""
    money: float | None


def call_page(shelf: Shelf, head: RunHead, debate: str, number: int) -> CallPage:
    """The page of a call. Raises UsageError where there is none of that number, and StoreError."""
    reader = shelf.reader()
    calls, messages = reader.calls(head.id, debate), reader.messages(head.id, debate)
    for call in calls:
        if call.number == number:
            return _page(head, debate, call, messages)
    raise UsageError(f"the debate {debate!r} has no call {number}")


def call_pages(shelf: Shelf, head: RunHead, debate: str) -> dict[int, CallPage]:
    """The pages of all calls of a debate by their numbers. Raises StoreError."""
    reader = shelf.reader()
    messages, calls = reader.messages(head.id, debate), reader.calls(head.id, debate)
    return {one.number: _page(head, debate, one, messages) for one in calls}


def _page(head: RunHead, debate: str, call: RunCall, messages: tuple[Message, ...]) -> CallPage:
    completion = call.completion
    paid = [] if completion.cached else [(completion.model, completion.usage)]
    return CallPage(
        head=head,
        debate=debate,
        call=call,
        brief=tuple(quotes_free(one.text) for one in messages if isinstance(one, Brief))[:1],
        prompt=tuple((part["role"], quotes_free(part["content"])) for part in call.prompt),
        reply=quotes_free(completion.text),
        others=tuple(map(quotes_free, completion.others)),
        read=_read(messages, call),
        money=total_cost(paid, built_in(), otherwise=head.model),
    )


def _read(messages: tuple[Message, ...], call: RunCall) -> tuple[str, ...]:
    found = dict[str, None]()
    for said in messages:
        if isinstance(said, Reply) and said.answers == call.ask:
            for cast in said.carried:
                found |= {reading_words(cast.ballot.reading): None}
                found |= {
                    f"attempt {at}: {problem}": None
                    for at, problem in enumerate(cast.ballot.reading.problems, 1)
                }
    return tuple(found)
