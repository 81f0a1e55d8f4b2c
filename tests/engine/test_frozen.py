"""Frozen models made without a check are what pydantic makes of the same values."""

import copy
import pickle
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.frozen import changed, light, made
from agentdebate.models.base import Completion
from agentdebate.talk.messages import FLOOR, Ask, Message, Score, Statement, Unknown, decode, encode
from agentdebate.usage import Usage

BALLOT = Ballot(ratings=(Rating(aspect="fluency", score=4.0),), reason="r")
ASKED: dict[str, Any] = {"sender": FLOOR, "to": ("ann",), "round": 2, "purpose": "score", "reply": "score"}
SAID: dict[str, Any] = {"sender": "ann", "to": (FLOOR,), "answers": 1, "text": "t"}


@pytest.mark.parametrize(
    ("kind", "values"),
    [(Ask, ASKED), (Statement, SAID), (Score, {**SAID, "ballot": BALLOT}), (Ask, {**ASKED, "hearing": (1,)})],
)
def test_what_is_made_equals_what_is_checked_and_reads_and_writes_like_it(
    kind: type[Message], values: dict[str, Any]
) -> None:
    one, other = made(kind, **values), kind(**values)
    assert (one, repr(one), list(one.__dict__)) == (other, repr(other), list(other.__dict__))
    assert encode(one) == encode(other)
    assert decode(encode(one)) == other
    assert one.model_copy(update={"round": 3}) == other.model_copy(update={"round": 3})
    assert one.model_dump(exclude_defaults=True) == other.model_dump(exclude_defaults=True)
    with pytest.raises(ValidationError, match="frozen"):
        one.round = 9  # type: ignore[misc]  # that is the point


def test_a_light_model_is_the_one_that_was_checked() -> None:
    checked = Completion(text="t", model="m", usage=Usage(calls=1, prompt_tokens=7), cut=(1,))
    lighter = light(checked.model_copy())
    assert (lighter, repr(lighter), list(lighter.__dict__)) == (
        checked,
        repr(checked),
        list(checked.__dict__),
    )
    assert lighter.model_dump_json(exclude_defaults=True) == checked.model_dump_json(exclude_defaults=True)
    assert lighter.model_copy(update={"text": "u"}) == checked.model_copy(update={"text": "u"})
    assert copy.deepcopy(lighter) == pickle.loads(pickle.dumps(lighter)) == checked


def test_what_is_made_or_changed_leaves_others_of_its_kind_as_they_were() -> None:
    first = made(Ask, **ASKED)
    second = changed(first, seq=2)
    third = made(Ask, **{**ASKED, "round": 5})
    assert (first.seq, second.seq, third.seq) == (0, 2, 0)
    assert (first.round, second.round, third.round) == (2, 2, 5)
    assert made(Ask, sender="x", to=(), purpose="p", reply="r").round == 0


class Hunch(Message):
    """A message of a package, with something of its own in it."""

    kind: Literal["hunch"] = "hunch"
    model_config = ConfigDict(extra="allow")
    _seen: int = PrivateAttr(default=7)


def test_what_is_changed_is_a_copy_with_everything_that_the_first_one_has() -> None:
    first = Hunch(sender="ann", to=(), feeling=3)
    second = changed(first, seq=4)
    assert second == first.model_copy(update={"seq": 4})
    assert (first.seq, second.model_extra, second._seen) == (0, {"feeling": 3}, 7)
    assert second.model_fields_set == first.model_fields_set | {"seq"}


def test_an_unknown_message_that_is_numbered_anew_keeps_what_it_was_read_with() -> None:
    read = decode('{"kind":"gesture","sender":"ann","to":[],"seq":1,"hand":"left"}')
    assert isinstance(read, Unknown)
    assert encode(changed(read, seq=2)) == encode(read.model_copy(update={"seq": 2}))


def test_defaults_of_one_kind_are_not_those_of_another() -> None:
    class Small(BaseModel):
        a: int = 1
        b: int

    assert made(Small, b=2).model_dump() == {"a": 1, "b": 2}


def test_a_field_may_have_any_name() -> None:
    answered = made(Completion, text="t", model="m")
    assert changed(answered, model="m at h:1").model == "m at h:1"
