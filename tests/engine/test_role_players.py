"""Role players: whoever is played votes once, in one reply or in several, and the score is the share of the votes."""

import math
import re
from dataclasses import replace
from math import ceil
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from drpe_cases import crowd, everyone, failed, polled, preferring, sure, turns, verdict_of, vote, voters
from engine_cases import ANN, BEN, PAIR, UNREADABLE, compared
from pydantic import ValidationError

from agentdebate.agents.card import load_card
from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.errors import RequestRefused, ServerFailed, StrategyError, UsageError
from agentdebate.models.base import Completion, ModelRequest, Sampling, TokenLogprob
from agentdebate.models.function import Function
from agentdebate.models.scripted import Scripted
from agentdebate.offline.model import OfflineJudge
from agentdebate.project.project import Project
from agentdebate.strategies.load import strategy
from agentdebate.strategies.position_swap import SwappedPositions
from agentdebate.strategies.role_players import RolePlayers
from agentdebate.talk.messages import Failure, Poll
from agentdebate.testing import Words, replying

READERS = ("General public", "Critic", "News author")
LOST_HALF = "Role 1: General public\nReason: It is short.\n\nRole 2: Critic\nReason: Clear.\nVote: Answer A"


def shares_of(record: Record) -> list[tuple[str, ...]]:
    """Who was played in each call."""
    return [
        tuple(player.title for player in call.request.context.players)
        for call in record.calls
        if call.request.context
    ]


def breaking(_: ModelRequest) -> str:
    raise ServerFailed("the endpoint is down", status=500)


# How many calls, and who is played in them.


@pytest.mark.parametrize(
    ("name", "options", "shares"),
    [
        ("drpe-static", {}, [READERS]),
        ("drpe-static", {"at_once": 2}, [READERS[:2], READERS[2:]]),
        ("drpe-static", {"at_once": 3}, [READERS]),
        ("drpe-static", {"batch": False}, [(), (), ()]),
        ("mdrpe", {}, [("Student", "Business person", "Politician", *READERS)]),
        ("mdrpe", {"k": 0}, [READERS]),
        ("mdrpe", {"k": 2}, [("Student", "Business person", *READERS)]),
        ("mdrpe", {"k": 4}, [("Student", "Business person", "Politician", "Teacher", *READERS)]),
        (
            "mdrpe",
            {"k": 6},
            [("Student", "Business person", "Politician", "Teacher", "Nurse", "Farmer", *READERS)],
        ),
        ("mdrpe", {"k": 1, "batch": False}, [()] * 4),
        ("llmscore", {}, [()]),
    ],
)
async def test_all_readers_are_played_in_one_call_unless_asked_otherwise(
    name: str, options: dict[str, Any], shares: list[tuple[str, ...]]
) -> None:
    record = await vote(strategy(name, **options), everyone())
    assert shares_of(record) == shares
    assert len(voters(record)) == sum(len(share) or 1 for share in shares)


@pytest.mark.parametrize("at_once", [1, 7, 20, 49, 50, 51])
async def test_a_crowd_takes_as_few_calls_as_it_can_in_even_shares(at_once: int) -> None:
    players = crowd(50)
    chosen = RolePlayers(cast={"players": players, "ensemble": ("ensemble",)}, at_once=at_once)
    record = await vote(chosen, everyone(play=polled("AAAB")))
    shares = shares_of(record)
    assert len(shares) == ceil(50 / at_once)
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    assert max(map(len, shares)) <= at_once
    assert (
        [title for share in shares for title in share] == [card.title for card in players] == voters(record)
    )
    assert [call.agent for call in record.calls] == (
        ["players"]
        if len(shares) == 1
        else ["ensemble", *(f"ensemble-{n}" for n in range(2, len(shares) + 1))]
    )


