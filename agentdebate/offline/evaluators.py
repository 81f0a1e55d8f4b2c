"""Plans, steps, and ballots with evaluators' scores at hand (Fusion-Eval, Section 2; G-Eval, arXiv 2303.16634, Section 2.2)."""

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from statistics import fmean

from agentdebate.offline.aspects import profile_of, profiles_named
from agentdebate.offline.ballots import view_in_words
from agentdebate.offline.case import Case
from agentdebate.offline.matter import Matter
from agentdebate.offline.text import joined
from agentdebate.tasks import Aspect, Task

_PULL = 0.25
"""Part of the way from the judge's own score to the mean of the evaluators that a score goes."""
_LISTABLE = re.compile(
    r"(?!(?:none|nothing)$)(?!.*\b(?:and|und)\b)\w[\w./-]*(?<![./-])(?: \w[\w./-]*(?<![./-]))*",
    re.ASCII | re.IGNORECASE,
)
"""Names that can be read again from a line with commas between them."""
_COUNTS = re.compile(r"rouge|bleu|chrf|meteor|(?:bert|mover|bart).?score", re.IGNORECASE)
_LINE = re.compile(
    r"^- (?P<name>[^\n]{1,200}?): (?P<score>[^\s,;]{1,40}), on a range from (?P<low>[^\s;]{1,40}) to (?P<high>[^\s;]{1,40})(?P<more>;[^\n]*)?$",
    re.MULTILINE,
)
"""A line of the evidence that evaluators give: those without a score or a range say nothing here."""


def plan(case: Case) -> str:
    """A numbered list of steps, and then a line an aspect with the evaluators that inform it. No item is looked at."""
    context = case.context
    given = context.given.get("evaluators", ())
    named = {
        aspect.name: [str(one["name"]) for one in given if _informs(one, aspect)]
        for aspect in context.aspects
    }
    steps = [
        _reading_step(context.task),
        "Come to a view of your own on each aspect, by its criterion.",
        "Look at the evaluators that are named for it below, and let a plain difference move you a part of the way.",
    ]
    lines = [f"{one.title}: {', '.join(named[one.name]) or 'none'}" for one in context.aspects]
    return "\n\n".join([_numbered(steps), "\n".join(lines)])


def steps(case: Case) -> str:
    """A numbered list of steps from the criterion, and nothing else."""
    task, aspects = case.context.task, case.context.aspects
    titles = joined([one.title.lower() for one in aspects])
    criteria = " ".join(" ".join(one.criterion.split()).rstrip(".") for one in aspects[:3])
    middle = [
        f"Hold the {_noun(task.judged or task.candidates[0])} against this: {criteria}.",
        f"Note where it meets what {titles} asks for, and where it fails.",
    ]
    last = f"Score {titles}: the lowest where little holds up, and the highest where nothing is amiss."
    return _numbered([_reading_step(task), *middle, last])


def fuse(case: Case) -> str:
    """The judge's own view, moved a part of the way to where the evaluators stand that the plan names."""
    views = case.views()
    numbers, paragraphs = case.numbers({view.matter.key: view.value for view in views}), list[str]()
    for view in views:
        matter, said = view.matter, view_in_words(view)
        shares = _shares(case, matter)
        if shares and not matter.ranked:
            own, mean = matter.share(numbers[matter.key]), fmean(shares)
            numbers[matter.key] = matter.number(own + _PULL * (mean - own))
            way = "better" if mean > own else "worse"
            said += f" By the evaluators it is {way} than I think, so I go a part of the way there."
        paragraphs.append(said)
    return case.ballot(paragraphs, numbers)


def _shares(case: Case, matter: Matter) -> list[float]:
    """Scores of a text as shares of their ranges, by the evaluators that the plan names for an aspect of it."""
    heard, labels = case.context.heard, [one.label for one in case.context.candidates]
    planned = _planned_lines([one.text for one in heard if one.kind == "plan"])
    found: dict[str, float] = {}
    for match in _LINE.finditer("\n".join(one.text for one in heard if one.kind == "evidence")):
        label = next((one for one in labels if match["name"].endswith(f" of {one}")), "")
        name, share = match["name"].removesuffix(f" of {label}"), _share(match)
        if label == matter.label and share is not None and _names(planned, name, matter):
            found[name] = share
    return list(found.values())


def _planned_lines(plans: Sequence[str]) -> Mapping[str, str]:
    """The lines of the plan that was heard last, in lower case: what stands behind each heading."""
    lines = [line.partition(":")[::2] for line in "".join(plans[-1:]).lower().splitlines() if ":" in line]
    return {heading.strip(" -*_#0123456789."): names for heading, names in lines}


def _names(planned: Mapping[str, str], evaluator: str, matter: Matter) -> bool:
    """Tell whether a plan names an evaluator for a matter; one that does not speak of it leaves all."""
    titles = (matter.line.aspect.title, matter.topic, matter.line.rated)
    said = next((planned[one.lower()] for one in titles if one.lower() in planned), None)
    return said is None or re.search(rf"(?<![\w-]){re.escape(evaluator.lower())}(?![\w-])", said) is not None


def _share(match: re.Match[str]) -> float | None:
    """Share of its range that a score comes to; None for words in the place of numbers."""
    try:
        score, low, high = (float(match[name]) for name in ("score", "low", "high"))
    except ValueError:
        return None
    if not (isfinite(score) and low < high):
        return None
    share = min(1.0, max(0.0, (score - low) / (high - low)))
    return 1 - share if "; lower is better" in (match["more"] or "") else share


def _informs(evaluator: Mapping[str, object], aspect: Aspect) -> bool:
    """Tell whether an evaluator informs an aspect: one that counts what texts share, where that tells the aspect; any other by its words."""
    name, about, wanted = str(evaluator["name"]), str(evaluator.get("about") or ""), profile_of(aspect)
    if not _LISTABLE.fullmatch(name):
        return False
    if _COUNTS.search(name):
        return not {"overlap", "novelty"}.isdisjoint(wanted.scorer)
    named = profiles_named(name) or profiles_named(about)
    return wanted in named or (wanted.name == "overall" and bool(named))


def _reading_step(task: Task) -> str:
    texts = {task.judged, *task.candidates}
    beside = joined([f"the {_noun(one)}" for one in task.fields if one not in texts])
    judged = _noun(task.judged or task.candidates[0])
    return f"Read {beside}, and then the {judged}." if beside else f"Read the {judged} to its end."


def _noun(field: str) -> str:
    """Noun for what a field holds: "answer_1" holds an answer."""
    return (field.rstrip("0123456789").rstrip("_") or field).replace("_", " ")


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
