"""Time that a page of the viewer takes on the server, in a run of 100,000 debates."""

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import agentdebate as ad
from agentdebate.debates.record import Record
from agentdebate.store.debate_writer import (
    Ending,
    Line,
    Part,
    cost_rows,
    debate_row,
    enter,
    item_entry,
    score_rows,
)
from agentdebate.store.documents import call_line
from agentdebate.store.engine import open_database
from agentdebate.store.schema import batches, enter_run
from agentdebate.talk.envelope import message_line
from agentdebate.tasks import Item
from agentdebate.viewer.app import app
from agentdebate.viewer.shelf import Shelf
from benchmarks.aim import Aim, aims_table
from benchmarks.sample_debate import ITEM, answer

RUN, OTHER, THIRD = "many", "other", "third"
DEBATES_OF_RUN = 100_000
ASPECTS = ("coherence", "consistency")
TOKEN = "a-token-of-the-benchmarks"
BOUND = 150.0
"""Milliseconds that a page may take."""
_BATCH = 2_000

PAGES: Mapping[str, str] = {
    "runs": "/",
    "items": f"/run?run={RUN}",
    "debates": f"/run?run={RUN}&layout=debates",
    "page 1,900 by tokens": f"/run?run={RUN}&layout=debates&sort=tokens&page=1900",
    "by score, downwards": f"/run?run={RUN}&layout=debates&sort=score:coherence&down=1",
    "items by distance from people": f"/run?run={RUN}&layout=items&sort=apart:coherence&down=1",
    "debates by distance from people": f"/run?run={RUN}&layout=debates&sort=apart:coherence&down=1",
    "failed": f"/run?run={RUN}&outcome=failure",
    "unsettled, low first": f"/run?run={RUN}&settled=no&sort=score%3Acoherence",
    "far from people": f"/run?run={RUN}&layout=debates",
    "a group of many": f"/run?run={RUN}&layout=debates&group=g7&sort=seconds",
    "a name found": f"/run?run={RUN}&layout=debates&find=i4711",
    "agreement": f"/agreement?run={RUN}",
    "failures": f"/failures?run={RUN}",
    "cost": f"/costs?run={RUN}",
    "a debate": f"/debate?run={RUN}&id=i4711%2Fcoherence",
    "a debate among many": f"/debate?run={RUN}&id=i4711%2Fcoherence&layout=debates&settled=no&at=3",
    "ballots": f"/ballots?run={RUN}&id=i4711%2Fcoherence",
    "two runs": f"/compare?a={RUN}&b={OTHER}",
    "two runs of that size": f"/compare?a={RUN}&b={THIRD}",
    "changed in talk": f"/run?run={RUN}&layout=debates&changed=1",
    "words in texts and messages": f"/run?run={RUN}&layout=debates&find=corroded&within=talk",
}


