"""A run in which every name and every text is somebody else's: it steers screens, and is code in every format."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import agentdebate as ad
from agentdebate.models.base import ModelRequest
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.documents import document_row, packed, unpacked
from agentdebate.testing import replying

SCREEN = (
    "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\\x1b[2J\x07\x08\rover\u202egnp.exe\u2066\x9b31m\x85\x7f\u2028"
    "\u2029\u061c\ufeff\U000e0041[bold]loud[/bold][link=http://evil.example]here[/link]"
)
CODE = (
    "</script><!--<script>alert(1)</script><img src=x onerror=alert(1)> | `x` **b** [click](javascript:alert(1)) "
    "![x](http://evil.example/x.png) <http://evil.example> http://evil.example $x^2$ \\input{/etc/passwd} "
    '\\write18{id} % & # _ { } ~ ^ " --> %%{init: {}}%% #quot; [x]: http://evil.example'
)
FLOOD = "e" + "\u0301" * 300
FORMULAS = (
    '=HYPERLINK("http://evil.example";"x")',
    "  @SUM(1)",
    "'+1+cmd|' /C calc'!A0",
    "\uff1d1+1",
    "a;=1+1",
    "-x",
)
IDS = (*FORMULAS, "-3.5", f"{SCREEN}\n| {CODE}", FLOOD, "\t=1\nrun forged: strategy debate")
"""Of items, each a debate."""
ASPECT, AGENT = f"={SCREEN} {CODE}".replace("/", "|"), f'-{SCREEN}" {CODE}'
MODEL = f"@{SCREEN} {CODE}"
SYSTEMS = (f"+{SCREEN}", CODE)
UNREADABLE = IDS[2]


async def hold(store: Path) -> None:
    """Hold the run into a store, and have its aspect and an agent called what only a store from elsewhere has."""

    def reply(request: ModelRequest) -> str:
        name = request.context.item.id if request.context else ""
        said = f"{SCREEN}\n{CODE}\nno issue\n\nFluency: {1 + len(name) % 4}"
        return f"Hm. {SCREEN}" if name == UNREADABLE else said

    items = [
        ad.Item(
            task="summarization",
            id=name,
            group=f"={name}",
            system=SYSTEMS[number % 2],
            fields={"source": f"{SCREEN} {CODE}", "summary": f"{name} {SCREEN}\n{CODE}"},
            human={"fluency": 1.0 + number % 3},
        )
        for number, name in enumerate(IDS)
    ]
    model = replying(reply, name=MODEL)
    async with evaluate(items, "debate", model=model, aspects="fluency", store=store, concurrency=1) as run:
        async for _ in run:
            pass
    _rename(store)


def _rename(store: Path) -> None:
    """Have the aspect and the scorer other names in all that is stored."""
    with closing(sqlite3.connect(store)) as database, database:
        database.create_function("renamed", 1, _renamed)
        database.create_function("repacked", 1, lambda data: packed(_renamed(unpacked(data))))
        for (table,) in database.execute("select name from sqlite_master where type = 'table'").fetchall():
            names = [row[1] for row in database.execute(f"pragma table_info({table})").fetchall()]
            database.execute(f"update {table} set {', '.join(f'{name} = renamed({name})' for name in names)}")
        database.execute("update items set data = repacked(data)")
        rewrite_documents(database, lambda text: "\n".join(map(_renamed, text.split("\n"))))


def rewrite_documents(database: sqlite3.Connection, change: Callable[[str], str]) -> None:
    """Have what was said and asked in each debate changed, as whoever wrote the store could have written it."""
    for number, *documents in database.execute("select debate, talk, calls from documents").fetchall():
        talk, calls = (change(unpacked(one)) for one in documents)
        row = document_row(talk, calls, "sqlite")
        put = ", ".join(f"{name} = ?" for name in row)
        database.execute(f"update documents set {put} where debate = ?", (*row.values(), number))


def _renamed(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    if text.startswith(("{", "[")):
        return json.dumps(_named(json.loads(text)))
    named = f"{text.removesuffix('fluency')}{ASPECT}" if text.endswith("/fluency") else text
    return AGENT if text == "scorer" else named


def _named(data: object) -> object:
    if isinstance(data, dict):
        # A task with such an aspect is not read at all.
        return {str(_named(key)): value if key == "tasks" else _named(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_named(value) for value in data]
    return {"fluency": ASPECT, "scorer": AGENT}.get(data, data) if isinstance(data, str) else data
