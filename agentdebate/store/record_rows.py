"""What is written of a debate, as rows: its texts are taken out as pieces, and what people sort by has columns of its own."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from pydantic_core import PydanticSerializationError

from agentdebate.debates.outcome import outcome_of
from agentdebate.debates.record import Record
from agentdebate.errors import StrategyError
from agentdebate.models.base import Call
from agentdebate.store.encoding import compact_json, data_json, model_json
from agentdebate.store.entry import Entry
from agentdebate.store.pieces import PLACE, Cutter, PieceList, is_plain, take_out
from agentdebate.store.schema import CALLS, DEBATES, FOUND, ITEMS, MESSAGES, SCORES
from agentdebate.talk.messages import KINDS, Ask, Evidence, Message, Reply, Tell, Unknown, Verdict
from agentdebate.tasks import Item

HEAD = ("seq", "kind", "sender", "round", "time")
"""The fields of a message that are columns."""
_HEAD = set(HEAD)

LONGEST = 200
"""Characters of a text by which debates are sorted: databases refuse an index of long ones. The row has all of it."""


class Talk:
    """One debate while it is held: knows what was said in it, so that a text that is repeated is stored once."""

    def __init__(self, debate: str, item: Item | None = None) -> None:
        self.debate = debate
        self._cutter = Cutter()
        self._said: dict[int, str] = {}
        for text in item.fields.values() if item else ():
            self._cutter.learn(text.strip("\n"))

    def __repr__(self) -> str:
        return f"<Talk {self.debate!r} with {len(self._said)} texts>"

    def message(self, message: Message) -> tuple[Entry]:
        """The row of a message."""
        row = message_values(message, self._cutter)
        if isinstance(message, Reply | Evidence):
            self._said[message.seq] = message.text
        return (Entry(MESSAGES, row, self.debate),)

    def call(self, number: int, call: Call) -> tuple[Entry]:
        """The row of a call."""
        said = [self._said[seq] for seq in call.shown if seq in self._said]
        after_brief = [one for one in call.request.messages if one.role != "system"]
        # An impossible token has minus infinity, of which pydantic's JSON would make null.
        completion = call.completion.model_dump(mode="json", exclude_defaults=True)
        completion["usage"] = call.completion.usage.model_dump(exclude_defaults=True)
        texts = take_out(completion, self._cutter)
        sampling = data_json(call.request.sampling.model_dump(mode="json", exclude_defaults=True))
        row = {
            "number": number,
            "agent": call.agent,
            "round": call.round,
            "ask": call.ask,
            "attempt": call.attempt,
            "shown": compact_json(call.shown),
            "key": call.request.key(),
            "sampling": PieceList([(sampling,)]),
            "schema": call.request.schema is not None,
            "sample": call.request.sample,
            "roles": ",".join(one.role for one in after_brief),
            "prompt": PieceList(self._cutter.cut(one.content, said) for one in after_brief),
            "completion": compact_json(completion),
            "texts": PieceList(texts) if texts else None,
        }
        return (Entry(CALLS, row, self.debate),)

    def ended(self, record: Record, cost: Callable[[Record], float | None] | None) -> list[Entry]:
        """The rows of how it ended."""
        row, money = record.row(), cost(record) if cost else None
        return [
            Entry(
                DEBATES,
                {
                    **debate_values(row),
                    "id": self.debate,
                    "item": record.item.id,
                    "changed": changed_in_talk(record.verdict),
                    "money": money,
                },
                self.debate,
            ),
            *(Entry(SCORES, values, self.debate) for values in score_values(row)),
        ]


def message_values(message: Message, cutter: Cutter) -> dict[str, Any]:
    """A message: what it begins with in columns, the rest as JSON. A field that has its default is left out."""
    unknown = isinstance(message, Unknown)
    there = message.model_fields_set if unknown else HEAD
    head = {name: getattr(message, name) if name in there else None for name in ("sender", "round", "time")}
    data, texts = _without_head(message, cutter)
    return {"seq": message.seq, "kind": message.kind, **head, "data": data, "texts": texts}


def _without_head(message: Message, cutter: Cutter) -> tuple[str, PieceList | None]:
    """What of a message is not in columns, as JSON, and the texts in it."""
    if isinstance(message, Ask | Tell):  # half of all messages, and mostly without a text in them
        with suppress(PydanticSerializationError):  # of half a character
            plain = message.model_dump_json(exclude=_HEAD, exclude_defaults=True)
            if PLACE not in plain and not getattr(message, "given", None):
                return plain, None
    data = dumped(message)
    texts = take_out(data, cutter)
    return compact_json(data), PieceList(texts) if texts else None


def dumped(message: Message) -> dict[str, Any]:
    """The fields that are not in columns, as JSON has them. Defaults of ours are left out; a package that is not installed
    could not fill in its own. Raises StrategyError for a message that JSON cannot hold.
    """
    unknown = isinstance(message, Unknown)
    try:
        return message.model_dump(
            mode="json", exclude=_HEAD, exclude_defaults=message.kind in KINDS, exclude_unset=unknown
        )
    except PydanticSerializationError as error:
        raise StrategyError(
            f"message {message.seq}, of the kind {message.kind!r} and sent by {message.sender}, cannot be stored as JSON: {error}"
        ) from error


def item_entries(item: Item, number: int) -> tuple[Entry]:
    """The row of an item."""
    data = item.model_dump(mode="json")
    texts = take_out(data, Cutter())
    row = {
        "id": item.id,
        "number": number,
        "data": compact_json(data),
        "texts": PieceList(texts) if texts else None,
    }
    return (Entry(ITEMS, row),)


def found_entries(name: str, debate: str, message: Message) -> tuple[Entry]:
    """The row of what was found out once for all debates."""
    return (Entry(FOUND, {"name": name, "debate": debate, "data": model_json(message)}, debate),)


def debate_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """A debate that has ended, by column."""
    return {
        "item_group": _sortable(row["group"]),
        "system": _sortable(row["system"]),
        "outcome": outcome_of(row).name,
        "ended": _sortable(row["ended"]),
        "settled": row["settled"],
        "changed": None,
        "rounds": row["rounds"],
        "calls": row["calls"],
        "tokens": row["prompt_tokens"] + row["completion_tokens"],
        "money": None,
        "seconds": row["seconds"],
        "row": data_json(row),
    }


def changed_in_talk(verdict: Verdict | None) -> bool:
    """Whether an agent has cast two ballots that give different scores for the same thing."""
    given = dict[tuple[str, str], float]()
    return any(
        given.setdefault((cast.agent, name), score) != score
        for cast in (verdict.ballots if verdict else ())
        for name, score in cast.ballot.scores.items()
    )


def score_values(row: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """The verdict's scores beside people's, by the name of the aspect, or of an aspect of a candidate."""
    scores, people = row["scores"], row["human"]
    for name in dict.fromkeys((*scores, *people)):
        if is_plain(name):
            yield {"name": name[:LONGEST], "score": scores.get(name), "human": people.get(name)}


def _sortable(text: str | None) -> str | None:
    return text[:LONGEST] if text is not None and is_plain(text) else None
