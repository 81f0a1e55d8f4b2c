"""Keys of requests: equal for what decides the reply, and the same from version to version."""

from dataclasses import replace

from agentdebate.models.base import ChatMessage, ModelRequest, Sampling

ASKED = ModelRequest(
    (ChatMessage("system", "You judge."), ChatMessage("user", 'Rate "it"\n\ud83d \x07 ü')),
    Sampling(temperature=0.5, stop=("END",)),
    {"type": "object", "properties": {"score": {"type": "integer"}}},
)


def test_a_key_stays_what_it_is() -> None:
    """Caches and stores have completions under it."""
    assert ASKED.key() == "d54124c33265276cdcb578a480b46da371a32869675c268fe3b22f6d27943b03"
    assert (
        replace(ASKED, sample=2).key() == "011c4d8f95fe19828bd93fa192bf2d6ce9e1bbe194ad83a3a0023eed326bbd29"
    )


def test_what_was_heard_and_parameters_at_their_usual_values_do_not_change_it() -> None:
    same = replace(ASKED, talk=("it",), sampling=Sampling(temperature=0.5, stop=("END",), n=1, seed=None))
    assert same.key() == ASKED.key()
