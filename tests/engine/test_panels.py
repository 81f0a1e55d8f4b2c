"""A panel of agents: merged ballots, votes and weights, members that are lost, and several models at one table."""

from typing import Any

import anyio
import pytest
from engine_cases import (
    ANN,
    BEN,
    CAT,
    PAIR,
    UNREADABLE,
    Played,
    card,
    compared,
    hold,
    overall,
    said,
    scoring,
)  # fmt: skip
from pydantic import ValidationError

from agentdebate.ballots.merge import rule_of
from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.errors import AgentFailed, ServerFailed, StrategyError, TooFewBallots
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.strategies.summarizer_talk import SimultaneousTalkWithSummarizer
from agentdebate.talk.messages import Failure, Reply, Score, Tell, Verdict
from agentdebate.talk.purposes import SCORE, SPEAK, VOTE
from agentdebate.testing import Words, replying, run_jumping, transcript_memories

CAST = {"debaters": (ANN, BEN, CAT)}
HOUR = 3600.0
NEVER = 10_000 * HOUR


def panel(kind: type[GroupTalk] = OneByOne, **options: Any) -> GroupTalk:
    cast = {**CAST, "summarizer": (card("minutes"),)} if kind is SimultaneousTalkWithSummarizer else CAST
    return kind.model_validate({"cast": cast, **options})


def voting(**replies: Words) -> Function:
    """Debaters that talk, and then vote as given by name."""

    def vote(request: ModelRequest) -> str:
        assert request.context
        words = replies[request.context.agent]
        return words if isinstance(words, str) else words(request)

    return replying({"speak": "I think so.", "summarise": "They differ.", "vote": vote})


def breaking(_: ModelRequest) -> str:
    raise ServerFailed("the endpoint is down", status=500)


def names(record: Record) -> list[tuple[str, int, str]]:
    assert record.verdict is not None, record.failure
    return [(lost.agent, lost.round, lost.error) for lost in record.verdict.lost]


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({}, 10 / 3),
        ({"merge": "median"}, 4),
        ({"merge": "majority"}, 4),
        ({"merge": "trimmed"}, 4),
        ({"merge": "weighted", "weights": (1, 1, 3)}, 14 / 5),
        ({"merge": "weighted", "weights": (0, 0, 1)}, 2),
        ({"merge": "weighted-votes", "weights": (1, 1, 3)}, 2),
        ({"merge": "weighted-votes", "weights": (2, 2, 3)}, 4),
        ({"merge": {"rule": "trimmed", "share": 0.1}}, 10 / 3),
        ({"merge": "confidence-weighted"}, 10 / 3),
    ],
)
async def test_the_ballots_of_the_last_round_are_merged_as_the_strategy_says(
    options: dict[str, Any], score: float
) -> None:
    record = await hold(panel(**options), voting(ann=scoring(4), ben=scoring(4), cat=scoring(2)))
    verdict = record.verdict
    assert verdict is not None, record.failure
    assert verdict.score == pytest.approx(score)
    assert verdict.merge == str(rule_of(options.get("merge", "average")))
    assert (verdict.settled, verdict.ended, verdict.missing, verdict.lost) == (False, "round limit", 0, ())
    (spread,) = verdict.spread
    assert (spread.ballots, spread.lowest, spread.highest) == (3, 2, 4)


async def test_a_panel_that_says_the_same_is_settled() -> None:
    record = await hold(panel(), voting(ann=scoring(4), ben=scoring(4), cat=scoring(4)))
    assert record.verdict is not None
    assert (record.verdict.settled, record.verdict.score) == (True, 4)


SPLIT = {"ann": overall(10, 1), "ben": overall(5, 6), "cat": overall(5, 6)}


@pytest.mark.parametrize(
    ("by", "winner", "merge"), [("scores", "answer_1", "average"), ("votes", "answer_2", "votes")]
)
async def test_the_winner_is_by_scores_or_by_votes(by: str, winner: str, merge: str) -> None:
    record = await hold(panel(by=by), voting(**SPLIT), item=PAIR, aspects="overall")
    verdict = record.verdict
    assert verdict is not None, record.failure
    assert (verdict.winner, verdict.merge, verdict.settled) == (winner, merge, False)
    assert verdict.scores == pytest.approx({"overall.answer_1": 20 / 3, "overall.answer_2": 13 / 3})


