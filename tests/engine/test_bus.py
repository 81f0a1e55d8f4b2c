"""The bus: numbering, delivery in order, listeners, bounded mailboxes, and how they close."""

import gc
import json
from dataclasses import FrozenInstanceError

import anyio
import pytest

from agentdebate.errors import StrategyError, UnknownAddress
from agentdebate.talk.bus import Bus, Delivery, Mailbox
from agentdebate.talk.envelope import message_in, message_line
from agentdebate.talk.messages import FLOOR, Ask, Failure, Message, Statement, Tell
from agentdebate.talk.turn_clock import TurnClock


def note(*to: str, text: str = "x", sender: str = FLOOR) -> Statement:
    return Statement(sender=sender, to=to, answers=0, text=text)


def test_messages_are_numbered_and_stamped_as_they_are_sent() -> None:
    async def main() -> list[Message]:
        ticks = iter((5.0, 7.5))
        bus = Bus(clock=lambda: next(ticks))
        given = note()
        sent: list[Message] = [await bus.send(given), await bus.send(note())]
        assert (given.seq, given.time) == (0, 0.0)
        assert list(bus.sent) == sent
        return sent

    assert [(m.seq, m.time) for m in anyio.run(main)] == [(1, 5.0), (2, 7.5)]


async def test_a_senders_messages_arrive_in_the_order_in_which_they_were_sent() -> None:
    bus = Bus()
    box = bus.open("ann")
    for text in "abc":
        await bus.send(note("ann", text=text))
    bus.shut()
    arrived = [delivery.message async for delivery in box]
    assert arrived == list(bus.sent)
    bus.discard()


async def test_two_senders_through_a_full_mailbox_keep_each_ones_order() -> None:
    bus = Bus(capacity=1)
    box = bus.open("ann")

    async def send(sender: str) -> None:
        for number in range(20):
            await bus.send(note("ann", text=str(number), sender=sender))

    arrived: list[Message] = []
    async with anyio.create_task_group() as group:
        group.start_soon(send, "ben")
        group.start_soon(send, "cat")
        arrived += [(await anext(box)).message for _ in range(40)]
    for sender in ("ben", "cat"):
        texts = [m.text for m in arrived if isinstance(m, Statement) and m.sender == sender]
        assert texts == [str(number) for number in range(20)]
    bus.discard()


async def test_a_delivery_brings_the_messages_that_are_to_be_heard() -> None:
    bus = Bus()
    box = bus.open("ann")
    first, second = await bus.send(note(text="1")), await bus.send(note(text="2"))
    await bus.send(Tell(sender=FLOOR, to=("ann",), heard=(2, 1)))
    await bus.send(Ask(sender=FLOOR, to=("ann",), purpose="speak", reply="statement", hearing=(1,)))
    assert (await anext(box)).heard == (second, first)
    assert (await anext(box)).heard == (first,)
    bus.discard()


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (note("ann", "bob"), UnknownAddress),
        (Tell(sender=FLOOR, to=("ann",), heard=(1,)), StrategyError),
        (Tell(sender=FLOOR, to=("ann",), heard=(0,)), StrategyError),
        (Ask(sender=FLOOR, to=("ann",), purpose="speak", reply="statement", hearing=(9,)), StrategyError),
    ],
)
async def test_a_message_that_cannot_be_delivered_is_seen_by_nobody(
    message: Message, error: type[Exception]
) -> None:
    """Neither the other addressees, nor a listener, nor the transcript."""
    bus, shown = Bus(), list[Message]()
    bus.listen(shown.append)
    box = bus.open("ann")
    with pytest.raises(error):
        await bus.send(message)
    bus.shut()
    assert [delivery async for delivery in box] == []
    assert (shown, list(bus.sent)) == ([], [])
    bus.discard()


async def test_an_unknown_address_comes_with_the_nearest_known_one() -> None:
    bus = Bus()
    bus.open("critic")
    with pytest.raises(UnknownAddress, match=r"'critik'.*Did you mean 'critic'"):
        await bus.send(note("critik"))
    bus.discard()


