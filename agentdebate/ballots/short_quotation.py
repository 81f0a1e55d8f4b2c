"""A few words of a reply as we quote them to who wrote it."""

import re

SHOWN = 60
"""Characters that are quoted."""
_MARKS = re.compile('["\u00ab\u00bb\u201c-\u201f\u2033\u275d\u275e\u300c-\u300f\uff02]')
"""Quotation marks, and what looks like them."""


def quoted(words: str) -> str:
    """Words between quotation marks: in one line, not long, and without marks of their own, so that they cannot end the quotation."""
    said = _MARKS.sub("'", " ".join(words.split()))
    return f'"{said[:SHOWN]}{"..." if len(said) > SHOWN else ""}"'
