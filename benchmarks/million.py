"""What listing, showing, viewing and taking debates take in a store of a million debates, against one of ten thousand.

    python -m benchmarks million [--sqlite] [--postgresql] [--quick]

The store has a run of ten thousand, and a queue of as many; then a run of 990,000 and a queue of as many come to it, copied by SQL.
What is asked of the small run, and of the large one, is compared with what the small one took alone. On SQLite, and on
PostgreSQL where it is installed. `--quick` makes the large run of 90,000, and then also has all debates looked through for words, exported
and compared with people.
"""

import io
import json
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from functools import partial
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from agentdebate.cli.app import run as command
from agentdebate.store.crew import Leases, lease_entry
from agentdebate.store.database import Database
from agentdebate.store.debate_list import DebateList
from agentdebate.store.debate_writer import enter
from agentdebate.store.engine import open_database
from agentdebate.store.reader import Reader
from agentdebate.store.schema import enter_run
from agentdebate.viewer.app import app
from agentdebate.viewer.shelf import Shelf
from benchmarks.aim import Aim, aims_table
from benchmarks.view import ASPECTS, TOKEN, page_milliseconds, write_run
from benchmarks.workers import NewStore, load, stores

SMALL, LARGE = 10_000, 990_000
TIMES = 5
PATIENCE = 5000
"""Milliseconds after which a thing is not done once more."""
BATCH = 64
GROWTH = 1.5
BOUNDS = {"show RUN": 3.0}
WORDS = {"words, first hits": 1.0, "words, all debates": 10.0}  # seconds
NUMBERS = {"small": 1, "small-queue": 2, "large": 3, "large-queue": 4}

_COPIES = "WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < :copies) "
_OF_DEBATES = ("items", "debates", "documents", "scores", "costs")


def copied(connection: sa.Connection, *, source: int, target: int, copies: int, debates: int) -> None:
    """Have a run consist of so many copies of another's debates, under names of their own."""
    for name in _OF_DEBATES:
        table = sa.inspect(connection).get_columns(name)
        columns = [column["name"] for column in table]
        given = [_value(name, column) for column in columns]
        joined = "" if "run" in columns else " JOIN debates ON debates.number = one.debate"
        run = "one.run" if "run" in columns else "debates.run"
        statement = (
            f"INSERT INTO {name} ({', '.join(map(_quoted, columns))}) {_COPIES}"
            f"SELECT {', '.join(given)} FROM copies CROSS JOIN {name} AS one{joined} WHERE {run} = :source"
        )
        connection.execute(
            sa.text(statement), {"source": source, "target": target, "copies": copies, "debates": debates}
        )


def _value(table: str, column: str) -> str:
    """Return what a copy has in a column: names and numbers of its own."""
    if column == "run":
        return "CAST(:target AS BIGINT)"
    if (table, column) in {("debates", "number"), ("items", "number")} or column == "debate":
        return f"one.{column} + copies.n * CAST(:debates AS BIGINT)"
    if (table, column) in {("items", "id"), ("debates", "id"), ("debates", "item")}:
        return f"copies.n || '-' || one.{_quoted(column)}"
    if (table, column) == ("debates", "row"):
        return _renamed(f"one.{column}")
    return f"one.{_quoted(column)}"


def _renamed(data: str) -> str:
    """JSON in which the id of an item is the copy's."""
    parts = [f"""'"id":{space}"'""" for space in ("", " ")]
    for part in parts:
        data = f"replace({data}, {part}, {part} || copies.n || '-')"
    return data


def _quoted(column: str) -> str:
    return f'"{column}"'


def grow(database: Database, debates: int) -> None:
    """Add a large run and a large queue."""
    for name in ("large", "large-queue"):
        database.change(partial(enter_run, row={**_HEAD, "id": name}))
    copies = debates // SMALL
    many = partial(copied, source=1, target=NUMBERS["large"], copies=copies, debates=SMALL)
    database.change(many)
    queue = (
        f"INSERT INTO leases (run, debate, place, item, item_number, aspects, token, taken) {_COPIES}"
        "SELECT :target, copies.n || '-' || debate, place + copies.n * 10000, item, item_number, aspects, 0, 0 "
        "FROM copies CROSS JOIN leases WHERE run = 2"
    )
    values = {"target": NUMBERS["large-queue"], "copies": copies}
    database.change(lambda connection: connection.execute(sa.text(queue), values))


_HEAD = {
    "created": 1.0, "ended": 2.0, "strategy": "debate", "task": "summarization", "model": "m",
    "configuration": json.dumps({"aspects": ASPECTS}),
}  # fmt: skip


def fill(store: str) -> None:
    """A run of ten thousand, and a queue of as many."""
    write_run(store, "small", SMALL)
    database = open_database(store)
    try:
        number = database.change(partial(enter_run, row={**_HEAD, "id": "small-queue"}))
        entries = [
            lease_entry(f"d{place}", place=place, item=f"i{place}", item_number=place, aspects=["coherence"])
            for place in range(SMALL)
        ]
        database.change(partial(enter, run=number, parts=entries))
    finally:
        database.close()


