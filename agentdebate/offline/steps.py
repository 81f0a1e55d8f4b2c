"""Evaluation steps, written from the criterion and no text (G-Eval, arXiv 2303.16634, Section 2.2)."""

from collections.abc import Sequence

from agentdebate.offline import nouns
from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.families import root
from agentdebate.offline.naming import joined
from agentdebate.tasks import Aspect, Task

_BY_ROOT = {
    "coherence": (
        "Follow the {text} from sentence to sentence, and ask of each whether it leads on from the one before.",
        "Note jumps, things said twice, and words that point at nothing.",
    ),
    "consistency": (
        "Write down what the {text} claims: names, figures, who did what.",
        "Look up each claim in {basis}, and note those without support and those that say otherwise.",
    ),
    "relevance": (
        "List what matters most in {basis}.",
        "Tick off what the {text} has of it, and note what it spends on side matters.",
    ),
    "fluency": (
        "Go through the {text} line by line for faults of grammar, spelling, punctuation and wording.",
        "Ask how far each fault slows a reader down.",
    ),
    "engagingness": (
        "Ask what the {text} offers that is new, particular or worth answering.",
        "Note what could be said anywhere, and what closes the subject.",
    ),
}
_MOST = 3
"""Aspects that have a step each; more share one."""


def steps(case: CaseFile) -> str:
    """A numbered list of three to six steps, and nothing else."""
    task, aspects = case.context.task, case.context.aspects
    basis, text = nouns.beside(task), nouns.judged(task)
    first = f"Read {basis}, and then the {text}." if basis else f"Read the {text} to its end."
    lines = [first, *_middle(task, aspects), _last(aspects)]
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _middle(task: Task, aspects: Sequence[Aspect]) -> list[str]:
    if len(aspects) == 1:
        return _for_one(task, aspects[0])
    if len(aspects) <= _MOST:
        return [_against(task, aspect) for aspect in aspects]
    names = joined([aspect.title.lower() for aspect in aspects])
    return [
        f"Take {names} one after the other, and hold the {nouns.judged(task)} against the criterion of each.",
        "Keep them apart: what costs it something in the one need not do so in another.",
    ]


def _for_one(task: Task, aspect: Aspect) -> list[str]:
    known = _BY_ROOT.get(root(aspect))
    if known is None:
        return [
            _against(task, aspect),
            "Note where it meets that and where it fails, and how much each of these matters.",
        ]
    basis = nouns.beside(task) or "what is known of the matter"
    return [line.format(text=nouns.judged(task), basis=basis) for line in known]


def _against(task: Task, aspect: Aspect) -> str:
    criterion = " ".join(aspect.criterion.split()).rstrip(".")
    asked = f"this criterion: {criterion}" if criterion else f"what {aspect.title.lower()} asks for"
    return f"Hold the {nouns.judged(task)} against {asked}."


def _last(aspects: Sequence[Aspect]) -> str:
    if len(aspects) > 1:
        return "Give each of them a score of its own, the lowest where little holds up and the highest where nothing is amiss."
    aspect = aspects[0]
    if aspect.rank:
        return f"Give places for {aspect.title.lower()}, the first to the best."
    low, _, high = str(aspect.scale).partition(" to ")
    name = aspect.title.lower()
    return f"Score {name} from {low}, where what you noted leaves little, to {high}, where nothing is amiss."
