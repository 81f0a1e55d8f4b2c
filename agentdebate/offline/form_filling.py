"""A form filled in without a reason (G-Eval, arXiv 2303.16634, Section 2.3)."""

from agentdebate.offline.case_file import CaseFile


def fill_form(case: CaseFile) -> str:
    """The closing lines alone, with what the scorer's features come to by themselves."""
    return case.closing(case.filled({}))
