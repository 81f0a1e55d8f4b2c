"""What a model of the user's own gives: checked where it comes in, and a failure of its debate alone where it is odd."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.models.completion_check import check_completion
from agentdebate.wrong_values import WrongValue

TEXT = "It says what the source says.\n\nConsistency: 4"
GOOD = ad.Completion(text=TEXT, model="m")

ODD: list[tuple[dict[str, Any], str]] = [
    ({"text": None}, "'text': it is text, not None"),
    ({"model": None}, "'model': it is text, not None"),
    ({"usage": None}, "'usage': it is a Usage, not None"),
    ({"usage": ad.Usage(prompt_tokens=-5)}, "'usage.prompt_tokens': it is at least 0, not -5"),
    (
        {"usage": ad.Usage(completion_tokens=2**70)},
        "'usage.completion_tokens': it is at most 1000000000000, not ",
    ),
    (
        {"usage": replace(ad.Usage(), cached_tokens=1.5)},  # type: ignore[arg-type]  # the mistake under test
        "'usage.cached_tokens': it is a whole number, not 1.5",
    ),
    ({"finish": "weird"}, "'finish': it is 'stop', 'length', 'filter', 'refusal' or 'other', not 'weird"),
    ({"structured": "maybe"}, "'structured': it is true or false, not 'maybe'"),
    ({"logprobs": (1,)}, "'logprobs.0': it is a TokenLogprob, not 1"),
    ({"latency": math.nan}, "'latency': it is a finite number, not nan"),
    ({"latency": -1.0}, "'latency': it is at least 0, not -1.0"),
    ({"others": "a"}, "'others': it is a list, not 'a'"),
    ({"others": (None,)}, "'others.0': it is text, not None"),
    ({"lost": (1,)}, "'lost.0': it is text, not 1"),
    ({"cached": None}, "'cached': it is true or false, not None"),
    ({"cut": (-1,)}, "'cut.0': it is at least 0, not -1"),
]


class Own:
    """A model's class of the user's own, which gives something odd for one item."""

    name, structured = "mine", False

    def __init__(self, *, odd: Any) -> None:
        self.odd = odd

    async def complete(self, request: ad.ModelRequest) -> ad.Completion:
        assert request.context
        return self.odd if request.context.item.id == "odd" else GOOD

    async def aclose(self) -> None:
        """Nothing to let go of."""


@pytest.mark.parametrize(("odd", "told"), ODD)
def test_an_odd_field_is_named_with_what_it_may_be(odd: dict[str, Any], told: str) -> None:
    with pytest.raises(WrongValue) as caught:
        check_completion(replace(GOOD, **odd), "m")
    assert str(caught.value).startswith(f"in a completion of the model 'm', {told}")
    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


@pytest.mark.parametrize("given", [None, "text", {"text": "x"}])
def test_what_is_not_a_completion_is_told_by_its_class(given: object) -> None:
    with pytest.raises(WrongValue, match=f"'m' gives a Completion, not {type(given).__name__}$"):
        check_completion(given, "m")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (replace(GOOD, usage=ad.Usage(prompt_tokens=2**70)), "'usage.prompt_tokens': it is at most"),
        (None, "gives a Completion, not NoneType"),
    ],
)
async def test_an_odd_completion_fails_its_debate_and_leaves_the_store_whole(
    given: object, told: str, tmp_path: Path
) -> None:
    fields = {"source": "The bridge closes.", "summary": "It closes."}
    items = [ad.Item(task="summarization", id=name, fields=fields) for name in ("odd", "good")]
    place = tmp_path / "odd.db"
    how: dict[str, Any] = {"model": Own(odd=given), "aspects": "consistency", "store": str(place)}
    async with ad.evaluate(items, "solo", **how) as run:
        records = {record.item.id: record async for record in run}
    assert records["good"].verdict is not None
    failure = records["odd"].failure
    assert failure is not None
    assert told in failure.reason
    assert "\n" not in failure.reason
    with ad.open_store(str(place)) as store:
        stored = store.run("last")
        assert len(list(stored.calls())) == 1
        assert len(list(stored.records())) == len(items)