@pytest.mark.parametrize("merge", ["average", "weighted", "weighted-votes", "majority"])
async def test_votes_count_what_their_ballots_weigh_and_the_verdict_says_so(merge: str) -> None:
    """Whatever the scores are merged by."""
    chosen = panel(by="votes", merge=merge, weights=(5, 2, 2))
    record = await hold(chosen, voting(**SPLIT), item=PAIR, aspects="overall")
    verdict = record.verdict
    assert verdict is not None, record.failure
    assert (verdict.winner, verdict.by, verdict.merge) == ("answer_1", "votes", "weighted votes")
    assert [cast.weight for cast in verdict.ballots] == [5, 2, 2]


async def test_votes_of_equal_weight_are_plain_votes() -> None:
    tied = {"ann": overall(8, 6), "ben": overall(6, 8), "cat": overall(7, 7)}
    plain = await hold(panel(by="votes"), voting(**tied), item=PAIR, aspects="overall")
    weighed = await hold(
        panel(by="votes", weights=(0.1, 0.1, 0.1)), voting(**tied), item=PAIR, aspects="overall"
    )
    assert plain.verdict is not None
    assert weighed.verdict is not None
    assert weighed.verdict.winners == plain.verdict.winners == ("answer_1", "answer_2")


async def test_only_votes_without_a_weight_are_too_few() -> None:
    chosen = panel(by="votes", weights=(1, 0, 0))
    lost = voting(ann=breaking, ben=overall(5, 6), cat=overall(5, 6))
    record = await hold(chosen, lost, item=PAIR, aspects="overall")
    assert isinstance(record.error, TooFewBallots)
    assert "none of them has a weight" in str(record.error)


async def test_weights_that_do_not_count_are_in_no_verdict() -> None:
    """By votes there is nothing to choose where a single text is judged."""
    record = await hold(
        panel(by="votes", weights=(5, 2, 2)), voting(ann=scoring(4), ben=scoring(4), cat=scoring(1))
    )
    assert record.verdict is not None, record.failure
    assert (record.verdict.score, record.verdict.merge) == (3, "average")
    assert [cast.weight for cast in record.verdict.ballots] == [1, 1, 1]


async def test_a_tie_is_a_verdict_with_several_winners() -> None:
    tied = {"ann": overall(8, 6), "ben": overall(6, 8), "cat": overall(7, 7)}
    record = await hold(panel(), voting(**tied), item=PAIR, aspects="overall")
    assert record.verdict is not None
    assert (record.verdict.winners, record.verdict.winner) == (("answer_1", "answer_2"), None)
    assert record.failure is None


async def test_debaters_who_choose_the_same_are_settled_whatever_their_scores() -> None:
    record = await hold(
        panel(), voting(ann=overall(8, 6), ben=overall(9, 1), cat=overall(3, 2)), item=PAIR, aspects="overall"
    )
    assert record.verdict is not None
    assert (record.verdict.settled, record.verdict.winner) == (True, "answer_1")


async def test_ranks_are_won_by_the_lowest() -> None:
    ranks = {"ann": overall(1, 2, 3), "ben": overall(2, 1, 3), "cat": overall(1, 2, 3)}
    three = compared("one", "two", "three")
    for by in ("scores", "votes"):
        record = await hold(panel(by=by), voting(**ranks), item=three, aspects="place")
        assert record.verdict is not None, record.failure
        assert record.verdict.winner == "answer_1"
        assert record.verdict.scores["place.answer_3"] == 3


@pytest.mark.parametrize("by", ["scores", "votes"])
async def test_where_places_are_given_beside_scores_the_scores_choose(by: str) -> None:
    """A place counts down and a score counts up, so they cannot be added."""
    text = "\n".join(
        f"{aspect} of Answer {letter}: {number}"
        for aspect, numbers in (("Depth", (3, 2)), ("Place", (1, 2)))
        for letter, number in zip("AB", numbers, strict=True)
    )
    record = await hold(
        panel(by=by), replying({"speak": "x", "vote": text}), item=PAIR, aspects=("depth", "place")
    )
    assert record.verdict is not None, record.failure
    assert (record.verdict.winner, record.verdict.settled) == ("answer_1", True)


