"""Search for words in the messages of a run's debates."""

import json
from collections.abc import Iterator
from contextlib import suppress

from agentdebate.store.damage import UNREADABLE
from agentdebate.store.database import Database
from agentdebate.store.documents import unpacked
from agentdebate.store.reader import SAME_ITEM, selected
from agentdebate.store.schema import DEBATES, DOCUMENTS, ITEMS
from agentdebate.talk.envelope import message_in
from agentdebate.talk.messages import Verdict, words_of


def debates_saying(database: Database, run: str, words: str) -> Iterator[int]:
    """The numbers of the debates of a run that have ended and in which the words were said, whatever their case, as they are found.

    A server looks through the talks itself; those of a file are decompressed here. What has the words anywhere is looked at once more,
    for they may stand in something that is not text. Raises StoreError.
    """
    sought = words.casefold()
    written = json.dumps(sought, ensure_ascii=False)[1:-1]
    query = selected(run, DEBATES.c.number, DOCUMENTS.c.talk, ITEMS.c.data).outerjoin(ITEMS, SAME_ITEM)
    query = query.join(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number).order_by(DEBATES.c.number)
    if database.dialect != "sqlite":
        query = query.where(DOCUMENTS.c.talk.icontains(written, autoescape=True))
    for row in database.stream(query):
        with suppress(*UNREADABLE):
            if _is_said(unpacked(row["talk"], item=row["data"]), sought, written):
                yield row["number"]


def _is_said(talk: str, sought: str, written: str) -> bool:
    """Look for words in the messages of a debate; a verdict is passed over, as it repeats those of others."""
    if written not in talk.casefold():
        return False
    found = (message_in(line) for line in talk.split("\n") if written in line.casefold())
    return any(not isinstance(one, Verdict) and sought in words_of(one).casefold() for one in found)
