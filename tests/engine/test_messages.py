"""Messages: one union, one codec, and kinds that this version does not know."""

import json
from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticUndefined

from agentdebate.agents import reading
from agentdebate.ballots.ballot import Confidence, Given, Rating
from agentdebate.ballots.kinds import RATINGS, ballot_kind, kinds
from agentdebate.talk import messages as m

KINDS: tuple[type[m.Message], ...] = get_args(get_args(m.Known)[0])

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
ODD = st.sampled_from(("a\u2028b", "a\u2029b\x85", "\r\n", "\x00\x1f", "\ufeff", "🧪", '"\\', "\n\n"))
TEXTS = TEXT | ODD
NUMBERS = st.integers(min_value=0, max_value=2**53)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXTS,
    int: NUMBERS,
    float: FLOATS,
    bool: st.booleans(),
    type(None): st.none(),
    Any: st.recursive(TEXTS | NUMBERS | FLOATS | st.none(), lambda inner: st.lists(inner, max_size=2)),
}


SHARES = st.floats(min_value=0, max_value=1)
SOURCES = st.sampled_from(("asked", "log-probabilities", "repeats"))
SCALARS[Confidence] = st.builds(Confidence, value=SHARES, source=SOURCES, repeats=st.none() | NUMBERS)
GIVEN: tuple[type[Given], ...] = tuple(ballot_kind(name).given for name in kinds() if name != RATINGS)


def values(of: Any) -> st.SearchStrategy[Any]:  # noqa: PLR0911 - one for each shape
    """Odd values of an annotation."""
    if of in SCALARS:
        return SCALARS[of]
    inner = get_args(of)
    if get_origin(of) is Annotated:
        return values(inner[0])
    if get_origin(of) is Literal:
        return st.sampled_from(inner)
    if get_origin(of) is tuple and inner[-1] is Ellipsis:
        return st.lists(values(inner[0]), max_size=2).map(tuple)
    if get_origin(of) is tuple:
        return st.tuples(*map(values, inner))
    if get_origin(of) is Mapping:
        return st.dictionaries(*map(values, inner), max_size=2)
    if get_origin(of) in (Union, UnionType):
        return st.one_of([values(one) for one in inner])
    return filled(of)


def filled(kind: type[BaseModel]) -> st.SearchStrategy[Any]:
    """A model with something odd in every field."""
    return st.builds(kind, **{name: values(field.annotation) for name, field in kind.model_fields.items()})


SCALARS[Given] = st.one_of([filled(kind) for kind in GIVEN])
MESSAGES = st.one_of([filled(kind) for kind in KINDS])


def test_the_union_holds_every_message_that_says_its_kind() -> None:
    """A new message is in the union, and so in the codec, or this fails."""
    defined = [one for one in vars(m).values() if isinstance(one, type) and issubclass(one, m.Message)]
    with_kind = {one for one in defined if one.model_fields["kind"].default is not PydanticUndefined}
    assert set(KINDS) == with_kind == set(m.KINDS.values())
    assert len(m.KINDS) == len(KINDS)


def test_agents_can_be_asked_for_every_reply() -> None:
    replies = {kind for kind in KINDS if issubclass(kind, m.Reply)}
    assert {kind.message for kind in reading.KINDS.values()} == replies
    purposes = [one for one in vars(m).values() if isinstance(one, m.Purpose)]
    assert all(issubclass(reading.reply_kind(one.kind).message, one.reply) for one in purposes)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_message_of_any_kind_comes_back_as_it_was(kind: type[m.Message]) -> None:
    @given(filled(kind))
    @settings(max_examples=15)
    def round_trip(message: m.Message) -> None:
        line = m.encode(message)
        assert "\n" not in line
        back = m.decode(line)
        assert (type(back), back) == (kind, message)

    round_trip()


@given(st.lists(MESSAGES, max_size=5))
@settings(max_examples=25)
def test_a_transcript_comes_back_as_it_was(transcript: list[m.Message]) -> None:
    assert m.decode_all(m.encode_all(transcript)) == tuple(transcript)