LOSSES: dict[str, Words] = {"UnreadableReply": UNREADABLE, "ServerFailed": breaking}


@pytest.mark.parametrize("kind", [OneByOne, SimultaneousTalk, SimultaneousTalkWithSummarizer])
@pytest.mark.parametrize("error", LOSSES)
@pytest.mark.parametrize("gone", ["ann", "ben", "cat"])
async def test_a_panel_goes_on_without_a_member_that_cannot_vote_and_says_so(
    kind: type[GroupTalk], error: str, gone: str
) -> None:
    replies: dict[str, Words] = {"ann": scoring(5), "ben": scoring(2), "cat": scoring(1)}
    whole = {"ann": 5, "ben": 2, "cat": 1}
    record = await hold(panel(kind), voting(**{**replies, gone: LOSSES[error]}))
    verdict = record.verdict
    assert verdict is not None, record.failure
    others = [score for name, score in whole.items() if name != gone]
    assert (verdict.score, verdict.missing) == (sum(others) / 2, 1)
    assert [cast.agent for cast in verdict.ballots] == [name for name in whole if name != gone]
    assert names(record) == [(gone, 2, error)]
    (failure,) = said(record, "failure")
    assert isinstance(failure, Failure)
    assert (failure.agent, failure.error, failure.reason) == (gone, error, verdict.lost[0].reason)
    asked = record.transcript[(failure.answers or 0) - 1]
    assert (asked.kind, asked.to) == ("ask", (gone,))


async def test_a_member_that_is_lost_is_neither_asked_nor_told_any_more() -> None:
    def speak(request: ModelRequest) -> str:
        assert request.context
        return breaking(request) if request.context.agent == "ben" else "I think so."

    record = await hold(panel(rounds=3), replying({"speak": speak, "vote": scoring(4)}))
    assert names(record) == [("ben", 1, "ServerFailed")]
    assert [(m.to, m.round) for m in said(record, "ask") if "ben" in m.to] == [(("ben",), 1)]
    (lost_at,) = [m.seq for m in said(record, "failure")]
    assert not [m for m in said(record, "tell") if "ben" in m.to and m.seq > lost_at]
    assert record.verdict is not None
    assert (record.verdict.score, record.verdict.missing) == (4, 1)
    assert len(record.calls) == 2 * 3


async def test_the_others_never_hear_what_could_not_be_said() -> None:
    record = await hold(panel(rounds=1), voting(ann=UNREADABLE, ben=scoring(4), cat=scoring(4)))
    for known in transcript_memories(record.transcript).values():
        assert {record.transcript[number - 1].kind for number in known} <= {"brief", "score"}
    assert not [
        call for call in record.calls if call.agent != "ann" and UNREADABLE in str(call.request.messages)
    ]


@pytest.mark.parametrize("quorum", [2, 3])
async def test_fewer_ballots_than_the_quorum_are_a_failure_that_names_who_was_lost(quorum: int) -> None:
    chosen = panel(quorum=quorum)
    record = await hold(chosen, voting(ann=scoring(5), ben=breaking, cat=scoring(1)))
    assert (record.verdict is None) == (quorum == 3)
    if record.failure:
        assert isinstance(record.error, TooFewBallots)
        assert record.failure.error == "TooFewBallots"
        assert record.failure.reason == (
            "2 of 3 ballots could be read; the quorum is 3; ben (ServerFailed): the endpoint is down"
        )


@pytest.mark.parametrize("kind", [OneByOne, SimultaneousTalk])
async def test_a_panel_of_which_nobody_is_left_fails_and_says_why(kind: type[GroupTalk]) -> None:
    record = await hold(panel(kind), replying(breaking))
    assert record.failure is not None
    assert (record.failure.error, record.usage.calls) == ("TooFewBallots", 0)
    assert record.failure.reason.startswith(
        "0 of 3 ballots could be read; the quorum is 1; ann (ServerFailed): "
    )
    assert record.failure.reason.count("ServerFailed") == 3


async def test_only_ballots_without_a_weight_are_too_few_and_no_error_of_the_run() -> None:
    chosen = panel(merge="weighted", weights=(1, 0, 0))
    record = await hold(chosen, voting(ann=breaking, ben=scoring(4), cat=scoring(4)))
    assert isinstance(record.error, TooFewBallots)
    assert "none of them has a weight" in str(record.error)