async def test_every_listener_sees_every_message_once_and_in_order() -> None:
    bus = Bus(capacity=1)
    seen: tuple[list[Message], list[Message]] = ([], [])
    for one in seen:
        bus.listen(one.append)
    box = bus.open("ann")

    async def send() -> None:
        for _ in range(10):
            await bus.send(note("ann"))

    async with anyio.create_task_group() as group:
        group.start_soon(send)
        group.start_soon(send)
        delivered = [(await anext(box)).message for _ in range(20)]
    assert [m.seq for m in seen[0]] == list(range(1, 21))
    assert all(a is b is c for a, b, c in zip(*seen, bus.sent, strict=True))
    assert {id(m) for m in delivered} == {id(m) for m in seen[0]}
    bus.discard()


async def test_a_listener_cannot_change_what_the_others_see() -> None:
    def meddle(message: Message) -> None:
        message.round = 9  # type: ignore[misc]  # that is the point

    bus = Bus()
    bus.listen(meddle)
    with pytest.raises(FrozenInstanceError):
        await bus.send(note())


@pytest.mark.parametrize("address", ["ann", FLOOR])
async def test_an_address_is_taken_once(address: str) -> None:
    bus = Bus()
    bus.open("ann")
    with pytest.raises(StrategyError, match=f"{address!r} is taken"):
        bus.open(address)
    bus.discard()


async def test_a_full_mailbox_makes_the_sender_wait_and_loses_nothing() -> None:
    bus = Bus(capacity=2)
    box = bus.open("ann")
    sent: list[int] = []

    async def send() -> None:
        for _ in range(5):
            message = await bus.send(note("ann"))
            sent.append(message.seq)

    async with anyio.create_task_group() as group:
        group.start_soon(send)
        await anyio.wait_all_tasks_blocked()
        assert sent == [1, 2]
        assert repr(box) == "<Mailbox 'ann': 2 of 2>"
        assert [(await anext(box)).message.seq for _ in range(5)] == [1, 2, 3, 4, 5]
    assert sent == [1, 2, 3, 4, 5]
    bus.discard()


async def test_a_question_goes_into_a_full_mailbox_for_whoever_asks_waits_for_the_answer_alone() -> None:
    bus = Bus(capacity=1)
    box = bus.open("ann")
    await bus.send(note("ann"))
    ask = Ask(sender=FLOOR, to=("ann",), purpose="speak", reply="statement")
    await bus.send(ask, clock=TurnClock(5))
    assert [(await anext(box)).message.kind for _ in range(2)] == ["statement", "ask"]
    bus.discard()


async def test_who_answers_without_waiting_is_handed_what_comes_as_it_is_sent() -> None:
    bus, seen = Bus(capacity=1), list[int]()
    bus.open_desk("ann", "Ann", lambda delivery: seen.append(delivery.message.seq))
    assert bus.titles == {"ann": "Ann"}
    await bus.send(note("ann"))
    await bus.send(note("ann"))
    assert seen == [1, 2]
    with pytest.raises(StrategyError, match="'ann' is taken"):
        bus.open("ann")
    bus.shut()
    with pytest.raises(StrategyError, match="ann has left the debate"):
        await bus.send(note("ann"))


async def test_shutting_ends_the_readers_after_what_is_there() -> None:
    bus = Bus()
    box = bus.open("ann")
    await bus.send(note("ann"))
    bus.shut()
    assert [delivery.message.seq async for delivery in box] == [1]
    with pytest.raises(StopAsyncIteration):
        await anext(box)
    bus.discard()


async def test_a_waiting_reader_comes_to_the_end_when_the_bus_shuts() -> None:
    bus = Bus()
    box = bus.open("ann")
    ended: list[str] = []

    async def read() -> None:
        async for _ in box:
            raise AssertionError("nothing was sent")
        ended.append("ann")

    async with anyio.create_task_group() as group:
        group.start_soon(read)
        await anyio.wait_all_tasks_blocked()
        bus.shut()
    assert ended == ["ann"]
    bus.discard()


async def test_discarding_leaves_nothing_open() -> None:
    """Warnings are errors: a stream that was left open would warn when it is collected."""
    bus = Bus()
    bus.open("ann")
    await bus.send(note("ann"))
    bus.discard()
    bus.discard()
    del bus
    gc.collect()


async def test_a_bus_and_a_mailbox_show_their_state() -> None:
    bus = Bus(capacity=3)
    box = bus.open("ann")
    await bus.send(note("ann"))
    assert (repr(bus), repr(box)) == ("<Bus 1 sent, 1 mailboxes>", "<Mailbox 'ann': 1 of 3>")
    bus.discard()


