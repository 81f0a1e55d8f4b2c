"""Scores that a reply gives to each of the texts that are compared, with no winner named: "A: 8/10, B: 5/10", "I give B a 3 and A an 8".

Works on words and marks, in which a sign stands for each name of a text (see names.py).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agentdebate.ballots.reading.lexicon import NEGATION, OTHER_ASPECTS
from agentdebate.ballots.reading.names import TIE, Names, named
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start
from agentdebate.ballots.reading.statement import Finality, Statement
from agentdebate.ballots.words import words_of

_REACH = 9
"""Words between a name and its score."""
_VERBS = words_of(
    "has gets get got scores score scored earns earn receives receive deserves deserve achieves is rates rated graded scored given merits obtains lands totals"
)
_BETWEEN = frozenset(":-=|([\"'\n→•") | words_of(
    "it a an the of at with as by to total overall final score rating grade mark points about around out only just my"
)
"""What may stand between a name and the score that follows it."""
_BACK = frozenset("/\"'([") | words_of("out of points point stars marks for to goes go /10 given awarded the")
"""What may stand between a score and the name that follows it."""
_SCORING = words_of(
    "score scores scored scoring rate rates rated rating ratings grade grades graded points point stars marks gets get got earns receives deserves give giving gave "
    "award awarded assign assigned total overall put"
)
_ORDERING = words_of("rank ranks ranked ranking place position round step")
_AFTER = frozenset(".,;!\n)]\"'|-") | words_of(
    "too also and while whereas but so vs versus which because for since overall as due against to compared"
)
_LABEL = 5
"""Words of a label and its colon, at the head of a sentence that holds all entries: "Penalty points: Answer A 2, Answer B 5"."""
_HIGHEST = 100
"""The top of the scales that are usual; a bare number above it counts something."""
_UNITS = words_of("points point stars star marks % percent")
"""What a score may be counted in."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """A score that a text is given: how much of its top where that is said, and whether words or its form say that it is a score."""

    value: float
    sure: bool
    overall: bool
    listed: bool
    """Whether it stands in an object or a table, which hold nothing else of a text."""


def tally(words: Sequence[str], names: Names, void: Callable[[int], bool]) -> Statement[int] | None:
    """The choice that the scores of all the texts make: the text with the highest one, or none where the highest is shared."""
    places = {place for place in names.keys.values() if place >= 0}
    marks: dict[int, list[_Mark]] = {}
    last = 0
    for at, word in enumerate(words):
        place = named(word)
        if place is None and _is_key(words, at, names):
            place = names.keys[word]
        if place is None or place < 0:
            continue
        mark = None if void(at) else _mark_of(words, at)
        if mark is not None:
            marks.setdefault(place, []).append(mark)
            last = at
    given = _given(marks, places)
    if given is None:
        return None
    top = max(given.values())
    best = [place for place, value in given.items() if value == top]
    return Statement(0, best[0] if len(best) == 1 else TIE, "scores", Finality.PROSE, last)


def _is_key(words: Sequence[str], at: int, names: Names) -> bool:
    """Whether a key alone opens an entry with a number: "A: 8, B: 6", "Score A: 4", "Scores: A: 7, B: 8"; or is given one."""
    if words[at] not in names.keys:
        return False
    if _is_in_object(words, at):
        return words[at + 3 : at + 4] != [] and _is_number(words[at + 3]) and _is_of_scores(words, at)
    if not _is_number(words[at + 2] if at + 2 < len(words) else "\n"):
        return False
    if words[at + 1] in {":", "="}:
        return at == 0 or words[at - 1] in _OPENING or _is_labelled_score(words, at)
    return words[at + 1] in _ARTICLES and _is_given(words, at)


def _is_in_object(words: Sequence[str], at: int) -> bool:
    """Whether a name is the key of an entry in an object: {"A": 8, "B": 6}."""
    return list(words[at - 1 : at]) == ['"'] and list(words[at + 1 : at + 3]) == ['"', ":"]


def _is_of_scores(words: Sequence[str], at: int) -> bool:
    """Whether an object with this key is all of the reply, or stands under a key that speaks of scores; others may hold counts."""
    first = _object_start(words, at)
    key = _key_above(words, first)
    return first == 0 or (key != () and _JUDGING.issuperset(key))


def _object_start(words: Sequence[str], at: int) -> int:
    """The quotation mark that opens the first of the entries with numbers up to this one."""
    first = at - 1
    while (
        first >= _PAIR
        and words[first - 1] == ","
        and _is_number(words[first - 2])
        and words[first - _PAIR] == '"'
    ):
        first -= _PAIR
    return first


def _key_above(words: Sequence[str], first: int) -> Sequence[str]:
    """The words of the key whose value is the object that begins here; none where it is not a key's."""
    if first < 4 or list(words[first - 2 : first]) != ['"', ":"]:  # noqa: PLR2004 - two marks, a word and a mark before the object
        return ()
    opening = next((i for i in range(first - 3, max(first - _HEADING, -1), -1) if words[i] == '"'), first - 2)
    return words[opening + 1 : first - 2]