async def test_an_error_of_the_models_code_still_ends_the_debate() -> None:
    """Only what a model may do counts as a loss: an error in code is not voted around."""

    def broken(_: ModelRequest) -> str:
        raise ValueError("boom")

    record = await hold(panel(), voting(ann=broken, ben=scoring(4), cat=scoring(4)))
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("AgentFailed", "ann")


def slow(agent: str, seconds: float) -> Function:
    """Debaters of whom one takes so long for its vote."""

    async def reply(request: ModelRequest) -> str:
        assert request.context
        vote = request.context.purpose == "vote"
        await anyio.sleep(seconds if vote and request.context.agent == agent else 1)
        return scoring(2 if request.context.agent == "ben" else 4) if vote else "I think so."

    return Function("slow", reply)


@pytest.mark.parametrize("kind", [OneByOne, SimultaneousTalk])
@pytest.mark.parametrize("late", ["ann", "ben", "cat"])
def test_a_member_that_is_late_is_lost_and_the_debate_ends_without_it(
    kind: type[GroupTalk], late: str
) -> None:
    """Even one that would never answer: nobody waits for it when the others are done."""

    async def main() -> tuple[Record, float]:
        record = await hold(panel(kind), slow(late, NEVER), deadline=HOUR)
        return record, anyio.current_time()

    record, seconds = run_jumping(main())
    verdict = record.verdict
    assert verdict is not None, record.failure
    assert (names(record), verdict.missing) == ([(late, 2, "TurnTimeout")], 1)
    assert verdict.lost[0].reason == f"{late} did not answer within 3600 seconds"
    assert verdict.score == (4 if late == "ben" else 3)
    assert [cast.agent for cast in verdict.ballots] == [
        name for name in ("ann", "ben", "cat") if name != late
    ]
    assert seconds == pytest.approx(HOUR, rel=0.01)


def test_a_reply_that_comes_too_late_is_in_the_transcript_and_counts_for_nothing() -> None:
    record = run_jumping(hold(panel(rounds=1), slow("ann", HOUR + 1.5), deadline=HOUR))
    verdict = record.verdict
    assert verdict is not None
    assert [(cast.agent, cast.ballot.scores) for cast in verdict.ballots] == [
        ("ben", {"fluency": 2.0}),
        ("cat", {"fluency": 4.0}),
    ]
    assert "ann" in {message.sender for message in record.transcript if isinstance(message, Score)}
    assert not verdict.settled
    assert (verdict.score, verdict.missing, names(record)) == (3.0, 1, [("ann", 1, "TurnTimeout")])


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
    assert names(record) == [("ann", 0, "TurnTimeout")]
    memories = transcript_memories(record.transcript)
    assert (len(memories["ann"]), len(memories["cat"])) == (1, 102)
    assert not [m for m in record.transcript if isinstance(m, Tell) and "ann" in m.to]


async def test_a_strategy_may_try_each_agent_and_go_on() -> None:
    heard: list[Reply | None] = []

    async def play(floor: Floor) -> Verdict:
        debaters = floor.cast("debaters")
        heard.extend(await floor.try_ask_all(debaters, SCORE))
        assert await floor.try_ask(debaters[1], SCORE) is None
        assert [lost.agent for lost in floor.lost] == ["ben"]
        return floor.merged(await floor.try_ask_all(debaters, SCORE))

    record = await hold(play, replying({"ann": scoring(4), "ben": UNREADABLE, "cat": scoring(2)}))
    assert [reply.sender if reply else None for reply in heard] == ["ann", None, "cat"]
    assert record.verdict is not None, record.failure
    assert (record.verdict.score, record.verdict.missing) == (3, 1)
    assert sum(call.agent == "ben" for call in record.calls) == 3, "lost is lost: it is not asked again"


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
        ({"merge": "weighted-votes"}, 'merge = "weighted-votes" needs weights, one a debater'),
        ({"merge": "avrage"}, "there is no merge 'avrage'. Did you mean 'average'?"),
        (
            {"merge": {"rule": "trimmed", "shar": 0.1}},
            "merge 'trimmed' has no option 'shar'. Did you mean 'share'?",
        ),
        (
            {"merge": {"rule": "trimmed", "share": 0.5}},
            "merge 'trimmed', option 'share': it is less than 0.5, not 0.5",
        ),
        ({"merge": {"share": 0.1}}, "a table with its name under 'rule'"),
        ({"merge": "weighted"}, "needs weights, one a debater"),
        ({"merge": "weighted", "weights": (1, 1)}, "3 debaters need as many weights"),
        ({"merge": "weighted", "weights": (0, 0, 0)}, "not all of them zero"),
        ({"merge": "weighted", "weights": (1, -1, 1)}, "greater than or equal to 0"),
        ({"merge": "weighted", "weights": (1, float("nan"), 1)}, "weights.1"),
        ({"merge": "weighted", "weights": (1, float("inf"), 1)}, "weights.1"),
        ({"merge": "mean"}, "merge"),
        ({"quorum": 0}, "quorum"),
        ({"history": 0}, "history"),
        ({"rounds": 0}, "rounds"),
        ({"by": "vote"}, "by"),
    ],
)
def test_options_that_mean_nothing_are_refused_before_anything_is_paid(
    options: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValidationError, match=says):
        panel(**options)


