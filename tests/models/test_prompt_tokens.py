"""One count of a prompt: what limits wait for, what a budget reserves, and what a forecast says."""

from typing import Any

import pytest

from agentdebate.models.base import ChatMessage, Completion, ModelRequest, Sampling
from agentdebate.models.budget import Budget, Budgeted
from agentdebate.models.function import Function
from agentdebate.models.limits.gate import Estimate
from agentdebate.models.tokens import AROUND, count, counted, estimated

TEXTS = ["", "plain words", "ünïcödé 字", "\ud800", "{" * 500]
SCHEMA: dict[str, Any] = {"type": "object"}


def asking(*texts: str, schema: dict[str, Any] | None = None) -> ModelRequest:
    return ModelRequest(
        tuple(ChatMessage("user", text) for text in texts), Sampling(max_tokens=100), schema=schema
    )


@pytest.mark.parametrize("text", TEXTS)
def test_every_message_has_the_same_around_it_in_both_counts(text: str) -> None:
    one, two = asking(text), asking(text, text)
    assert counted(one) == count(text).n + AROUND
    assert counted(two) == 2 * counted(one)
    assert estimated(two) == 2 * estimated(one)
    assert counted(one) - 1 < estimated(one) <= counted(one)


def test_a_schema_is_counted_as_the_json_that_it_is_and_is_no_message() -> None:
    assert counted(asking("a", schema=SCHEMA)) == counted(asking("a")) + count('{"type": "object"}').n
    assert estimated(asking("a", schema=SCHEMA)) == estimated(asking("a")) + len('{"type": "object"}') / 4


async def test_limits_and_budgets_go_by_the_same_count() -> None:
    request = asking("x" * 80, "x" * 40, schema=SCHEMA)
    assert Estimate().of(request) == estimated(request) + 100
    budget, reserved = Budget(tokens=1000), list[int]()

    def look(_: ModelRequest) -> Completion:
        reserved.append(budget.reserved.tokens)
        return Completion(text="", model="m")

    await Budgeted(Function("m", look), budget).complete(request)
    assert reserved == [round(estimated(request) * 1.5 + 0.49) + 100]
    assert budget.spent.tokens == counted(request), "which is what counts where the endpoint says nothing"
