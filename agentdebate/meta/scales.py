"""The scales of judges and people, as scale=... declares them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from agentdebate.datasets.named_values import free_pairs
from agentdebate.errors import UsageError, nearest
from agentdebate.tasks import Scale

PEOPLE = "people"
"""The name under which people's own scale is declared."""


@dataclass(frozen=True)
class DeclaredScales:
    """Scales by what they were declared for: "" (all judges), an aspect, a judge, "JUDGE:ASPECT", "people", "people:ASPECT"."""

    texts: Mapping[str, str]
    """As they were written."""

    @classmethod
    def parse(cls, given: Sequence[str]) -> "DeclaredScales":
        """Read SCALE and NAME=SCALE. Raises UsageError."""
        plain = [text for text in given if "=" not in text]
        if len(plain) > 1:
            raise UsageError(
                f"scale=... is given twice, {plain[0]} and {plain[1]}: say whose each is, ASPECT=SCALE or JUDGE=SCALE"
            )
        named = free_pairs([text for text in given if "=" in text], "scale=...")
        found = cls({**named, **({"": plain[0]} if plain else {})})
        for name in found.texts:
            found._scale(name)
        return found

    def of(self, judge: str, aspect: str, own: Scale | None = None) -> Scale | None:
        """The scale of a judge's scores; `own` is the one that is known of it. None where none is known.

        What is said of the judge goes before what is said of the aspect, and a scale for everything comes last.
        """
        name = self._name(judge, aspect)
        return self._scale(name) if name else own or self._scale("")

    def of_people(self, aspect: str) -> Scale | None:
        """The scale of people's scores, where it was declared."""
        return self._scale(f"{PEOPLE}:{aspect}") or self._scale(PEOPLE)

    def told(self, judge: str, aspects: Sequence[str]) -> str:
        """The scales that a judge's replies are read on, as they were written; empty where none was declared."""
        used = dict.fromkeys(self._name(judge, aspect) or "" for aspect in aspects)
        return ", ".join(f"{name}={self.texts[name]}".lstrip("=") for name in used if name in self.texts)

    def check(self, judges: Collection[str], aspects: Collection[str]) -> None:
        """Raise UsageError for a name that is neither a judge, nor people, nor an aspect, nor one of both with a colon between."""
        known = [*aspects, *judges, PEOPLE]
        both = {f"{who}:{aspect}" for who in (*judges, PEOPLE) for aspect in aspects}
        for name in filter(None, self.texts):
            if name not in both.union(known):
                raise UsageError(
                    f"scale=...: there is no aspect and no judge {name!r}. {nearest(name, known)}"
                )

    def _scale(self, name: str) -> Scale | None:
        return Scale.parse(self.texts[name]) if name in self.texts else None

    def _name(self, judge: str, aspect: str) -> str | None:
        """The most particular name that a scale was declared for."""
        return next((name for name in (f"{judge}:{aspect}", judge, aspect) if name in self.texts), None)
