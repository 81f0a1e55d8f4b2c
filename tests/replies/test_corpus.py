"""The corpus is what its figures rest on: the same from the same seed, in two halves, with a truth for every reply."""

import pytest

from replies.corpus import Reply, ScoreReply, corpus, material
from replies.stop_word import critiques
from replies.wording import Half, Wording

HALVES: tuple[Half, ...] = ("seen", "held")
SOME = 2_000


def wordings(half: Half) -> list[Wording]:
    return [*material(half).scores, *material(half).choices]


@pytest.fixture(scope="module", params=HALVES)
def replies(request: pytest.FixtureRequest) -> list[Reply]:
    return list(corpus(request.param, size=SOME))


def test_both_halves_have_every_kind_and_no_wording_in_common() -> None:
    seen, held = wordings("seen"), wordings("held")
    for of in (seen, held):
        assert len({wording.id for wording in of}) == len(of)
    assert {wording.kind for wording in seen} == {wording.kind for wording in held}
    assert not {form(wording) for wording in seen} & {form(wording) for wording in held}
    assert not set(material("seen").numbers) & set(material("held").numbers)
    critics = [{critique.text for critique in critiques(half)} for half in HALVES]
    assert not critics[0] & critics[1]


def form(wording: Wording) -> tuple[str, str, str]:
    return wording.text.strip().casefold(), wording.row.casefold(), wording.join if wording.row else ""


def test_a_reply_has_a_judgement_where_its_wording_has_exactly_one(replies: list[Reply]) -> None:
    for reply in replies:
        judgement = reply.scores if isinstance(reply, ScoreReply) else reply.choice
        assert (judgement is not None) == (reply.wording.truth == "one")
