"""Role players: whoever is played votes once, in one reply or in several, and the score is the share of the votes."""

import math
from typing import Any

import pytest
from drpe_cases import crowd, everyone, failed, polled, sure, vote, voters
from engine_cases import LOSSES, verdict_of
from pydantic import ValidationError

from agentdebate.debates.record import Record
from agentdebate.errors import RequestRefused, ServerFailed, StrategyError
from agentdebate.models.base import Completion, ModelRequest, TokenLogprob
from agentdebate.models.function import Function
from agentdebate.models.scripted import Scripted
from agentdebate.strategies.load import strategy
from agentdebate.strategies.role_players import RolePlayers
from agentdebate.talk.messages import Failure

READERS = ("General public", "Critic", "News author")


def shares_of(record: Record) -> list[tuple[str, ...]]:
    """Who was played in each call."""
    return [
        tuple(player.title for player in call.request.context.players)
        for call in record.calls
        if call.request.context
    ]


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
