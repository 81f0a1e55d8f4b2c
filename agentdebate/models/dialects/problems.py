"""What an endpoint says when it does not answer a request, and which error that is.

Endpoints agree on the status codes more than on anything else, so a status decides first; codes and wordings
then tell apart what shares one. The wordings are those of OpenAI, Azure, vLLM, llama.cpp, FastAPI, Anthropic and Gemini.
"""

import email.utils
import html
import math
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from agentdebate.errors import (
    AccessDenied,
    AccountSpent,
    AuthenticationError,
    ContentFiltered,
    ContextTooLong,
    MalformedReply,
    ModelError,
    ModelTimeout,
    RateLimited,
    RequestRefused,
    ServerFailed,
    UnknownModel,
)
from agentdebate.models.dialects.reply import loaded, objects, tidy
from agentdebate.models.http import Answer
from agentdebate.models.limits.quota import seconds

_ERRORS = range(400, 600)
_REDIRECTS = range(300, 400)
_LONGEST_WAIT = 24 * 3600.0
_NOTABLE = 30.0
"""Seconds of a wait from which an error names the server that asks for it."""
_CONTEXT = re.compile(
    r"context[ _](length|window|size)|maximum context|too many (input |prompt )?tokens|"
    r"(prompt|input|messages?) (is|are) too long|max_model_len|\bn_ctx\b|"
    r"input token count.{0,40}exceeds",
    re.IGNORECASE,
)
_NO_LOGPROBS = re.compile(r"\blog_?prob\w*\b.{0,40}\bnot[ _](supported|enabled)", re.IGNORECASE)
"""How some servers say, as an error of theirs, that they give no log-probabilities and never will."""
_FILTER = re.compile(
    r"content[ _](filter|policy|management)|responsibleaipolicy|moderation|\bflagged\b", re.IGNORECASE
)
_SPENT = re.compile(
    r"credit balance is too low|reached your specified (api |workspace )?usage limit", re.IGNORECASE
)
_DAILY = re.compile(r"per_?day")
"""What stands in the id of a quota that Google counts by the day."""
_A_DAY = re.compile(r"\b(?:requests|tokens) per day\b(?:.*?\btry again in (\d[\dhmsu.]*))?", re.IGNORECASE)
"""How OpenAI, and those like it, say that the requests of the last 24 hours were too many."""
_PATIENCE = 60.0
"""Seconds for which it makes sense to wait for a quota that is counted by the day."""
_NO_KEY = re.compile(r"api[ _]key[ _](not valid|invalid|expired)", re.IGNORECASE)
"""How Gemini says, with a status of 400, that a key is none of its."""
_QUOTA = frozenset(("insufficient_quota", "billing_hard_limit_reached", "billing_not_active"))
_UNSUPPORTED = re.compile(
    r"unsupported|not[ _](supported|permitted|allowed|available|implemented|accepted|enabled)|n[o']t support|"
    r"unrecogni[sz]ed|unknown|unexpected|extra[ _](inputs?|fields?|forbidden)|deprecated|cannot be used",
    re.IGNORECASE,
)
_SCHEMA_FAULT = re.compile(r"invalid[ _](json[ _])?schema", re.IGNORECASE)
_DELAY = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")
_SHOULD_RETRY = {"true": True, "false": False}
"""What endpoints say in x-should-retry, which counts more than the status."""
_TITLE = re.compile(r"<title[^>]{0,100}>([^<]{1,300})", re.IGNORECASE)
_SYSTEM = re.compile(
    r"system (role|messages?|prompts?) (is |are )?not|n[o']t support (the )?.?system", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Problem:
    """What an endpoint said in place of a completion."""

    status: int
    message: str
    code: str = ""
    """The code and the type of the error, in lower case."""
    parameter: str = ""
    """The request field that the endpoint itself names."""
    retry_after: float | None = None
    """Seconds."""
    request_id: str | None = None
    retryable: bool | None = None
    """Whether another try makes sense, where the endpoint itself says so."""

    def refuses(self, sent: Iterable[str]) -> str | None:
        """The field among those sent that the endpoint does not take, where that is what it says."""
        if self.status not in {400, 404, 422, 500, 501}:
            return None
        named = self._named(sent)
        if named == "response_format":
            return None if _SCHEMA_FAULT.search(f"{self.code} {self.message}") else named
        if self.status < HTTPStatus.INTERNAL_SERVER_ERROR and _UNSUPPORTED.search(
            f"{self.code} {self.message}"
        ):
            return named
        return None

    @property
    def refuses_system(self) -> bool:
        """Whether it says that there is no system role."""
        return self.status in {400, 422, 500} and _SYSTEM.search(self.message) is not None

    def _named(self, sent: Iterable[str]) -> str | None:
        fields = {name: name for name in sent} | {"json_schema": "response_format"}
        if self.parameter in fields:
            return fields[self.parameter]
        places = {name: re.search(rf"\b{re.escape(name)}\b", self.message) for name in fields}
        found = {name: place.start() for name, place in places.items() if place}
        return fields[min(found, key=found.__getitem__)] if found else None


def read_problem(answer: Answer) -> Problem:
    """What the answer says. Nothing in an answer makes this raise."""
    headers = answer.headers
    said = _said(answer.body)
    status = _status(answer.status, said.get("code"))
    detail = said.get("detail")
    message = said.get("message") or said.get("error") or (_listed(detail) if detail else None)
    text = message if isinstance(message, str) else page_words(answer.body)
    return Problem(
        status=status,
        message=tidy(_redirect(answer, headers["location"]) if "location" in headers else text),
        code=_code(said),
        parameter=re.split(r"[.\[]", str(said.get("param") or ""))[0],
        retry_after=_wait(answer, said),
        request_id=said.get("request_id") if isinstance(said.get("request_id"), str) else None,
        retryable=_SHOULD_RETRY.get(headers.get("x-should-retry", "")),
    )


def is_page(body: bytes) -> bool:
    """Tell whether a body is HTML or XML, such as a page to log in at, which servers of models never send with success."""
    return body[:1000].lstrip().startswith(b"<")


def page_words(body: bytes) -> str:
    """Read a body as text; of a web page that has a title, its title stands for it."""
    found = _TITLE.search(body[:10_000].decode("utf-8", "replace")) if is_page(body) else None
    return f'a web page, "{html.unescape(found[1]).strip()}"' if found else body.decode("utf-8", "replace")


def wait_of(answer: Answer) -> float | None:
    """Seconds to wait before the next try, as an answer that is no success says in its headers or its body."""
    return _wait(answer, _said(answer.body))


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds to wait before the next try: from retry-after-ms, or from retry-after as seconds or as a
    date.
    """
    wait = _number(headers.get("retry-after-ms"), 1000)
    if wait is None:
        wait = _number(headers.get("retry-after"))
    if wait is None:
        wait = _until(headers.get("retry-after"), time.time() if now is None else now)
    return None if wait is None else min(max(wait, 0.0), _LONGEST_WAIT)


def failure(problem: Problem, *, model: str, place: str, key: str, address: str = "") -> ModelError:
    """The error that a problem is; `key` says in a few words what was shown as a key, `address` what is odd about the address."""
    kind, hint = _kind(problem, place, key)
    if address and problem.status in {404, 405}:
        hint = f"{address}; else check the model's name: the server is {place}"
    again = kind.retryable if problem.retryable is None else problem.retryable
    wait = problem.retry_after if again else None
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
    if again != kind.retryable:
        error.retryable = again
    return error.about(_refused(problem)) if isinstance(error, RequestRefused) else error


def _refused(problem: Problem) -> str:
    """The parameter that the endpoint does not take; what says how many alternatives a token has is one with the tokens'."""
    if problem.refuses(("logprobs", "top_logprobs")) or _NO_LOGPROBS.search(
        f"{problem.code} {problem.message}"
    ):
        return "logprobs"
    return problem.parameter


def _kind(problem: Problem, place: str, key: str) -> tuple[type[ModelError], str]:
    status, code = problem.status, problem.code
    wrong_key = status == HTTPStatus.BAD_REQUEST and _NO_KEY.search(f"{code} {problem.message}")
    if status == HTTPStatus.UNAUTHORIZED or wrong_key:
        return AuthenticationError, key
    if status == HTTPStatus.FORBIDDEN:
        return (ContentFiltered, "") if _FILTER.search(f"{code} {problem.message}") else (AccessDenied, key)
    if status == HTTPStatus.TOO_MANY_REQUESTS and (until := _spent_until(problem)):
        return AccountSpent, f"the quota of a day is spent until {until}: go on then, or with another model"
    if status == HTTPStatus.TOO_MANY_REQUESTS and not _QUOTA & set(code.split()):
        return RateLimited, ""
    if status in {402, 429}:
        return AccountSpent, "the account's budget is spent: see its billing page"
    return _by_words(problem) or _by_status(status, place)


def _spent_until(problem: Problem) -> str:
    """The time until which a quota of a day is spent; empty where none is, or where it is not long until then."""
    now = datetime.now(UTC)
    if _DAILY.search(problem.code):  # the second that Google names beside it (RetryInfo) is of no use
        return "midnight Pacific time"
    found = _A_DAY.search(problem.message)
    if found is None:
        return ""
    wait = problem.retry_after or seconds((found[1] or "").rstrip("."), now.timestamp()) or 0.0
    return f"{now + timedelta(seconds=wait):%Y-%m-%d %H:%M} UTC" if wait > _PATIENCE else ""


def _by_words(problem: Problem) -> tuple[type[ModelError], str] | None:
    """What the endpoint's own words say, whatever its status."""
    said = f"{problem.code} {problem.message}"
    if _CONTEXT.search(said):
        return ContextTooLong, "use a model with a larger context, or shorter items or debates"
    if _FILTER.search(said):
        return ContentFiltered, ""
    if problem.status == HTTPStatus.BAD_REQUEST and _SPENT.search(said):
        return AccountSpent, "the account's budget is spent: see its billing page"
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR and _NO_LOGPROBS.search(said):
        return RequestRefused, "take a server that gives log-probabilities, or do not ask for them"
    return None


def _by_status(status: int, place: str) -> tuple[type[ModelError], str]:
    if status == HTTPStatus.NOT_FOUND:
        return UnknownModel, f"check the model's name, and the path in base_url: the server is {place}"
    if status == HTTPStatus.REQUEST_TIMEOUT:
        return ModelTimeout, ""
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.CONFLICT:
        return ServerFailed, ""  # a conflict is another call's lock, which passes
    if status >= HTTPStatus.BAD_REQUEST:
        return RequestRefused, ""
    return MalformedReply, f"no answer of that kind; check the address in base_url: the server is {place}"


def _redirect(answer: Answer, location: str) -> str:
    """What is said of a redirect, which is never followed: the key would go with it."""
    if answer.status not in _REDIRECTS:
        return answer.body.decode("utf-8", "replace")
    try:
        target = urlsplit(location)
        where = target.netloc.rpartition("@")[2] or (
            f"{target.scheme}:" if target.scheme else "a path of its own"
        )
    except ValueError:
        where = "what is not an address (Location)"
    return f"it leads to {where}, and is not followed, so that no key goes there"


def _status(status: int, code: object) -> int:
    """Routers send what the provider said with status 200, and the provider's status in the body."""
    if status < HTTPStatus.BAD_REQUEST and isinstance(code, int) and code in _ERRORS:
        return code
    return status


def _said(body: bytes) -> dict[str, Any]:
    try:
        data = loaded(body)
    except ValueError:
        return {}
    if isinstance(data, list) and data:
        data = data[0]
    inner = data.get("error") if isinstance(data, dict) else None
    if isinstance(data, dict) and isinstance(inner, dict):
        # Anthropic names the call beside the error.
        return {"request_id": data["request_id"], **inner} if "request_id" in data else inner
    return data if isinstance(data, dict) else {}


def _code(said: Mapping[str, Any]) -> str:
    """What an error is called: a code and a type, or Google's status with the reasons and the quotas beside it."""
    details = _details(said)
    quotas = [one.get("quotaId") for detail in details for one in objects(detail.get("violations"))]
    named = [one.get("quota_limit") for one in objects([detail.get("metadata") for detail in details])]
    reasons = [one.get("reason") for one in details]
    names = (said.get("code"), said.get("type"), said.get("status"), *reasons, *quotas, *named)
    return " ".join(str(name) for name in names if name).lower()


def _wait(answer: Answer, said: Mapping[str, Any]) -> float | None:
    """Seconds to wait: from the headers, or from the detail in which Google says it ("17s")."""
    told = retry_after(answer.headers)
    if told is not None:
        return told
    delays = [_DELAY.fullmatch(str(one.get("retryDelay"))) for one in _details(said)]
    return next((min(float(one[1]), _LONGEST_WAIT) for one in delays if one), None)


def _details(said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Google's details of an error."""
    return objects(said.get("details"))


def _listed(detail: object) -> str:
    """FastAPI's list of what is wrong with a request, as "body.seed: not permitted"."""
    if not isinstance(detail, list):
        return str(detail)
    entries = [entry for entry in detail[:5] if isinstance(entry, dict)]
    return "; ".join(
        f"{_joined(entry.get('loc'))}: {entry.get('msg')} ({entry.get('type')})" for entry in entries
    )


def _joined(loc: object) -> str:
    return ".".join(map(str, loc)) if isinstance(loc, list) else str(loc)


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
