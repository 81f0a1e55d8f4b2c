"""Models that end: a run is told once, with the date and what the provider names in their place."""

import datetime as dt
import logging
from fnmatch import fnmatchcase

import httpx
import pytest
from endpoint_double import ADDRESS, Endpoint

from agentdebate.models.dialects import endpoint_model
from agentdebate.models.dialects.chat_completions import open_openai
from agentdebate.models.dialects.generate_content import open_gemini
from agentdebate.models.dialects.messages import open_anthropic
from agentdebate.models.dialects.shutdowns import ending, shutdowns

TODAY = dt.date(2026, 11, 23)
LIVING = [
    "openai/gpt-6-luna",
    "openai/gpt-6.1-sol",
    "openai/gpt-6.1-terra",
    "openai/gpt-5.6-sol",
    "anthropic/claude-sonnet-5-5",
    "gemini/gemini-3.8-flash",
]


@pytest.mark.parametrize(
    ("model", "line"),
    [
        ("openai/gpt-5", "openai/gpt-5 ends on 2026-12-11; its provider names gpt-6.1-sol in its place"),
        ("openai/o3", "openai/o3 ends on 2026-12-11"),
        (
            "openai/gpt-4o-mini",
            "openai/gpt-4o-mini ends on 2027-01-14; its provider names gpt-6-luna in its place",
        ),
        ("openai/gpt-4", "openai/gpt-4 ended on 2026-10-23"),
        (
            "gemini/gemini-2.5-pro",
            "gemini/gemini-2.5-pro ends on 2026-12-01; its provider names gemini-3.8-flash in its place",
        ),
    ],
)
def test_a_model_that_ends_soon_or_has_ended_has_a_line(model: str, line: str) -> None:
    assert ending(model, TODAY) == line


@pytest.mark.parametrize(
    "model",
    [
        *LIVING,
        "openai/gpt-5.1",
        "openai/my-model",
        "vllm/gpt-4o",
        "openai/gpt-5 at models.example.org:443",
        "offline",
        "",
    ],
)
def test_others_have_none(model: str) -> None:
    assert ending(model, TODAY) == ""


@pytest.mark.parametrize(
    ("days", "told"), [(61, ""), (60, "ends"), (1, "ends"), (0, "ended"), (-400, "ended")]
)
def test_it_is_told_from_sixty_days_before_on(days: int, told: str) -> None:
    line = ending("openai/gpt-4.1", dt.date(2027, 1, 14) - dt.timedelta(days=days))
    assert (line.split()[1] if line else "") == told


def test_no_successor_ends_before_the_model_that_it_succeeds() -> None:
    for one in shutdowns():
        provider = one.match[0].partition("/")[0]
        name = f"{provider}/{one.successor}"
        assert not [
            other
            for other in shutdowns()
            if other.ends <= one.ends and any(fnmatchcase(name, m) for m in other.match)
        ]


class Clock(dt.datetime):
    """The day on which these dates were written down."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> "Clock":
        return cls(2026, 11, 23, tzinfo=tz)


def test_a_model_that_ends_is_a_warning_when_it_is_opened_at_its_own_address_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(key, "a-key-of-ours")
    monkeypatch.setattr(endpoint_model, "datetime", Clock)
    carried = httpx.MockTransport(Endpoint())
    open_openai("gpt-4o", base_url=ADDRESS, transport=carried)
    open_openai("gpt-6-luna", transport=carried)
    assert caplog.messages == []
    open_openai("gpt-4o", transport=carried)
    open_anthropic("claude-sonnet-4-5", transport=carried)
    open_gemini("gemini-2.5-flash", transport=carried)
    assert [one.split(" on ")[0] for one in caplog.messages] == [
        "openai/gpt-4o ends",
        "anthropic/claude-sonnet-4-5 ends",
        "gemini/gemini-2.5-flash ends",
    ]
    assert all(message.isprintable() for message in caplog.messages)
