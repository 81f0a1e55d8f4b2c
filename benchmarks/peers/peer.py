"""Who is compared: what holds the debates, and what it needs installed."""

from collections.abc import Mapping
from dataclasses import dataclass

HERE = ".[fast]"
"""This checkout with aiohttp, as a requirement."""


@dataclass(frozen=True)
class Peer:
    """A way to hold the debates."""

    name: str
    holds: str
    """module:function, of benchmarks.peers."""
    environment: str
    """Peers of the same name share an environment."""
    needs: tuple[str, ...]
    """What pip installs there."""
    framework: bool = False
    """Somebody else's framework, which takes so long that fewer debates are held."""


AIOHTTP, HTTPX = "by hand on aiohttp", "by hand on httpx over aiohttp"
OURS, OURS_BY_AIOHTTP = "agentdebate", "agentdebate on aiohttp"
AUTOGEN, LANGGRAPH = "AutoGen AgentChat", "LangGraph"
CLIENT, CLIENT_BY_AIOHTTP = "our client", "our client on aiohttp"
POOL, STACK = "by hand on httpx's pool", "by hand on a stack of httpx"

_AIOHTTP = ("aiohttp", ("aiohttp",))
_HTTPX = ("httpx", ("httpx>=0.28,<0.29", "httpx-aiohttp", "aiohttp"))
_OURS = ("agentdebate", (HERE,))
_ALL = (
    Peer(AIOHTTP, "by_aiohttp:hold", *_AIOHTTP),
    Peer(HTTPX, "by_httpx:hold", *_HTTPX),
    Peer(OURS, "ours:hold", *_OURS),
    Peer(OURS_BY_AIOHTTP, "ours:hold_by_aiohttp", *_OURS),
    Peer(AUTOGEN, "by_autogen:hold", "autogen", ("autogen-agentchat", "autogen-ext[openai]"), framework=True),
    Peer(LANGGRAPH, "by_langgraph:hold", "langgraph", ("langgraph", "langchain-openai"), framework=True),
    Peer(CLIENT, "our_client:hold", *_OURS),
    Peer(CLIENT_BY_AIOHTTP, "our_client:hold_by_aiohttp", *_OURS),
    Peer(POOL, "by_httpx:hold_over_pool", *_HTTPX),
    Peer(STACK, "by_httpx:hold_over_stack", *_HTTPX),
)
PEERS: Mapping[str, Peer] = {peer.name: peer for peer in _ALL}
"""Everyone, by name."""
USUAL = (AIOHTTP, HTTPX, OURS, OURS_BY_AIOHTTP, AUTOGEN, LANGGRAPH)
"""Who is compared where nobody is named."""