async def test_the_shares_of_a_crowd_are_asked_at_the_same_time() -> None:
    """Each reply comes only when all of the requests are there."""
    waiting, all_there = list[str](), anyio.Event()

    async def together(request: ModelRequest) -> str:
        assert request.context
        waiting.append(request.context.agent)
        if len(waiting) == 3:
            all_there.set()
        await all_there.wait()
        words = polled("A")
        assert callable(words)
        return words(request)

    chosen = RolePlayers(cast={"players": crowd(50)})
    with anyio.fail_after(60):
        record = await vote(chosen, Function("together", together))
    assert waiting == ["ensemble", "ensemble-2", "ensemble-3"]
    assert len(voters(record)) == 50


async def test_a_cast_without_an_ensemble_is_played_by_the_usual_one() -> None:
    made = RolePlayers(cast={"players": (ANN, BEN)}, sampling=Sampling(temperature=0.5))
    record = await vote(made, everyone())
    assert [(call.agent, call.request.sampling.temperature) for call in record.calls] == [("players", 0.5)]
    assert "Your role: Ensemble." in turns(record, "play")[0]
    alone = await vote(RolePlayers(cast={"players": (ANN, BEN)}, batch=False), everyone())
    assert [call.agent for call in alone.calls] == ["ann", "ben"]


async def test_a_cast_without_players_is_the_callers_mistake() -> None:
    record = await vote(RolePlayers(cast={"ensemble": ("ensemble",)}), everyone())
    assert failed(record)[:2] == ("StrategyError", "the cast has no role 'players'. Known: none.")


# What is shown.


async def test_a_batch_lists_every_reader_with_its_description_between_tildes() -> None:
    record = await vote("drpe-static", everyone())
    (turn,) = turns(record, "play")
    described = turn[turn.index("1. General public") : turn.index("The lines between tildes")]
    cards = [load_card(Project(), name) for name in ("public-reader", "style-critic", "news-writer")]
    assert described.split("\n\n")[:-1] == [
        f"{n}. {card.title}\n~~~~\n{card.persona}\n~~~~" for n, card in enumerate(cards, 1)
    ]
    form = turn[turn.index("Answer for every reader") :]
    assert re.findall(r"^Role (\d): (.*)$", form, re.MULTILINE) == list(zip("123", READERS, strict=True))
    assert form.count('"Vote:" and behind it a name, which is Answer A or Answer B') == 3


async def test_the_persona_of_a_card_that_is_played_may_use_variables_and_is_fenced_when_it_has_tildes() -> (
    None
):
    players = (
        ANN.model_copy(update={"persona": "You judge {{ aspects[0].title|lower }}."}),
        BEN.model_copy(update={"persona": "Before.\n~~~~~~\nAfter."}),
    )
    (turn,) = turns(await vote(RolePlayers(cast={"players": players}), everyone()), "play")
    assert "1. Ann\n~~~~\nYou judge overall.\n~~~~\n" in turn
    assert "2. Ben\n~~~~~~~\nBefore.\n~~~~~~\nAfter.\n~~~~~~~\n" in turn


async def test_a_reader_who_answers_in_a_call_of_their_own_is_shown_nobody_else() -> None:
    record = await vote(strategy("drpe-static", batch=False), everyone())
    shown = turns(record, "play")
    assert [turn.partition(".")[0] for turn in shown] == [f"Your role: {title}" for title in READERS]
    assert all(
        "Role 1" not in turn and turn.endswith("a name, which is Answer A or Answer B") for turn in shown
    )
    assert len({call.request.messages[0] for call in record.calls}) == 1


async def test_two_readers_of_one_title_are_told_apart_by_a_number() -> None:
    chosen = RolePlayers(cast={"players": (ANN, ANN, BEN)}, at_once=2)
    record = await vote(chosen, everyone(play=preferring(**{"Ann (2)": "answer_2", "rest": "answer_1"})))
    assert voters(record) == ["Ann", "Ann (2)", "Ben"]
    assert [cast.ballot.scores["overall.answer_2"] for cast in verdict_of(record).ballots] == [0, 1, 0]


