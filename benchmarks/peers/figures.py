"""What a run of a peer took."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median


@dataclass(frozen=True)
class Figures:
    """What one process measured, or the median of several."""

    calls: float
    sent: float
    """Bytes of all requests' bodies."""
    wall: float
    """Seconds, as all times are."""
    cpu: float
    """Of all threads."""
    kept_waiting: float
    """How long other processes had the core while this one could have gone on; 0 where the system does not say."""
    ideal: float
    """The wall time of a client that takes no time at all."""
    first_mb: float
    """Resident memory after the first debates."""
    peak_mb: float
    load: float
    """Processes at work on the machine as the run began: the load average of a minute."""

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
        """Ideal wall over wall."""
        return self.ideal / self.wall

    @property
    def sent_kb(self) -> float:
        """Thousands of bytes that a request's body has, on average."""
        return self.sent / self.calls / 1000

    @property
    def disturbed(self) -> float:
        """The share of the wall time for which others had the core."""
        return self.kept_waiting / self.wall


def typical(passes: Sequence[Figures]) -> Figures:
    """The median of several passes, each figure by itself."""
    rows = [asdict(one) for one in passes]
    return Figures(**{name: median(row[name] for row in rows) for name in rows[0]})
