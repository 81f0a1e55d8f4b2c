"""The same debate in LangGraph: a graph of scorer and critic with ChatOpenAI, compiled once, and invoked once a debate."""

import operator
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph

from benchmarks.peers.loop import in_turns, read
from benchmarks.peers.texts import BRIEF, CALLS, CRITIC, GIVE_ISSUE, GIVE_SCORE, SCORER


class Talk(TypedDict):
    """What the graph carries from node to node."""

    said: Annotated[list[str], operator.add]


Node = Callable[[Talk], Awaitable[Talk]]


async def hold(url: str, debates: int, at_once: int) -> None:
    """So many debates, so many at a time."""
    graph = _graph(url)

    async def one() -> None:
        ended = await graph.ainvoke({"said": []}, {"recursion_limit": 2 * CALLS})
        assert read(ended["said"][-1]) == 4

    await in_turns(one, debates, at_once)


async def hold_kept(url: str, debates: int, at_once: int, folder: Path) -> None:
    """The same with LangGraph's checkpoints on SQLite: a debate is a thread, and one that was left goes on from its last node."""
    async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoints.db")) as saver:
        graph, numbers = _graph(url, saver), iter(range(debates))

        async def one() -> None:
            config = {"configurable": {"thread_id": str(next(numbers))}, "recursion_limit": 2 * CALLS}
            left = await graph.aget_state(config)
            done = bool(left.values.get("said")) and not left.next
            ended = (
                left.values
                if done
                else await graph.ainvoke(None if left.next else {"said": []}, config, durability="sync")
            )
            # Where a process was killed the last text may be the critic's.
            assert read(max(ended["said"], key=lambda text: "Coherence: " in text)) == 4

        await in_turns(one, debates, at_once)


def _graph(url: str, saver: AsyncSqliteSaver | None = None) -> Any:
    client = ChatOpenAI(model="any", base_url=url, api_key="none", temperature=0, top_p=1)
    graph = StateGraph(Talk)
    graph.add_node("scorer", _node(client, f"{SCORER}\n\n{GIVE_SCORE}"))
    graph.add_node("critic", _node(client, f"{CRITIC}\n\n{GIVE_ISSUE}"))
    graph.add_edge(START, "scorer")
    graph.add_conditional_edges("scorer", _after_score, ["critic", END])
    graph.add_conditional_edges("critic", _after_issue, ["scorer", END])
    return graph.compile(checkpointer=saver)


def _node(client: ChatOpenAI, task: str) -> Node:
    async def speak(talk: Talk) -> Talk:
        shown = [SystemMessage(BRIEF), *(HumanMessage(text) for text in talk["said"]), HumanMessage(task)]
        return {"said": [str((await client.ainvoke(shown)).content)]}

    return speak


def _after_score(talk: Talk) -> str:
    return END if len(talk["said"]) >= CALLS else "critic"


def _after_issue(talk: Talk) -> str:
    return END if "NO ISSUE" in talk["said"][-1] else "scorer"