async def test_more_texts_than_two_can_be_voted_on() -> None:
    record = await vote("drpe-static", everyone(play=polled("CAC")), item=compared("one", "two", "three"))
    verdict = verdict_of(record)
    assert verdict.scores == pytest.approx(
        {"overall.answer_1": 1 / 3, "overall.answer_2": 0, "overall.answer_3": 2 / 3}
    )
    assert verdict.winner == "answer_3"


# The score.


@pytest.mark.parametrize(
    ("letters", "first", "winners", "settled"),
    [
        ("AAB", 2 / 3, ("answer_1",), False),
        ("BBA", 1 / 3, ("answer_2",), False),
        ("AAA", 1.0, ("answer_1",), True),
        ("BBB", 0.0, ("answer_2",), True),
    ],
)
@pytest.mark.parametrize("batch", [True, False])
async def test_a_score_is_the_share_of_the_votes(
    batch: bool, letters: str, first: float, winners: tuple[str, ...], settled: bool
) -> None:
    by_title = dict(zip(READERS, letters, strict=True))

    def play(request: ModelRequest) -> str:
        assert request.context
        if request.context.players:
            words = polled(letters)
            assert callable(words)
            return words(request)
        title = next(one for one in READERS if f"Your role: {one}." in request.messages[-1].content)
        return f"So.\nVote: Answer {by_title[title]}"

    verdict = verdict_of(await vote(strategy("drpe-static", batch=batch), everyone(play=play)))
    assert verdict.scores == pytest.approx({"overall.answer_1": first, "overall.answer_2": 1 - first})
    assert (verdict.winners, verdict.settled) == (winners, settled)
    assert (verdict.merge, verdict.ended, verdict.missing, verdict.lost) == ("average", "vote", 0, ())
    assert [cast.weight for cast in verdict.ballots] == [1, 1, 1]


async def test_as_many_votes_for_one_as_for_the_other_are_a_tie() -> None:
    verdict = verdict_of(await vote(RolePlayers(cast={"players": crowd(4)}), everyone(play=polled("AB"))))
    assert verdict.scores == {"overall.answer_1": 0.5, "overall.answer_2": 0.5}
    assert (verdict.winners, verdict.winner) == (("answer_1", "answer_2"), None)


async def test_the_votes_are_in_the_verdict_with_their_reasons() -> None:
    record = await vote("drpe-static", everyone(play=polled("ABA")))
    verdict = verdict_of(record)
    (poll,) = [message for message in record.transcript if isinstance(message, Poll)]
    assert [(cast.agent, cast.ballot.reason, cast.message) for cast in verdict.ballots] == [
        (title, f"It has point {n}.", poll.seq) for n, title in enumerate(READERS, 1)
    ]
    assert [vote.player for vote in poll.votes] == list(READERS)


async def test_votes_in_json_count_and_are_shown_as_reasons_and_votes() -> None:
    reply = '{"role_1": {"reason": "Short.", "vote": "Answer B"}, "role_2": {"reason": "Clear.", "vote": "Answer A"}}'
    model = Scripted([reply], structured=True)
    record = await vote(RolePlayers(cast={"players": (ANN, BEN)}), model)
    assert verdict_of(record).scores == {"overall.answer_1": 0.5, "overall.answer_2": 0.5}
    assert set(model.requests[0].schema or {}) >= {"properties", "required"}
    (poll,) = [message for message in record.transcript if isinstance(message, Poll)]
    assert poll.text == "Ann:\nShort.\nVote: Answer B\n\nBen:\nClear.\nVote: Answer A"
    assert {cast.ballot.reading.how for cast in verdict_of(record).ballots} == {"schema"}


# Positions.


