"""The JSON of what debates write most, made by hand: to find out which fields have their defaults, to look for texts in the rest and to
write it takes pydantic and us three times as long.

It is what record_rows.py makes of pydantic's fields, to the byte: a test compares the two. What is seldom is left to pydantic: half a
character, a long name, a number that JSON does not have. The functions below raise ValueError or TypeError for it.
"""

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from pydantic import BaseModel
from pydantic_core import to_json

from agentdebate.ballots.ballot import Ballot, Reading
from agentdebate.frozen import changed
from agentdebate.models.base import Completion
from agentdebate.store.pieces import LEAST, PLACE, is_text, take_texts
from agentdebate.talk.messages import (
    Ask,
    Brief,
    CastBallot,
    Critique,
    Message,
    Reply,
    Ruling,
    Score,
    Statement,
    Summary,
    Tell,
    Verdict,
)
from agentdebate.usage import Spent, Usage

HEAD = ("seq", "kind", "sender", "round", "time")
"""The fields of a message that are columns."""

_HEAD = set(HEAD)
_ASIDE = f'"{PLACE}"'
_NO_BALLOTS = '"ballots":[]'
_LONG = re.compile(rf'"[^"]{{{LEAST}}}')
_PLAIN = frozenset({str, int, bool, type(None)})
"""What of that which a question was given is written in one way only."""

Texts = list[str]
"""The texts that are taken out of a record, in their order."""

WrittenBallots = dict[int, tuple[Ballot, str, Texts]]
"""The ballots of a debate by the numbers of their messages, with what was written of each. Its verdict repeats them."""


def message_json(message: Message, texts: Texts, ballots: WrittenBallots) -> str | None:
    """What of a message is not in columns, without its texts, which are added to `texts`; None where it is left to pydantic."""
    write = _WRITERS.get(type(message))
    if write is None:
        return None
    try:
        return write(message, texts, ballots)
    except (ValueError, TypeError):
        texts.clear()
        return None


def completion_json(completion: Completion, texts: Texts) -> str | None:
    """A completion without its texts, which are added to `texts`; None where it is left to pydantic. It always says what it cost."""
    try:
        return _completion(completion, texts)
    except (ValueError, TypeError):
        texts.clear()
        return None


def _completion(one: Completion, texts: Texts) -> str:
    if one.logprobs is not None or one.others or one.lost or one.cut or type(one) is not Completion:
        raise ValueError("what few completions have is left to pydantic")
    text, model, usage = _text(one.text, texts), _name(one.model), _usage(one.usage)
    finish = "" if one.finish == "stop" else f',"finish":{_name(one.finish)}'
    structured = ',"structured":true' if one.structured else ""
    latency = f',"latency":{_number(one.latency)}' if one.latency else ""
    request = "" if one.request_id is None else f',"request_id":{_text(one.request_id, texts)}'
    cached = ',"cached":true' if one.cached else ""
    return f'{{"text":{text},"model":{model}{finish}{structured}{latency}{request}{cached},"usage":{usage}}}'


def _brief(message: Brief, texts: Texts, _: WrittenBallots) -> str:
    item = _text(message.item, texts)
    candidates = f',"candidates":{_names(message.candidates)}' if message.candidates else ""
    about = f'"task":{_name(message.task)},"aspects":{_names(message.aspects)},"item":{item}{candidates}'
    return f'{{"to":{_names(message.to)},{about},"text":{_text(message.text, texts)}}}'


def _ask(message: Ask, _: Texts, __: WrittenBallots) -> str:
    heard = f',"hearing":{_numbers(message.hearing)}' if message.hearing else ""
    given = f',"given":{_given(message.given)}' if message.given else ""
    sure = "" if message.confidence is None else f',"confidence":{_name(message.confidence)}'
    return f"{_question(message.to, message.purpose, message.reply)}{heard}{given}{sure}}}"


def _given(given: Mapping[str, Any]) -> str:
    for name, value in given.items():
        if type(name) is not str or type(value) not in _PLAIN or (type(value) is str and is_text(value)):
            raise ValueError(f"{name!r} is left to pydantic")
    return to_json(given).decode()


def _tell(message: Tell, _: Texts, __: WrittenBallots) -> str:
    return f'{{"to":{_names(message.to)},"heard":{_numbers(message.heard)}}}'


def _reply(message: Reply, texts: Texts) -> str:
    """What every reply begins with."""
    text = _text(message.text, texts)
    model = f',"model":{_name(message.model)}' if message.model else ""
    return f'{{"to":{_names(message.to)},"answers":{message.answers:d},"text":{text}{model}'


def _summary(message: Summary, texts: Texts, _: WrittenBallots) -> str:
    return f"{_reply(message, texts)}}}"


def _critique(message: Critique, texts: Texts, _: WrittenBallots) -> str:
    no_issue = "true" if message.no_issue else "false"
    reading = "" if message.reading == "clear" else f',"reading":{_name(message.reading)}'
    ends = "" if message.ends is None else f',"ends":{_numbers(message.ends)}'
    return f'{_reply(message, texts)},"no_issue":{no_issue}{reading}{ends}}}'