def main() -> int:
    """Measure every page: the first time, and the median of five after it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.db"
        pattern = asyncio.run(_debate())
        _write(path, RUN, pattern, DEBATES_OF_RUN)
        _write(path, OTHER, pattern, DEBATES_OF_RUN // 10)
        _write(path, THIRD, pattern, DEBATES_OF_RUN)
        print(f"{DEBATES_OF_RUN:,} debates, {path.stat().st_size / 1e6:,.0f} MB\n")
        shelf = Shelf(path)
        try:
            aims = _measured(shelf)
        finally:
            shelf.close()
    print("\n".join(aims_table(aims)))
    return 0


def _measured(shelf: Shelf) -> list[Aim]:
    serving = app(shelf, token=TOKEN)
    aims = []
    for name, address in PAGES.items():
        times = [page_milliseconds(serving, address) for _ in range(6)]
        aims += [
            Aim(f"{name}, first time", times[0], BOUND, unit=" ms", digits=0),
            Aim(f"{name}, then", statistics.median(times[1:]), BOUND, unit=" ms", digits=0),
        ]
    return aims


def page_milliseconds(serving: Any, address: str) -> float:
    """The milliseconds that a page takes, from the request to the whole answer."""
    path, _, query = address.partition("?")
    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {TOKEN}".encode())], "http_version": "1.1", "scheme": "http", "server": ("127.0.0.1", 80),
    }  # fmt: skip
    status = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Mapping[str, Any]) -> None:
        status.append(message.get("status"))

    start = time.perf_counter()
    asyncio.run(serving(scope, receive, send))
    if status[0] != 200:
        sys.exit(f"{address}: {status[0]}")
    return (time.perf_counter() - start) * 1000


async def _debate() -> Record:
    """A debate that was held."""
    async with ad.ready("debate", model=ad.Function("scripted", answer), project=ad.Project()) as debate:
        return await debate.hold(ITEM, "coherence")


def write_run(store: str | Path, run: str, count: int) -> None:
    """Write a run of so many debates, with what was said in them and what it cost."""
    _write(store, run, asyncio.run(_debate()), count)


def _write(path: str | Path, run: str, pattern: Record, count: int) -> None:
    """Write a run of so many debates, with what was said in them and what it cost."""
    database = open_database(path, create=True)
    database.change(lambda connection: _enter(connection, run, pattern, count))
    database.change(lambda connection: connection.execute(sa.text("ANALYZE")))
    database.close()


def _enter(connection: sa.Connection, run: str, pattern: Record, count: int) -> None:
    head = {
        "created": time.time(), "ended": time.time(), "strategy": "debate", "task": ITEM.task, "model": "scripted",
    }  # fmt: skip
    number = enter_run(connection, {"id": run, **head, "configuration": json.dumps({"aspects": ASPECTS})})
    said = _said(pattern)
    for batch in batches(range(count), _BATCH):
        parts = [part for one in batch for part in _parts(one, pattern, said)]
        enter(connection, number, parts)


def _said(pattern: Record) -> list[Line]:
    """Return what was said in a debate and the first of its calls: the same in all of them."""
    said = [Line("", one.seq, message_line(one), call=False) for one in pattern.transcript]
    for number, one in enumerate(pattern.calls[:2], 1):
        said.append(Line("", number, call_line(number, one, one.request.key()), call=True))
    return said


def _parts(number: int, pattern: Record, said: list[Line]) -> Iterator[Part]:
    name, aspect = f"i{number // 2}", ASPECTS[number % 2]
    item = Item(
        id=name,
        task=ITEM.task,
        group=f"g{number // 2 % 100}",
        system=f"s{number // 2 % 16}",
        fields={key: f"{name}: {text}" for key, text in ITEM.fields.items()},
    )
    if number % 2 == 0:
        yield item_entry(item, number // 2 + 1)
    debate = f"{name}/{aspect}"
    row = _row(number, item, aspect, pattern)
    values = {**debate_row(row), "item": name, "changed": number % 2 == 0, "money": number % 997 / 1e5}
    made = ((call.agent, call.round, call.completion) for call in pattern.calls[:2])
    for line in said:
        yield line._replace(debate=debate)
    yield Ending(debate, values, [*score_rows(row)], cost_rows(made, {}))


def _row(number: int, item: Item, aspect: str, pattern: Record) -> dict[str, Any]:
    """A row that differs from that of its neighbours in everything that is filtered and sorted by."""
    row = {**pattern.row(), "id": item.id, "group": item.group, "system": item.system, "aspects": [aspect]}
    changed = {
        "scores": {aspect: 1 + number * 7 % 5},
        "human": {aspect: 1 + number * 13 % 9 / 2},
        "settled": number % 3 > 0,
        "rounds": 1 + number % 4,
        "prompt_tokens": 500 + number * 31 % 7_919,
        "seconds": number % 1_009 / 10,
    }
    if number % 200 == 7:
        failed = {"error": f"Error{number % 3}", "agent": "scorer", "reason": "as it happens"}
        changed |= {"outcome": "failure", "failure": failed, "scores": {}, "settled": None, "rounds": None}
    return {**row, **changed}