_PAIR = 6
"""Words and marks of an entry and the comma behind it."""


def _is_labelled_score(words: Sequence[str], at: int) -> bool:
    """Whether a label that speaks of scores, and of nothing else, stands right before a key: "Scores: A: 7", "Final score for A: 7"."""
    noun = at - 2
    if noun < 0 or words[noun] not in _NOUNS or words[at - 1] not in {":", "for"}:
        return False
    return noun == 0 or words[noun - 1] in _BEFORE_NOUN


def _is_given(words: Sequence[str], at: int) -> bool:
    """Whether the judge gives the text at a key a number, or another text before it: "I give A a 6 and B an 8"."""
    if words[at - 1 : at] == [] or (words[at - 1] not in _GIVING and words[at - 1] not in _JOINING):
        return False
    said = words[sentence_start(words, at) : at]
    verb = next((k for k, word in enumerate(said) if word in _GIVING), None)
    return verb is not None and not _SELF.isdisjoint(said[:verb]) and NEGATION.isdisjoint(said)


_OPENING = frozenset("\n,;.(") | {"score", "rating", "and"}
_NOUNS = words_of("score scores rating ratings points grades")
_BEFORE_NOUN = frozenset("\n.;,§") | words_of("final overall total my the and")
_GIVING = words_of("give gave giving award assign rate rated put")
_ARTICLES = words_of("a an at")
_JOINING = words_of("and , while but")
_SELF = words_of("i i'd i'll i'm we we'd")


def _given(marks: Mapping[int, Sequence[_Mark]], places: set[int]) -> dict[int, float] | None:
    """The one score of each text; None where one has none, or several."""
    if not marks or set(marks) != places:
        return None
    single = {place: _single(given) for place, given in marks.items()}
    if any(mark is None for mark in single.values()):
        return None
    kept = {place: mark for place, mark in single.items() if mark is not None}
    # "A: 1, B: 2" may as well be an order, or count something.
    highest = max(mark.value for mark in kept.values())
    listed = all(mark.listed for mark in kept.values()) and len(places) < highest <= _HIGHEST
    sure = listed or all(mark.sure for mark in kept.values())
    return {place: mark.value for place, mark in kept.items()} if sure else None


def _single(given: Sequence[_Mark]) -> _Mark | None:
    overall = [mark for mark in given if mark.overall] or given
    return overall[0] if len({mark.value for mark in overall}) == 1 else None


