"""What our own machinery costs with a model that answers at once: CPU a turn, a message, and debates a second."""

import asyncio
import time

import anyio

import agentdebate as ad
from agentdebate.debates.ready import ReadyStrategy, ready
from agentdebate.talk.bus import Bus, Delivery
from agentdebate.talk.messages import FLOOR, Tell

ARTICLE = "The council of Kelby voted on Tuesday to repair the swing bridge over the harbour. " * 20
ITEM = ad.Item(
    task="summarization",
    id="one",
    fields={"source": ARTICLE, "summary": "The bridge will be repaired, says Kelby."},
)
DEBATES = 400


def answer(request: ad.ModelRequest) -> str:
    """A scorer that keeps its score and a critic that keeps objecting, so that all rounds are used."""
    assert request.context is not None
    if request.context.reply == "critique":
        return "The score is too high, since the summary leaves out when the vote was held and what it will cost."
    return (
        "The summary names the main point and is short; it leaves out the date and the cost.\n\nCoherence: 4"
    )


async def hold(debate: ReadyStrategy, count: int) -> tuple[float, int, int]:
    """CPU seconds for this many debates one after another, with how many asks and messages there were."""
    started = time.process_time()
    said = [message for _ in range(count) for message in (await debate.hold(ITEM, "coherence")).transcript]
    return time.process_time() - started, sum(message.kind == "ask" for message in said), len(said)


async def bus(count: int) -> float:
    """CPU seconds a message over the bus: one sender, one mailbox, one listener, read as it comes."""
    carrier, seen, mailbox = Bus(), list[ad.talk.Message](), asyncio.Queue[Delivery]()
    carrier.listen(seen.append)
    carrier.open("reader", "", mailbox.put_nowait)

    async def read() -> None:
        for _ in range(count):
            await mailbox.get()

    started = time.process_time()
    async with anyio.create_task_group() as group:
        group.start_soon(read)
        for _ in range(count):
            carrier.send(Tell(sender=FLOOR, to=("reader",), heard=()))
            await asyncio.sleep(0)
    return (time.process_time() - started) / count


async def measure() -> None:
    """Print the figures."""
    async with ready("debate", model=ad.Function("instant", answer), project=ad.Project()) as debate:
        await hold(debate, 20)
        spent, asks, messages = await hold(debate, DEBATES)
    print(
        f"CPU a debate   {spent / DEBATES * 1e6:8.0f} us   ({asks // DEBATES} asks, {messages // DEBATES} messages)"
    )
    print(f"CPU a turn     {spent / asks * 1e6:8.1f} us   (aim 100; every ask, relays included)")
    print(
        f"CPU a call     {spent / DEBATES / 9 * 1e6:8.1f} us   (turns with a model call only, everything booked on them)"
    )
    print(f"debates        {DEBATES / spent:8.0f} a second on one core")
    print(f"CPU a message  {await bus(20_000) * 1e6:8.1f} us   over the bus (aim 10)")


def main() -> None:
    """Run it."""
    asyncio.run(measure())
