"""Runs that are written by hand: one debate or a few, their calls and messages, and how many of these are in flight."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import agentdebate as ad
from agentdebate.models.base import Call, ChatMessage, Completion, ModelRequest
from agentdebate.store.reader import read_store
from agentdebate.store.writer import write_run
from agentdebate.talk.messages import Failure, Message, Statement, Verdict

STORE = "runs.db"
ITEM = ad.Item(task="summarization", id="i1", fields={"source": "The cat sat.", "summary": "A cat sat."})


def opening(store: str = STORE, **about: Any) -> Any:
    """Begin a run."""
    given = {"strategy": "solo", "tasks": ["summarization"], "model": "m", "configuration": {}, **about}
    return write_run(store, **given)


def call(
    number: int = 1, text: str = "Fine.", *, agent: str = "ann", ask: int = 1, shown: tuple[int, ...] = (1,)
) -> Call:
    """A call whose request nobody else makes."""
    request = ModelRequest(
        (ChatMessage("system", "brief"), ChatMessage("user", f"{agent} {ask} {number} {text}"))
    )
    usage = ad.Usage(calls=1, prompt_tokens=10, completion_tokens=2)
    return Call(agent, 0, ask, number, shown, request, Completion(text=text, model="m", usage=usage))


def said(seq: int = 1, text: str = "x") -> Statement:
    """A statement of ann."""
    return Statement(seq=seq, sender="ann", to=("floor",), answers=1, text=text, model="openai/m")


def record(name: str, messages: tuple[Message, ...] = (), *, failed: bool = False) -> ad.Record:
    """The end of a debate."""
    verdict = Verdict(ratings=(), settled=True, ended="agreement", rounds=1, merge="last score", ballots=())
    failure = Failure(error="ServerFailed", reason="down", agent="ann")
    ending: Any = {"verdict": None, "failure": failure} if failed else {"verdict": verdict, "failure": None}
    return ad.Record(name, ITEM, "summarization", ("fluency",), "solo", transcript=messages, **ending)


def in_flight(store: str = STORE) -> tuple[int, int]:
    """Rows of messages and of calls of debates that are being held, as another process sees them."""
    with closing(sqlite3.connect(store)) as other:
        query = "select count(*) filter (where not call), count(*) filter (where call) from in_flight"
        messages, calls = other.execute(query).fetchone()
        return messages, calls


def everything(store: str | Path, run: str) -> list[object]:
    """All that a run has."""
    with read_store(store) as reader:
        return [reader.run(run), *reader.rows(run), *reader.said(run), *reader.asked(run), *reader.items(run)]
