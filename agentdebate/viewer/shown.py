"""What each speaker was shown before it spoke."""

from collections.abc import Iterable, Sequence

from agentdebate.store.run_tables import RunCall
from agentdebate.talk.messages import Ask, Brief, Forget, Message, Reply


def shown_to(messages: Sequence[Message], calls: Iterable[RunCall]) -> dict[int, frozenset[int]]:
    """By the number of each reply, the numbers of the messages that its speaker was shown.

    That is what its model call was shown; of a speaker without a model, what it remembered when it was asked.
    """
    called = {call.ask: frozenset(call.shown) for call in calls}
    briefs = {said.seq for said in messages if isinstance(said, Brief)}
    found = dict[int, frozenset[int]]()
    memories = dict[str, set[int]]()
    asked = dict[int, frozenset[int]]()
    for said in messages:
        for hearer in said.to:
            memory = memories.setdefault(hearer, set())
            if isinstance(said, Forget):
                memory.difference_update(said.dropped)
            memory.update(said.brings)
            if isinstance(said, Ask):
                asked[said.seq] = frozenset(memory)
        if isinstance(said, Reply):
            found[said.seq] = called.get(said.answers, asked.get(said.answers, frozenset())) | briefs
            memories.setdefault(said.sender, set()).add(said.seq)
    return found


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in few words: "1-4 7 9-12"."""
    spans = list[list[int]]()
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return " ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in spans)
