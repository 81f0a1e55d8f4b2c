"""Rate-limit headers: what each provider writes, and what is none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.models.limits.quota import Quota, read_quota, seconds

NOW = 1_800_000_000.0  # 2027-01-15T08:00:00Z


def test_openai() -> None:
    headers = {
        "x-ratelimit-limit-requests": "500",
        "x-ratelimit-limit-tokens": "30000",
        "x-ratelimit-remaining-requests": "499",
        "x-ratelimit-remaining-tokens": "29990",
        "x-ratelimit-reset-requests": "120ms",
        "x-ratelimit-reset-tokens": "6m0s",
    }
    assert read_quota(headers) == Quota(499, 29990, 0.12, 360.0, requests_limit=500, tokens_limit=30000)


def test_anthropic() -> None:
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "2027-01-15T08:00:01Z",
        "anthropic-ratelimit-tokens-limit": "90000",
        "anthropic-ratelimit-tokens-remaining": "80000",
        "anthropic-ratelimit-tokens-reset": "2027-01-15T09:00:30.5+01:00",
        "anthropic-ratelimit-input-tokens-remaining": "7",
    }
    assert read_quota(headers, now=NOW) == Quota(49, 80000, 1.0, 30.5, requests_limit=50, tokens_limit=90000)


def test_anthropic_with_input_tokens_alone() -> None:
    headers = {"anthropic-ratelimit-input-tokens-remaining": "7"}
    assert read_quota(headers) == Quota(tokens_left=7)


@pytest.mark.parametrize("reset", ["1800000030", "1800000030000", "30", "30s"])
def test_gateways_that_count_requests_only(reset: str) -> None:
    headers = {"X-RateLimit-Limit": "20", "X-RateLimit-Remaining": "3", "X-RateLimit-Reset": reset}
    assert read_quota(headers, now=NOW) == Quota(3, requests_reset_s=30.0, requests_limit=20)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("6m0s", 360.0),
        ("20ms", 0.02),
        ("1.5s", 1.5),
        ("1h2m3s", 3723.0),
        ("2m59.56s", 179.56),
        ("1d", 86400.0),
        ("7", 7.0),
        (" 0.25 ", 0.25),
        ("0", 0.0),
        ("2027-01-15T08:00:20Z", 20.0),
        ("2027-01-15T07:59:00Z", 0.0),
        ("1799999999", 0.0),
    ],
)
def test_resets_that_make_sense(text: str, expected: float) -> None:
    assert seconds(text, NOW) == pytest.approx(expected)


@pytest.mark.parametrize(
    "text",
    [None, "", "soon", "-1", "nan", "inf", "1e400", "5 apples", "s", "6m0", "2027-01-15T08:00:20", "2027-99-99T00:00:00Z", "40000d", "999999999"],
)  # fmt: skip
def test_resets_that_make_none(text: str | None) -> None:
    assert seconds(text, NOW) is None


@pytest.mark.parametrize("left", ["", "many", "-1", "nan", "inf", "1e300", "None"])
def test_counts_that_make_no_sense_are_as_if_they_were_not_there(left: str) -> None:
    headers = {"x-ratelimit-remaining-requests": left, "x-ratelimit-remaining-tokens": "12"}
    assert read_quota(headers) == Quota(tokens_left=12)
    del headers["x-ratelimit-remaining-tokens"]
    assert read_quota(headers) is None


def test_a_whole_of_nothing_counts_nothing() -> None:
    assert read_quota({"x-ratelimit-remaining": "0", "x-ratelimit-limit": "0"}) is None


def test_answers_that_tell_nothing() -> None:
    assert read_quota({"content-type": "application/json", "retry-after": "5"}) is None


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"x-ratelimit-remaining-requests": "5"}, Quota(5)),
        ({"x-ratelimit-remaining-tokens": "0"}, Quota(tokens_left=0, tokens_reset_s=9.0)),
        (
            {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2s"},
            Quota(0, requests_reset_s=2.0),
        ),
    ],
)
def test_retry_after_is_the_reset_of_what_has_nothing_left(headers: dict[str, str], expected: Quota) -> None:
    assert read_quota(headers, retry_after=9.0) == expected


NAMES = st.sampled_from(
    [
        "x-ratelimit-remaining-requests",
        "x-ratelimit-remaining-tokens",
        "x-ratelimit-reset-requests",
        "x-ratelimit-reset-tokens",
        "x-ratelimit-limit-tokens",
        "anthropic-ratelimit-tokens-reset",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(NAMES, st.text(max_size=12) | st.text("0123456789.mshd-:TZe+", max_size=24)))
def test_nothing_in_headers_raises_or_gives_what_cannot_be(headers: dict[str, str]) -> None:
    quota = read_quota(headers, now=NOW)
    figures = (
        (quota.requests_left, quota.tokens_left, quota.requests_reset_s, quota.tokens_reset_s)
        if quota
        else ()
    )
    assert all(figure is None or 0 <= figure < 10**13 for figure in figures)