async def test_a_panel_without_debaters_is_the_strategys_mistake() -> None:
    record = await hold(OneByOne(cast={"judges": (ANN,)}), replying("x"))
    assert isinstance(record.error, StrategyError)
    assert "no role 'debaters'" in str(record.error)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The models that were opened by name; each scores by the length of its name."""
    found: list[str] = []

    def open_model(name: str) -> Function:
        found.append(name)
        return replying({"speak": f"I am {name}.", "vote": scoring(len(name))}, name=name)

    monkeypatch.setattr("agentdebate.debates.ready.open_model", open_model)
    return found


async def test_a_verdict_says_which_model_said_what(opened: list[str]) -> None:
    own = {"debaters": (ANN, card("ben", model="abc"), card("cat", model="abc"))}
    chosen = OneByOne(cast=own, rounds=1, models={"cat": "abcd"})
    async with ready(chosen, model="ab") as debate:
        assert [(seat.name, seat.model.name) for seat in debate.cast.seats] == [
            ("ann", "ab"),
            ("ben", "abc"),
            ("cat", "abcd"),
        ]
    opened.clear()
    record = await hold(chosen, replying({"vote": scoring(1)}, name="given"))
    verdict = record.verdict
    assert verdict is not None
    assert [(c.agent, c.model, c.ballot.scores["fluency"]) for c in verdict.ballots] == [
        ("ann", "given", 1),
        ("ben", "abc", 3),
        ("cat", "abcd", 4),
    ]
    assert verdict.models == ("given", "abc", "abcd")
    assert opened == ["abc", "abcd"], "each model is opened once"


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        ({}, ["main", "card", "main"]),
        ({"debaters": "role"}, ["role", "role", "role"]),
        ({"ben": "name"}, ["main", "name", "main"]),
        ({"debaters": "role", "ann": "name"}, ["name", "role", "role"]),
    ],
)
async def test_a_model_by_card_goes_before_one_by_role_the_cards_own_and_the_debates(
    models: dict[str, str], expected: list[str], opened: list[str]
) -> None:
    chosen = OneByOne(cast={"debaters": (ANN, card("ben", model="card"), CAT)}, models=models)
    async with ready(chosen, model="main") as debate:
        assert [seat.model.name for seat in debate.cast.seats] == expected


def test_a_model_for_nobody_is_an_error() -> None:
    with pytest.raises(
        ValidationError, match=r"models names 'bem', which is neither a role nor a card.*'ben'"
    ):
        OneByOne(cast=CAST, models={"bem": "x"})


async def test_one_model_that_fails_loses_its_agent_and_not_the_others(opened: list[str]) -> None:
    async def play(floor: Floor) -> Verdict:
        return floor.merged(await floor.try_ask_all(floor.cast("debaters"), VOTE))

    chosen = Played(play=play, cast={"debaters": (ANN, card("ben", model="abc"))})
    record = await hold(chosen, replying(breaking, name="given"))
    assert record.verdict is not None
    assert (record.verdict.models, record.verdict.score) == (("abc",), 3)
    assert names(record) == [("ann", 0, "ServerFailed")]
