"""The scales that scale=... declares: of everything, of an aspect, of a judge, of one aspect of a judge's, and of people."""

from collections.abc import Collection, Iterator, Mapping, Sequence
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
    scales: Mapping[str, Scale]

    @classmethod
    def parse(cls, given: Sequence[str]) -> "DeclaredScales":
        """Read SCALE and NAME=SCALE. Raises UsageError."""
        named = free_pairs([text for text in given if "=" in text], "scale=...")
        plain = [text for text in given if "=" not in text]
        if len(plain) > 1:
            raise UsageError(
                f"scale=... is given twice, {plain[0]} and {plain[1]}: say whose each is, ASPECT=SCALE or JUDGE=SCALE"
            )
        texts = {**named, **({"": plain[0]} if plain else {})}
        return cls(texts, {name: Scale.parse(text) for name, text in texts.items()})

    def of(self, judge: str, aspect: str, own: Scale | None = None) -> Scale | None:
        """The scale of a judge's scores; `own` is the one that is known of it. None where none is known.

        What is said of the judge goes before what is said of the aspect, and a scale for everything comes last.
        """
        name = self._name(judge, aspect)
        return self.scales[name] if name else own or self.scales.get("")

    def of_people(self, aspect: str) -> Scale | None:
        """The scale of people's scores, where it was declared."""
        return self.scales.get(f"{PEOPLE}:{aspect}", self.scales.get(PEOPLE))

    def told(self, judge: str, aspects: Sequence[str]) -> str:
        """The scales that a judge's replies are read on, as they were written; empty where none was declared."""
        used = dict.fromkeys(self._name(judge, aspect) or "" for aspect in aspects)
        return ", ".join(self._told(name, judge) for name in used if name in self.texts)

    def names(self, judge: str) -> bool:
        """Whether a scale was declared for this judge by name."""
        return any(name == judge or name.startswith(f"{judge}:") for name in self.scales)

    def check(self, judges: Collection[str], aspects: Collection[str]) -> None:
        """Raise UsageError for a name that is neither a judge nor an aspect, or that is both where these differ."""
        alike = len(judges) == len(aspects) == 1
        for name in filter(None, self.scales):
            meanings = list(_meanings(name, judges, aspects))
            if not meanings:
                raise UsageError(
                    f"scale=...: there is no aspect {name!r}, and no judge of that name. {nearest(name, [*aspects, *judges, PEOPLE])}"
                )
            if _OF_PEOPLE in meanings and len(meanings) > 1:
                raise UsageError(
                    f"scale=...: {name!r} is {' and '.join(meanings)}: give the judge or the aspect another name"
                )
            if len(meanings) > 1 and not alike:
                raise UsageError(
                    f"scale=...: {name!r} is {' and '.join(meanings)}: JUDGE:ASPECT=SCALE says which is meant"
                )

    def _name(self, judge: str, aspect: str) -> str | None:
        """The most particular name that a scale was declared for."""
        return next((name for name in (f"{judge}:{aspect}", judge, aspect) if name in self.scales), None)

    def _told(self, name: str, judge: str) -> str:
        of_all = name in ("", judge)
        return self.texts[name] if of_all else f"{name.removeprefix(f'{judge}:')}={self.texts[name]}"


_OF_PEOPLE = "people's own scale"


def _meanings(name: str, judges: Collection[str], aspects: Collection[str]) -> Iterator[str]:
    """What a name can stand for."""
    who, colon, aspect = name.rpartition(":")
    of_aspect = bool(colon) and aspect in aspects
    if name in aspects:
        yield "an aspect"
    if name in judges:
        yield "a judge"
    if of_aspect and who in judges:
        yield "an aspect of a judge's"
    if name == PEOPLE or (of_aspect and who == PEOPLE):
        yield _OF_PEOPLE
