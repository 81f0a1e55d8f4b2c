"""A panel of agents: members that are lost or late, quorums, and options that mean nothing."""

from typing import Any

import anyio
import pytest
from engine_cases import GROUP_TALKS, LOSSES, breaking, group_talk, hold, said, scoring
from pydantic import ValidationError

from agentdebate.debates.record import Record
from agentdebate.errors import AgentFailed, ServerFailed, TooFewBallots
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.talk.messages import Failure, Tell, Verdict
from agentdebate.talk.purposes import SCORE, SPEAK, VOTE
from agentdebate.testing import Words, replying, run_jumping, transcript_memories

HOUR = 3600.0
NEVER = 10_000 * HOUR
NAMES = ("ann", "ben", "cat")


def voting(**replies: Words) -> Function:
    """Debaters that talk, and then vote as given by name."""

    def vote(request: ModelRequest) -> str:
        assert request.context
        words = replies[request.context.agent]
        return words if isinstance(words, str) else words(request)

    return replying({"speak": "I think so.", "summarise": "They differ.", "vote": vote})


def lost(record: Record) -> list[tuple[str, int, str]]:
    assert record.verdict is not None, record.failure
    return [(lost.agent, lost.round, lost.error) for lost in record.verdict.lost]


@pytest.mark.parametrize("kind", GROUP_TALKS)
@pytest.mark.parametrize("error", LOSSES)
@pytest.mark.parametrize("gone", NAMES)
async def test_a_panel_goes_on_without_a_member_that_cannot_vote_and_says_so(
    kind: type[GroupTalk], error: str, gone: str
) -> None:
    whole = {"ann": 5, "ben": 2, "cat": 1}
    replies: dict[str, Words] = {name: scoring(score) for name, score in whole.items()}
    record = await hold(group_talk(kind, rounds=2), voting(**{**replies, gone: LOSSES[error]}))
    verdict = record.verdict
    assert verdict is not None, record.failure
    others = [score for name, score in whole.items() if name != gone]
    assert (verdict.score, verdict.missing) == (sum(others) / 2, 1)
    assert [cast.agent for cast in verdict.ballots] == [name for name in whole if name != gone]
    assert lost(record) == [(gone, 2, error)]
    (failure,) = said(record, "failure")
    assert isinstance(failure, Failure)
    assert (failure.agent, failure.error, failure.reason) == (gone, error, verdict.lost[0].reason)
    asked = record.transcript[(failure.answers or 0) - 1]
    assert (asked.kind, asked.to) == ("ask", (gone,))


@pytest.mark.parametrize("quorum", [2, 3])
async def test_fewer_ballots_than_the_quorum_are_a_failure_that_names_who_was_lost(quorum: int) -> None:
    record = await hold(group_talk(quorum=quorum), voting(ann=scoring(5), ben=breaking, cat=scoring(1)))
    assert (record.verdict is None) == (quorum == 3)
    if record.failure:
        assert isinstance(record.error, TooFewBallots)
        assert record.failure.reason == (
            "2 of 3 ballots could be read; the quorum is 3; ben (ServerFailed): the endpoint is down"
        )


@pytest.mark.parametrize("kind", [OneByOne, SimultaneousTalk])
@pytest.mark.parametrize("late", NAMES)
def test_a_member_that_is_late_is_lost_and_the_debate_ends_without_it(
    kind: type[GroupTalk], late: str
) -> None:
    """Even one that would never answer: nobody waits for it when the others are done."""

    async def reply(request: ModelRequest) -> str:
        assert request.context
        vote = request.context.purpose == "vote"
        await anyio.sleep(NEVER if vote and request.context.agent == late else 1)
        return scoring(2 if request.context.agent == "ben" else 4) if vote else "I think so."

    async def main() -> tuple[Record, float]:
        record = await hold(group_talk(kind, rounds=2), Function("slow", reply), deadline=HOUR)
        return record, anyio.current_time()

    record, seconds = run_jumping(main())
    verdict = record.verdict
    assert verdict is not None, record.failure
    assert (lost(record), verdict.missing) == ([(late, 2, "TurnTimeout")], 1)
    assert verdict.lost[0].reason == f"{late} did not answer within 3600 seconds"
    assert verdict.score == (4 if late == "ben" else 3)
    assert [cast.agent for cast in verdict.ballots] == [name for name in NAMES if name != late]
    assert seconds == pytest.approx(HOUR, rel=0.01)