def test_a_transcript_survives_the_line_ends_that_json_does_not_escape() -> None:
    """Python's splitlines would cut a message in two there."""
    said = m.Statement(sender="ann", to=("floor",), answers=1, text="one\u2028two\u2029three\x85four")
    written = m.encode_all([said, said])
    assert len(written.splitlines()) > 2
    assert m.decode_all(written) == (said, said)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=5,
)


@given(st.dictionaries(TEXTS.filter(lambda key: key not in m.Message.model_fields), JSON, max_size=4))
@settings(max_examples=30)
def test_an_unknown_kind_is_written_back_as_it_was_read(more: dict[str, Any]) -> None:
    data = {"kind": "applause", "seq": 4, "sender": "ann", "to": ["ben"], "round": 1, "time": 2.5, **more}
    read = m.decode(json.dumps(data))
    assert isinstance(read, m.Unknown)
    assert json.loads(m.encode(read)) == data
    assert m.decode(m.encode(read)) == read


def test_an_unknown_kind_gains_no_fields_that_it_did_not_have() -> None:
    data = {"kind": "applause", "loud": True}
    assert json.loads(m.encode(m.decode(json.dumps(data)))) == data


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "score", "sender": "ann", "to": [], "answers": 1, "text": "x"},
        {"kind": "tell", "sender": "floor", "to": []},
        {"kind": "statement", "sender": "ann", "to": [], "answers": 1, "text": "x", "mood": "cross"},
        {
            "kind": "critique",
            "sender": "ann",
            "to": [],
            "answers": 1,
            "text": "",
            "no_issue": True,
            "reading": "odd",
        },
        {"sender": "ann"},
        [],
        3,
    ],
)
def test_a_message_that_is_not_what_its_kind_says_is_an_error(data: object) -> None:
    with pytest.raises(ValidationError):
        m.decode(json.dumps(data))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_messages_are_frozen(kind: type[m.Message]) -> None:
    message = kind.model_construct(kind=kind.__name__, sender="ann", to=())
    with pytest.raises(ValidationError, match="frozen"):
        message.sender = "ben"  # type: ignore[misc]  # that is the point


def verdict(*scores: float) -> m.Verdict:
    ratings = tuple(Rating(aspect=f"a{number}", score=score) for number, score in enumerate(scores))
    return m.Verdict(
        ratings=ratings, settled=True, ended="agreement", rounds=1, merge="last score", ballots=()
    )


def test_a_verdict_on_one_aspect_has_a_score() -> None:
    assert (verdict(3).score, verdict(3).scores) == (3.0, {"a0": 3.0})


@pytest.mark.parametrize("scores", [(), (3, 4)])
def test_a_verdict_on_several_aspects_has_no_single_score(scores: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"read \.scores"):
        _ = verdict(*scores).score
    assert list(verdict(*scores).scores.values()) == list(scores)


def test_a_purpose_names_the_kind_of_its_reply() -> None:
    kinds = [purpose.kind for purpose in (m.SPEAK, m.SCORE, m.CRITICISE, m.SUMMARISE, m.RULE)]
    assert kinds == ["statement", "score", "critique", "summary", "ruling"]


def test_a_key_that_stands_twice_in_a_message_is_an_error_that_names_it() -> None:
    line = '{"kind": "statement", "sender": "a", "to": ["b"], "answers": 1, "text": "yes", "text": "no"}'
    with pytest.raises(ValueError, match="the key 'text' stands twice"):
        m.decode(line)


@pytest.mark.parametrize("text", ["\ud83d", "Half of it: \ud83d. And é."])
def test_half_a_character_is_written_as_an_escape_and_comes_back(text: str) -> None:
    message = m.Statement(sender="a", to=(), answers=0, text=text)
    assert m.decode(m.encode(message)) == message
    assert m.encode(message).encode()
