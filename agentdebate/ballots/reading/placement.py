"""Names and keys that stand alone: in a line, in brackets, or as all of a sentence."""

from collections.abc import Sequence

from agentdebate.ballots.markup import BOXED, DOUBLE
from agentdebate.ballots.reading.choice_words import REASONED, UNSETTLED, VERBLESS
from agentdebate.ballots.reading.names import named
from agentdebate.ballots.reading.sentence import sentence_end, sentence_words
from agentdebate.ballots.words import words_of

OPEN, CLOSE = frozenset("([\"'<§▣▢→"), frozenset(")]\"'>.!")
_REMARK = 16


def is_boxed(words: Sequence[str], at: int) -> bool:
    """Whether the piece is all that stands in double brackets or a box."""
    before = words[max(at - 2, 0) : at]
    if _BOXING.isdisjoint(before):
        return False
    behind = words[at + 1 : at + 3]
    return (list(before) == ["[", "["] == ["[", "["] and list(behind) == ["]", "]"]) or not {
        BOXED,
        DOUBLE,
    }.isdisjoint(before)


_BOXING = frozenset(("[", BOXED, DOUBLE))


def is_alternative_box(words: Sequence[str], at: int) -> bool:
    """Whether "or" joins what stands in double brackets to what stands in others: a form that is spoken of."""
    before, behind = at - 1, at + 1
    while before >= 0 and words[before] in _BRACKETS:
        before -= 1
    while behind < len(words) and words[behind] in _BRACKETS:
        behind += 1
    joined = before >= 0 and words[before] == "or" and before < at - 1
    return joined or (
        words[behind : behind + 1] == ["or"] and not _BRACKETS.isdisjoint(words[behind + 1 : behind + 2])
    )


_BRACKETS = frozenset('[]"(,') | {BOXED, DOUBLE}


def is_line(  # noqa: PLR0911 - one for each place that a line may have
    words: Sequence[str], at: int, end: int, heads: frozenset[int] = frozenset()
) -> bool:
    """Whether a name or key is the first or last line of a reply, or opens it before its reasons.

    A name in a line of its own is one in the middle, too, if no other name heads a line (`heads`).
    """
    start = at
    while start > 0 and words[start - 1] in OPEN:
        start -= 1
    if start > 0 and words[start - 1] != "\n":
        return False
    while end < len(words) and words[end] in CLOSE:
        end += 1
    over = (
        end >= len(words)
        or all(word in CLOSE or word in {"\n", "-", "§"} for word in words[end : end + 4])
        or (heads <= {named(words[at])} and _is_remark(words[end : end + _REMARK + 1]))
    )
    if is_listed(words, start, end):
        return _is_ranked_first(words, start)
    first, alone = start == 0, heads == {named(words[at])}
    if (
        not first
        and words[start - 1] == "\n"
        and list(words[end : end + 2]) in _REASONS_FOLLOW
        and "\n" not in words[end:]
    ):
        return True
    if first and not heads and list(words[end : end + 2]) == [":", "\n"]:
        return not any(
            words[i] == "\n" and words[i + 2] == ":" and len(words[i + 1]) == 1
            for i in range(end + 1, len(words) - 2)
        )
    if first and over:
        return True
    if first:
        return _opens(words, at, end) or (alone and words[end : end + 1] == [":"])
    if alone and words[start - 1] == "\n" and words[end : end + 1] == ["\n"]:
        return True
    return (
        over
        and words[start - 1] == "\n"
        and not (
            start > 1
            and words[start - 2] == ":"
            and words[start - 3 : start - 2]
            and words[start - 3] in UNSETTLED
        )
    )


_REASONS_FOLLOW = ([",", "because"], [",", "since"], [",", "for"], [",", "as"], [",", "due"])


def is_listed(words: Sequence[str], start: int, end: int) -> bool:
    """Whether the line before, or behind, is a name or key alone as well: then the lines are a list, as a ranking is."""
    if end < len(words) and words[end] != "\n":
        return False
    if start > 1 and words[start - 1] == "\n" and _is_entry(words, start - 1):
        return True
    before = words[max(start - 3, 0) : start - 1] if start > 1 and words[start - 1] == "\n" else []
    behind = words[end + 1 : end + 3]
    return (len(before) > 0 and _is_lone(before[-1]) and before[:-1] in (["\n"], [], [":"])) or (
        len(behind) > 0 and _is_lone(behind[0]) and behind[1:] in (["\n"], [])
    )


