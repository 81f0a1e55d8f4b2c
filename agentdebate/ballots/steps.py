"""Evaluation steps out of a reply: a numbered list, or one with bullets, of what to do one after the other (G-Eval, Section 2.2)."""

import re

from agentdebate.ballots.excerpt import LONGEST
from agentdebate.ballots.fold import spoken
from agentdebate.ballots.replies.outcome import Problem

FEWEST, MOST = 2, 20
"""How many steps a list may have: one is no way from reading to a score, and nobody follows more."""

_STEP = re.compile(
    r"^[ \t]*(?:[#*_ \t]*(?:step[ \t]*)?[0-9]{1,2}[*_]{0,2}[.):]|[-*+•][ \t])[*_ \t]*(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)


def read_steps(text: str) -> tuple[str, ...] | Problem:
    """The steps in a text, each on one line; or what is wrong with it.

    What stands before the first step introduces it, and lines below a step belong to it.
    """
    said = spoken(text).strip()
    if len(said) > LONGEST:
        return Problem("too_long", f"The steps are {len(said)} characters long; they may have {LONGEST}.")
    found = list(_STEP.finditer(said))
    ends = [*(one.start() for one in found[1:]), len(said)]
    steps = tuple(" ".join(said[one.end() : end].split()) for one, end in zip(found, ends, strict=False))
    if len(steps) < FEWEST:
        return Problem(
            "missing",
            f"I found {'one step' if steps else 'no steps'}. Write a numbered list, a step to a line: 1. Read the text.",
        )
    if len(steps) > MOST:
        return Problem("several", f"I found {len(steps)} steps; write {MOST} at most, best three to six.")
    repeated = len(steps) - len({step.casefold() for step in steps})
    if repeated:
        return Problem("several", "A step stands in the list more than once; say each of them once.")
    return steps
