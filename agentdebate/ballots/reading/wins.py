"""What a text that wins is said to do: it "takes it", "carries the day", "stands above the rest", "serves the reader best".

Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Sequence

from agentdebate.ballots.reading.names import NOUNS, named
from agentdebate.ballots.words import words_of

_TAKING = words_of(
    "takes gets carries tops leads heads wins claims earns edges snatches deserves clinches nails has"
)
_BEFORE_PRIZE = words_of("upper the this my away a an clear slight overall")
_PRIZES = words_of(
    "hand it this day list field win nod crown prize pack victory cake lead top one vote pick comparison contest title table edge"
)
_MARGINS = words_of("nose hair whisker margin mile far inch")
_STANDING = words_of("stands towers rises is stays sits")
_ABOVE = words_of("above over head and shoulders ahead of the all")
_OTHERS = words_of("rest others competition")
_ENDS = frozenset(".,;!\n)-:") | words_of("for because since as here by with overall and over on")
_OBJECT = 7
"""Words of what a text serves best."""
_ARTICLES = words_of("the its this my a an what was asked for of and all both")
_PURPOSES = words_of(
    "reader readers user user's job purpose brief goal assignment criterion criteria query everything task question request prompt instruction "
    "instructions requirements needs whole"
)
"""What a text as a whole is there for."""
_WORKING = words_of("works does performs fares serves")


TAKING = _TAKING | _STANDING | {"convinces", "persuades"}
"""Verbs that a win may begin with."""


def takes_it(words: Sequence[str], end: int) -> bool:
    """Whether what follows a name takes the win: "takes it", "by a nose", "carries the day", "tops the list", "stands above the rest"."""
    if words[end : end + 1] == ["by"]:
        return not _MARGINS.isdisjoint(words[end + 1 : end + 5])
    i = end
    while i < len(words) and (words[i] == "just" or words[i].endswith("ly")):
        i += 1
    verb = words[i] if i < len(words) else ""
    if verb in {"convinces", "persuades"} and list(words[i + 1 : i + 3]) == ["me", "more"]:
        return True
    if verb not in _TAKING and verb not in _STANDING:
        return False
    between, prizes = (_ABOVE, _OTHERS) if verb in _STANDING else (_BEFORE_PRIZE, _PRIZES)
    k = i + 1
    while (
        k < len(words)
        and words[k] in between
        and words[k + 1 : k + 2] != []
        and words[k + 1] not in _ENDS - {"and"}
    ):
        k += 1
    return k > i and words[k : k + 1] != [] and words[k] in prizes and _is_over(words, k + 1)


def serves_best(words: Sequence[str], end: int) -> bool:
    """Whether what follows a name says that it does best what it is there for: "serves the reader best", "does the job better than B"."""
    verb = words[end] if end < len(words) else ""
    if not verb.endswith("s") or verb in {"is", "was", "has", "as"}:
        return False
    i = end + 1
    while i < min(end + _OBJECT, len(words)) and (words[i] in _ARTICLES or words[i] in _PURPOSES):
        i += 1
    if words[i : i + 1] not in (["best"], ["better"]):
        return False
    aimed = not _PURPOSES.isdisjoint(words[end + 1 : i]) or (i == end + 1 and verb in _WORKING)
    k = i + 1
    if words[k : k + 1] == ["than"]:
        k += 1
        while k < len(words) and (
            named(words[k]) is not None or words[k] in NOUNS or words[k] in {"the", "other", "others", "all"}
        ):
            k += 1
    return aimed and _is_over(words, k)


def _is_over(words: Sequence[str], at: int) -> bool:
    """Whether nothing that follows restricts what was said."""
    return at >= len(words) or words[at] in _ENDS - {"on", "with"}