async def test_scores_come_back_to_the_same_text_when_positions_are_swapped() -> None:
    play = preferring(Critic="answer_2", rest="answer_1")
    verdict = verdict_of(await vote(SwappedPositions(around=strategy("drpe-static")), everyone(play=play)))
    assert verdict.scores == pytest.approx({"overall.answer_1": 2 / 3, "overall.answer_2": 1 / 3})
    assert (verdict.winner, verdict.agreed, verdict.merge) == ("answer_1", True, "positions")
    assert voters_of(verdict.ballots) == [*READERS, *READERS]


async def test_readers_who_always_vote_for_the_first_place_end_in_a_tie() -> None:
    verdict = verdict_of(
        await vote(SwappedPositions(around=strategy("drpe-static")), everyone(play=polled("A")))
    )
    assert verdict.scores == {"overall.answer_1": 0.5, "overall.answer_2": 0.5}
    assert (verdict.winner, verdict.agreed) == (None, False)


def voters_of(ballots: Any) -> list[str]:
    return [cast.agent for cast in ballots]


# Weights.

PIECES = [
    ("Role 1: General public", -9.0),
    ("\nReason:", -0.1),
    (" It says why.", -0.3),
    ("\nVote:", -7.0),
    (" Answer", -0.4),
    (" A", -0.2),
    ("\n\n", -9.0),
    ("Role 2: Critic", -9.0),
    ("\nReason: Clear.", -1.0),
    ("\nVote:", -0.5),
    (" Answer B", -3.0),
    ("\n\n", -9.0),
    ("Role 3: News author", -9.0),
    ("\nReason: Right.\nVote:", -8.0),
    (" Answer A", -0.8),
]
WEIGHTS = [math.exp(-0.6 / 2), math.exp(-3.0), math.exp(-0.8)]
"""By hand: exp of the mean over the tokens in which each reader's choice is named, reason and form left out (equation 3)."""


async def test_a_vote_weighs_the_exponential_of_the_mean_log_probability_of_its_choice() -> None:
    record = await vote(strategy("drpe-static", weights="logprob"), Scripted([sure(PIECES)]))
    verdict = verdict_of(record)
    share = (WEIGHTS[0] + WEIGHTS[2]) / sum(WEIGHTS)
    assert [cast.weight for cast in verdict.ballots] == pytest.approx(WEIGHTS)
    assert [cast.ballot.reason for cast in verdict.ballots] == ["It says why.", "Clear.", "Right."]
    assert verdict.scores == pytest.approx({"overall.answer_1": share, "overall.answer_2": 1 - share})
    assert (verdict.merge, verdict.winner, verdict.settled) == ("weighted", "answer_1", False)
    assert [call.request.sampling.logprobs for call in record.calls] == [0]


@pytest.mark.parametrize(
    ("span", "likely"),
    [("reason", [[-0.3], [-1.0], [-8.0]]), ("reply", [[-0.3, -0.4, -0.2], [-1.0, -3.0], [-8.0, -0.8]])],
)
async def test_a_vote_can_weigh_by_its_reason_or_by_all_that_was_not_form(
    span: str, likely: list[list[float]]
) -> None:
    """Equation 3 as printed, and the reply; numbers by hand."""
    chosen = strategy("drpe-static", weights="logprob", span=span)
    verdict = verdict_of(await vote(chosen, Scripted([sure(PIECES)])))
    weights = [math.exp(sum(each) / len(each)) for each in likely]
    assert [cast.weight for cast in verdict.ballots] == pytest.approx(weights)
    assert verdict.merge == f"weighted by the {span}"


async def test_the_form_that_a_schema_forces_weighs_nothing() -> None:
    keys = [
        ('{"reason": "', -9.0),
        ("Clear", -0.5),
        ('", "vote": "', -9.0),
        ("Answer A", -0.25),
        ('"}', -9.0),
    ]
    for span, weight in {"choice": -0.25, "reason": -0.5, "reply": -0.375}.items():
        chosen = strategy("llmscore", weights="logprob", span=span)
        verdict = verdict_of(await vote(chosen, Scripted([sure(keys)])))
        assert [cast.weight for cast in verdict.ballots] == pytest.approx([math.exp(weight)])


