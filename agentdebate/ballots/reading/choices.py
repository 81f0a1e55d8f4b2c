"""The choices that a reply states: each text that it says is better, chosen or the winner, or that there is none.

Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Iterator, Sequence

from agentdebate.ballots.markup import BOXED, DOUBLE
from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.choice_words import (
    ATTRIBUTES,
    BETTER,
    BEST_NOUNS,
    CHOOSING,
    CONCEDING,
    EQUAL,
    FREE,
    JUDGING,
    OPENERS,
    PREDICATE_LEAD,
    RESTRICTING,
    SUBJECTS,
    TIES,
    TIE_SUBJECTS,
    UNSETTLED,
    REASONED,
    VERBLESS,
    VOW_LEAD,
    WINNER_LEAD,
    WINNERS,
    WINNING,
)
from agentdebate.ballots.reading.lexicon import ATTRIBUTING, AUXILIARIES, NEGATION, OTHERS, PARTS
from agentdebate.ballots.reading.names import FOREIGN, NOUNS, TIE, Names, is_owner, named
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.statement import Finality, Statement

Pick = Statement[int]
_OPEN, _CLOSE = frozenset("([\"'<§▣▢"), frozenset(")]\"'>.!")
_ENDS = frozenset("\n.,;!)]\"'|-(:") | frozenset(("because", "since", "as", "over", "due", "for", "given", "on", "overall", "instead", "is", "with", "here"))
_REACH = 12
_SHORT = 9
_REMARK = 16
"""Words of a remark that may close a reply behind its choice."""
_SIGNS = frozenset("<>=")


def find_choices(words: Sequence[str], names: Names) -> Iterator[Pick]:
    """Every choice that is stated in a reply."""
    graded = list(_grades(words, names))
    taken = {at for pick in graded for at in range(pick.at, pick.at + 5)}
    yield from graded
    for i, word in enumerate(words):
        place = named(word)
        if place is not None and i not in taken:
            found = _of_name(words, i)
        elif word in names.keys and i not in taken:
            place, found = names.keys[word], _of_key(words, i)
        elif word in TIES or word in EQUAL or word in {"preference", "either"}:
            place, found = TIE, _of_tie(words, i)
        else:
            continue
        if found is not None:
            rule, finality = found
            yield Statement(0, place, rule if place != TIE or rule == "line" else "tie", finality, i)


_Found = tuple[Rule, Finality]


def _of_name(words: Sequence[str], at: int) -> _Found | None:
    """The choice that is stated by a text's full name."""
    end = _name_end(words, at)
    if _is_boxed(words, at):
        return "boxed", Finality.FINAL
    if _is_line(words, at, end):
        return "line", Finality.FORM
    if _is_beaten(words, at):
        return "predicate", _finality(words, at, Finality.PROSE)
    if _is_void(words, at):
        return None
    winner = _winner(words, at, end)
    if winner is not None:
        return winner
    if _is_verbless(words, at, end):
        return "conclusion", Finality.FORM
    better = _predicate(words, end)
    if better is not None:
        return "predicate", _finality(words, at, better)
    chosen = _vow(words, at, end)
    if chosen is not None:
        return "choosing", _finality(words, at, chosen)
    return None


def _of_key(words: Sequence[str], at: int) -> _Found | None:
    """The choice that is stated by a key alone, where nothing else can be meant."""
    if _is_boxed(words, at):
        return "boxed", Finality.FINAL
    if _is_line(words, at, at + 1):
        return "line", Finality.FORM
    if _is_void(words, at) or _is_enumerated(words, at):
        return None
    ends = at + 1 >= len(words) or words[at + 1] in _ENDS
    if ends:
        winner = _winner(words, at, at + 1)
        if winner is not None:
            return winner
        if _is_verbless(words, at, at + 1):
            return "conclusion", Finality.FORM
    if words[at + 1 : at + 2] and words[at + 1] in {"is", "wins", "beats", "outperforms"} and (at == 0 or words[at - 1] in OPENERS):
        better = _predicate(words, at + 1)
        if better is not None:
            return "predicate", _finality(words, at, better)
    chosen = _vow(words, at, at + 1) if ends else None
    return None if chosen is None else ("choosing", _finality(words, at, chosen))