def _is_entry(words: Sequence[str], end: int) -> bool:
    """Whether the line that ends here is a name and a remark in brackets: "A (best)"."""
    start = max(end - _ENTRY, 0)
    first = next(
        (i + 1 for i in range(end - 1, start - 1, -1) if words[i] == "\n"), start if start == 0 else end
    )
    return first < end and named(words[first]) is not None and words[first + 1] == "("


_ENTRY = 9
"""Words of an entry of a list that says no more than a name and a remark in brackets."""


def _is_lone(word: str) -> bool:
    return named(word) is not None or (len(word) == 1 and word.isalnum())


def _is_ranked_first(words: Sequence[str], start: int) -> bool:
    """Whether a heading above says that a list is in order, the best first, and the name at this place opens it."""
    if start == 0 or words[start - 1] != "\n":
        return False
    i = start - 2
    while i >= 0 and words[i] != "\n":
        i -= 1
    heading = list(words[i + 1 : start - 1])
    worst_first = "worst" in heading and (
        "best" not in heading or heading.index("worst") < heading.index("best")
    )
    return not _RANKING.isdisjoint(heading) and not worst_first


_RANKING = frozenset(("ranking", "rank", "ranked", "order"))


def heading_places(words: Sequence[str], places: Sequence[int]) -> frozenset[int]:
    """The texts whose names, which stand at these places, head a line, as those of an analysis of each do."""
    return frozenset(
        place
        for k in places
        if (k == 0 or words[k - 1] in _LINE_STARTS)
        and (k + 1 == len(words) or words[k + 1] in {"\n", ":"})
        and (place := named(words[k])) is not None
    )


_LINE_STARTS = frozenset(("\n", "§", ",", ";"))


def _is_remark(rest: Sequence[str]) -> bool:
    """Whether at most a short remark comes behind, in a line of its own ("I hope this helps!")."""
    return (
        rest[:1] == ["\n"]
        and len(rest) <= _REMARK
        and not any(named(word) is not None or word in {":", "["} for word in rest)
    )


def _opens(  # noqa: PLR0911 - one for each mark that may follow
    words: Sequence[str], at: int, end: int
) -> bool:
    """Whether a name that a reply opens with is its choice, and not the heading of the first text's analysis."""
    if words[end] in _ORDERING or (
        words[end] == "-" and words[end + 1 : end + 2] != [] and words[end + 1].isdigit()
    ):
        return False
    if words[end] == "," and (words[end + 1 : end + 2] == [] or words[end + 1] not in _REASONING):
        return False
    if words[end] != "\n" and not (
        words[end - 1] in {".", "!"} or words[end] in {"-", ",", "because", "since", "as"}
    ):
        return False
    if (
        words[end] == ","
        and words[end + 1 : end + 2]
        and words[end + 1] in {"because", "since", "for", "as", "due"}
    ):
        return True
    if (
        words[end] == "-"
        and words[end + 1 : end + 2]
        and words[end + 1] in {"because", "since", "here", "for", "as", "reasons", "reason", "my", "why"}
    ):
        return True
    if named(words[at]) is None and (
        words[end] in {",", "-", "as"} or (words[end] != "\n" and words[at].isdigit())
    ):
        return False
    mine = named(words[at])
    heads = (
        i
        for i in range(end, len(words) - 1)
        if words[i] in {"\n", "§", ";", "."} and (named(words[i + 1]) not in (None, mine))
    )
    return not any(words[i + 2 : i + 3] and words[i + 2] in {":", "\n", ".", "-"} for i in heads)


_ORDERING = frozenset("=<>")
"""Behind a name: another one follows ("A != B")."""


_SUMMING = words_of(
    "be must has it's that's so therefore thus hence overall finally ultimately clearly definitely"
)


_REASONING = words_of(
    "because since for as due given clearly definitely without no by hands with although though even i"
)


def is_settled(words: Sequence[str], at: int, end: int) -> bool:
    """Whether words that settle it and a name are all of a sentence, the last that names a text: "Hands down, B.", "So B it is."."""
    if _is_asserted(words, at, end):
        return True
    if words[end : end + 1] == ["it"]:
        over = sentence_end(words, end)
        if words[end + 1 : end + 3] == ["is", ","]:
            return True
        return list(words[end:over]) in (
            ["it", "is"],
            ["it", "has", "to", "be"],
            ["it", "must", "be"],
            ["it", "is", "then"],
        )
    if not (end >= len(words) or words[end] in {".", "!", "\n"}) or any(
        named(word) is not None for word in words[end : end + _FAR]
    ):
        return False
    start = at
    while start > 0 and at - start < _LEAD and words[start - 1] not in {".", "!", ";", "\n", "?", "§"}:
        start -= 1
    lead = [word for word in words[start:at] if word not in OPEN]
    if "but" in lead:
        lead = lead[len(lead) - lead[::-1].index("but") :]
    if (
        not lead
        or at - start >= _LEAD
        or lead[-1] not in {",", ":", "-"}
        or any(named(word) is not None for word in lead)
    ):
        return False
    forced = lead[0] == "if" and not {"have", "had", "must"}.isdisjoint(lead)
    return not _SETTLING.isdisjoint(lead) and (forced or _UNSETTLING.isdisjoint(lead))