async def test_a_reader_who_gives_no_reason_to_weigh_is_asked_again() -> None:
    silent = sure([("Vote:", -3.0), (" Answer B", -1.5)])
    said = sure([("It is better.", -1.0), ("\nVote:", -3.0), (" Answer B", -1.5)])
    chosen = strategy("llmscore", weights="logprob", span="reason")
    record = await vote(chosen, Scripted([silent, said]))
    assert [cast.weight for cast in verdict_of(record).ballots] == pytest.approx([math.exp(-1.0)])
    assert "no reason" in record.calls[1].request.messages[-1].content


def test_a_span_without_weights_by_log_probability_is_refused() -> None:
    with pytest.raises(ValidationError, match='span = "reason" is for weights = "logprob"'):
        RolePlayers(span="reason")


async def test_one_sure_vote_can_outweigh_two_doubtful_ones() -> None:
    own = slice(10, 11)  # the critic's choice
    pieces = [(text, -5.0) for text, _ in PIECES]
    pieces[own] = [(text, -0.01) for text, _ in PIECES[own]]
    verdict = verdict_of(await vote(strategy("drpe-static", weights="logprob"), Scripted([sure(pieces)])))
    assert verdict.ballots[1].weight == pytest.approx(math.exp(-0.01))
    assert verdict.winner == "answer_2"
    plain = verdict_of(await vote("drpe-static", Scripted([sure(pieces)])))
    assert plain.winner == "answer_1", "two votes to one"


async def test_weights_of_a_single_referee_weigh_nothing_against_anybody() -> None:
    reply = sure([("It is better.", -1.0), ("\nVote:", -3.0), (" Answer B", -1.5)])
    verdict = verdict_of(await vote(strategy("llmscore", weights="logprob"), Scripted([reply])))
    assert verdict.scores == {"overall.answer_1": 0, "overall.answer_2": 1}
    assert [cast.agent for cast in verdict.ballots] == ["players"]
    assert [cast.weight for cast in verdict.ballots] == pytest.approx([math.exp(-1.5)])


async def test_votes_as_unsure_as_can_be_still_count() -> None:
    """Their weight is the smallest that there is, and not 0, which would leave nothing to divide by."""
    pieces = [(text, -10_000.0) for text, _ in PIECES]
    verdict = verdict_of(await vote(strategy("drpe-static", weights="logprob"), Scripted([sure(pieces)])))
    assert verdict.scores == pytest.approx({"overall.answer_1": 2 / 3, "overall.answer_2": 1 / 3})
    assert all(0 < cast.weight < 1e-300 for cast in verdict.ballots)


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        (),
        (TokenLogprob(token="another text altogether", logprob=-0.1),),
        tuple(TokenLogprob(token=token, logprob=math.nan) for token, _ in PIECES),
    ],
    ids=["none", "empty", "of another text", "no numbers"],
)
@pytest.mark.parametrize("batch", [True, False])
async def test_a_vote_without_log_probabilities_never_weighs_one(batch: bool, logprobs: Any) -> None:
    text = sure(PIECES).text if batch else "So.\nVote: Answer A"

    def answer(_: ModelRequest) -> Completion:
        return Completion(text=text, model="unsure", logprobs=logprobs)

    record = await vote(strategy("drpe-static", weights="logprob", batch=batch), Function("unsure", answer))
    assert record.verdict is None
    assert isinstance(record.error, StrategyError)
    assert failed(record)[:2] == (
        "StrategyError",
        'the model gave no log-probabilities that fit its reply; take one that gives them, or weights = "votes"',
    )


