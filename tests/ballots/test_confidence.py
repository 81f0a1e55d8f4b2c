"""How sure agents are: what they say of it, and what the tokens of a part of a reply say, brought together with its text."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.confidence import confidence, stated_confidence


def mean(*logprobs: float) -> float:
    return math.exp(sum(logprobs) / len(logprobs))


@pytest.mark.parametrize(
    ("tokens", "text", "start", "end", "wanted"),
    [
        pytest.param(["  Vote", ": A", " \n"], "Vote: A", 4, 7, [1], id="blanks stripped"),
        pytest.param(["\n", " Vote: A \n"], "Vote: A", 0, 1, [1], id="one token with blanks at both ends"),
        pytest.param(["\n\n", "A"], "A", 0, 1, [1], id="a token that is a blank"),
        pytest.param(["<think>", "hm", "</think>", "\n\nA", "!"], "A!", 0, 1, [3], id="thinking cut"),
        pytest.param(["think", "ing.A", "!"], "A!", 0, 2, [1, 2], id="cut within a token"),
        pytest.param(["A", "!", "<|im_end|>"], "A!", 0, 2, [0, 1], id="a special token at the end"),
        pytest.param(["<s>", "A", "<|x|>", "!", "</s>"], "A!", 0, 2, [1, 3], id="special tokens between"),
        pytest.param(["A", "", "!"], "A!", 0, 2, [0, 2], id="an empty token"),
        pytest.param(["A ", "<|x|>"], "A <|x|>", 2, 7, [1], id="a special token that stands in the text"),
        pytest.param(["`", "``json", "\n", "4", "\n\n", "```", ""], "4", 0, 1, [3], id="a fence taken off"),
        pytest.param(["```\n", "{", "4}\n```"], "{4}", 1, 2, [2], id="a token that closes a fence too"),
        pytest.param(
            ["`", "4", "`\n"], "`4`", 0, 3, [0, 1, 2], id="a mark of a fence that stands in the text"
        ),
        pytest.param(["a", "\ufffd", "\ufffd", "b"], "aéb", 1, 2, [1, 2], id="parts of a character"),
        pytest.param(["a", "\ufffd", "\ufffd", "b"], "a👍b", 1, 2, [1, 2], id="two parts of four bytes"),
        pytest.param(["a", "\ufffd", "\ufffd", "b"], "a👍b", 2, 3, [3], id="behind the parts"),
        pytest.param(["a \ufffd", "\ufffdb"], "a éb", 2, 3, [0, 1], id="parts beside whole characters"),
        pytest.param(["a \ufffd", "\ufffdb"], "a éb", 3, 4, [1], id="what stands beside a part"),
        pytest.param(["好", "\ufffd", "\ufffd"], "好界", 1, 2, [1, 2], id="beside a whole character"),
        pytest.param(["\ufffd"] * 6, "好界", 1, 2, [3, 4, 5], id="a byte a token"),
        pytest.param(["a", "\ufffd", "b"], "a\ufffdb", 1, 2, [1], id="the mark itself stands in the text"),
        pytest.param(
            ["a", "bytes:\\xf0\\x9f", "bytes:\\x91\\x8d", "b"], "a👍b", 1, 2, [1, 2], id="escaped bytes"
        ),
        pytest.param(["a", "<0xC3>", "<0xA9>", "b"], "aéb", 1, 2, [1, 2], id="bytes in angle brackets"),
        pytest.param(["bytes:\\xe2"], "bytes:\\xe2", 0, 1, [0], id="a text that looks like bytes"),
        pytest.param(["ab", "cd"], "abXcd", 0, 5, None, id="another text"),
        pytest.param(["cd"], "ab cd", 0, 5, None, id="tokens that begin too late"),
        pytest.param(["ab"], "ab", 1, 1, None, id="an empty span"),
        pytest.param(["ab"], "ab", 5, 9, None, id="a span behind the text"),
        pytest.param(["ab"], "", 0, 0, None, id="no text"),
        pytest.param([], "ab", 0, 2, None, id="no tokens"),
        pytest.param(["a", "\ufffd", "b"], "axb", 0, 3, None, id="a part where a plain letter stands"),
    ],
)
def test_tokens_are_brought_together_with_the_text(
    tokens: list[str], text: str, start: int, end: int, wanted: list[int] | None
) -> None:
    logprobs = [-(2.0**-k) for k in range(len(tokens))]
    expected = None if wanted is None else pytest.approx(mean(*(logprobs[k] for k in wanted)))
    assert expected == confidence(list(zip(tokens, logprobs, strict=True)), text, [(start, end)])


@pytest.mark.parametrize(
    ("logprob", "found"), [(-math.inf, 0.0), (-9999.0, 0.0), (-1e308, 0.0), (math.nan, None)]
)
def test_a_log_probability_without_bottom_is_no_confidence_and_one_that_is_no_number_gives_none(
    logprob: float, found: float | None
) -> None:
    assert confidence([("a", -0.1), ("b", logprob)], "ab", [(0, 2)]) == found


CHARACTERS = st.text(st.sampled_from("ab \n.é好👍\ufffdß"), max_size=30)


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, list[str]]:
    text = draw(CHARACTERS)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return text, [text[low:high] for low, high in zip([0, *cuts], [*cuts, len(text)], strict=True)]


@given(cut_texts(), st.integers(0, 30), st.integers(0, 30), st.data())
@settings(max_examples=300, deadline=None)
def test_random_tokens_own_the_characters_that_they_spell(
    cut: tuple[str, list[str]], start: int, end: int, data: st.DataObject
) -> None:
    """Compared with a list that says for every character whose it is."""
    text, tokens = cut
    logprobs = data.draw(st.lists(st.floats(-20, 0), min_size=len(tokens), max_size=len(tokens)))
    owners = [k for k, token in enumerate(tokens) for _ in token]
    wanted = sorted({owners[at] for at in range(start, min(end, len(text)))})
    expected = pytest.approx(mean(*(logprobs[k] for k in wanted))) if wanted else None
    assert expected == confidence(list(zip(tokens, logprobs, strict=True)), text, [(start, end)])


@given(st.text(st.sampled_from("ab é好👍"), max_size=12), st.data(), st.booleans())
@settings(max_examples=300, deadline=None)
def test_tokens_cut_within_characters_own_what_they_hold_a_part_of(
    text: str, data: st.DataObject, shown: bool
) -> None:
    """Bytes shown as escapes are exact; of marks for parts of characters in a row, at least the owners are found."""
    raw = text.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=10)))
    pieces = [raw[low:high] for low, high in zip([0, *cuts], [*cuts, len(raw)], strict=True) if low < high]
    tokens = [_shown(piece, escaped=shown) for piece in pieces]
    numbered = [(token, -float(k)) for k, token in enumerate(tokens)]
    owners = [k for k, piece in enumerate(pieces) for _ in piece]
    for at in range(len(text)):
        low, high = len(text[:at].encode()), len(text[: at + 1].encode())
        found = confidence(numbered, text, [(at, at + 1)])
        own = set(owners[low:high])
        if shown or (found is not None and all("\ufffd" not in tokens[k] for k in own)):
            assert found == pytest.approx(mean(*(-float(k) for k in own)))


def _shown(piece: bytes, *, escaped: bool) -> str:
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return (
            "bytes:" + "".join(f"\\x{byte:02x}" for byte in piece)
            if escaped
            else piece.decode(errors="replace")
        )


@given(
    st.lists(
        st.tuples(st.text(st.characters(exclude_categories=()), max_size=5), st.floats(max_value=0)),
        max_size=8,
    ),
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.integers(),
    st.integers(),
)
@settings(max_examples=200, deadline=None)
def test_anything_gives_a_probability_or_none(
    tokens: list[tuple[str, float]], text: str, start: int, end: int
) -> None:
    found = confidence(tokens, text, [(start, end)])
    assert found is None or 0 <= found <= 1
    said = stated_confidence(f"Confidence: {text}").confidence
    assert said is None or 0 <= said.value <= 1


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Confidence: 80%", 0.8),
        ("Confidence: 80", 0.8),
        ("**Confidence:** 80 %", 0.8),
        ("My confidence (0-100): [72]%", 0.72),
        ("Confidence: 0.8", 0.8),
        ("Confidence: 1.0", 1.0),
        ("confidence = 100", 1.0),
        ("Confidence: 0", 0.0),
        ("Confidence: 95/100.", 0.95),
        ("Confidence: 80\nConfidence: 80%", 0.8),
        ('{"fluency": 4, "confidence": 80}', 0.8),
    ],
)
def test_a_confidence_is_read_as_a_percentage_or_a_share(said: str, value: float) -> None:
    found = stated_confidence(f"It reads well.\nFluency: 4\n{said}")
    assert found.confidence is not None
    assert found.confidence.value == pytest.approx(value)
    assert found.confidence.source == "asked"


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("", "no line"),
        ("I say it with confidence.", "no line"),
        ("Confidence: high", '"high"'),
        ("Confidence: 1", '"1"'),
        ("Confidence: 101", '"101"'),
        ("Confidence: 300%", '"300%"'),
        ("Confidence: 80\nConfidence: 60", "several"),
        ('{"confidence": null}', '"None"'),
    ],
)
def test_what_cannot_be_told_is_missing_and_never_a_number(said: str, problem: str) -> None:
    found = stated_confidence(f"Fluency: 4\n{said}")
    assert found.confidence is None
    assert problem in found.problem
