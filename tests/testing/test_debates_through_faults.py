"""Debates over a faulty endpoint: what fails is tried again, and the verdicts are those of a sound endpoint."""

import asyncio

from served import SUMMARY

from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.models.dialects.presets import open_openai
from agentdebate.models.retry import Retrying
from agentdebate.testing.faults import FAULTS, WHOLE, Chosen
from agentdebate.testing.server import FaultServer

ASKED_AGAIN = {"long"}
"""Faults after which the agent is told what was wrong, and asked once more."""
FINAL = {"filtered"}
"""Faults with which the debate fails."""
SILENT = {"hang"}
"""Faults after which a client goes on because it has waited for so long, on a busy machine for a sound answer too."""
PASSING = [fault for fault in FAULTS if fault not in WHOLE | ASKED_AGAIN | FINAL | SILENT]
"""Faults that change no reply."""


async def debates(server: FaultServer, patience: float) -> list[Record]:
    """Six debates at once."""
    endpoint = open_openai("tiny", base_url=server.base_url, timeout=patience)
    model = Retrying(endpoint, attempts=20, first_wait=0.0, jitter=0.0)
    items = [
        SUMMARY.model_copy(update={"id": f"s-{k}", "fields": {"source": "It rains.", "summary": str(k)}})
        for k in range(6)
    ]
    try:
        async with ready("debate", model=model, form="text") as debate:
            return list(await asyncio.gather(*(debate.hold(item, "fluency") for item in items)))
    finally:
        await model.aclose()


def outcome(record: Record) -> tuple[object, ...]:
    """The verdict without the time, and without the model's name, which has the server's port in it."""
    verdict = record.verdict
    assert verdict is not None
    return record.item.id, [cast.ballot for cast in verdict.ballots], verdict.ended, verdict.rounds


async def run(faults: Chosen, patience: float = 120.0) -> tuple[list[Record], FaultServer]:
    async with FaultServer(faults=faults, retry_after=0, seed=2) as server:
        return await debates(server, patience), server


async def test_a_faulty_endpoint_costs_tries_and_changes_no_verdict() -> None:
    sound, _ = await run(())
    faulty, server = await run(dict.fromkeys(PASSING, 0.4 / len(PASSING)))
    assert [record.failure for record in faulty] == [None] * 6
    assert list(map(outcome, faulty)) == list(map(outcome, sound))
    assert len(server.faults) >= 5
    assert server.requests == server.answered.total() + server.faults.total()
    assert set(server.answered.values()) == {1}
    used = [record.usage for record in faulty]
    assert sum(one.calls for one in used) == server.answered.total()
    assert sum(one.completion_tokens for one in used) == server.completion_tokens
