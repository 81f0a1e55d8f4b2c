"""A commander's turns: it puts the task, and passes on what others said."""

from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.naming import joined, labels_of


def open_debate(case: CaseFile) -> str:
    """A commander's first words: what is to be judged, and nothing about how good it is."""
    names = joined([aspect.title.lower() for aspect in case.context.aspects])
    texts = joined(labels_of(case.matters)) or f"the {case.context.task.judged.replace('_', ' ')}"
    return f"Please judge {texts} on {names}, and say what your score rests on."


def forward(case: CaseFile) -> str:
    """The last message heard, word for word, after a sentence that says whose it is."""
    others = case.history.others
    if not others:
        return "There is nothing to pass on yet."
    last = others[-1]
    return f"{last.sender} has this to say:\n\n{last.text}"
