"""Where in a player's part the text is named that it votes for: the tokens there are those of the choice."""

import re
from functools import lru_cache

_LINE = r"^[^\w\n]{0,12}(?:final |my |the ){0,2}(?:vote|choice|preference|verdict|decision|winner)\b[^\n:]{0,40}:[^\w\n]{0,12}"


def choice_place(text: str, label: str) -> tuple[int, int] | None:
    """From where to where a part, folded and in small letters, names the text of a label ("summary b") in its vote.

    That is behind the label of a form's line, in full or by its letter; else where it is named in full for the last time, or by
    its letter in a table's cell. None where it is named otherwise.
    """
    for pattern in _patterns(label):
        places = [found.span("choice") for found in pattern.finditer(text)]
        if places:
            return places[-1]
    return None


@lru_cache(maxsize=256)
def _patterns(label: str) -> tuple[re.Pattern[str], ...]:
    words = [re.escape(word) for word in label.lower().split()]
    if not words:
        return ()
    letter = words[-1]
    whole = r"[\s_-]{0,3}".join(words)
    ways = (
        rf"{_LINE}(?:for |is )?(?P<choice>{whole}|{letter})(?!\w)",
        rf"(?<!\w)(?P<choice>{whole})(?!\w)",
        rf"\|[ \t]*(?P<choice>{letter})[ \t]*(?=\||$)",
    )
    return tuple(re.compile(way, re.MULTILINE) for way in ways)
