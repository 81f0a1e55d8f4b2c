"""What calls took: paid for, and out of a cache."""

from agentdebate.usage import Usage


class Spending:
    """Adds up what calls took. What a cache gave was paid for in another run, and is counted by itself."""

    def __init__(self) -> None:
        self._sums = {False: dict.fromkeys(Usage.model_fields, 0), True: dict.fromkeys(Usage.model_fields, 0)}

    def __repr__(self) -> str:
        return f"<Spending {self.paid.calls} calls, {self.paid.tokens} tokens>"

    def add(self, usage: Usage, *, cached: bool) -> None:
        """Add a call."""
        sums = self._sums[cached]
        for name, count in usage.__dict__.items():
            sums[name] += count

    @property
    def paid(self) -> Usage:
        """What was paid for."""
        return Usage(**self._sums[False])

    @property
    def saved(self) -> Usage:
        """What a cache gave."""
        return Usage(**self._sums[True])
