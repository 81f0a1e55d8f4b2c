"""A plan of how to judge with evaluators at hand, from what the task and the evaluators are (Fusion-Eval, Section 2)."""

import re
from collections.abc import Sequence

from agentdebate.models.base import Context
from agentdebate.offline import nouns
from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.families import Assistant
from agentdebate.offline.naming import joined
from agentdebate.offline.text import quotable
from agentdebate.tasks import Aspect

_LISTABLE = re.compile(
    r"(?!(?:none|nothing)$)(?!.*\b(?:and|und)\b)\w[\w./-]*(?<![./-])(?: \w[\w./-]*(?<![./-]))*",
    re.ASCII | re.IGNORECASE,
)
"""Names that can be read again from a line with commas between them. Some foreign characters are read as blanks."""
_BRACES = str.maketrans("{}", "()")
_LONGEST = 300
"""Characters of a description that a plan repeats."""


def plan(case: CaseFile) -> str:
    """What each evaluator can tell, then how to come to each score, then a line an aspect. No item is looked at."""
    context = case.context
    assistants = [Assistant.told(each) for each in context.given.get("evaluators", ())]
    chosen = {aspect.name: _for(aspect, assistants) for aspect in context.aspects}
    parts = [
        [_opening(assistants)],
        [f"- {_described(each)}" for each in assistants],
        _steps(case, chosen),
        _lines(context, chosen),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _for(aspect: Aspect, assistants: Sequence[Assistant]) -> list[str]:
    """The names of the evaluators that inform an aspect."""
    return [each.name for each in assistants if each.informs(aspect) and _LISTABLE.fullmatch(each.name)]


def _opening(assistants: Sequence[Assistant]) -> str:
    if not assistants:
        return "No evaluator is at hand, so the texts alone decide."
    return "The texts come first; what the evaluators computed is a help where they can tell something, and only there."


def _described(assistant: Assistant) -> str:
    family = assistant.family
    premise = f"the {_plain(assistant.premise)}" if _plain(assistant.premise) else "what it was given"
    said = [f"{_plain(assistant.name) or 'One evaluator'} {family.does.format(premise)}."]
    about = _plain(assistant.about).rstrip(".")
    if about:
        said.append(f"It is described like this: “{about}”.")
    said.append(f"It can tell {family.tells}. It cannot tell {family.misses}.")
    if not assistant.ranged:
        said.append("Its range is not known, so its scores mean something only beside each other.")
    if not _LISTABLE.fullmatch(assistant.name):
        said.append("Its name cannot stand in a list of names, so no aspect below draws on it.")
    return " ".join(said)


def _steps(case: CaseFile, chosen: dict[str, list[str]]) -> list[str]:
    context = case.context
    basis, text = nouns.beside(context.task), nouns.judged(context.task)
    lines = [f"Read {basis}, and then the {text}." if basis else f"Read the {text}."]
    lines += [
        _step(aspect, chosen[aspect.name], averaged=aspect.name == case.averaged)
        for aspect in context.aspects
    ]
    lines.append("Where a score says otherwise than the text itself, the text is right.")
    return [f"{number}. {line}" for number, line in enumerate(lines, 1)]


def _step(aspect: Aspect, names: Sequence[str], *, averaged: bool) -> str:
    title = aspect.title.lower()
    if averaged:
        return f"On {title}, take the mean of the other aspects, in which the evaluators have had their say."
    own = f"On {title}, come to a view of your own by its criterion"
    if not names:
        return f"{own}, and leave it at that."
    return f"{own}; then look at {joined(names)}, and let a plain difference move you part of the way."


def _lines(context: Context, chosen: dict[str, list[str]]) -> list[str]:
    """A line an aspect, and where several texts are compared one for each line of the ballot as well."""
    named = {_heading(aspect): chosen[aspect.name] for aspect in context.aspects}
    for line in context.lines:
        if line.candidate is not None:
            named[_heading(line.aspect)] = chosen.get(line.rated, [])
    return [f"{heading}: {', '.join(names) or 'none'}" for heading, names in named.items()]


def _heading(aspect: Aspect) -> str:
    """The title, or the name where the title would not be read again up to its colon."""
    return aspect.title if _LISTABLE.fullmatch(aspect.title) else aspect.name


def _plain(words: str) -> str:
    """Words as they can stand in the middle of a line."""
    return " ".join(quotable(words[:_LONGEST]).translate(_BRACES).split())