def _is_beaten(words: Sequence[str], at: int) -> bool:
    """Whether another text is said to be worse than the named one, or not as good."""
    left = list(words[max(at - 8, 0) : at])
    if left[-2:] in (["worse", "than"], ["inferior", "to"], ["weaker", "than"]):
        return NEGATION.isdisjoint(left) and _is_name(left) and not clause.is_asked(words, at)
    return left[-3:] == ["as", "good", "as"] and "not" in left[-5:] and _is_name(left) and not clause.is_asked(words, at)


def _is_name(words: Sequence[str]) -> bool:
    return any(named(word) is not None for word in words)


def _is_verbless(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a name, led up to by words that conclude, is all of a sentence: "Therefore, B."; or all of the last one."""
    start = at
    while start > 0 and words[start - 1] in VERBLESS:
        start -= 1
    if start > 0 and words[start - 1] not in {".", "!", ";", "\n", "?", "§"} and not (words[start] == "," and start + 1 < at):
        return False
    while end < len(words) and words[end] in {'"', ")", "]"}:
        end += 1
    over = end >= len(words) or words[end] in {".", "!", "\n", ";"}
    if start == at:
        return over and end + 1 >= len(words) and words[at] != "a"
    return over or words[end] in REASONED or words[end] == "("


def _name_end(words: Sequence[str], at: int) -> int:
    """Where a name ends, with the noun of what it owns ("Assistant 2's answer") and a closing mark."""
    end = at + 1
    if is_owner(words[at]) and words[end : end + 1] and words[end] in NOUNS:
        end += 1
    while end < len(words) and words[end] in {'"', ")", "]", "'"}:
        end += 1
    return end


def _is_boxed(words: Sequence[str], at: int) -> bool:
    """Whether the piece is all that stands in double brackets or a box."""
    before, behind = words[max(at - 2, 0) : at], words[at + 1 : at + 3]
    return list(before) == ["[", "["] == ["[", "["] and list(behind) == ["]", "]"] or not {BOXED, DOUBLE}.isdisjoint(before)


def _is_line(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a name or key is the first or last line of a reply, or opens it before its reasons."""
    start = at
    while start > 0 and words[start - 1] in _OPEN:
        start -= 1
    while end < len(words) and words[end] in _CLOSE:
        end += 1
    over = end >= len(words) or all(word in _CLOSE or word in {"\n", "-", "§"} for word in words[end : end + 4]) or _is_remark(words[end:])
    first = start == 0
    if first and over:
        return True
    if first:
        return _opens(words, at, end)
    return over and words[start - 1] == "\n" and not (start > 1 and words[start - 2] == ":" and words[start - 3 : start - 2] and words[start - 3] in UNSETTLED)


def _is_remark(rest: Sequence[str]) -> bool:
    """Whether at most a short remark comes behind, in a line of its own ("I hope this helps!")."""
    return rest[:1] == ["\n"] and len(rest) <= _REMARK and not any(named(word) is not None or word in {":", "["} for word in rest)


def _opens(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a name that a reply opens with is its choice, and not the heading of the first text's analysis."""
    if words[end] != "\n" and not (words[end - 1] in {".", "!"} or words[end] in {"-", ",", "because", "since", "as"}):
        return False
    if words[end] == "," and words[end + 1 : end + 2] and words[end + 1] in {"because", "since"}:
        return True
    if named(words[at]) is None and (words[end] in {",", "-", "as"} or (words[end] != "\n" and words[at].isdigit())):
        return False
    mine = named(words[at])
    heads = (i for i in range(end, len(words) - 1) if words[i] in {"\n", "§"} and (named(words[i + 1]) not in (None, mine)))
    return not any(words[i + 2 : i + 3] and words[i + 2] in {":", "\n", "."} for i in heads)


def _is_void(words: Sequence[str], at: int) -> bool:
    """Whether the sentence asks, supposes, concedes, denies or quotes what it says, or says it for another or of before."""
    start, end = clause.sentence_start(words, at), clause.sentence_end(words, at)
    sentence = words[start:end]
    if end < len(words) and words[end] == "?":
        return True
    if clause.is_supposed(words, at) or any(word in {"if", "unless", "depending", "whether"} for word in words[at:end]) or "depending" in sentence:
        return not _forced(sentence)
    if words[start:at].count('"') % 2 and not (words[at - 1] == '"' and words[at + 1 : at + 2] == ['"']):
        return True
    if sentence and sentence[0] in CONCEDING and "," not in words[start:at]:
        return True
    sentence = sentence[max((k + 1 for k, word in enumerate(words[start:at]) if word == ":"), default=0) :]
    if len(sentence) > 2 and sentence[0] in {"on", "in", "for", "regarding"} and FREE.isdisjoint(sentence[1:4]):  # noqa: PLR2004
        return True
    if sentence[:2] == ["according", "to"] and {"my", "criteria", "instruction", "rubric", "these", "this"}.isdisjoint(sentence[:6]):
        return True
    own = _clause(words, at)
    if not {"might", "may", "tempted"}.isdisjoint(own):
        return True
    if any(word in NEGATION or (word == "no" and own[k - 1 : k] == ["longer"]) for k, word in enumerate(own)):
        return True
    if "not" in words[at : at + 4] and words[at + 1 : at + 2] != [","]:
        return True
    return _is_of_others(own) or _is_past(own, words[at:end])


def _forced(sentence: Sequence[str]) -> bool:
    """Whether the only condition is that the judge has to choose."""
    return any(sentence[k : k + 2] == [word, "i"] or sentence[k : k + 2] == [word, "forced"] for k, word in enumerate(sentence) if word == "if")


def _clause(words: Sequence[str], at: int) -> list[str]:
    """The words of the clause before a place, the nearest first; a colon ends it as well."""
    own: list[str] = []
    for word in clause.before(words, at):
        if word == ":":
            break
        own.append(str(word))
    return own


def _is_of_others(own: Sequence[str]) -> bool:
    for distance, word in enumerate(own):
        if word in {"i", "i'd", "we", "my", "i'll", "i'm"}:
            return False
        if (word in OTHERS or word == "referee") and (distance < 3 or not ATTRIBUTING.isdisjoint(own)):  # noqa: PLR2004 - a subject is near its verb
            return True
        if word in ATTRIBUTING and word not in {"thinks", "gave", "assigned"}:
            return True
    return False


def _is_past(own: Sequence[str], rest: Sequence[str]) -> bool:
    words = [*own, *rest[:8]]
    if "now" in words or "final" in words:
        return False
    past = {"initially", "originally", "previously", "earlier", "initial", "previous", "before", "former"}
    return not past.isdisjoint(words) or ("first" in own and "at" in own)


def _winner(words: Sequence[str], at: int, end: int) -> _Found | None:
    """A noun for what is chosen that is tied to the name: "Winner: B", "the better answer is A"."""
    i, tied = at - 1, False
    while i >= 0 and at - i <= _REACH and (words[i] in WINNER_LEAD or words[i] in _OPEN or _is_made(words, i)):
        tied |= words[i] in {":", "=", "is", "goes", "→", "-", "\n", "es", "ist", "be", "est"}
        i -= 1
    noun = i
    if i < 0 or words[i] not in WINNERS and not (words[i] in NOUNS and _is_better_noun(words, i)):
        return _output(words, at, end)
    if words[end : end + 1] and words[end] not in _ENDS - {"is"}:
        return None
    if not tied or words[end : end + 1] == ["or"] or (words[end : end + 2] and words[end] == "/" and named(words[end + 1]) is not None):
        return None
    phrase = []
    while i >= 0 and noun - i < 5 and words[i] not in {"\n", ".", ";", ","}:  # noqa: PLR2004 - a phrase is short
        phrase.append(words[i])
        i -= 1
    if not NEGATION.isdisjoint(phrase) or not {"initial", "previous", "first-round"}.isdisjoint(phrase):
        return None
    own_line = i < 0 or words[i] == "\n"
    final = any("f" in PARTS.get(word, "") for word in phrase[1:])
    colon = ":" in words[noun:at] or "\n" in words[noun:at]
    rank = Finality.FINAL if final else Finality.FORM if (own_line or colon) else _finality(words, at, Finality.PROSE)
    return "winner", rank


def _is_made(words: Sequence[str], i: int) -> bool:
    """Whether a noun only says what a named text is: "the response from Assistant 1"."""
    return words[i] in NOUNS and words[i + 1] in {"of", "from", "by", "given", "provided"}


def _is_better_noun(words: Sequence[str], i: int) -> bool:
    return not set(words[max(i - 2, 0) : i]).isdisjoint(BETTER | BEST_NOUNS)


def _output(words: Sequence[str], at: int, end: int) -> _Found | None:
    """ "Output: 2" in a line of its own, where the noun is what texts are called."""
    line = at - 2
    if line >= 0 and words[at - 1] in {":", "="} and words[line] in NOUNS and (line == 0 or words[line - 1] in {"\n", "§", "."}):
        if end >= len(words) or words[end] in {"\n", "."} and end + 1 >= len(words) or words[end] == "\n":
            return "winner", Finality.FORM
    return None


def _predicate(words: Sequence[str], end: int, *, judged: bool = False) -> Finality | None:
    """How final it is that what follows a name calls it better; None where it does not."""
    i = end
    while i < len(words) and i - end < _REACH and (words[i] in PREDICATE_LEAD or words[i].endswith("ly")):
        i += 1
    head, lead = (words[i] if i < len(words) else ""), words[end:i]
    if head in {"choose", "pick", "select", "favor", "favour"} or (lead[-1:] == ["prefer"] and "one" in lead):
        return Finality.PROSE if "i" in lead or "i'd" in lead else None
    if lead[-1:] == ["takes"] or (judged and head in {"first", "above"}):
        return Finality.PROSE
    if head in WINNING:
        return Finality.PROSE if i > end or head in {"wins", "won", "win", "beats", "outperforms", "surpasses", "prevails", "edges", "更好", "更优", "胜出", "获胜"} else None
    if head == "more" and i + 1 < len(words):
        return _of_more(words, i)
    if head not in BETTER or (i == end and not judged):
        return None
    return _unrestricted(words, i + 1)


def _of_more(words: Sequence[str], at: int) -> Finality | None:
    """ "more convincing" is a choice where nothing but quality is meant, and a hint where it is one quality."""
    return Finality.PROSE if words[at + 1] in {"convincing", "preferable", "compelling"} else Finality.HINT


def _unrestricted(words: Sequence[str], at: int) -> Finality | None:
    """How far "better" goes: all the way, or in one respect only."""
    i = at
    while i < len(words) and (words[i] in NOUNS or words[i] in {"one", "of", "the", "two", "than", "both", "quality", "job", "choice", "pick", "option"} or named(words[i]) is not None or words[i] in {"all", "other", "others", "any", "three", "four"}):
        i += 1
    word = words[i] if i < len(words) else "\n"
    if "job" in words[at:i]:
        return Finality.PROSE
    if word in RESTRICTING:
        follow = [*words[i + 1 : i + 5], ""]
        free = follow[0] in FREE or (word in {"in", "for", "on"} and not FREE.isdisjoint(follow[:3]))
        return Finality.PROSE if free else Finality.HINT
    if word in _AFTER_BETTER or word in _CLOSE or word in {"\n", ",", ";", "(", "-", ":", "?"}:
        return Finality.PROSE
    return Finality.HINT if word in ATTRIBUTES or word.endswith(("ed", "s", "ly", "ing")) or i == at else Finality.PROSE


_AFTER_BETTER = frozenset(
    "because since as due overall by and but here though although while given when which so to at that, considering where it that i".split()
)


def _vow(words: Sequence[str], at: int, end: int) -> Finality | None:
    """How final it is that the judge chooses the name that a verb has for its object; None where it does not."""
    i = at - 1
    while i >= 0 and at - i <= _REACH and words[i] not in CHOOSING and words[i] not in JUDGING:
        if named(words[i]) is not None or words[i] not in VOW_LEAD and not _in_phrase(words, i, at):
            return None
        i -= 1
    if i < 0 or at - i > _REACH or not _is_own(words, i):
        return None
    follow = words[end : end + 2]
    if follow[:1] and follow[0] in {"or", "and", "/"} and len(follow) > 1 and (named(follow[1]) is not None or len(follow[1]) == 1):
        return None
    if words[i] in JUDGING:
        return _predicate(words, end, judged=True)
    if is_owner(words[at]) and end == at + 1:
        return Finality.HINT
    return Finality.PROSE


def _in_phrase(words: Sequence[str], i: int, at: int) -> bool:
    """Whether a word may stand in what is chosen: "the informative approach of B", "the response from A"."""
    return words[at - 1] in {"of", "from", "by"} and words[i].isalpha() and words[i] not in {"but", "because", "while", "than", "over", "not"}


def _is_own(words: Sequence[str], verb: int) -> bool:
    """Whether the judge is the subject of the verb."""
    i = verb - 1
    while i >= 0 and (words[i] in AUXILIARIES or words[i].endswith("ly") or words[i] in {"to", "have", "like", "inclined", "going", "more", "most", "rather"}):
        i -= 1
    subject = words[i] if i >= 0 else "\n"
    return subject in SUBJECTS


def _of_tie(words: Sequence[str], at: int) -> _Found | None:
    """The choice of no text, by a word for a tie."""
    word, start, end = words[at], clause.sentence_start(words, at), clause.sentence_end(words, at)
    alone = end - start <= 4 and all(w in TIES or w in {"it", "is", "it's", "a", "an", "the", "so", "therefore", "§", "[", "]", "(", ")", '"', "result", "verdict", ":", "final", "overall", "winner", "choice", "vote", "answer"} for w in words[start:end])  # noqa: PLR2004, E501
    if end < len(words) and words[end] == "?" or words[start:at].count('"') % 2 and not (words[at - 1] == '"' and words[at + 1 : at + 2] == ['"']):
        return None
    own = [w for w in _clause(words, at) if w not in {"they", "their"}]
    if word in {"preference", "either"}:
        denied = not NEGATION.isdisjoint(own) and ("prefer" in own[:3] or "have" in own[:4])
        return ("tie", _finality(words, at, Finality.PROSE)) if denied else None
    if any(w in NEGATION or w in {"no", "if", "unless"} for w in own) or clause.is_supposed(words, at) or _is_of_others(own) or _is_past(own, words[at:end]):
        return None
    if word in {"equal", "equals"} and _is_line(words, at, at + 1):
        return "line", Finality.FORM
    if word in TIES:
        return _of_tie_noun(words, at, alone=alone)
    return _of_equal(words, at, start, end)


def _of_tie_noun(words: Sequence[str], at: int, *, alone: bool) -> _Found | None:
    if words[at + 1 : at + 2] and words[at + 1] in {"breaker", "between", "together", "in"} and words[at + 1] != "between":
        return None
    if alone or _is_line(words, at, at + 1):
        final = "final" in words[max(at - 5, 0) : at]
        return "tie", Finality.FINAL if final else Finality.FORM
    winner = _winner(words, at, at + 1)
    if winner is not None:
        return "tie", winner[1]
    left = words[at - 1] if at else "\n"
    tied = left in {"a", "an", "is", "are", "be", ":", "in", "as", "it", "the", "virtual", "near", "\n", "clear", "perfect"}
    return ("tie", _finality(words, at, Finality.PROSE)) if tied else None


def _of_equal(words: Sequence[str], at: int, start: int, end: int) -> _Found | None:
    """ "Both are equally good", "A and B are of the same quality", "no preference", "neither is better"."""
    before, behind = words[start:at], words[at + 1 : end]
    if any(word in CONCEDING or word in {"but", "however", "yet", "except"} for word in [*before, *behind]):
        return None
    word = words[at]
    if word in {"neither", "no"}:
        says = {"preference", "winner", "difference", "favorite", "favourite"}
        says |= {"better", "superior", "preferred", "wins", "best", "stronger"} if word == "neither" else set()
        close = behind[:6]
        if says.isdisjoint(close) or "in" in close[:4] or "for" in close[1:3] and "preference" not in close:
            return None
        return "tie", _finality(words, at, Finality.PROSE)
    subject = not TIE_SUBJECTS.isdisjoint(before) or sum(named(w) is not None for w in before) > 1
    if not subject:
        return None
    if word in {"equal", "equivalent", "indistinguishable", "interchangeable", "identical", "comparable", "par"}:
        whole = not behind or behind[0] in {"quality", "in", "overall", ".", ",", "as", "because", "since", "and", "for", "with"} and "quality" in [*behind[:3], "quality"]
        return ("tie", _finality(words, at, Finality.PROSE)) if whole else ("tie", Finality.HINT)
    if word in {"same", "equally", "tied", "evenly"}:
        good = {"good", "well", "strong", "valid", "matched", "quality", "deserving", "level", "convincing", "best", "preferable", "suitable", "fine", "excellent", "capable", "great", "worthy", "acceptable", "bad", "poor", "effective", "score", "rating", "grade"}
        if behind[:1] in ([], [","], ["because"]) and not {"rate", "judge", "rank", "score", "consider", "rated", "grade"}.isdisjoint(before):
            return "tie", _finality(words, at, Finality.PROSE)
        return "tie", (_finality(words, at, Finality.PROSE) if not good.isdisjoint(behind[:2]) else Finality.HINT)
    return None


def _grades(words: Sequence[str], names: Names) -> Iterator[Pick]:
    """Signs of order between two names or keys: "[[A>>B]]"."""
    for i, word in enumerate(words):
        if word not in _SIGNS or i == 0 or words[i - 1] in _SIGNS:
            continue
        end = i + 1
        while end < len(words) and words[end] in _SIGNS and end - i < 3:  # noqa: PLR2004 - there are two signs at most
            end += 1
        left, right = _place(words, i - 1, names), _place(words, end, names)
        if left is None or right is None or left == right:
            continue
        place = left if word == ">" else right if word == "<" else TIE
        start = i - 1
        boxed = start >= 1 and words[start - 1] in {"[", BOXED}
        form = start == 0 or words[start - 1] in {"\n", ":"} or _winner(words, start, end + 1) is not None
        if boxed or (form and not _is_void(words, i)):
            yield Statement(0, place, "grade", Finality.FINAL if boxed else Finality.FORM, start)


def _place(words: Sequence[str], at: int, names: Names) -> int | None:
    if not 0 <= at < len(words):
        return None
    place = named(words[at])
    return names.keys.get(words[at]) if place is None else place


def _is_enumerated(words: Sequence[str], at: int) -> bool:
    """Whether a key is the article "a", or a number in a list."""
    return words[at] == "a" and words[at + 1 : at + 2] != [] and words[at + 1] not in _ENDS and words[at + 1] not in {"wins", "beats", "outperforms"}


def _finality(words: Sequence[str], at: int, least: Finality) -> Finality:
    """How final a sentence's choice is: more so where it concludes, or is the whole first sentence of the reply."""
    if least == Finality.HINT:
        return least
    start = clause.sentence_start(words, at)
    opening = start == 0 and at < _SHORT
    return Finality.FORM if opening or clause.concludes(words, at) or "so" in words[start:at] else least