async def test_the_weights_of_votes_in_json_are_those_of_each_readers_object() -> None:
    pieces = [
        *(
            ('{"role_1": {', -9.0),
            ('"reason": "Short.",', -0.2),
            (' "vote": "', -4.0),
            ("Answer B", -0.3),
            ('"', -4.0),
        ),
        *(
            ("}, ", -9.0),
            ('"role_2": {', -9.0),
            ('"reason": "Clear.", "vote": "', -9.0),
            ("Answer A", -1.0),
            ('"', -9.0),
            ("}}", -9.0),
        ),
    ]
    reply = replace(sure(pieces), structured=True)
    chosen = RolePlayers(cast={"players": (ANN, BEN)}, weights="logprob")
    verdict = verdict_of(await vote(chosen, Scripted([reply], structured=True)))
    weights = math.exp(-0.3), math.exp(-1)
    assert [cast.weight for cast in verdict.ballots] == pytest.approx(weights)
    assert verdict.scores["overall.answer_2"] == pytest.approx(weights[0] / sum(weights))


async def test_what_a_model_thinks_before_it_votes_weighs_nothing() -> None:
    thought = [("<think>", -9.0), ("Vote: Answer B?", -9.0), ("</think>", -9.0), ("\n\n", -9.0)]
    verdict = verdict_of(
        await vote(strategy("drpe-static", weights="logprob"), Scripted([sure([*thought, *PIECES])]))
    )
    assert [cast.weight for cast in verdict.ballots] == pytest.approx(WEIGHTS)
    assert verdict.winner == "answer_1"


async def test_log_probabilities_that_come_unasked_weigh_nothing() -> None:
    record = await vote("drpe-static", Scripted([sure(PIECES)]))
    verdict = verdict_of(record)
    assert verdict.scores == pytest.approx({"overall.answer_1": 2 / 3, "overall.answer_2": 1 / 3})
    assert [cast.weight for cast in verdict.ballots] == [1, 1, 1]
    assert [call.request.sampling.logprobs for call in record.calls] == [None]


async def test_a_call_asks_for_as_many_alternatives_as_its_sampling_says() -> None:
    chosen = RolePlayers(cast={"players": (ANN, BEN)}, weights="logprob", sampling=Sampling(logprobs=5))
    model = Scripted(
        [sure([("Role 1: Ann\nVote: Answer A\n\n", -1.0), ("Role 2: Ben\nVote: Answer A", -1.0)])]
    )
    await vote(chosen, model)
    assert [request.sampling.logprobs for request in model.requests] == [5]


async def test_the_offline_judge_is_refused_where_log_probabilities_are_wanted_before_anything_is_asked() -> (
    None
):
    with pytest.raises(UsageError, match=r'offline gives no log-probabilities.*weights = "votes"'):
        await vote(strategy("drpe-static", weights="logprob"), OfflineJudge())


def without_log_probabilities(request: ModelRequest) -> str:
    raise RequestRefused("gives no log-probabilities", model="plain").about("logprobs")


async def test_a_refusal_of_log_probabilities_is_the_failure_of_the_debate() -> None:
    record = await vote(
        strategy("drpe-static", weights="logprob"), Function("plain", without_log_probabilities)
    )
    error, reason, _ = failed(record)
    assert error == "StrategyError"
    assert reason.startswith("plain: gives no log-probabilities")
    assert record.calls == ()
    (refused,) = [
        message for message in record.transcript if isinstance(message, Failure) and message.answers
    ]
    assert (refused.error, refused.sender) == ("RequestRefused", "players")


async def test_one_reader_whose_model_refuses_log_probabilities_is_not_simply_left_out() -> None:
    """The votes of the others would be a verdict of another panel."""
    sure_of_it = Scripted([sure([("Vote: Answer A", -1.0)])] * 2)
    refusing = Function("plain", without_log_probabilities)
    chosen = strategy("drpe-static", weights="logprob", batch=False, models={"style-critic": refusing})
    error, reason, _ = failed(await vote(chosen, sure_of_it))
    assert error == "StrategyError"
    assert reason.startswith("plain: gives no log-probabilities")


# Replies that cannot be read, and who is lost.


