"""A debate that ended before its run was taken up again, as the record that it left then."""

from agentdebate.debates.record import Record
from agentdebate.models.base import Call, ModelRequest, Sampling
from agentdebate.store.damage import naming
from agentdebate.store.reader import Reader
from agentdebate.store.stored_call import RunCall
from agentdebate.store.stored_record import StoredRecord


def ended_record(reader: Reader, run: str, debate: str) -> Record:
    """The record of a debate that has ended, read whole. Of a request the schema is not kept. Raises StoreError."""
    with naming(reader.place):
        row = reader.row(run, debate)
    assert row is not None, "the run says that it has ended"
    stored = StoredRecord(reader, run, row)
    return Record(
        id=stored.id,
        item=stored.item,
        task=stored.task,
        aspects=stored.aspects,
        strategy=stored.strategy,
        verdict=stored.verdict,
        failure=stored.failure,
        transcript=stored.transcript,
        calls=tuple(map(_call, stored.calls)),
        seconds=stored.seconds,
    )


def _call(call: RunCall) -> Call:
    request = ModelRequest(call.sent, Sampling(**call.sampling), sample=call.sample)
    return Call(call.agent, call.round, call.ask, call.attempt, call.shown, request, call.completion)
