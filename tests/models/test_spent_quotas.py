"""A quota of a day that is spent: the run ends, and says until when."""

from typing import Any

import pytest
from dialect_doubles import claude, claude_error, gemini, google_error
from endpoint_double import Endpoint, ask, failed, refusal

from agentdebate.errors import AccountSpent, ModelError, RateLimited
from agentdebate.models.base import Model
from agentdebate.models.composition import Around, Limits
from agentdebate.runs.evaluation import evaluate
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item

RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1s"}
MINUTE = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"
DAY = "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
RPD = (
    "Rate limit reached for gpt-6-luna in organization org-x on requests per day (RPD): Limit {}, Used {}, Requested 1. "
    "Please try again in {}. Visit the page of limits to learn more."
)


def quota_failure(*ids: str) -> dict[str, Any]:
    """Google's detail of which quotas a call is beyond."""
    metric = "generativelanguage.googleapis.com/generate_content_free_tier_requests"
    violations = [{"quotaMetric": metric, "quotaId": one, "quotaValue": "20"} for one in ids]
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": violations}


def exhausted(*details: Any) -> Any:
    """Google's refusal of a call beyond a quota."""
    return failed(429, google_error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", *details))


async def raised(model: Model) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await model.complete(ask())
    return caught.value


@pytest.mark.parametrize(
    "details",
    [
        (quota_failure(DAY), RETRY),
        (quota_failure(MINUTE, DAY), RETRY),
        ({"metadata": {"quota_limit": "RequestsPerDayPerUserPerTier"}, "reason": "RATE_LIMIT_EXCEEDED"},),
    ],
)
async def test_a_daily_quota_of_gemini_is_an_account_that_is_spent_until_midnight(
    details: tuple[Any, ...],
) -> None:
    error = await raised(gemini(Endpoint(exhausted(*details))))
    assert (type(error), error.retryable, error.ends_run) == (AccountSpent, False, True)
    assert "the quota of a day is spent until midnight Pacific time" in str(error)


@pytest.mark.parametrize(
    "details",
    [
        (quota_failure(MINUTE), RETRY),
        ({"violations": [3, {"quotaId": None}]}, {"metadata": [1]}, {"violations": "PerDay"}, RETRY),
        (RETRY,),
    ],
)
async def test_another_quota_is_a_rate_limit_with_its_wait(details: tuple[Any, ...]) -> None:
    error = await raised(gemini(Endpoint(exhausted(*details))))
    assert (type(error), error.retry_after) == (RateLimited, 1.0)


@pytest.mark.parametrize(
    ("said", "headers", "kind"),
    [
        (RPD.format(200, 200, "7m12s"), {}, AccountSpent),
        (RPD.format(200, 200, "7m12s"), {"retry_after": "432"}, AccountSpent),
        (RPD.format(10000, 10000, "8.64s"), {}, RateLimited),
        ("Rate limit reached on tokens per day (TPD): Limit 100", {"retry_after": "3000"}, AccountSpent),
        ("Rate limit reached on tokens per day (TPD): Limit 100", {}, RateLimited),
        ("Rate limit reached on requests per min (RPM). Please try again in 7m12s.", {}, RateLimited),
    ],
)
async def test_a_day_s_quota_of_openai_ends_a_run_where_the_wait_is_long(
    said: str, headers: dict[str, str], kind: type[ModelError]
) -> None:
    refused = failed(429, refusal(said, type="requests", code="rate_limit_exceeded"), **headers)
    error = await raised(Endpoint(refused).model())
    assert type(error) is kind
    assert ("is spent until 20" in str(error)) is (kind is AccountSpent)


async def test_what_anthropic_says_of_when_it_goes_on_is_told() -> None:
    said = (
        "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC."
    )
    error = await raised(claude(Endpoint(failed(400, claude_error("invalid_request_error", said)))))
    assert type(error) is AccountSpent
    assert "2026-12-01 at 00:00 UTC" in str(error)


@pytest.mark.parametrize(
    ("opened", "refused"),
    [
        (gemini, exhausted(quota_failure(DAY), RETRY)),
        (Endpoint.model, failed(429, refusal(RPD.format(200, 200, "7m12s")), retry_after="432")),
        (
            claude,
            failed(
                400, claude_error("invalid_request_error", "reached your specified workspace usage limits")
            ),
        ),
    ],
)
async def test_a_run_asks_once_for_each_debate_that_is_held(opened: Any, refused: Any) -> None:
    endpoint = Endpoint(refused)
    items = [
        Item(task="summarization", id=f"i{number}", fields={"source": "It rains.", "summary": "Rain."})
        for number in range(30)
    ]
    model = Around(Limits(in_flight=2)).compose(opened(endpoint))
    with pytest.raises(AccountSpent, match=r"spent|usage limits"):
        async with evaluate(items, strategy("solo"), model=model, aspects="coherence", concurrency=2) as run:
            _ = [record async for record in run]
    assert len(endpoint.requests) <= 2