def told(*words: str) -> None:
    """Run a command, whose words go nowhere."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = command(words)
    assert code in (0, 1), said.getvalue()  # 1: the queue has no verdict yet


def claim(store: str, queue: str) -> float:
    """Milliseconds in which a batch is taken and its end entered."""
    database = open_database(store)
    try:
        leases = Leases(NUMBERS[queue], f"w{time.time()}")
        begun = time.perf_counter()
        for _ in range(10):
            taken = database.change(lambda connection: leases.take(connection, BATCH))
            leases.hold(taken)
            names = [one.debate for one in taken]
            database.change(partial(leases.guard, debates=names, ending=names))
            leases.forget(names)
        return (time.perf_counter() - begun) * 100
    finally:
        database.close()


def measured(store: str, size: str) -> dict[str, float]:
    """The milliseconds of everything that is asked of a run, the quickest of several times."""
    queue = f"{size}-queue"
    debate = {"small": "i7/consistency", "large": "3-i7/consistency"}[size]
    words: Mapping[str, Callable[[], Any]] = {
        "list runs": partial(told, "list", "runs", "--store", store),
        "show RUN": partial(told, "show", size, "--store", store),
        "show RUN DEBATE": partial(told, "show", size, debate, "--store", store),
        "show RUN of a queue": partial(told, "show", queue, "--store", store),
    }
    found = {name: _least(one) for name, one in words.items()}
    with closing(Shelf(store)) as shelf:
        serving = app(shelf, token=TOKEN)
        pages = {
            "view: runs": "/",
            "view: items": f"/run?run={size}",
            "view: debates by score": f"/run?run={size}&layout=debates&sort=score:coherence&down=1",
            "view: a debate": f"/debate?run={size}&id={quote(debate, safe='')}",
        }
        for name, address in pages.items():
            found[name] = min(page_milliseconds(serving, address) for _ in range(TIMES))
    return found | {"claim and entry of 64": claim(store, queue)}


def seconds(store: str, size: str) -> dict[str, float]:
    """The seconds of what goes through all debates of a run, and of the first words that are found."""
    found = {}
    with closing(open_database(store, reading=True)) as database:
        for name, words in (("words, first hits", "leaves out"), ("words, all debates", "nowhere at all")):
            search = DebateList(Reader(database), size).saying(words)
            found[name] = _least(partial(next, search, None), times_at_most=1) / 1000
    export = ("export", size, "--store", store, "--output", "/dev/null", "--format", "jsonl")
    agree = ("agree", size, "--store", store, "--resamples", "20")
    return found | {one[0]: _least(partial(told, *one), times_at_most=1) / 1000 for one in (export, agree)}


def _least(do: Callable[[], Any], times_at_most: int = TIMES) -> float:
    times: list[float] = []
    while len(times) < times_at_most and sum(times) < PATIENCE:
        begun = time.perf_counter()
        do()
        times.append((time.perf_counter() - begun) * 1000)
    return min(times)


def grown(kind: str, new_store: NewStore, debates: int) -> list[Aim]:
    """How much longer everything takes in a large store."""
    store = new_store()
    fill(store)
    alone = measured(store, "small")
    begun = time.perf_counter()
    database = open_database(store)
    grow(database, debates)
    database.change(lambda connection: connection.execute(sa.text("ANALYZE")))
    database.close()
    print(f"{kind}: {debates:,} more in {time.perf_counter() - begun:.0f} s; {load()}", flush=True)
    aims = []
    for size in ("small", "large"):
        for name, milliseconds in measured(store, size).items():
            told = f"{kind}: {name}, {size} run of the large store ({milliseconds:.0f} ms, before {alone[name]:.0f})"
            aims.append(Aim(told, milliseconds / alone[name], GROWTH))
            if name in BOUNDS:
                aims.append(Aim(f"{kind}: {name}, {size} run", milliseconds / 1000, BOUNDS[name], unit=" s"))
    return [*aims, *through_all(kind, store, debates)] if debates < LARGE else aims


def through_all(kind: str, store: str, debates: int) -> list[Aim]:
    """How long it takes to go through all debates, and how that grows with them."""
    small, large = seconds(store, "small"), seconds(store, "large")
    words = [
        Aim(f"{kind}: {name}, {debates:,} debates", large[name], bound, unit=" s")
        for name, bound in WORDS.items()
    ]
    told = f"{{}} ({{:.1f}} s), over {SMALL:,} debates"
    linear = debates / SMALL * GROWTH
    return words + [
        Aim(f"{kind}: {told.format(name, large[name])}", large[name] / small[name], linear)
        for name in ("export", "agree")
    ]


def main() -> None:
    """Print the tables."""
    quick = "--quick" in sys.argv
    print(load())
    debates = 90_000 if quick else LARGE
    with stores() as kinds:
        chosen = [kind for kind in kinds if f"--{kind.lower()}" in sys.argv] or list(kinds)
        aims = [aim for kind in chosen for aim in grown(kind, kinds[kind], debates)]
    print("\n".join([*aims_table(aims), f"{load()} at the end"]))
