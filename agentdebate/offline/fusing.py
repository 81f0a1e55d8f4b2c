"""A judgement with evaluators' scores at hand (Fusion-Eval, Section 2 and Appendix A.2).

The judge comes to its own score first, and then goes a fixed part of the way to where the evaluators stand.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.clues import Clue, Plan, bare, heard_clues, heard_plan
from agentdebate.offline.matter import Matter
from agentdebate.offline.naming import joined, labels_of
from agentdebate.offline.text import quotable
from agentdebate.offline.view import take_views
from agentdebate.offline.wording import paragraphs

_PULL = 0.25
"""Part of the way from the judge's own score to the mean of the evaluators that a score goes. Set by hand."""
_CLOSE = 0.05
"""Distance, as a share of the scale, within which the two agree."""
_PLAIN = re.compile(r"[A-Za-z][\w./-]{0,60}")


@dataclass(frozen=True, slots=True)
class _Bench:
    """The evaluators' scores of one text, by what the plan makes of them for one matter."""

    matter: Matter
    used: tuple[Clue, ...]
    unusable: tuple[Clue, ...]
    """Named for it, but without a score or a range."""
    aside: tuple[Clue, ...]
    """Not named for it."""

    @classmethod
    def of(cls, matter: Matter, clues: Sequence[Clue], plan: Plan | None) -> "_Bench":
        own = [clue for clue in clues if clue.label == matter.label]
        names = plan.names(matter) if plan else None
        named = [clue for clue in own if names is None or bare(clue.name) in names]
        return cls(
            matter,
            tuple(clue for clue in named if clue.share is not None),
            tuple(clue for clue in named if clue.share is None),
            tuple(clue for clue in own if clue not in named),
        )

    @property
    def mean(self) -> float | None:
        """The mean of the shares of their ranges; None where there is none to go by."""
        shares = [clue.share for clue in self.used if clue.share is not None]
        return fmean(shares) if shares else None

    def number(self, own: float) -> float:
        """The judge's own number, moved. A place among others stays, since no share of a range is a place."""
        if self.mean is None or self.matter.ranked:
            return own
        share = self.matter.share(own)
        return self.matter.number(share + _PULL * (self.mean - share))


def fuse(case: CaseFile) -> str:
    """A paragraph for each aspect, with what became of the evaluators' scores, and all closing lines at the end."""
    clues = heard_clues(case.context.heard, labels_of(case.matters))
    plan = heard_plan(case.context.heard)
    views = take_views(case)
    own = case.numbers({key: view.value for key, view in views.items()})
    benches = {matter.key: _Bench.of(matter, clues, plan) for matter in case.matters}
    numbers = {key: bench.number(own[key]) for key, bench in benches.items()}
    numbers |= _wholes(case, numbers)
    said = [
        _explained(case, matters, paragraph, [_remark(benches[each.key], own[each.key]) for each in matters])
        for matters, paragraph in zip(case.by_aspect, paragraphs(case, views, numbers), strict=True)
    ]
    return "\n\n".join([*said, case.closing(numbers)])


def _wholes(case: CaseFile, numbers: Mapping[str, float]) -> dict[str, float]:
    """For each text the mean of what its aspects came to."""
    found = {}
    for matter in case.matters:
        if matter.line.rated == case.averaged:
            parts = [each for each in case.matters if each.label == matter.label and each is not matter]
            found[matter.key] = matter.number(fmean(each.share(numbers[each.key]) for each in parts))
    return found


def _explained(case: CaseFile, matters: Sequence[Matter], paragraph: str, remarks: Sequence[str]) -> str:
    if matters[0].line.rated == case.averaged:
        return f"{matters[0].topic} is the mean of what I found on the other aspects, which all weigh alike."
    return ("\n" if case.compares else " ").join([paragraph, *(remark for remark in remarks if remark)])


def _remark(bench: _Bench, own: float) -> str:
    """What the evaluators say of one text, what became of it, and which of them were set aside."""
    if not (bench.used or bench.unusable or bench.aside) or bench.matter.ranked:
        return ""
    of = f" of {bench.matter.label}" if bench.matter.label else " here"
    said = [_weighed(bench, own, of)] if bench.used else []
    if bench.unusable:
        said.append(f"I set {_list(bench.unusable)} aside{of}: no score on a known range.")
    if not (bench.used or bench.unusable):
        said.append(f"The plan names no evaluator for that{of}, so the text alone decides.")
    elif bench.aside:
        said.append(f"I set {_list(bench.aside)} aside{of}, not being named for that by the plan.")
    return " ".join(said)


def _weighed(bench: _Bench, own: float, of: str) -> str:
    gap = (bench.mean or 0.0) - bench.matter.share(own)
    names = _list(bench.used)
    one = len({clue.name for clue in bench.used}) == 1
    if abs(gap) < _CLOSE:
        return f"What {names} {'tells' if one else 'tell'}{of} agrees with my own reading."
    range_ = "its range" if one else "the mean of their ranges"
    way = "better" if gap > 0 else "worse"
    return f"What {names} {'tells' if one else 'tell'}{of} is {way}, on {range_}, than I think; I go a quarter of the way there."


def _list(clues: Sequence[Clue]) -> str:
    names = dict.fromkeys(_shown(clue.name) for clue in clues)
    return joined(list(names))


@lru_cache(maxsize=1024)
def _shown(name: str) -> str:
    """A name as it can stand in a sentence whose numbers nobody may take for ours."""
    return name if _PLAIN.fullmatch(name) and quotable(name) == name else "an evaluator"
