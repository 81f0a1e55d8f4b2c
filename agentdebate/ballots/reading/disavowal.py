"""Words by which a judge keeps away from a choice: it doubts it, calls it false or hearsay, nearly made it, or is told to make it."""

from collections.abc import Sequence
from itertools import pairwise

from agentdebate.ballots.words import words_of

_FALSE = words_of("false untrue wrong incorrect mistaken myth lie")
_HEARSAY = words_of("allegedly supposedly purportedly reportedly ostensibly")
_SAID = words_of("said claimed used believed thought supposed rumoured rumored alleged reputed")
"""Behind a name and before "to be": others say so, or it was so once."""
_NEARLY = words_of("nearly almost")
_CHOSE = words_of("picked chose chosen voted preferred selected went gave said pick choose")
_TELLING = words_of(
    "orders ordered order wants want wanted asks asked ask tells told tell instructs instructed urges urged begs begged commands commanded"
)
_CHOOSING = words_of("vote choose pick select prefer give say answer")
_NOBODY = words_of("nobody few")
_DOUBTING = words_of("i we i'd would seriously really strongly still much")
"""Before "doubt": then it is a verb."""


def is_disowned(own: Sequence[str], behind: Sequence[str], sentence: Sequence[str]) -> bool:
    """Whether the judge does not stand behind what is said of a name; `own` is the clause before it, the nearest word first."""
    before = list(reversed(own))
    pairs = list(pairwise(before))
    return (
        any(second == "doubt" and first in _DOUBTING for first, second in pairs)
        or any(first in _FALSE and second in {"that", "to"} for first, second in pairs)
        or any(first in _NEARLY and second in _CHOSE for first, second in pairs)
        or any(first in _TELLING and second in {"me", "us"} for first, second in pairs)
        or (("no", "one") in pairs and "would" in before)
        or not _NOBODY.isdisjoint(before[:1])
        or not _HEARSAY.isdisjoint([*before, *behind[:4]])
        or _is_hearsay(behind)
        or (sentence[0] == "please" and sentence[1:2] != [] and sentence[1] in _CHOOSING)
    )


def _is_hearsay(behind: Sequence[str]) -> bool:
    """Whether others say it of a text, or it was so once: "B is said to be better", "B used to be better"."""
    return any(
        word in _SAID and list(behind[k + 1 : k + 3]) == ["to", "be"] for k, word in enumerate(behind[:4])
    )
