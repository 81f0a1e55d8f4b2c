"""The anchors of a pattern: no pattern that matches a sentence is left out, and most of the others are."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replies.stop_word import StopWords, critiques

from agentdebate.ballots import critic_words, sentences
from agentdebate.ballots.anchors import Anchors, Rules, Sought, anchors_of, hastened
from agentdebate.ballots.demand import (
    _CRITICAL,
    _DEMANDING,
    _DENIED,
    _DISTANT,
    _MET,
    demands,
    is_held_against,
)
from agentdebate.ballots.fold import fold
from agentdebate.ballots.plain_words import plain
from agentdebate.ballots.sentences import DIGIT, Phrase, sentences_of

RULES = {"criticism": _CRITICAL, "demands": _DEMANDING}
HALVES: tuple[StopWords, ...] = ("seen", "second")
SENTENCES = [
    sentence.text
    for half in HALVES
    for critique in critiques(half)
    for sentence in sentences_of(plain(fold(critique.text)))
]
WORDS = sorted(
    {
        word
        for name, words in vars(critic_words).items()
        if name.isupper() and isinstance(words, str)
        for word in re.findall("[a-z]+", words)
    }
    | {"i", "it", "the", "a", "be", "would", "2", "4", "score", "not", "to", ","}
)


def anchors(*lists: str, parts: str = "") -> Anchors:
    return Anchors(tuple(frozenset(one.split()) for one in lists), frozenset(parts.split()))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\blower\b", anchors("lower")),
        (r"\b(?:lower|raise)\b", anchors("lower raise")),
        (r"\b(?:lower|raise)s?\b", anchors("lower lowers raise raises")),
        (r"\bshould (?:not )?be lowered\b", anchors("lowered", "should", "be")),
        (r"\b(?:score|rating) (?:[a-z]{1,20} ){0,3}(?:fair|well[- ]earned)\b", anchors("earned fair", "rating score")),
        (r"\b(?:very )?good\b", anchors("good")),
        (r"\b(?!no)(?:fair|just)(?<!x)\b", anchors("fair just")),
        (r"\bworth [0-9]{1,3}\b", anchors(DIGIT, "worth")),
        (r"\bfair\b|\bjust right\b", anchors("fair just")),
        (r"\bfair\b|[a-z]+", anchors()),
        (r"lower", anchors(parts="lower")),
        (r"\bre-?think[a-z]{0,6}\b", anchors(parts="rethink think")),
        (r"\b(?:so )+fair\b", anchors("fair", parts="so")),
        (r"[^,;]{0,60}", anchors()),
        (r"\bis,? not\b", anchors("not", "is")),
        (r"\b(?:i|we)(?: would| will) not\b", anchors("not will", "i we")),
    ],
)  # fmt: skip
def test_a_pattern_has_a_list_for_each_word_that_it_needs(pattern: str, expected: Anchors) -> None:
    assert anchors_of(pattern) == expected


def test_too_many_strings_are_told_apart_by_their_last_words_only() -> None:
    many = "|".join(f"{a}{b}" for a in "abcdefghij" for b in "klmnopqrst")
    assert anchors_of(rf"\b(?:{many})(?: [a-z]+ (?:{many}) )?(?:{many})x\b").lists == ()
    [last] = anchors_of(rf"\b(?:(?:{many}) (?:{many}) (?:{many}))\b").lists
    assert last == frozenset(many.split("|"))


def patterns(rules: Rules) -> Iterator[re.Pattern[str]]:
    yield from map(re.compile, rules._patterns)


def test_no_rule_finds_an_empty_text() -> None:
    """A search that goes on at the end of what it found would find that for ever."""
    for rules in RULES.values():
        assert not [one.pattern for one in patterns(rules) if one.search("")]


def left_out(rules: Rules, sentence: str) -> list[str]:
    """The patterns that match a sentence on which they are not tried."""
    tried = {at for at, _ in rules.worth_trying(Phrase(sentence))}
    return [
        pattern.pattern
        for at, pattern in enumerate(patterns(rules))
        if at not in tried and pattern.search(sentence)
    ]


@pytest.mark.parametrize("name", RULES)
def test_no_rule_that_matches_a_sentence_of_a_critic_is_left_out(name: str) -> None:
    assert [found for sentence in SENTENCES for found in left_out(RULES[name], sentence)] == []


@pytest.mark.parametrize("name", RULES)
@given(sentence=st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join))
@settings(deadline=None, max_examples=150)
def test_no_rule_that_matches_words_of_a_critic_is_left_out(name: str, sentence: str) -> None:
    assert left_out(RULES[name], sentence) == []


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\b(?:lower|raise)s?\b", r"\b(?=[lr])(?:lower|raise)s?\b"),
        (r"\b(?:(?:the|a) )?(?:[0-9]+|score)", r"\b(?=[0-9ast])(?:(?:the|a) )?(?:[0-9]+|score)"),
        (r"\b(?!not)(?:so)+fair|\bjust", r"\b(?=[s])(?!not)(?:so)+fair|\bjust"),
        (r"\b(?:so )*fair", r"\b(?=[fs])(?:so )*fair"),
        (r"\b[a-z]{1,20} fair", r"\b[a-z]{1,20} fair"),
        (r"\b(?:so)?", r"\b(?:so)?"),
        (r"\b\W?fair", r"\b\W?fair"),
        (r"lower", r"lower"),
    ],
)
def test_a_pattern_looks_first_at_the_letter_that_a_word_begins_with(pattern: str, expected: str) -> None:
    assert hastened(pattern) == expected


def spans(pattern: re.Pattern[str], sentence: str) -> list[tuple[int, int]]:
    return [found.span() for found in pattern.finditer(sentence)]


@pytest.mark.parametrize("name", RULES)
def test_a_rule_that_looks_at_letters_first_finds_the_same(name: str) -> None:
    for pattern in RULES[name]._patterns:
        hasty, whole = re.compile(hastened(pattern)), re.compile(pattern)
        assert [one for one in SENTENCES if spans(hasty, one) != spans(whole, one)] == []


PIECES = st.sampled_from(
    [*WORDS, "was", "no", "and", "if", "now", "only", "as", "2", ",", ";", "-", '"', "é"]
)
GLUED = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", " ", " ", ","])), max_size=40).map(
    lambda pieces: "".join(f"{one}{behind}" for one, behind in pieces)
)
"""Words, some of which are not parted from the next."""


@pytest.mark.parametrize("sought", [_DENIED, _DISTANT, _MET])
@given(text=GLUED, places=st.tuples(st.integers(0, 200), st.integers(0, 200)))
@settings(deadline=None, max_examples=300)
def test_words_are_sought_wherever_they_stand_in_a_stretch_of_a_phrase(
    sought: Sought, text: str, places: tuple[int, int]
) -> None:
    start, end = sorted(places)
    assert sought.may_be_in(Phrase(text), start, end) or sought.search(text[start:end]) is None


@given(text=GLUED)
@settings(deadline=None, max_examples=300)
def test_what_is_said_of_a_score_is_the_same_where_nothing_is_left_out(text: str) -> None:
    said = Phrase(text)
    quick = (demands(said, ()), is_held_against(said, ()))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Sought, "may_be_in", lambda *_: True)
        patched.setattr(Rules, "worth_trying", lambda self, _: enumerate(map(re.compile, self._patterns)))
        assert (demands(said, ()), is_held_against(said, ())) == quick


AT_A_WORD_OR_MARK = re.compile(re.escape(r"(?:(?<!\w)|(?=[,") + ";?" + re.escape(":]))"))
"""Where a clause may begin, which some patterns look at first: nothing inside words."""


@pytest.mark.parametrize("pattern", [one for one in _CRITICAL._patterns if AT_A_WORD_OR_MARK.match(one)])
@given(text=st.one_of(GLUED, st.sampled_from(SENTENCES)))
@settings(deadline=None, max_examples=200)
def test_a_pattern_that_passes_over_what_stands_inside_words_finds_the_same(pattern: str, text: str) -> None:
    whole, left_out = AT_A_WORD_OR_MARK.subn("", pattern, count=1)
    assert left_out
    assert spans(re.compile(pattern), text) == spans(re.compile(whole), text)


@pytest.mark.parametrize("name", RULES)
def test_few_rules_are_tried_on_a_sentence(name: str) -> None:
    tried = sum(len(list(RULES[name].worth_trying(Phrase(sentence)))) for sentence in SENTENCES)
    assert tried < len(SENTENCES) * len(list(patterns(RULES[name]))) / 10


def test_the_rules_tried_come_in_their_order_with_their_places() -> None:
    rules = Rules(rf"\b{word}\b" for word in ("two", "one", "three"))
    found = [(at, pattern.pattern) for at, pattern in rules.worth_trying(Phrase("three and two"))]
    assert found == [(0, hastened(r"\btwo\b")), (2, hastened(r"\bthree\b"))]


@given(text=st.one_of(GLUED, st.text(max_size=60)))
@settings(deadline=None)
def test_the_words_of_a_phrase_are_its_runs_of_letters_digits_and_underscores(text: str) -> None:
    digits = {DIGIT} if re.search("[0-9]", text) else set[str]()
    assert Phrase(text).words == {*re.findall(r"\w+", text), *digits}


@given(text=st.text(alphabet="ab <>*_`~#[](){}$\\n.!?", max_size=40))
def test_a_text_without_a_mark_of_markup_holds_none(text: str) -> None:
    assert sentences._MARKS.search(text) or sentences._MARKUP.sub(" ", text) == text
