"""Errors for what an endpoint says in place of a completion: by its status, its own code, and few words that have no code."""

import email.utils
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from agentdebate.errors import (
    AccessDenied,
    AccountSpent,
    AuthenticationError,
    ContentFiltered,
    ContextTooLong,
    MalformedReply,
    ModelError,
    ModelTimeout,
    NoRoom,
    RateLimited,
    RequestRefused,
    ServerFailed,
    UnknownModel,
)
from agentdebate.models.dialects.reply import loaded, objects, tidy
from agentdebate.models.http import Answer

_FULL = re.compile(r"resource[ _]unavailable|^429 resource_exhausted$", re.IGNORECASE)
"""Words of OpenAI for a tier without room, and Google's code where it names no quota beside it."""
_ERRORS = range(400, 600)
_STATUS_OF: Mapping[str | int, int] = {
    "rate_limit_exceeded": HTTPStatus.TOO_MANY_REQUESTS,
    **dict.fromkeys(("server_error", "vector_store_timeout"), HTTPStatus.INTERNAL_SERVER_ERROR),
}
"""The statuses of failed responses, which come with a status of success, as of openai 3.57.0 (2026-11-29)."""
_LONGEST_WAIT = 24 * 3600.0
_NOTABLE = 30.0
"""Seconds of a wait from which an error names the server that asks for it."""
_BILLING = "the account's budget is spent: see its billing page"
_LONGER = "use a model with a larger context, or shorter items or debates"
_NO_LOGPROBS = re.compile(r"log_?probs?\b.{0,40}\bnot (supported|enabled)", re.IGNORECASE)
"""Words in which Gemini and llama.cpp say that they give no log-probabilities, the latter as an error of its own."""

_BY_STATUS: Mapping[int, type[ModelError]] = {
    HTTPStatus.UNAUTHORIZED: AuthenticationError,
    HTTPStatus.PAYMENT_REQUIRED: AccountSpent,
    HTTPStatus.FORBIDDEN: AccessDenied,
    HTTPStatus.NOT_FOUND: UnknownModel,
    HTTPStatus.REQUEST_TIMEOUT: ModelTimeout,
    HTTPStatus.CONFLICT: ServerFailed,  # another call's lock, which passes
    HTTPStatus.TOO_MANY_REQUESTS: RateLimited,
}
_BY_CODE: tuple[tuple[type[ModelError], re.Pattern[str]], ...] = (
    (AuthenticationError, re.compile(r"\b(invalid_api_key|api_key_invalid)\b")),
    (AccountSpent, re.compile(r"\b(insufficient_quota|billing_\w+)|per_?day")),  # Google's quotas of a day
    (ContextTooLong, re.compile(r"\b(context_length_exceeded|exceed_context_size_error)\b")),
    (
        ContentFiltered,
        re.compile(
            r"content_(filter|policy)|(bio|misalignment)_policy|responsibleaipolicyviolation|\b(moderation|invalid_prompt)"
        ),
    ),
)
"""The errors that codes and types name: OpenAI's, Azure's, Google's, llama.cpp's."""
_BY_WORDS: tuple[tuple[type[ModelError], re.Pattern[str]], ...] = (
    (
        ContextTooLong,
        re.compile(
            r"context (length|window|size)|prompt is too long|token count.{0,40}exceeds", re.IGNORECASE
        ),
    ),
    (
        AccountSpent,
        re.compile(r"credit balance is too low|reached your specified .*usage limit", re.IGNORECASE),
    ),
)
"""The errors for which Anthropic, Google and vLLM have no code but that of any bad request."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Error of an endpoint, in place of a completion."""

    status: int
    message: str
    code: str = ""
    """The code and the type of the error, in lower case."""
    parameter: str = ""
    """The request field that the endpoint itself names."""
    retry_after: float | None = None
    """Seconds."""
    request_id: str | None = None
    tier: str = ""
    """Service tier that was asked at."""

    def refuses_schema(self, field: str) -> bool:
        """Tell whether it is about the field of a request that holds the reply to a schema."""
        named = self.parameter == field.partition(".")[0] or re.search(
            rf"\b({field}|(?i:json[_ ]schema))\b", self.message
        )
        return self.status in {400, 404, 422, 500, 501} and bool(named)


def read_problem(answer: Answer) -> Problem:
    """Read the error in an answer. Nothing in an answer makes this raise."""
    said = _said(answer.body)
    found = said.get("message") or said.get("error") or said.get("detail")
    text = found if isinstance(found, str) else answer.body[:10_000].decode("utf-8", "replace")
    code = said.get("code")
    # Responses and routers send what the provider said with status 200, and the provider's status in the body.
    named = _STATUS_OF.get(code, code) if isinstance(code, str | int) else None
    status = named if answer.ok and isinstance(named, int) and named in _ERRORS else answer.status
    return Problem(
        status=status,
        message=tidy(text),
        code=_code(said),
        parameter=re.split(r"[.\[]", str(said.get("param") or ""))[0],
        retry_after=_wait(answer.headers, said),
    )


