"""A turn in a talk: an opinion from the speaker's viewpoint, and an answer to those who see it otherwise. No score."""

from collections.abc import Mapping, Sequence

from agentdebate.models.base import Heard
from agentdebate.offline.arguments import called, heard_arguments, misquotes
from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.leaning import foremost, leaning
from agentdebate.offline.naming import joined, labels_of
from agentdebate.offline.text import quotable
from agentdebate.offline.view import View, take_views
from agentdebate.offline.wording import paragraphs


def speak(case: CaseFile) -> str:
    """What the speaker thinks, with quoted evidence, and then what it makes of what each of the others said last."""
    views = take_views(case)
    numbers = case.numbers({key: view.value for key, view in views.items()})
    opinion = paragraphs(case, views, numbers)
    answers = [
        _answer(case, views, numbers, message, said="\n".join(opinion)) for message in case.history.latest
    ]
    return "\n\n".join([*opinion, *(answer for answer in answers if answer)])


def _answer(
    case: CaseFile, views: Mapping[str, View], numbers: Mapping[str, float], message: Heard, *, said: str
) -> str:
    order = _on_order(case, numbers, message) if case.compares else ""
    wrong = next(iter(misquotes([message], case.matters)), None)
    if wrong and (words := quotable(wrong.words)):
        dispute = f"The words “{words}”, which I heard from {wrong.sender}, stand nowhere in the texts."
    else:
        dispute = _dispute(case, views, message, said)
    return " ".join(sentence for sentence in (order, dispute) if sentence)


def _on_order(case: CaseFile, numbers: Mapping[str, float], message: Heard) -> str:
    theirs, own = leaning(message, case.matters), foremost(case.matters, numbers)
    if not theirs or message.kind == "summary":
        return ""
    if theirs == own:
        return f"On the order I agree with {called(message)}."
    labels = labels_of(case.matters)
    if len(theirs) == len(labels):
        return f"Unlike {called(message)} I do not see them level."
    return f"I do not put {joined([label for label in labels if label in theirs])} first, as {called(message)} does."


def _dispute(case: CaseFile, views: Mapping[str, View], message: Heard, said: str) -> str:
    """The strongest reason against what somebody argued where the text does not bear that out against one's own view."""
    found: list[tuple[float, str]] = []
    for argument in heard_arguments([message], case.matters):
        strength = argument.strength(views[argument.matter].own.value)
        counter = argument.finding.towards(-argument.direction) or _counter(
            views[argument.matter], argument.direction
        )
        if strength < 0 and counter and counter not in said:
            found.append((strength, counter))
    if not found:
        return ""
    return f"Against what I heard from {called(message)}, I say this: {min(found)[1]}"


def _counter(view: View, direction: int) -> str:
    reasons: Sequence[str] = [reason.sentence for reason in view.own.towards(-direction)]
    return reasons[0] if reasons else ""
