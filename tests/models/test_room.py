"""Room for so many at once."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from agentdebate.models.room import Room


async def settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_there_is_room_for_so_many_and_the_next_waits() -> None:
    room = Room(2)
    assert [room.take(), room.take(), room.take()] == [True, True, False]
    waiting = asyncio.create_task(room.wait())
    await settle()
    assert not waiting.done()
    assert repr(room) == "<Room 0 free, 1 waiting>"
    room.give()
    await waiting
    assert not room.take()


async def test_who_came_first_is_served_first() -> None:
    room, served = Room(1), list[int]()
    assert room.take()

    async def come(number: int) -> None:
        await room.wait()
        served.append(number)

    tasks = [asyncio.create_task(come(number)) for number in range(3)]
    await settle()
    for _ in range(3):
        room.give()
        await settle()
    await asyncio.gather(*tasks)
    assert served == [0, 1, 2]


@given(st.lists(st.sampled_from(["come", "go", "cancel", "cancel served", "settle"]), max_size=40))
def test_no_place_is_lost_and_none_given_twice(steps: list[str]) -> None:
    async def main() -> None:
        room, inside, tasks = Room(2), 0, list[asyncio.Task[None]]()

        async def come() -> None:
            nonlocal inside
            if not room.take():
                await room.wait()
            inside += 1

        for step in steps:
            if step == "come":
                tasks.append(asyncio.create_task(come()))
            elif step in ("cancel", "cancel served") and tasks:
                tasks[-1 if step == "cancel" else 0].cancel()
            elif step == "go" and inside:
                inside -= 1
                room.give()
            else:
                await settle()
            assert inside <= 2
        await settle()
        while inside:
            inside -= 1
            room.give()
            await settle()
        assert all(task.done() for task in tasks)
        assert [room.take(), room.take(), room.take()] == [True, True, False]

    asyncio.run(main())


async def test_who_is_cancelled_and_passed_over_in_the_same_moment_goes_without_a_place() -> None:
    room = Room(1)
    assert room.take()
    waiting = asyncio.create_task(room.wait())
    await settle()
    waiting.cancel()  # its future is cancelled, and the task itself has not run since
    room.give()
    await asyncio.gather(waiting, return_exceptions=True)
    assert waiting.cancelled()
    assert [room.take(), room.take()] == [True, False]
