"""The ways to hold the debates that are compared, the cells in which each is measured, and the figures of one measurement."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from benchmarks.peers.texts import CALLS

HERE = ".[fast]"
"""This checkout with aiohttp, as a requirement."""


@dataclass(frozen=True)
class Peer:
    """A way to hold the debates."""

    name: str
    holds: str
    """module:function, of benchmarks.peers."""
    environment: str
    """Peers of the same name share a virtual environment."""
    needs: tuple[str, ...]
    """Requirements that pip installs there."""
    framework: bool = False
    """Somebody else's framework, which takes so long that fewer debates are held."""
    resumes: bool = False
    """True where its module has a `hold_kept`, which goes on where a killed process stopped."""
    statistics: str = "none"
    """Statistics of agreement with people that it brings."""


BY_AIOHTTP, BY_HTTPX = "by hand on aiohttp", "by hand on httpx over aiohttp"
OURS, OURS_BY_AIOHTTP = "agentdebate", "agentdebate on aiohttp"
AUTOGEN, LANGGRAPH, INSPECT = "AutoGen AgentChat", "LangGraph", "Inspect AI"
_LANGGRAPH = ("langgraph", "langgraph-checkpoint-sqlite", "langchain-openai")
_OF_OURS = "correlations, accuracy, kappa; intervals"
_OF_INSPECT = "accuracy; standard error"
_ALL = (
    Peer(BY_AIOHTTP, "by_aiohttp:hold", "aiohttp", ("aiohttp",)),
    Peer(BY_HTTPX, "by_httpx:hold", "httpx", ("httpx>=0.28,<0.29", "httpx-aiohttp", "aiohttp")),
    Peer(OURS, "ours:hold", "agentdebate", (HERE,), resumes=True, statistics=_OF_OURS),
    Peer(OURS_BY_AIOHTTP, "ours:hold_by_aiohttp", "agentdebate", (HERE,)),
    Peer(AUTOGEN, "by_autogen:hold", "autogen", ("autogen-agentchat", "autogen-ext[openai]"), framework=True),
    Peer(LANGGRAPH, "by_langgraph:hold", "langgraph", _LANGGRAPH, framework=True, resumes=True),
    Peer(
        INSPECT,
        "by_inspect:hold",
        "inspect",
        ("inspect-ai", "openai"),
        framework=True,
        resumes=True,
        statistics=_OF_INSPECT,
    ),
)
PEERS: Mapping[str, Peer] = {peer.name: peer for peer in _ALL}
"""Every peer, by name."""


@dataclass(frozen=True)
class Cell:
    """So many debates at once, with replies after so many seconds."""

    at_once: int
    latency: float

    def debates(self, peer: Peer) -> int:
        """Number of debates that a peer holds: enough to measure, and no more than take minutes."""
        if not self.latency:
            return max(self.at_once, 100 if peer.framework else 1000)
        return 3 * self.at_once if self.at_once * self.latency < 10 else self.at_once

    def ideal(self, debates: int) -> float:
        """Seconds of a client that takes no time at all: every debate waits for its calls, and for debates before it."""
        return -(-debates // self.at_once) * CALLS * self.latency


@dataclass(frozen=True)
class Figures:
    """Measurements of one process, or their medians. Times are in seconds."""

    calls: float
    sent: float
    """Bytes of all requests' bodies."""
    wall: float
    cpu: float
    """Of all threads."""
    ideal: float
    """The wall time of a client that takes no time at all."""
    peak_mb: float
    load: float
    """Load average of the minute before."""

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.calls / self.wall

    @property
    def cpu_us(self) -> float:
        """Microseconds of CPU a call."""
        return self.cpu / self.calls * 1e6

    @property
    def share(self) -> float:
        """Ideal wall time over wall time."""
        return self.ideal / self.wall


def typical(passes: Sequence[Figures]) -> Figures:
    """Take the median of several passes, each figure by itself."""
    rows = [asdict(one) for one in passes]
    return Figures(**{name: median(row[name] for row in rows) for name in rows[0]})
