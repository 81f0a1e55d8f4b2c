"""The bus: numbering, delivery in order, and listeners."""

import pytest

from agentdebate.errors import StrategyError, UnknownAddress
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.envelope import message_in, message_line
from agentdebate.talk.messages import FLOOR, Ask, Failure, Message, Statement, Tell
from agentdebate.talk.purposes import SPEAK


def note(*to: str, text: str = "x", sender: str = FLOOR) -> Statement:
    return Statement(sender=sender, to=to, answers=0, text=text)


def ask(*hearing: int) -> Ask:
    return Ask(sender=FLOOR, to=("ann",), purpose="speak", reply="statement", hearing=hearing)


def opened(bus: Bus, address: str) -> list[Delivery]:
    arrived: list[Delivery] = []
    bus.open(address, "", arrived.append)
    return arrived


def test_messages_are_numbered_and_stamped_as_they_are_sent() -> None:
    ticks = iter((5.0, 7.5))
    bus = Bus(clock=lambda: next(ticks))
    given = note()
    sent = [bus.send(given), bus.send(note())]
    assert [(one.seq, one.time) for one in (given, *sent)] == [(0, 0.0), (1, 5.0), (2, 7.5)]
    assert list(bus.sent) == sent


def test_a_delivery_brings_the_messages_that_are_to_be_heard() -> None:
    bus = Bus()
    box = opened(bus, "ann")
    first, second = bus.send(note(text="1")), bus.send(note(text="2"))
    bus.send(Tell(sender=FLOOR, to=("ann",), heard=(2, 1)))
    bus.send(ask(1))
    assert [one.heard for one in box] == [(second, first), (first,)]


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (note("ann", "bob"), UnknownAddress),
        (Tell(sender=FLOOR, to=("ann",), heard=(1,)), StrategyError),
        (Tell(sender=FLOOR, to=("ann",), heard=(0,)), StrategyError),
        (ask(9), StrategyError),
    ],
)
def test_a_message_that_cannot_be_delivered_is_seen_by_nobody(
    message: Message, error: type[Exception]
) -> None:
    bus, shown = Bus(), list[Message]()
    bus.listen(shown.append)
    box = opened(bus, "ann")
    with pytest.raises(error):
        bus.send(message)
    assert (box, shown, list(bus.sent)) == ([], [], [])


def test_an_unknown_address_comes_with_the_nearest_known_one() -> None:
    bus = Bus()
    opened(bus, "critic")
    with pytest.raises(UnknownAddress, match=r"'critik'.*Did you mean 'critic'"):
        bus.send(note("critik"))


@pytest.mark.parametrize("address", ["ann", FLOOR])
def test_an_address_is_taken_once(address: str) -> None:
    bus = Bus()
    opened(bus, "ann")
    with pytest.raises(StrategyError, match=f"{address!r} is taken"):
        opened(bus, address)


def test_what_is_sent_is_shown_to_the_listeners_before_it_arrives_at_the_floor_or_anywhere() -> None:
    bus, seen = Bus(), list[tuple[str, int]]()
    bus.receive(lambda delivery: seen.append(("floor", delivery.message.seq)))
    bus.open("ann", "Ann", lambda delivery: seen.append(("ann", delivery.message.seq)))
    bus.listen(lambda message: seen.append(("listener", message.seq)))
    bus.send(note("ann"))
    bus.send(note(FLOOR, sender="ann"))
    assert seen == [("listener", 1), ("ann", 1), ("listener", 2), ("floor", 2)]


def test_who_answers_as_it_is_asked_is_numbered_after_the_question() -> None:
    bus = Bus()

    def answer(_: Delivery) -> None:
        bus.send(note(FLOOR, sender="ann"))

    bus.open("ann", "Ann", answer)
    assert bus.send(ask()).seq == 1
    assert [one.kind for one in bus.sent] == ["ask", "statement"]


def test_what_goes_with_a_delivery_is_in_no_message() -> None:
    bus, cause, arrived = Bus(), ValueError("x"), list[Delivery]()
    bus.receive(arrived.append)
    box = opened(bus, "ann")
    asked = bus.send(ask(), purpose=SPEAK)
    failed = Failure(sender="ann", to=(FLOOR,), error="ValueError", reason="x", answers=asked.seq)
    said = bus.send(failed, cause=cause)
    assert box == [Delivery(asked, purpose=SPEAK)]
    assert arrived == [Delivery(said, cause=cause)]
    assert tuple(message_in(message_line(one)) for one in (said, asked)) == (said, asked)


def test_the_bus_says_what_everyone_is_called_whoever_comes_later_too() -> None:
    bus = Bus()
    titles = bus.titles
    bus.open("ann", "Referee", lambda _: None)
    opened(bus, "ben")
    assert titles == {"ann": "Referee", "ben": "ben"}
