"""Text with places for a premise, a hypothesis or a question."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from agentdebate.errors import UsageError

HYPOTHESIS = "hypothesis"


@dataclass(frozen=True, slots=True)
class Template:
    """Text and the names of places in turn: the even parts are text. Other braces are text too."""

    parts: tuple[str, ...]

    @classmethod
    def read(cls, text: str, places: Collection[str]) -> "Template":
        """A template in which `places` may stand, the hypothesis once. Raises UsageError."""
        found = cls(tuple(re.split(rf"\{{({'|'.join(map(re.escape, places))})\}}", text)))
        if found.places.count(HYPOTHESIS) != 1:
            raise UsageError(
                "the template has to hold {hypothesis}, once: it is where the text to score stands"
            )
        return found

    @property
    def places(self) -> tuple[str, ...]:
        """The names of its places, in order."""
        return self.parts[1::2]

    def before_hypothesis(self) -> "Template":
        """All that stands before the hypothesis, which has to be the end. Raises UsageError.

        A model that reads from left to right cannot see what comes later, so it would count for nothing.
        """
        if self.parts[-1] or self.places[-1] != HYPOTHESIS:
            raise UsageError(
                "the template has to end with {hypothesis}: what follows cannot change its probability"
            )
        return Template(self.parts[:-2])

    def fill(self, **texts: str) -> str:
        """The text with everything in its place; what is put in is never read as a template."""
        return "".join(texts[part] if number % 2 else part for number, part in enumerate(self.parts))