def _mark_of(words: Sequence[str], at: int) -> _Mark | None:
    """The score that a text is given where it is named, behind its name or before it."""
    start, end = sentence_start(words, at), sentence_end(words, at)
    sentence = words[start:end]
    if not _ORDERING.isdisjoint(sentence) or (
        ":" in sentence[1:_LABEL] and _is_against(sentence[: sentence.index(":", 1)])
    ):
        return None
    if _is_in_object(words, at) and not _COUNTED.isdisjoint(_key_above(words, _object_start(words, at))):
        return None
    found = _behind(words, at)
    if found is None:
        found = _before(words, at, start)
    if found is None or _is_of_aspect(words, start, at, found, end):
        return None
    over = words[found + 1 : found + 2] == ["/"] or list(words[found + 1 : found + 3]) == ["out", "of"]
    near = words[max(start - 1, 0) : end + 1]
    said = (
        over
        or not _SCORING.isdisjoint(words[min(at, found) : max(at, found)])
        or not _SCORING.isdisjoint(near)
        or (named(words[at]) is None and words[at - 1 : at] in (["score"], ["rating"]))
    )
    value = float(words[found].replace(",", "."))
    if over:
        top = words[found + 2] if words[found + 1] == "/" else words[found + 3]
        value = value / float(top) * 10 if top.replace(".", "").isdigit() and float(top) else value
    listed = (
        words[at + 1] == "|"
        or list(words[at + 1 : at + 3]) == ['"', ":"]
        or ((named(words[at]) is None or _is_entry(words, at, found)) and not _is_of_measure(words, at))
    )
    return _Mark(value, said, not {"overall", "total", "final"}.isdisjoint(sentence), listed)


def _is_entry(words: Sequence[str], at: int, found: int) -> bool:
    """Whether a name opens an entry that holds nothing but a number: "Answer A: 6", "Output (b) - 8", "Answer A (6), Answer B (8)"."""
    if not (found == at + 1 or (found == at + _ENTRY and words[at + 1] in _TYING)):
        return False
    return at == 0 or words[at - 1] in {"\n", "-", "§"} or _follows_entry(words, at)


def _follows_entry(words: Sequence[str], at: int) -> bool:
    """Whether another text's entry stands before this place in its line: "Answer A: 7, Answer B: 8"."""
    i = at - 1
    while i > 0 and at - i < _GAP and words[i] in _PARTING:
        i -= 1
    first = i - _OVER if list(words[i - 1 : i]) == ["/"] else i
    name = next(
        (k for k in range(first - 1, max(first - _ENTRY, 0) - 1, -1) if named(words[k]) is not None), None
    )
    if i == at - 1 or name is None or not _is_number(words[first]) or not _is_entry(words, name, first):
        return False
    within = name == 0 or words[name - 1] not in {"\n", "-", "§"}
    return within or not (_SCORING | _VERDICTS).isdisjoint(_line_above(words, name - 1))


def _line_above(words: Sequence[str], end: int) -> Sequence[str]:
    """The last sentence before a row of entries; it may say what they count."""
    return words[sentence_start(words, max(end - 1, 0)) : end]


_GAP = 4
"""Marks between two entries of a line, and one more."""
_OVER = 2
"""Words from the top of a scale to the score: "7/10"."""
_PARTING = frozenset(",;|)]") | {"and"}


_ENTRY = 2
"""Words from a name to the number of its entry."""
_TYING = frozenset(":=-→(")


def _is_of_measure(words: Sequence[str], at: int) -> bool:
    """Whether the line above the entries says that they are no scores: "Errors:", "Number of words"."""
    first = at
    while first > 0 and words[first - 1] != "\n" and at - first < _REACH:
        first -= 1
    if first == 0 or words[first - 1] != "\n":
        return False
    line = first - 1
    while line > 0 and words[line - 1] != "\n" and first - line <= _HEADING:
        line -= 1
    heading = words[line : first - 1]
    if any(named(word) is not None for word in heading) or any(_is_number(word) for word in heading):
        # The entry above this one, so that the heading stands above that one.
        return line > 0 and line < first - 1 and _is_of_measure(words, line)
    headed = heading != [] and (
        heading[-1] == ":" or heading[0] == "§" or (len(heading) <= _BARE and heading[-1].isalpha())
    )
    return headed and len(heading) <= _HEADING and (_JUDGING.isdisjoint(heading) or _is_against(heading))


