"""A text of a debate in whole, which may be too long for a page."""

from agentdebate.errors import UsageError
from agentdebate.store.reader import RunHead
from agentdebate.talk.messages import Brief
from agentdebate.viewer.call_page import call_of
from agentdebate.viewer.shelf import Shelf
from agentdebate.visible import visible


def plain_text(
    shelf: Shelf,
    head: RunHead,
    debate: str,
    *,
    field: str | None = None,
    seq: int | None = None,
    call: int | None = None,
    part: int | None = None,
) -> str:
    """A field of the item, a message, or the reply or a part of the prompt of a call. Raises UsageError where there is none."""
    if field is not None:
        return visible(_field(shelf, head, debate, field), lines=True)
    if call is not None:
        found = call_of(shelf.reader().calls(head.id, debate), debate, call)
        if part is None:
            return visible(found.completion.text, lines=True)
        if part < len(found.prompt):
            return visible(found.prompt[part]["content"], lines=True)
    for said in shelf.reader().messages(head.id, debate, after=(seq or 0) - 1) if seq is not None else ():
        if said.seq == seq:
            return visible(said.spoken(), lines=True)
    raise UsageError(f"the debate {debate!r} has no such text")


def _field(shelf: Shelf, head: RunHead, debate: str, field: str) -> str:
    reader = shelf.reader()
    brief = next((one for one in reader.messages(head.id, debate) if isinstance(one, Brief)), None)
    item = reader.item(head.id, brief.item if brief else debate.rpartition("/")[0])
    if field not in item.fields:
        raise UsageError(f"the item {item.id!r} has no field {field!r}")
    return item.fields[field]
