"""What readers pass over for speed changes nothing that they read."""

from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.markup import _BULLETS, _without_bullets
from agentdebate.ballots.reading.pieces import Pieces
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start, sentence_words
from agentdebate.ballots.reading.tokens import _PLAIN_TOKEN, words_alone
from agentdebate.ballots.withdrawal import marked, may_take_back

SAID = st.text(alphabet="abz .,:;!?()\"'-\n", max_size=60)
PHRASES = st.sampled_from(
    [
        "wait, ", "i mean 3", "i meant b", "scratch that", "on second thought", "oops", "no, wait", "4-wait, 3", "sorry, make it 4", "my mistake",
        "i take that back", "or rather", "never mind", "i misread", "actually, 3", "correction: b", "i changed my mind", "nevermind",
    ]
)  # fmt: skip


@given(SAID)
def test_words_at_blanks_are_the_tokens_of_the_pattern(text: str) -> None:
    """A text of words and few marks is split at its blanks into what the pattern finds."""
    words = words_alone(text)
    assert words is None or words == _PLAIN_TOKEN.findall(text)


@given(
    st.lists(st.one_of(PHRASES, st.sampled_from(["a reader", "the text", "5", "is good", "and"])), max_size=6)
)
def test_what_takes_something_back_is_seen_among_the_words(parts: list[str]) -> None:
    """Where words say that nothing is taken back, the patterns find nothing either."""
    text = ". ".join(parts)
    tokens = _PLAIN_TOKEN.findall(text)
    assert may_take_back(text, tokens) or marked(text) == text


@given(st.lists(st.sampled_from([*"abc.;!?\n", "1", ","]), max_size=160), st.integers(-3, 165))
def test_the_bounds_of_sentences_are_those_that_are_found_by_walking(words: list[str], at: int) -> None:
    """They are looked up in tables for pieces, and searched for in any other list."""
    pieces = Pieces(words)
    if 0 <= at <= len(words):
        assert sentence_start(pieces, at) == sentence_start(words, at)
        assert sentence_end(pieces, at) == sentence_end(words, at)
        assert sentence_words(pieces, at) == sentence_words(words, at)
    else:
        assert sentence_end(pieces, at) >= at


@given(st.text(alphabet="ab1.-•() ", max_size=30))
def test_a_bullet_of_the_only_line_goes_as_one_of_many_does(line: str) -> None:
    """One line is matched at its start, and several are searched."""
    assert _without_bullets(f"\n{line}") == _BULLETS.sub(r"\1", f"\n{line}")