async def test_a_poll_that_lacks_a_vote_is_asked_for_again_with_what_was_wrong() -> None:
    chosen = RolePlayers(cast={"players": ("public-reader", "style-critic")})
    whole = LOST_HALF.replace("short.\n", "short.\nVote: Answer B\n")
    model = Scripted([LOST_HALF, whole])
    record = await vote(chosen, model)
    verdict = verdict_of(record)
    assert verdict.scores == {"overall.answer_1": 0.5, "overall.answer_2": 0.5}
    again = model.requests[1].messages
    assert [message.role for message in again] == ["system", "user", "assistant", "user"]
    assert again[2].content == LOST_HALF
    assert "General public" in again[3].content
    assert again[3].content.endswith(
        'Role 2: Critic\n"Reason:" and behind it a sentence or two\n'
        '"Vote:" and behind it a name, which is Answer A or Answer B'
    )
    readings = [cast.ballot.reading for cast in verdict.ballots]
    assert [(reading.attempts, len(reading.problems)) for reading in readings] == [(2, 1), (2, 1)]
    assert readings[0].problems[0] in again[3].content


async def test_a_poll_that_never_comes_leaves_no_votes() -> None:
    record = await vote("drpe-static", everyone(play=UNREADABLE))
    error, reason, _ = failed(record)
    assert error == "TooFewBallots"
    assert reason.startswith(
        "0 of 3 ballots could be read; the quorum is 1; players (UnreadableReply): 3 replies"
    )
    assert len(record.calls) == 3


LOSSES: dict[str, Words] = {"UnreadableReply": UNREADABLE, "ServerFailed": breaking}


@pytest.mark.parametrize("error", LOSSES)
async def test_an_ensemble_that_is_lost_takes_the_votes_of_its_share_with_it(error: str) -> None:
    def play(request: ModelRequest) -> str:
        assert request.context
        words = LOSSES[error] if request.context.agent == "ensemble-2" else polled("AAB")
        return words(request) if callable(words) else str(words)

    chosen = RolePlayers(cast={"players": crowd(5)}, at_once=3)
    record = await vote(chosen, everyone(play=play))
    verdict = verdict_of(record)
    left = len(shares_of(record)[0])
    assert (verdict.missing, len(verdict.ballots)) == (5 - left, left)
    assert [(lost.agent, lost.error) for lost in verdict.lost] == [("ensemble-2", error)]
    assert not verdict.settled
    assert verdict.scores["overall.answer_1"] == 1, "a share of the votes that were cast"


@pytest.mark.parametrize("error", LOSSES)
async def test_a_reader_who_is_lost_has_no_vote(error: str) -> None:
    play: dict[str, Words] = {
        "public-reader": "Vote: Answer A",
        "style-critic": LOSSES[error],
        "news-writer": "Vote: Answer B",
    }
    record = await vote(strategy("drpe-static", batch=False), replying(play))
    verdict = verdict_of(record)
    assert verdict.scores == {"overall.answer_1": 0.5, "overall.answer_2": 0.5}
    assert (verdict.missing, voters(record)) == (1, ["public-reader", "news-writer"])
    assert [(lost.agent, lost.error) for lost in verdict.lost] == [("style-critic", error)]


@pytest.mark.parametrize(("quorum", "enough"), [(2, True), (3, False)])
async def test_below_the_quorum_there_is_no_verdict(quorum: int, enough: bool) -> None:
    words: dict[str, Words] = {"play": "Vote: Answer A", "style-critic": UNREADABLE}
    chosen = strategy("drpe-static", batch=False, quorum=quorum)
    record = await vote(chosen, replying(words))
    assert (record.verdict is not None) == enough
    if not enough:
        error, reason, _ = failed(record)
        assert error == "TooFewBallots"
        assert reason.startswith(
            "2 of 3 ballots could be read; the quorum is 3; style-critic (UnreadableReply)"
        )


