"""Turns that pass on what others said: a commander's message, a summary of a round."""

from agentdebate.models.base import Heard
from agentdebate.models.offline_judge.case_file import CaseFile
from agentdebate.models.offline_judge.closing import written
from agentdebate.models.offline_judge.history import scores_in

_LONGEST = 200
"""Characters of one message that a summary keeps."""


def open_debate(case: CaseFile) -> str:
    """A commander's first words: what is to be judged, and nothing about how good it is."""
    names = [aspect.title.lower() for aspect in case.aspects]
    listed = " and ".join([", ".join(names[:-1])] * (len(names) > 1) + names[-1:])
    return f"Please judge the {case.context.task.judged.replace('_', ' ')} on {listed}, and say what your score rests on."


def forward(case: CaseFile) -> str:
    """The last message heard, word for word, after a sentence that says whose it is."""
    others = case.history.others
    if not others:
        return "There is nothing to pass on yet."
    last = others[-1]
    return f"{last.sender} has this to say:\n\n{last.text}"


def summarise(case: CaseFile) -> str:
    """What each speaker said last, in a sentence or two, with the scores they stand at."""
    latest: dict[str, Heard] = {}
    for message in case.history.others:
        latest.pop(message.sender, None)
        latest[message.sender] = message
    if not latest:
        return "Nothing has been said yet."
    return "\n".join(_line(case, message) for message in latest.values())


def _line(case: CaseFile, message: Heard) -> str:
    words = " ".join(message.text.split("\n\n")[0].split())
    if len(words) > _LONGEST:
        words = words[:_LONGEST].rpartition(" ")[0] + " ..."
    scores = scores_in(message, case.aspects)
    stand = ", ".join(
        f"{written(aspect.scale, scores[aspect.name])} for {aspect.title.lower()}"
        for aspect in case.aspects
        if aspect.name in scores
    )
    return f"{message.sender} says: {words}" + (f" (It gives {stand}.)" if stand else "")
