"""How an evaluator is written: its name, a model behind a slash, options behind a colon.

    rouge-l
    rouge-l:beta=1.2,tokens=whitespace,stem=false
    nli/path/to/model:label=entailment,as=support

A model may have colons and slashes of its own, and a value commas and colons: what begins the options is the first colon
with NAME= behind it, and what ends a value is a comma with NAME= behind it.
"""

import re
from dataclasses import dataclass, field

from agentdebate.errors import UsageError

_NAMED = r"(?=[A-Za-z_]\w*\s*=)"
_OPTIONS = re.compile(rf":\s*{_NAMED}")
_NEXT = re.compile(rf",\s*{_NAMED}")


@dataclass(frozen=True, slots=True)
class Spec:
    """What is written of an evaluator."""

    head: str
    """The name that it is registered under."""
    rest: str = ""
    """What stands behind the slash: its model."""
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "Spec":
        """Read a spec. Raises UsageError where an option has no value, or is there twice."""
        before, *after = _OPTIONS.split(text.strip(), maxsplit=1)
        head, slash, rest = before.partition("/")
        if not slash and ":" in head:
            raise UsageError(f"{text!r}: options are written NAME=VALUE, as in rouge-l:beta=1.2,stem=false")
        return cls(head.strip(), rest, _options(text, after[0]) if after else {})


def _options(text: str, written: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in _NEXT.split(written):
        name, _, value = part.partition("=")
        if name.strip() in options:
            raise UsageError(f"{text!r} has the option {name.strip()!r} twice")
        options[name.strip()] = value.strip()
    return options
