"""Breaks that code of such methods is known for: what cannot be read, ties, stale replies, labels in a stop rule, mixed-up orders.

Each is tried on every panel: a jury, a society of minds, advocates with a jury, and the talk of ChatEval.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields

import pytest
from engine_cases import PAIR, TASKS, UNREADABLE, compared, hold, overall, verdict_of

import agentdebate as ad
from agentdebate.strategies.stops import StopContext

PANELS: Mapping[str, tuple[str, ...]] = {
    "jury": ("judge", "judge-2", "judge-3"),
    "society": ("judge", "judge-2", "judge-3"),
    "d3": ("general-public", "reviewer", "news-author", "psychologist"),
    "chateval-simultaneous": ("general-public", "reviewer", "news-author"),
}
MEMBERS = [(name, member) for name, members in PANELS.items() for member in members]
STOPS = [
    *(("d3", stop) for stop in ("stable", "convergence", "steady-lead")),
    *(("society", stop) for stop in ("unanimous", "majority", "stable", "convergence", "steady-lead")),
]
UNREAD = (UNREADABLE, "", "10", "Overall: N/A", "Answer A: ?\nAnswer B: ?", "Both are equally good.")
"""Replies in which there is no judgement, which elsewhere became a tie, a zero or a guess."""

Judge = Callable[[ad.ModelRequest], str]


def judging(judge: Judge) -> ad.Function:
    """A model whose ballots a function gives; advocates and debaters without ballots talk."""

    def reply(request: ad.ModelRequest) -> str:
        assert request.context
        return "I think so." if request.context.reply == "statement" else judge(request)

    return ad.Function("m", reply)


def one_unread(member: str, unread: str) -> Judge:
    """Everyone is for the first text by 6 to 5; a member is for the second, as strongly as can be, until nothing can be read of it."""

    def judge(request: ad.ModelRequest) -> str:
        assert request.context
        if request.context.agent not in (member, "reserves"):
            return overall(6, 5)
        opening = (
            request.context.round == 1 and request.context.purpose == "vote" and not request.context.heard
        )
        return overall(1, 10) if opening and request.context.agent == member else unread

    return judge


@pytest.mark.parametrize("unread", UNREAD)
@pytest.mark.parametrize(("name", "member"), MEMBERS)
async def test_an_unreadable_reply_is_no_tie_no_zero_no_guess_and_no_earlier_answer(
    name: str, member: str, unread: str
) -> None:
    """The member is lost, its ballot is missing, and the verdict is that of the others."""
    record = await hold(ad.strategy(name), judging(one_unread(member, unread)), item=PAIR, aspects="overall")
    verdict = verdict_of(record)
    assert (verdict.winners, verdict.missing) == (("answer_1",), 1)
    assert list(verdict.scores.values()) == [6, 5]
    assert member in [one.agent for one in verdict.lost]
    assert not verdict.settled


@pytest.mark.parametrize("name", PANELS)
async def test_a_tie_is_a_tie_of_both_texts_in_any_order(name: str) -> None:
    """Elsewhere the second text won, or the one that came first in a list."""
    members = (*PANELS[name], *(["judge"] if name == "d3" else []))
    middle = len(members) // 2

    def judge(request: ad.ModelRequest) -> str:
        assert request.context
        at = members.index(request.context.agent)
        halves = overall(6, 5) if at < middle else overall(5, 6)
        return overall(5, 5) if len(members) % 2 and at == len(members) - 1 else halves

    for item in (PAIR, compared("I do not know.", "Because of the rain.")):
        verdict = verdict_of(await hold(ad.strategy(name), judging(judge), item=item, aspects="overall"))
        assert verdict.winners == ("answer_1", "answer_2")


@pytest.mark.parametrize("name", PANELS)
async def test_nothing_of_an_item_is_shown_or_counted_with_the_next(name: str) -> None:
    """Not even where an agent that answered for the one has no answer for the other."""

    def judge(request: ad.ModelRequest) -> str:
        assert request.context
        first = request.context.item.id == "pair-1"
        return overall(9, 2) if first else one_unread(PANELS[name][-1], UNREADABLE)(request)

    async with ad.ready(ad.strategy(name), model=judging(judge), tasks=TASKS) as debate:
        await debate.hold(PAIR, "overall")
        record = await debate.hold(PAIR.model_copy(update={"id": "pair-2"}), "overall")
    assert "9" not in "".join(
        call.request.messages[-1].content.partition("Your role")[0] for call in record.calls
    )
    assert list(verdict_of(record).scores.values()) == [6, 5]


@pytest.mark.parametrize(("name", "stop"), STOPS)
async def test_what_people_said_does_not_enter_a_stop_rule(name: str, stop: str) -> None:
    ends = set()
    for people in ({}, {"overall.answer_1": 10.0, "overall.answer_2": 1.0}, {"overall.answer_2": 10.0}):
        item = PAIR.model_copy(update={"human": people})
        made = ad.strategy(name, stop=stop, rounds=4)
        verdict = verdict_of(await hold(made, judging(lambda _: overall(6, 5)), item=item, aspects="overall"))
        ends.add((verdict.ended, verdict.rounds))
    assert len(ends) == 1
    assert [one.name for one in fields(StopContext)] == ["aspects"]