def _is_asserted(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a name opens a sentence and only words that make it sure follow: "B, hands down.", "B all the way.", "B, I think."."""
    if at and words[at - 1] not in {".", "!", "\n", "?", "§"}:
        return False
    over = sentence_end(words, end)
    if over - end > _ASSERTION:
        return False
    follow = [word for word in words[end:over] if word != ","]
    return follow in _ASSERTIONS


_ASSERTIONS = (
    ["hands", "down"], ["all", "the", "way"], ["for", "me"], ["no", "question"], ["without", "a", "doubt"], ["without", "doubt"], ["by", "far"],
    ["no", "doubt"], ["for", "sure"], ["i", "think"], ["i", "believe"], ["i'd", "say"], ["in", "my", "opinion"], ["in", "my", "view"], ["without", "question"],
    ["any", "day"], ["of", "course"], ["clearly"], ["definitely"], ["obviously"], ["then"], ["overall"],
    ["i", "guess"], ["i", "suppose"], ["narrowly"], ["just"], ["by", "a", "hair"], ["by", "a", "nose"], ["by", "a", "whisker"], ["by", "a", "narrow", "margin"],
    ["but", "only", "just"], ["only", "just"], ["but", "barely"], ["barely"], ["no", "contest"], ["easily"],
)  # fmt: skip
AFTER_LONE = frozenset('.!\n;,("])') | REASONED | {"it"} | {word for said in _ASSERTIONS for word in said[:1]}
"""Without one of these behind it, a name is not all of a sentence, with what may lead up to it or make it sure."""
_ASSERTION = 12
"""Words of a sentence behind its name, and commas; what is longer says more."""
_LEAD, _FAR = 12, 40
_SETTLING = words_of(
    "doubt question hands margin nose hair call balance whole all told everything said done considered hesitation far easily pick choose decide say weighed "
    "things certainly absolutely honestly obviously sum picking choosing must have clear me"
)
"""In what leads up to a name: it is not one respect, and not where to look next."""
_UNSETTLING = words_of(
    "if unless on regarding for next first then second between read reading consider compare like in not"
) - {"in"}


def is_verbless(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a name, led up to by words that conclude, is all of a sentence: "Therefore, B."; or all of the last one."""
    start = at
    while start > 0 and words[start - 1] in VERBLESS:
        start -= 1
    if not _IF.isdisjoint(sentence_words(words, at)):
        start = _past_pressed(words, start)
    if list(words[start : start + 2]) in (["now", "for"], ["then", "for"], ["now", "to"]):
        return False
    if (
        start > 0
        and words[start - 1] not in {".", "!", ";", "\n", "?", "§"}
        and not (words[start] == "," and not _SUMMING.isdisjoint(words[start + 1 : at]))
    ):
        return False
    while end < len(words) and words[end] in {'"', ")", "]"}:
        end += 1
    over = end >= len(words) or words[end] in {".", "!", "\n", ";"}
    if start == at:
        reasoned = list(words[end : end + 2]) in ([",", "since"], [",", "because"]) or words[
            end : end + 1
        ] == ["because"]
        return (over and end + 1 >= len(words) and words[at] != "a") or (
            reasoned and named(words[at]) is not None
        )
    reasoned = list(words[end : end + 2]) in ([",", "since"], [",", "because"], [",", "as"])
    return over or reasoned or words[end] in REASONED or words[end] == "("


def _past_pressed(words: Sequence[str], start: int) -> int:
    """Where a sentence begins that says first that the judge has to choose: "If pressed, I'd say B"."""
    first = start - 1
    while first > 0 and start - first < _LEAD and words[first - 1] not in {".", "!", ";", "\n", "?", "§"}:
        first -= 1
    lead = words[max(first, 0) : start]
    return (
        first
        if lead[:1] in (["if"], ["when"]) and not _PRESSED.isdisjoint(lead) and len(lead) <= _PRESSING
        else start
    )


_IF = frozenset(("if", "when"))
_PRESSED = words_of("pressed pushed forced must had obliged")
_PRESSING = 5
"""Words that say so, with the comma that may be one of them."""
