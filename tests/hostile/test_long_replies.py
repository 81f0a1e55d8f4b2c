"""Memory where many replies are far too long: it is bounded by what is read of each, and not by what is sent."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from agentdebate.testing.server import FaultServer

CODE = """
import asyncio, json, logging, sys
import agentdebate as ad
from agentdebate.models.composition import Around, Limits

logging.getLogger("agentdebate").setLevel(logging.ERROR)

async def main(url):
    model = ad.model("openai/any", around=Around(Limits(in_flight=24)), base_url=url)
    fields = {"source": "It rains.", "summary": "Rain."}
    items = [ad.Item(task="summarization", id=str(n), fields={**fields, "summary": str(n)}) for n in range(24)]
    run = ad.evaluate(items, "debate", model=model, aspects="coherence", concurrency=24, store="run.db")
    ended = {}
    async with run as records:
        async for record in records:
            kind = record.failure.error if record.failure else "verdict"
            ended[kind] = ended.get(kind, 0) + 1
    await model.aclose()
    return ended

ended = asyncio.run(main(*sys.argv[1:]))
# Of this program alone: what getrusage counts begins with the program that started it.
(peak,) = (int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({**ended, "peak": peak}))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is counted in other units")
def test_a_process_that_is_sent_many_long_replies_stays_small(tmp_path: Path) -> None:
    """24 debates at once, half of the replies of 5 MB."""

    async def main() -> bytes:
        async with FaultServer(faults={"long": 0.5}, seed=3) as server:
            run = await asyncio.create_subprocess_exec(
                sys.executable, "-c", CODE, server.base_url, cwd=tmp_path, stdout=subprocess.PIPE
            )
            out, _ = await run.communicate()
            assert server.faults["long"] > 24
            return out

    found = json.loads(asyncio.run(main()))
    assert found.pop("peak") < 200
    assert found.keys() <= {"verdict", "UnreadableReply"}
    assert sum(found.values()) == 24
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 10_000_000