def test_an_agent_that_was_given_up_reads_no_more_and_its_mailbox_holds_up_nobody() -> None:
    """However much is said after it: a mailbox has room for 64."""

    async def play(floor: Floor) -> Verdict:
        ann, ben, cat = floor.cast("debaters")
        assert await floor.try_ask(ann, SPEAK) is None
        for _ in range(100):
            await floor.tell(await floor.ask(ben), to=[ann, cat])
        return floor.merged([await floor.try_ask(one, VOTE) for one in (ann, ben, cat)])

    async def reply(request: ModelRequest) -> str:
        assert request.context
        await anyio.sleep(NEVER if request.context.agent == "ann" else 0)
        return "I think so." if request.context.purpose == "speak" else scoring(4)

    record = run_jumping(hold(play, Function("stuck", reply), deadline=HOUR))
    assert lost(record) == [("ann", 0, "TurnTimeout")]
    memories = transcript_memories(record.transcript)
    assert (len(memories["ann"]), len(memories["cat"])) == (1, 102)
    assert not [m for m in record.transcript if isinstance(m, Tell) and "ann" in m.to]


async def test_what_one_of_several_fails_with_is_raised_as_for_one_who_is_asked_alone() -> None:
    """And no group of exceptions, which no `except AgentFailed` would catch."""
    caught: list[tuple[str | None, BaseException | None]] = []

    async def play(floor: Floor) -> Verdict:
        debaters = floor.cast("debaters")
        for asking in (lambda: floor.ask(debaters[1], SCORE), lambda: floor.ask_all(debaters, SCORE)):
            with pytest.raises(AgentFailed) as raised:
                await asking()
            caught.append((raised.value.agent, raised.value.__cause__))
        return floor.merged([await floor.ask(debaters[0], SCORE)])

    error = ServerFailed("down")

    def ben(_: ModelRequest) -> str:
        raise error

    record = await hold(play, replying({"ann": scoring(4), "ben": ben, "cat": scoring(2)}))
    assert record.verdict is not None, record.failure
    assert caught == [("ben", error), ("ben", error)]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"weights": (1, 1, 1)}, 'weights are for by = "votes" and for a merge that counts them'),
        ({"weights": (1, 1, 1), "merge": {"rule": "trimmed"}}, 'such as "weighted"; it is "trimmed"'),
        ({"merge": "weighted-votes"}, 'merge = "weighted-votes" needs weights, one for each of the debaters'),
        ({"merge": "avrage"}, "there is no merge 'avrage'. Did you mean 'average'?"),
        ({"merge": {"rule": "trimmed", "shar": 0.1}}, "merge 'trimmed' has no option 'shar'. Did you mean 'share'?"),
        ({"merge": {"rule": "trimmed", "share": 0.5}}, "merge 'trimmed', option 'share': it is less than 0.5, not 0.5"),
        ({"merge": {"share": 0.1}}, "a table with its name under 'rule'"),
        ({"merge": "weighted"}, "needs weights, one for each of the debaters"),
        ({"merge": "weighted", "weights": (1, 1)}, "3 debaters need as many weights"),
        ({"merge": "weighted", "weights": (0, 0, 0)}, "not all of them zero"),
        ({"merge": "weighted", "weights": (1, -1, 1)}, "greater than or equal to 0"),
        ({"merge": "weighted", "weights": (1, float("nan"), 1)}, "weights.1"),
        ({"quorum": 0}, "quorum"),
        ({"history": 0}, "history"),
        ({"rounds": 0}, "rounds"),
        ({"by": "vote"}, "by"),
    ],
)  # fmt: skip
def test_options_that_mean_nothing_are_refused_before_anything_is_paid(
    options: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValidationError, match=says):
        group_talk(**options)
