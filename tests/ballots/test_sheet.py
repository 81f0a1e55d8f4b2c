"""The sheet of a ballot: its schema, and where its scores stand in replies."""

from typing import Any

import pytest

from agentdebate.ballots.sheet import ballot_schema
from agentdebate.tasks import Aspect, Scale

COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="-")
FACTUAL = Aspect(name="factual_consistency", scale=Scale(low=1, high=5), criterion="-")


def test_the_schema_asks_for_the_reason_first_and_for_nothing_else_than_the_aspects() -> None:
    assert ballot_schema([COHERENCE, FACTUAL]) == {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "coherence": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
            "factual_consistency": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
        },
        "required": ["reason", "coherence", "factual_consistency"],
        "additionalProperties": False,
    }
    assert next(iter(ballot_schema([COHERENCE])["properties"])) == "reason"


@pytest.mark.parametrize(
    ("scale", "schema"),
    [
        (Scale(low=1, high=2, step=0.5), {"type": "number", "enum": [1, 1.5, 2]}),
        (Scale(low=0, high=0.3, step=0.1), {"type": "number", "enum": [0, 0.1, 0.2, 0.3]}),
        (Scale(low=0, high=1, step=None), {"type": "number", "minimum": 0, "maximum": 1}),
        (Scale(low=0, high=100), {"type": "number", "minimum": 0, "maximum": 100}),
        (Scale(low=1, high=100), {"type": "integer", "enum": list(range(1, 101))}),
    ],
)
def test_scales_of_few_values_are_listed_and_others_given_by_their_ends(
    scale: Scale, schema: dict[str, Any]
) -> None:
    one = Aspect(name="a", scale=scale, criterion="-")
    assert ballot_schema([one])["properties"]["a"] == schema
