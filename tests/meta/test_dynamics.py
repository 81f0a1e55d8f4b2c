"""Dynamics of a run's talks, and of recorded rounds, which are read as talks."""

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import rows_of
from transcripts import ANSWERS, ASPECT, Minutes, simultaneous

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.dynamics import convergence, dynamics, flips, influence, movement, moves, pull
from agentdebate.meta.talk import Talk, openings, talk_of, voted
from agentdebate.meta.talks import RoundFields, talks_in

TOP = 5

AGENTS = ("a", "b", "c")


@st.composite
def rounds(draw: st.DrawFn) -> list[dict[str, float]]:
    """The ballots of some rounds of one panel."""
    agents = AGENTS[: draw(st.integers(1, 3))]
    scores = st.integers(1, TOP).map(float)
    return draw(st.lists(st.fixed_dictionaries(dict.fromkeys(agents, scores)), min_size=1, max_size=4))


@st.composite
def talks(draw: st.DrawFn) -> list[Talk]:
    """Debates of which people's scores may be known."""
    held = draw(st.lists(rounds(), min_size=1, max_size=4))
    human = [draw(st.none() | st.integers(1, TOP).map(float)) for _ in held]
    return [
        talk_of(simultaneous(one, verdict=next(iter(one[-1].values()))), human={ASPECT: score})
        for one, score in zip(held, human, strict=True)
    ]


def mirrored(ballots: list[dict[str, float]]) -> list[dict[str, float]]:
    return [{agent: TOP + 1 - score for agent, score in one.items()} for one in ballots]


@given(talks())
def test_there_is_a_move_for_every_ballot_but_an_agents_first(held: list[Talk]) -> None:
    ballots = sum(len(talk.stands) for talk in held)
    firsts = sum(len({stand.agent for stand in talk.stands}) for talk in held)
    assert sum(one["n"] for one in movement(held)) == len(list(moves(held))) == ballots - firsts


@given(rounds())
def test_on_a_mirrored_scale_up_is_down_and_nothing_else_changes(ballots: list[dict[str, float]]) -> None:
    there, back = (talk_of(simultaneous(some)) for some in (ballots, mirrored(ballots)))
    for one, other in zip(movement([there]), movement([back]), strict=True):
        assert (one["up"], one["down"], one["moved"]) == (other["down"], other["up"], other["moved"])
    assert influence([there]) == influence([back])
    assert convergence([there]) == convergence([back])


@given(talks())
def test_every_case_of_right_and_wrong_is_in_one_cell(held: list[Talk]) -> None:
    for one in flips(held):
        assert (
            one["right_to_wrong"] + one["wrong_to_right"] + one["stayed_right"] + one["stayed_wrong"]
            == one["n"]
        )
        assert (one["nearer"] or 0) + (one["farther"] or 0) <= one["changed"] <= one["n"]
    known = [talk for talk in held if talk.people]
    assert flips(held) == flips(known)


@given(talks())
def test_all_of_it_goes_into_json(held: list[Talk]) -> None:
    assert json.loads(json.dumps(asdict(dynamics(held))))["debates"] == len(held)


def panel() -> Talk:
    """b comes all the way to a, c goes away from it, and a stays."""
    ballots = [{"a": 1.0, "b": 3.0, "c": 4.0}, {"a": 1.0, "b": 1.0, "c": 5.0}]
    return talk_of(simultaneous(ballots, verdict=1.0), human={ASPECT: 1.2})


def through_a_relay() -> Minutes:
    """A scorer and a critic that hear each other through a relay only, as in DEBATE."""
    minutes = Minutes()
    first = minutes.score("scorer", 4)
    objection = minutes.object("critic", hearing=[minutes.speak("relay", hearing=[first], model="")])
    minutes.score("scorer", 2, hearing=[minutes.speak("relay", hearing=[objection], model="")])
    return minutes


def test_what_a_relay_passes_on_is_heard_from_whoever_said_it() -> None:
    (found,) = influence([talk_of(through_a_relay().said)])
    assert (found["speaker"], found["listener"], found["n"], found["moved"]) == ("critic", "scorer", 1, 1)


def test_whoever_casts_no_ballot_has_no_position_to_go_to() -> None:
    (found,) = influence([talk_of(through_a_relay().said)])
    assert (found["apart"], found["toward"], found["away"]) == (0, 0, 0)


def test_one_voice_is_no_round_that_could_converge() -> None:
    assert convergence([talk_of(through_a_relay().said)]) == []
    assert pull([talk_of(through_a_relay().said)]) == []


def test_a_ballot_after_hearing_somebody_is_no_opening() -> None:
    minutes = Minutes()
    first = minutes.score("a", 4)
    minutes.score("b", 2, hearing=[first])
    talk = talk_of(minutes.said)
    assert [stand.agent for stand in openings(talk)] == ["a"]


def test_the_vote_of_the_openings_is_their_merge() -> None:
    talk = panel()
    assert voted(openings(talk), talk.about) == {ASPECT: pytest.approx(8 / 3)}
    assert voted(openings(talk), talk.about, "median") == {ASPECT: 3.0}
    assert voted((), talk.about) == {}