async def test_a_mailbox_left_open_is_noticed() -> None:
    """Or the test that nothing is left open could not fail."""
    with pytest.warns(ResourceWarning, match="Unclosed"):
        drop_a_mailbox()


def drop_a_mailbox() -> None:
    Mailbox("ann", 1)
    gc.collect()


async def test_a_sender_that_gives_up_on_a_full_mailbox_delivers_nothing_later() -> None:
    bus = Bus(capacity=1)
    box = bus.open("ann")
    await bus.send(note("ann"))
    with anyio.move_on_after(0.001):
        await bus.send(note("ann"))
    assert (await anext(box)).message.seq == 1
    await bus.send(note("ann"))
    assert (await anext(box)).message.seq == 3
    bus.discard()


async def test_a_reader_that_gives_up_loses_nothing() -> None:
    bus = Bus()
    box = bus.open("ann")
    with anyio.move_on_after(0.001):
        await anext(box)
    await bus.send(note("ann"))
    assert (await anext(box)).message.seq == 1
    bus.discard()


async def test_who_waits_at_a_full_mailbox_is_told_when_it_shuts() -> None:
    bus = Bus(capacity=1)
    bus.open("ann")
    await bus.send(note("ann"))
    said: list[str] = []

    async def send() -> None:
        try:
            await bus.send(note("ann"))
        except StrategyError as error:
            said.append(str(error))

    async with anyio.create_task_group() as group:
        group.start_soon(send)
        await anyio.wait_all_tasks_blocked()
        bus.shut()
    assert said == ["ann has left the debate, and hears nothing any more"]
    bus.discard()


async def test_what_is_sent_to_the_floor_is_handed_over_after_the_listeners_have_seen_it() -> None:
    bus, seen = Bus(), list[tuple[str, int]]()
    bus.receive(lambda delivery: seen.append(("floor", delivery.message.seq)))
    bus.listen(lambda message: seen.append(("listener", message.seq)))
    box = bus.open("ann")
    await bus.send(note("ann"))
    await bus.send(note(FLOOR, sender="ann"))
    assert seen == [("listener", 1), ("listener", 2), ("floor", 2)]
    bus.discard()
    del box


async def test_a_message_is_numbered_as_a_copy() -> None:
    bus = Bus(clock=lambda: 7.0)
    box = bus.open("ann")
    given, said = note("ann"), note(FLOOR, sender="ann")
    sent, posted = await bus.send(given), bus.post(said)
    assert (given.seq, sent.seq, sent.time) == (0, 1, 7.0)
    assert (said.seq, posted.seq) == (0, 2)
    assert bus.sent == [sent, posted]
    bus.discard()
    del box


async def test_a_message_of_a_kind_that_nobody_knows_is_written_with_its_number_and_time() -> None:
    bus = Bus(clock=lambda: 5.0)
    read = message_in('{"kind":"gesture","body":{"sender":"floor","hand":"left"}}')
    sent = await bus.send(read)
    assert json.loads(message_line(sent)) == {
        "kind": "gesture",
        "body": {"seq": 1, "sender": FLOOR, "time": 5.0, "hand": "left"},
    }
    assert json.loads(message_line(read))["body"].keys() == {"sender", "hand"}


async def test_what_goes_with_a_delivery_is_in_no_message() -> None:
    bus, cause, arrived = Bus(), ValueError("x"), list[Delivery]()
    bus.receive(arrived.append)
    box = bus.open("ann")
    clock = TurnClock(5)
    asked = await bus.send(Ask(sender=FLOOR, to=("ann",), purpose="speak", reply="statement"), clock=clock)
    failed = Failure(sender="ann", to=(FLOOR,), error="ValueError", reason="x", answers=asked.seq)
    said = await bus.send(failed, cause=cause)
    assert await anext(box) == Delivery(asked, clock=clock)
    assert arrived == [Delivery(said, cause=cause)]
    assert tuple(message_in(message_line(one)) for one in (said, asked)) == (said, asked)
    bus.discard()


async def test_the_bus_says_what_everyone_is_called_whoever_comes_later_too() -> None:
    bus = Bus()
    titles = bus.titles
    boxes = [bus.open("ann", "Referee"), bus.open("ben")]
    assert titles == {"ann": "Referee", "ben": "ben"}
    with pytest.raises(TypeError):
        titles["ann"] = "Critic"  # type: ignore[index]  # which is what is tried
    bus.discard()
    del boxes
