"""llmock, a server of faults that others wrote, and its verdict on how our models try again."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from agentdebate.errors import AuthenticationError, ModelError, RequestRefused, UnknownModel
from agentdebate.models.base import ChatMessage, Completion, ModelRequest, Sampling
from agentdebate.models.registry import model as open_model

pytestmark = [
    pytest.mark.sdk,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of theirs, within their imports
]
PROVIDERS = ("openai", "anthropic", "gemini")
EACH = pytest.mark.parametrize("provider", PROVIDERS)
NAMES = {"openai": "gpt-4o-mini", "anthropic": "claude-sonnet-4-5", "gemini": "gemini-2.5-flash"}


@pytest.fixture(scope="module")
def running() -> Iterator[Any]:
    """A server of llmock."""
    from llmock.testing import LLMockServer

    with LLMockServer() as server:
        yield server


@pytest.fixture
def mock(running: Any) -> Iterator[Any]:
    """The server without what the test before had it do."""
    from llmock.pytest_plugin import LLMock

    yield LLMock(running).reset()
    LLMock(running).reset()


def asks(text: str = "Is the bridge open?") -> ModelRequest:
    return ModelRequest(
        (ChatMessage("system", "Be brief."), ChatMessage("user", text)), Sampling(max_tokens=64)
    )


async def completed(mock: Any, provider: str, *requests: ModelRequest) -> list[Completion]:
    """Return what our model makes of its answers, each asked for at once and tried again as in runs."""
    model = open_model(f"{provider}/{NAMES[provider]}", base_url=mock.base_url(provider))
    try:
        return list(await asyncio.gather(*map(model.complete, requests or (asks(),))))
    finally:
        await model.aclose()


@EACH
async def test_a_rate_limit_is_waited_for_as_in_runs(provider: str, mock: Any) -> None:
    mock.rate_limit(times=2, retry_after=0.7)
    await completed(mock, provider)
    mock.assert_resilient(strict=True)
    assert mock.verdict().faults == 2


@EACH
async def test_many_calls_at_once_through_faults_are_no_storm(provider: str, mock: Any) -> None:
    mock.fail(429, times=5, retry_after=0.2).fail(503, times=5)
    await completed(mock, provider, *(asks(f"Is bridge {number} open?") for number in range(12)))
    mock.assert_resilient(strict=True)
    assert mock.verdict().faults == 10


@EACH
@pytest.mark.parametrize(
    ("status", "error"), [(400, RequestRefused), (401, AuthenticationError), (404, UnknownModel)]
)
async def test_what_no_try_can_mend_is_not_tried_again(
    provider: str, status: int, error: type[ModelError], mock: Any
) -> None:
    mock.fail(status, times=None)
    with pytest.raises(error):
        await completed(mock, provider)
    mock.assert_resilient(strict=True)
    assert mock.verdict().attempts == 1