def compared(*ballots: tuple[str, float, float]) -> Talk:
    minutes = Minutes(candidates=ANSWERS)
    for agent, *scores in ballots:
        minutes.score(agent, dict(zip(ANSWERS, scores, strict=True)))
    human: dict[str, float | None] = {f"{ASPECT}.answer_1": 1.0, f"{ASPECT}.answer_2": 0.0}
    return talk_of(minutes.said, human=human)


def test_where_texts_are_compared_the_choice_moves_too() -> None:
    talk = compared(("a", 5, 3), ("a", 3, 5), ("a", 4, 4))
    choices = [move.values for move in moves([talk]) if move.about == ASPECT]
    assert choices == [("answer_1", "answer_2"), ("answer_2", "tie")]


def test_a_choice_is_right_where_it_is_peoples_and_a_tie_is_one_of_its_own() -> None:
    talk = compared(("a", 5, 3), ("a", 4, 4), ("a", 6, 4))
    (found,) = flips([talk])
    assert (found["right_to_wrong"], found["wrong_to_right"], found["nearer"]) == (1, 1, None)


def test_what_people_prefer_is_no_score_that_a_judge_comes_nearer_to() -> None:
    talk = compared(("a", 9, 8), ("a", 7, 8))
    assert {one["about"] for one in movement([talk])} == {ASPECT, f"{ASPECT}.answer_1", f"{ASPECT}.answer_2"}
    assert [(one["about"], one["nearer"], one["farther"]) for one in flips([talk])] == [(ASPECT, None, None)]


def test_a_place_is_better_the_lower_it_is_where_there_are_only_places() -> None:
    minutes = Minutes(candidates=ANSWERS)
    minutes.score("a", {"answer_1": 1, "answer_2": 2})
    assert talk_of(minutes.said, ranks=[ASPECT]).stands[0].values[ASPECT] == "answer_1"
    assert talk_of(minutes.said).stands[0].values[ASPECT] == "answer_2"


def test_sittings_are_counted_apart_and_their_seats_together() -> None:
    minutes = Minutes()
    for agent, score in (("a", 1), ("b", 1), ("a#2", 5), ("b#2", 4)):
        minutes.score(agent, score)
    for agent in ("a", "a#2"):
        minutes.score(agent, 3)
    talk = talk_of(minutes.said)
    (found,) = movement([talk])
    assert (found["agent"], found["n"], found["up"], found["down"]) == ("a", 2, 1, 1)
    assert [one["n"] for one in convergence([talk])] == [2]


def test_a_transcript_that_broke_off_can_be_counted() -> None:
    assert dynamics([talk_of([])]).with_moves == 0
    assert dynamics([]).movement == []


# Recorded rounds.


ROUNDS = rows_of(
    {"id": 1, "round": 2, "agent": "a", "value": "B", "gold": "B"},
    {"id": 1, "round": 1, "agent": "a", "value": "A", "gold": "B"},
    {"id": 1, "round": 1, "agent": "b", "value": "B", "gold": "B"},
    {"id": 1, "round": 2, "agent": "b", "value": "B", "gold": "B"},
    {"id": 2, "round": 1, "agent": "a", "value": "A", "gold": "A"},
    {"id": 2, "round": 1, "agent": "b", "value": "A", "gold": "A"},
)


def test_choices_move_and_come_to_a_verdict() -> None:
    talks = talks_in(ROUNDS, RoundFields(human="gold"))
    assert [(talk.debate, talk.verdict, talk.people) for talk in talks] == [
        ("1", {"value": "B"}, {"value": "B"}),
        ("2", {"value": "A"}, {"value": "A"}),
    ]
    found = dynamics(talks)
    assert [(one["agent"], one["n"], one["moved"]) for one in found.movement] == [("a", 1, 1), ("b", 1, 0)]
    assert [(one["speaker"], one["listener"], one["toward"]) for one in found.influence] == [
        ("b", "a", 1),
        ("a", "b", 0),
    ]
    ballots = next(one for one in found.flips if one["unit"] == "ballots")
    assert (ballots["n"], ballots["wrong_to_right"], ballots["stayed_right"]) == (2, 1, 1)
    assert [(one["round"], one["n"], one["agreed"]) for one in found.convergence] == [(1, 2, 1), (2, 1, 1)]


def test_scores_are_averaged_where_no_verdict_is_named() -> None:
    rows = rows_of(
        {"item": "x", "turn": 1, "who": "a", "score": 2, "final": 4},
        {"item": "x", "turn": 1, "who": "b", "score": 5, "final": 4},
    )
    fields = RoundFields(item="item", round="turn", agent="who", value="score")
    assert talks_in(rows, fields)[0].verdict == {"score": 3.5}
    with_verdict = RoundFields("item", "turn", "who", "score", verdict="final")
    assert talks_in(rows, with_verdict)[0].verdict == {"score": 4}


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(UsageError, match=r"round=\.\.\.: data.jsonl has no field 'turn'"):
        talks_in(ROUNDS, RoundFields(round="turn"))
    with pytest.raises(DataError, match="line 1"):
        talks_in(rows_of({"id": 1, "round": 1.5, "agent": "a", "value": 1}))
