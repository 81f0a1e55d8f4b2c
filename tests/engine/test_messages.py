"""Messages: one envelope for all, kinds that this version does not know or a package brings along, and the bus that delivers them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import install

from agentdebate.ballots.ballot import Ballot, Confidence, Given, Rating
from agentdebate.ballots.kinds import RATINGS, ballot_kind, kinds
from agentdebate.errors import StrategyError, UnknownAddress
from agentdebate.talk import messages as m
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.envelope import checked_message, message_data, message_in, message_line, message_of
from agentdebate.usage import Usage
from agentdebate.wrong_values import WrongValue

KINDS: tuple[type[m.Message], ...] = tuple(m.KINDS.values())

ODD = st.sampled_from(
    (
        "a\u2028b",
        "a\u2029b\x85",
        "\r\n",
        "\x00\x1f",
        "\ufeff",
        "🧪",
        '"\\',
        "\n\n",
        "half \ud83d",
        "null",
        "NaN",
    )
)
TEXTS = st.text(st.characters(), max_size=30) | ODD  # halves of characters among them
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
NUMBERS = st.integers() | st.just(2**80)
FLOATS = st.floats().map(lambda x: x + 0.0)  # NaN and the infinities among them; -0.0 is the default 0.0
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
SCALARS[Usage] = st.builds(Usage, **{one.name: st.integers(0, 10**12) for one in fields(Usage)})
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
        return st.dictionaries(NAMES, values(inner[1]), max_size=2)
    if get_origin(of) in (Union, UnionType):
        return st.one_of([values(one) for one in inner])
    return filled(of)


def filled(kind: type[Any]) -> st.SearchStrategy[Any]:
    """An object with something odd in every field that is written."""
    hints = get_type_hints(kind, include_extras=True)
    written = [one.name for one in fields(kind) if (kind, one.name) != (m.Verdict, "transcript")]
    return st.builds(kind, **{name: values(hints[name]) for name in written})


SCALARS[Given] = st.one_of([filled(kind) for kind in GIVEN])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_message_of_any_kind_comes_back_as_it_was(kind: type[m.Message]) -> None:
    """Whatever is in it: halves of characters, numbers that JSON has no word for, and large ones. NaN equals nothing, so by `repr`."""

    @given(filled(kind))
    @settings(max_examples=25)
    def round_trip(message: m.Message) -> None:
        line = message_line(message)
        assert "\n" not in line
        assert line.encode()
        back = message_in(line)
        assert (type(back), repr(back)) == (kind, repr(message))
        exported = json.loads(json.dumps(message_data(message)))
        assert repr(message_of(exported.pop("kind"), exported)) == repr(message)

    round_trip()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=5,
)

OF_ALL = {one.name for one in fields(m.Message)}


@given(st.dictionaries(NAMES.filter(lambda key: key not in OF_ALL), JSON, max_size=4))
@settings(max_examples=30)
def test_an_unknown_kind_is_written_back_as_it_was_read(more: dict[str, Any]) -> None:
    body = {"seq": 4, "sender": "ann", "to": ["ben"], "round": 1, "time": 2.5, **more}
    read = message_in(json.dumps({"kind": "applause", "body": body}))
    assert isinstance(read, m.Unknown)
    written = message_line(read)
    assert json.dumps(json.loads(written)) == json.dumps({"kind": "applause", "body": body})
    assert message_line(message_in(written)) == written


@dataclass(frozen=True, slots=True, kw_only=True)
class Vow(m.Reply):
    """A kind of a package's own, with one field more."""

    kind = "vow"
    stakes: tuple[int, ...] = ()


ODD_VALUE: Any = "high"
SAID: dict[str, Any] = {"sender": "ann", "to": (), "answers": 1, "text": "x"}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (Vow(**SAID, stakes=(ODD_VALUE,)), r"Vow\(...\), 'stakes.0': it is a whole number, not 'high'"),
        (Vow(**{**SAID, "sender": 3}), r"Vow\(...\), 'sender': it is text, not 3"),
        (m.Score(**SAID, ballot=ODD_VALUE), r"Score\(...\), 'ballot': it is a Ballot, not 'high'"),
        (
            m.Score(**SAID, ballot=Ballot(ratings=(Rating(aspect="a", score=ODD_VALUE),))),
            r"Score\(...\), 'ballot.ratings.0.score': it is a number, not 'high'",
        ),
    ],
)
def test_a_wrong_type_in_a_message_of_a_strategy_names_class_and_field(wrong: m.Message, says: str) -> None:
    with pytest.raises(WrongValue, match=says):
        checked_message(wrong)