def is_page(body: bytes) -> bool:
    """Tell whether a body is HTML or XML, such as a page to log in at, which servers of models never send with success."""
    return body[:1000].lstrip().startswith(b"<")


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds to wait before the next try: from retry-after-ms, or from retry-after as seconds or as a date."""
    told = headers.get("retry-after")
    wait = _number(headers.get("retry-after-ms"), 1000)
    if wait is None:
        wait = _number(told)
    if wait is None:
        wait = _until(told, time.time() if now is None else now)
    return None if wait is None else min(max(wait, 0.0), _LONGEST_WAIT)


def failure(problem: Problem, *, model: str, place: str, key: str, address: str = "") -> ModelError:
    """The error that a problem is; `key` says in a few words what was shown as a key, `address` what is odd about the address."""
    kind = NoRoom if _has_no_room(problem) else _kind(problem)
    wait = problem.retry_after if kind.retryable else None
    hint = _hint(problem.status, kind, place, key, address)
    if wait is not None and wait > _NOTABLE:
        hint = f"{place} asks for a wait of {wait:.0f} s"
    said = f"HTTP {problem.status}: {problem.message}" if problem.message else f"HTTP {problem.status}"
    error = kind(
        f"{said} ({hint})" if hint else said,
        model=model,
        status=problem.status,
        retry_after=wait,
        request_id=problem.request_id,
    )
    if isinstance(error, RequestRefused):
        error.parameter = "logprobs" if _is_about_logprobs(problem) else problem.parameter
    return error


def _kind(problem: Problem) -> type[ModelError]:
    status = problem.status
    for kind, pattern in _BY_CODE:
        if pattern.search(problem.code):
            return kind
    if status < HTTPStatus.INTERNAL_SERVER_ERROR:
        for kind, pattern in _BY_WORDS:
            if pattern.search(problem.message):
                return kind
    elif _NO_LOGPROBS.search(problem.message):
        return RequestRefused
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return ServerFailed
    return RequestRefused if status >= HTTPStatus.BAD_REQUEST else MalformedReply


def _hint(status: int, kind: type[ModelError], place: str, key: str, address: str) -> str:
    """Advise on an error."""
    if address and status in {404, 405}:
        return f"{address}; else check the model's name: the server is {place}"
    hints: Mapping[type[ModelError], str] = {
        AuthenticationError: key,
        AccessDenied: key,
        AccountSpent: _BILLING,
        ContextTooLong: _LONGER,
        UnknownModel: f"check the model's name, and the path in base_url: the server is {place}",
        # A redirect is never followed, for the key would go with it.
        MalformedReply: f"no answer of that kind; check the address in base_url: the server is {place}",
    }
    return hints.get(kind, "")


def _has_no_room(problem: Problem) -> bool:
    """Tell whether the tier flex is full, which a quota that is used up is not."""
    if problem.tier != "flex" or problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        return problem.tier == "flex"
    told = (problem.code, problem.message)
    return problem.status == HTTPStatus.TOO_MANY_REQUESTS and any(map(_FULL.search, told))


def _is_about_logprobs(problem: Problem) -> bool:
    """Tell whether it is about log-probabilities; the field that says how many alternatives a token has is one with the tokens'."""
    return problem.parameter in {"logprobs", "top_logprobs"} or bool(_NO_LOGPROBS.search(problem.message))


def _said(body: bytes) -> dict[str, Any]:
    """The error in a body: of an object, of a list of one, under "error" or by itself."""
    try:
        data = loaded(body)
    except ValueError:
        return {}
    data = next(iter(objects(data)), {}) if isinstance(data, list) else data
    if not isinstance(data, dict):
        return {}
    inner = data.get("error") or next(
        (one["error"] for one in objects(data.get("choices")) if one.get("error")), None
    )
    return inner if isinstance(inner, dict) else data


def _code(said: Mapping[str, Any]) -> str:
    """Name an error: a code and a type, or Google's status with the reasons and the quotas beside it."""
    details = objects(said.get("details"))
    quotas = [one.get("quotaId") for detail in details for one in objects(detail.get("violations"))]
    names = (
        said.get("code"),
        said.get("type"),
        said.get("status"),
        *(one.get("reason") for one in details),
        *quotas,
    )
    return " ".join(str(name) for name in names if name).lower()


def _wait(headers: Mapping[str, str], said: Mapping[str, Any]) -> float | None:
    """Seconds to wait: from the headers, or from the detail in which Google says it ("17s")."""
    told = retry_after(headers)
    if told is not None:
        return told
    delays = [str(one.get("retryDelay")) for one in objects(said.get("details")) if "retryDelay" in one]
    wait = _number(delays[0].removesuffix("s")) if delays else None
    return None if wait is None else min(max(wait, 0.0), _LONGEST_WAIT)


def _number(text: str | None, divisor: float = 1.0) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value / divisor if math.isfinite(value) else None


def _until(text: str | None, now: float) -> float | None:
    try:
        return email.utils.parsedate_to_datetime(text or "").timestamp() - now
    except (ValueError, OverflowError):
        return None
