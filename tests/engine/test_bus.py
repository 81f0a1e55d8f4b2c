"""The bus: deliveries that cannot be made, and addresses."""

import pytest

from agentdebate.errors import StrategyError, UnknownAddress
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.messages import FLOOR, Ask, Message, Statement, Tell


def note(*to: str, text: str = "x", sender: str = FLOOR) -> Statement:
    return Statement(sender=sender, to=to, answers=0, text=text)


def ask(*hearing: int) -> Ask:
    return Ask(sender=FLOOR, to=("ann",), purpose="speak", reply="statement", hearing=hearing)


def opened(bus: Bus, address: str) -> list[Delivery]:
    arrived: list[Delivery] = []
    bus.open(address, "", arrived.append)
    return arrived


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
    bus.listeners.append(shown.append)
    box = opened(bus, "ann")
    with pytest.raises(error):
        bus.send(message)
    assert (box, shown, list(bus.sent)) == ([], [], [])


@pytest.mark.parametrize("address", ["ann", FLOOR])
def test_an_address_is_taken_once(address: str) -> None:
    bus = Bus()
    opened(bus, "ann")
    with pytest.raises(StrategyError, match=f"{address!r} is taken"):
        opened(bus, address)