def test_a_class_of_a_package_that_is_not_made_a_dataclass_is_told_so() -> None:
    class Oath(m.Message):
        kind = "oath"
        words: str = ""

    with pytest.raises(StrategyError, match="Oath has no field 'words': make the class a dataclass"):
        checked_message(Oath(sender="ann", to=()))
    with pytest.raises(StrategyError, match=r'says no kind: write kind = "\.\.\."'):
        checked_message(m.Reply(sender="ann", to=(), answers=1, text="x"))
    with pytest.raises(StrategyError, match="a Message is announced, not str"):
        checked_message("I swear")


MOTIONS = '''
"""A package with a kind of message."""
from dataclasses import dataclass
from agentdebate.talk.messages import Message

@dataclass(frozen=True, slots=True, kw_only=True)
class Motion(Message):
    kind = "motion"
    proposal: str
    seconds: int = 1

@dataclass(frozen=True, slots=True, kw_only=True)
class Impostor(Message):
    kind = "another"
'''
GROUP = "agentdebate.talk.messages"


@pytest.fixture
def motions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is installed, and registers some things wrongly."""
    points = {name: f"motions:{name.capitalize()}" for name in ("motion", "impostor", "gone")}
    install(tmp_path, monkeypatch, "motions", MOTIONS, {GROUP: {**points, "lost": "no_such_module:It"}})


BODY = {"seq": 3, "sender": "floor", "to": ["ann"], "round": 1, "time": 1.5, "proposal": "a", "seconds": 2}


@pytest.mark.usefixtures("motions")
def test_a_kind_of_an_installed_package_is_read_as_its_class() -> None:
    read = message_in(json.dumps({"kind": "motion", "body": BODY}))
    assert type(read).__name__ == "Motion"
    assert json.loads(message_line(read)) == {"kind": "motion", "body": BODY}
    assert message_in(message_line(read)) == read


@pytest.mark.usefixtures("motions")
@pytest.mark.parametrize(
    ("kind", "says"),
    [("impostor", "whose kind is 'impostor'"), ("gone", "cannot be imported"), ("lost", "no_such_module")],
)
def test_a_kind_that_is_registered_wrongly_is_an_error_that_names_it(kind: str, says: str) -> None:
    with pytest.raises(StrategyError, match=says) as caught:
        message_in(json.dumps({"kind": kind, "body": BODY}))
    assert GROUP in str(caught.value)


def test_nobody_takes_the_name_of_a_built_in_kind() -> None:
    with pytest.raises(StrategyError, match="the kind 'score', which is built in"):

        @dataclass(frozen=True, slots=True, kw_only=True)
        class Score(m.Reply):
            kind = "score"


def opened(bus: Bus, address: str) -> list[Delivery]:
    arrived: list[Delivery] = []
    bus.open(address, "", arrived.append)
    return arrived


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (m.Tell(sender=m.FLOOR, to=("ann", "bob"), heard=()), UnknownAddress),
        (m.Tell(sender=m.FLOOR, to=("ann",), heard=(1,)), StrategyError),
        (m.Tell(sender=m.FLOOR, to=("ann",), heard=(0,)), StrategyError),
        (m.Ask(sender=m.FLOOR, to=("ann",), purpose="speak", reply="statement", hearing=(9,)), StrategyError),
    ],
)
def test_a_message_that_cannot_be_delivered_is_seen_by_nobody(
    message: m.Message, error: type[Exception]
) -> None:
    bus, shown = Bus(), list[m.Message]()
    bus.listeners.append(shown.append)
    box = opened(bus, "ann")
    with pytest.raises(error):
        bus.send(message)
    assert (box, shown, list(bus.sent)) == ([], [], [])


@pytest.mark.parametrize("address", ["ann", m.FLOOR])
def test_an_address_is_taken_once(address: str) -> None:
    bus = Bus()
    opened(bus, "ann")
    with pytest.raises(StrategyError, match=f"{address!r} is taken"):
        opened(bus, address)