def _is_against(heading: Sequence[str]) -> bool:
    """Whether a short heading says that what is counted speaks against a text: "Points lost"; not "Scores after deductions"."""
    return len(heading) <= _BARE and not _FAULTS.isdisjoint(heading) and _LEFT.isdisjoint(heading)


_HEADING = 12
"""Words of a line that says what is listed below it."""
_BARE = 3
"""Of these, where no mark sets the line apart."""
_FAULTS = words_of(
    "penalty penalties deduction deductions deducted demerit demerits minus negative lost loss fault faults error errors mistake mistakes flaw flaws subtracted removed "
    "weakness weaknesses off bad"
)
"""In a heading: what is listed below it speaks against a text, though it may be counted in points."""
_VERDICTS = words_of(
    "verdict verdicts evaluation evaluations assessment assessments judgment judgement grading"
)
_LEFT = words_of("after less with without and for considering despite")
_COUNTED = words_of(
    "typo typos error errors mistake mistakes hallucination hallucinations fault faults flaw flaws omission omissions sentence sentences word words token tokens "
    "character characters length"
)
"""In the key of an object: its numbers count something."""
_JUDGING = _SCORING | words_of(
    "evaluation evaluations assessment assessments verdict verdicts judgment judgement judgments result results ranking answer final grading marks mark outcome comparison feedback sure okay ballot decision"
)
"""In a heading: what is listed below it are scores."""


def _behind(words: Sequence[str], at: int) -> int | None:
    """The place of a number that a verb, a mark or a noun for a score ties to the name before it."""
    for i in range(at + 1, min(at + 1 + _REACH, len(words))):
        word = words[i]
        if _is_number(word):
            return i if _ends(words, i) else None
        if word == "\n" and not _is_labelled(words, i + 1):
            return None
        if word not in _BETWEEN and word not in _VERBS and word not in {"]", ")"}:
            return None
    return None


def _is_labelled(words: Sequence[str], at: int) -> bool:
    """Whether a line opens with a label for a score: "Score: 8", "Overall rating: 8"."""
    label = words[at : at + 3]
    return ":" in label and not {"score", "rating", "grade", "points", "mark", "overall", "total"}.isdisjoint(
        label
    )


def _before(words: Sequence[str], at: int, start: int) -> int | None:
    """The place of a number that "for" or "to" leads from to the name: "an 8 for A", "8/10 to B"."""
    if not {"for", "to"} & set(words[max(at - 2, start) : at]):
        return None
    i = at - 1
    while i >= start and at - i <= _REACH and words[i] in _BACK:
        i -= 1
    if i >= start and _is_number(words[i]):
        over = words[i - 1 : i] == ["/"] or list(words[i - 2 : i]) == ["out", "of"]
        first = i - 2 if words[i - 1 : i] == ["/"] else i - 3
        return (first if first >= start and _is_number(words[first]) else None) if over else i
    return None


def _ends(words: Sequence[str], at: int) -> bool:
    """Whether nothing is counted by the number at this place."""
    i = at + 1
    if words[i : i + 1] == ["/"]:
        i += 2
    elif list(words[i : i + 2]) == ["out", "of"]:
        i += 3
    while i < len(words) and words[i] in _UNITS:
        i += 1
    return i >= len(words) or words[i] in _AFTER or list(words[i : i + 2]) == ["from", "me"]


def _is_of_aspect(words: Sequence[str], start: int, at: int, found: int, end: int) -> bool:
    """Whether the score is one in a single respect, by the words around it or the label before it."""
    around = [*words[max(start, at - 6) : at], *words[found + 1 : min(end, found + 8)]]
    return not OTHER_ASPECTS.isdisjoint(around)


def _is_number(word: str) -> bool:
    return word[0].isdigit() and word.replace(".", "", 1).replace(",", "", 1).isdigit()
