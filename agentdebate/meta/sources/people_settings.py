"""The human ceiling that is asked for: whose single ratings, and how people's agreement among themselves is said."""

from collections.abc import Mapping
from dataclasses import dataclass

from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.reliability import RELIABILITY


@dataclass(frozen=True)
class PeopleSettings:
    """How well people agree with one another."""

    ceiling: bool = False
    annotators: tuple[str, ...] = ()
    reliability: tuple[str, ...] = ()

    def check(self, *, listed: bool = False) -> None:
        """Raise UsageError for options that stand alone, or say nothing. `listed` says that people's field has lists."""
        for option, given in (("annotators=...", self.annotators), ("reliability=...", self.reliability)):
            if given and not self.ceiling and not (listed and option == "reliability=..."):
                raise UsageError(f"{option} is for ceiling=..., which takes people as judges")
        for name in self._reliabilities():
            if name not in RELIABILITY:
                raise UsageError(f"reliability=...: there is no {name!r}. {nearest(name, RELIABILITY)}")

    def reliabilities(self, usual: str) -> list[str]:
        """The statistics of people's agreement among themselves, `usual` where none is named."""
        return list(dict.fromkeys(self._reliabilities())) or [usual]

    @property
    def fields(self) -> Mapping[str, tuple[str, ...]]:
        """The fields of single ratings by aspect. Raises UsageError."""
        pairs = free_pairs([text for text in self.annotators if "=" in text], "annotators=...")
        return {aspect: names(value) for aspect, value in pairs.items()}

    @property
    def kind(self) -> str | None:
        """Whose ratings, where that was named. Raises UsageError for several kinds."""
        kinds = [text for text in self.annotators if "=" not in text]
        if len(kinds) > 1 or (kinds and self.fields):
            raise UsageError(
                f"annotators=... takes one kind of people, or ASPECT=FIELD, not {', '.join(self.annotators)}"
            )
        return kinds[0] if kinds else None

    def _reliabilities(self) -> list[str]:
        return [name for text in self.reliability for name in names(text)]
