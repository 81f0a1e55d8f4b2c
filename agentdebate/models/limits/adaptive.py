"""How many calls at once an endpoint takes, found out as it goes."""

_CUT = 0.7


class Adaptive:
    """A limit on the calls in flight that grows while it goes well and is cut where the endpoint is overloaded.

    As TCP does it (RFC 5681): up to the first cut every success at the limit adds one, which doubles the limit in
    a round; later a round adds a sixty-fourth of `most`, or one. A cut leaves 0.7 of the limit, and at least 1.
    A limit that is not used up does not grow.

    What goes wrong comes in episodes: a call belongs to the episode in which it began, and a cut begins the next. So
    the errors of calls that were under way at a cut do not cut again.
    """

    __slots__ = ("_slow", "_step", "episode", "limit", "most")

    def __init__(self, most: int, *, start: int = 32) -> None:
        self.most = most
        self.limit = float(min(start, most))
        self.episode = 0
        self._slow, self._step = False, max(1.0, most / 64)

    def __repr__(self) -> str:
        return f"<Adaptive {self.limit:.1f} of {self.most}>"

    def succeeded(self, episode: int, running: int) -> None:
        """A call of that episode succeeded while so many were running, itself among them."""
        if running + 1 > self.limit and self.limit < self.most and episode == self.episode:
            growth = self._step / self.limit if self._slow else 1.0
            self.limit = min(self.limit + growth, float(self.most))

    def overloaded(self, episode: int) -> bool:
        """A call of that episode met an endpoint with too much to do; says whether the limit was cut for it."""
        if episode != self.episode:
            return False
        self.limit = max(1.0, self.limit * _CUT)
        self.episode += 1
        self._slow = True
        return True