def _with_ballot(message: Score | Ruling | Statement, texts: Texts, ballots: WrittenBallots) -> str:
    said, ballot = _reply(message, texts), message.ballot
    if ballot is None:
        return f"{said}}}"
    own: Texts = []
    data = _ballot(ballot, own)
    ballots[message.seq] = ballot, data, own
    texts += own
    return f'{said},"ballot":{data}}}'


def _ballot(ballot: Ballot, texts: Texts) -> str:
    if ballot.given:
        raise ValueError("a judgement of another kind is left to pydantic")
    ratings = ",".join(
        [
            f'{{"aspect":{_name(one.aspect)},"score":{_number(one.score)}{_candidate(one.candidate)}}}'
            for one in ballot.ratings
        ]
    )
    reason = f',"reason":{_text(ballot.reason, texts)}' if ballot.reason else ""
    reading, sure = _reading(ballot.reading, texts), ballot.confidence
    confidence = "" if sure is None else f',"confidence":{to_json(_fields(sure)).decode()}'
    return f'{{"ratings":[{ratings}]{reason}{reading}{confidence}}}'


def _candidate(name: str | None) -> str:
    return "" if name is None else f',"candidate":{_name(name)}'


def _reading(reading: Reading, texts: Texts) -> str:
    told = reading.problems or reading.repeated or reading.mass is not None or reading.ends is not None
    if not told and reading.attempts == 1:
        return _usual_reading(reading.how, reading.rule)
    data = _fields(reading)
    take_texts(data, texts)
    return f',"reading":{to_json(data).decode()}'


@lru_cache(maxsize=256)
def _usual_reading(how: str, rule: str) -> str:
    if how == "text" and not rule:  # the default
        return ""
    told = f',"rule":{_name(rule)}' if rule else ""
    return f',"reading":{{"how":{_name(how)}{told}}}'


def _fields(model: BaseModel) -> Any:
    return model.__pydantic_serializer__.to_python(model, mode="json", exclude_defaults=True)


def _verdict(verdict: Verdict, texts: Texts, ballots: WrittenBallots) -> str:
    rest = changed(verdict, ballots=(), usage=())
    data: str = rest.__pydantic_serializer__.to_json(rest, exclude=_HEAD, exclude_defaults=True).decode()
    if not _has_no_text(data) or "null" in data:  # which pydantic makes of infinity
        raise ValueError("a verdict with texts of its own is left to pydantic")
    casts = ",".join([_cast(one, texts, ballots) for one in verdict.ballots])
    spent = ",".join(map(_spent, verdict.usage))
    usage = f',"usage":[{spent}]' if spent else ""
    return data.replace(_NO_BALLOTS, f'"ballots":[{casts}]{usage}', 1)


def _has_no_text(data: str) -> bool:
    """Whether it is sure that JSON has no text in it that is taken out. One with a quotation mark may look like two."""
    return PLACE not in data and "\\" not in data and not _LONG.search(data)


def _cast(cast: CastBallot, texts: Texts, ballots: WrittenBallots) -> str:
    written = ballots.get(cast.message)
    if written is not None and written[0] is cast.ballot:
        ballot = written[1]
        texts += written[2]
    else:
        ballot = _ballot(cast.ballot, texts)
    weight = "" if cast.weight == 1 else f',"weight":{_number(cast.weight)}'
    who = f'"agent":{_name(cast.agent)},"round":{cast.round:d},"message":{cast.message:d}'
    return f'{{{who},"model":{_name(cast.model)},"ballot":{ballot}{weight}}}'


def _spent(one: Spent) -> str:
    return f'{{"agent":{_name(one.agent)},"round":{one.round:d},"usage":{_usage(one.usage)}}}'


def _usage(usage: Usage) -> str:
    return to_json({name: tokens for name, tokens in usage.__dict__.items() if tokens}).decode()


@lru_cache(maxsize=256)
def _question(to: tuple[str, ...], purpose: str, reply: str) -> str:
    """How a question begins: those of a strategy are few."""
    return f'{{"to":{_names(to)},"purpose":{_name(purpose)},"reply":{_name(reply)}'


@lru_cache(maxsize=256)
def _names(names: tuple[str, ...]) -> str:
    return f"[{','.join(map(_name, names))}]"


@lru_cache(maxsize=256)
def _name(name: str) -> str:
    """The name of an agent, a model or an aspect, as JSON. Raises ValueError for one that would be taken out, and for half a character."""
    if is_text(name):
        raise ValueError(f"{name[:LEAST]!r} is taken out, and left to pydantic")
    return to_json(name).decode()


def _text(text: str, texts: Texts) -> str:
    if is_text(text):
        texts.append(text)
        return _ASIDE
    return to_json(text).decode()


def _number(number: float) -> str:
    if type(number) is not float or not math.isfinite(number):
        raise ValueError(f"{number!r} is left to pydantic")
    return to_json(number).decode()


def _numbers(numbers: tuple[int, ...]) -> str:
    return to_json(numbers).decode()


class _Write(Protocol):
    def __call__(self, message: Any, texts: Texts, ballots: WrittenBallots, /) -> str: ...


_WRITERS: dict[type[Message], _Write] = {
    Brief: _brief,
    Ask: _ask,
    Tell: _tell,
    Summary: _summary,
    Critique: _critique,
    Statement: _with_ballot,
    Score: _with_ballot,
    Ruling: _with_ballot,
    Verdict: _verdict,
}
