"""A ballot with its reasons: what the scorer opens with, and what a card holds after a talk."""

from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.view import take_views
from agentdebate.offline.wording import paragraphs


def vote(case: CaseFile) -> str:
    """Reasons with quoted evidence, then a closing line for each line of the ballot.

    The numbers are the speaker's own by its card, moved a little by what others said that the text bears out.
    """
    views = take_views(case)
    numbers = case.numbers({key: view.value for key, view in views.items()})
    return "\n\n".join([*paragraphs(case, views, numbers), case.closing(numbers)])
