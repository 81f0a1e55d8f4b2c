"""What is measured: how many debates, how many at once, and how long the endpoint takes for a reply."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.peers.peer import Peer
from benchmarks.peers.texts import CALLS

AT_ONCE = (20, 200, 1000)
LATENCIES = (0.0, 0.2, 2.0)


@dataclass(frozen=True)
class Cell:
    """So many debates at once, with replies after so many seconds."""

    at_once: int
    latency: float

    def debates(self, peer: Peer) -> int:
        """How many debates a peer holds: enough that it takes a while, and not more than that takes minutes."""
        if not self.latency:
            return max(self.at_once, 100 if peer.framework else 1000)
        return 3 * self.at_once if self.at_once * self.latency < 10 else self.at_once

    def ideal(self, debates: int) -> float:
        """Seconds of a client that takes no time at all: every debate waits for its calls, and for debates before it."""
        return -(-debates // self.at_once) * CALLS * self.latency


Plan = Sequence[tuple[Peer, Cell]]
"""Who is measured where."""


def plan(
    peers: Sequence[Peer], at_once: Sequence[int] = AT_ONCE, latencies: Sequence[float] = LATENCIES
) -> Plan:
    """Everyone everywhere."""
    return [(peer, Cell(each, latency)) for latency in latencies for each in at_once for peer in peers]


def quick(peers: Sequence[Peer]) -> Plan:
    """What is done in three minutes: frameworks where their CPU is compared, and the others at 200 ms too."""
    none, few, many = Cell(200, 0.0), Cell(20, 0.2), Cell(200, 0.2)
    everyone = [(peer, none) for peer in peers]
    return everyone + [(peer, cell) for cell in (few, many) for peer in peers if not peer.framework]