async def test_the_votes_that_are_left_keep_their_own_weights() -> None:
    """A vote that is missing must not shift the weights of the others."""
    replies = {
        "public-reader": [sure([("Vote: Answer A", -1.0)])],
        "style-critic": [ServerFailed("down", status=500)],
        "news-writer": [sure([("Vote: Answer B", -2.0)])],
    }
    record = await vote(strategy("drpe-static", batch=False, weights="logprob"), Scripted(replies))
    verdict = verdict_of(record)
    weights = math.exp(-1), math.exp(-2)
    assert [cast.weight for cast in verdict.ballots] == pytest.approx(weights)
    assert verdict.scores["overall.answer_1"] == pytest.approx(weights[0] / sum(weights))
    assert verdict.missing == 1


# What it does not vote on.


@pytest.mark.parametrize("name", ["drpe-static", "drpe", "drpe-swapped", "mdrpe", "llmscore"])
@pytest.mark.parametrize("aspects", [("overall", "depth"), "place"])
async def test_several_aspects_or_a_place_are_refused_before_any_call(name: str, aspects: Any) -> None:
    record = await vote(name, everyone(), aspects=aspects)
    error, reason, _ = failed(record)
    assert error == "StrategyError"
    assert reason.endswith("casts one vote a reader: judge one aspect at a time, and one that is not a place")
    assert record.calls == ()


@pytest.mark.parametrize(
    "options", [{"at_once": 0}, {"quorum": 0}, {"weights": "probability"}, {"batches": True}]
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        RolePlayers(**options)


# Who speaks.


def opener(name: str) -> Function:
    return everyone(name=name)


@pytest.mark.parametrize(
    ("options", "models"),
    [
        ({"models": {"players": "one"}}, ["one"]),
        ({"models": {"ensemble": "two"}}, ["two"]),
        ({"models": {"players": "one", "ensemble": "two"}}, ["two"]),
        ({"models": {"players": "one"}, "batch": False}, ["one", "one", "one"]),
        ({"models": {"players": "one", "style-critic": "two"}, "batch": False}, ["one", "two", "one"]),
        ({}, ["replying"]),
    ],
)
async def test_models_of_their_own_speak_for_the_players(options: dict[str, Any], models: list[str]) -> None:
    record = await vote(strategy("drpe-static", **options), everyone(), opener=opener)
    assert [call.completion.model for call in record.calls] == models
    assert verdict_of(record).models == tuple(dict.fromkeys(models))


async def test_the_role_of_the_ensemble_has_its_model_whatever_card_plays_it() -> None:
    chosen = strategy("drpe-static", cast={"ensemble": ANN}, models={"ensemble": "two"})
    record = await vote(chosen, everyone(), opener=opener)
    assert [call.completion.model for call in record.calls] == ["two"]


async def test_the_sampling_of_strategy_wrapper_and_card_reaches_every_call() -> None:
    own = ANN.model_copy(update={"sampling": Sampling(top_p=0.3)})
    inside = RolePlayers(
        cast={"players": (own, BEN)},
        batch=False,
        weights="logprob",
        sampling=Sampling(temperature=0, top_p=1),
    )
    chosen = SwappedPositions(around=inside, sampling=Sampling(temperature=1))
    async with ready(chosen, model=everyone()) as debate:
        ann, ben = debate.cast.seats
    assert ann.sampling.overlaid(ann.card.sampling) == Sampling(temperature=1, top_p=0.3, logprobs=0)
    assert ben.sampling == Sampling(temperature=1, top_p=1, logprobs=0)


async def test_nobody_hears_how_another_share_voted() -> None:
    record = await vote(RolePlayers(cast={"players": crowd(6)}, at_once=2), everyone(play=polled("AB")))
    assert [call.shown for call in record.calls] == [(1,)] * 3
    assert len({call.request.messages[0] for call in record.calls}) == 1
    assert PAIR.fields["answer_1"] in record.calls[0].request.messages[0].content
