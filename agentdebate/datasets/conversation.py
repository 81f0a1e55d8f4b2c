"""Conversations as lists of messages, with what was asked of tools: OpenAI's, Anthropic's, and OpenTelemetry's for generative AI."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentdebate.errors import UsageError

_THOUGHTS = frozenset(("reasoning", "thinking"))
_BESIDE = ("refusal", "audio", "function_call")
"""Fields of a message of chat completions that may stand in the place of its content."""
_TEXTS = ("text", "content", "refusal", "thinking", "transcript")
_ANSWERS = ("response", "output", "outputs", "results", "result", "content")
"""Fields of a tool's answer, by format."""
_ABOUT = frozenset(("type", "id", "call_id", "status", "name", *_ANSWERS))
"""Fields of a call that are not what the tool is asked."""
_MEDIA = ("image", "input_image", "input_file", "computer_screenshot", "document")
_INDENT = "\n  "
Turn = tuple[str, str]
"""Speaker and text."""


def conversation(messages: Sequence[Mapping[str, Any]]) -> str:
    """The text of a conversation, to be judged: a paragraph for each message, call of a tool and answer of a tool.

        item = ad.Item(task="support", fields={"dialogue": ad.conversation(messages)})

    `messages` are those of OpenAI's chat completions or Responses, of Anthropic, or of OpenTelemetry (`gen_ai.input.messages`).
    Further lines of a message are indented, so that no text can pass for a message of somebody else. A picture or a file is named in
    brackets: [image_url]. Raises UsageError for a message in another format.
    """
    tools: dict[str, str] = {}
    turns: list[Turn] = []
    for place, message in enumerate(messages, 1):
        try:
            turns.extend(_turns(message, tools))
        except (AttributeError, KeyError, TypeError) as error:
            raise UsageError(
                f"message {place} of the conversation is in no format that is known here"
            ) from error
    return "\n\n".join(
        f"{' '.join(who.split())}: {_INDENT.join(text.strip().splitlines())}" for who, text in turns
    )


def is_conversation(value: object) -> bool:
    """Tell whether a value is a list of messages rather than of texts."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _turns(message: Mapping[str, Any], tools: dict[str, str]) -> Iterator[Turn]:
    """Yield what one message says. `tools` are the names of those called so far, by the call."""
    role, content = str(message.get("role", "assistant")), message.get("parts", message.get("content"))
    if "role" not in message:  # a call, an answer or a thought of Responses
        content = [{"type": message["type"], **message}]
    elif role == "tool" and "tool_call_id" in message:
        content = [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": content}]
    parts = [content] if isinstance(content, str) else [*(content or ())]
    parts += [_beside(name, message[name]) for name in _BESIDE if message.get(name)]
    turns = [
        turn for part in (*parts, *(message.get("tool_calls") or ())) for turn in _part(role, part, tools)
    ]
    yield from turns or [(role, "[empty]")]


def _beside(name: str, value: Any) -> Mapping[str, Any]:
    return {name: value, "type": name} if isinstance(value, str) else {**value, "type": name}


def _part(role: str, part: str | Mapping[str, Any], tools: dict[str, str]) -> Iterator[Turn]:
    if isinstance(part, str):
        part = {"type": "text", "text": part}
    kind = str(part.get("type"))
    call = str(part.get("call_id") or part.get("tool_use_id") or part.get("id"))
    text = next((part[name] for name in _TEXTS if isinstance(part.get(name), str)), None)
    answer = next((part[name] for name in (*_ANSWERS, kind) if part.get(name) is not None), None)
    if kind in {"function", "custom"} or kind.endswith(("_call", "_use")):
        yield from _call(role, call, part, tools)
        if any(part.get(name) for name in ("output", "outputs", "results")):  # a tool of the endpoint's own
            yield f"tool {tools[call]}", _plain(answer)
    elif kind.endswith(("_call_output", "_response", "_result")):
        yield f"tool {tools.get(call, '')}".rstrip(), _plain(answer)
    elif kind in _THOUGHTS and text is None and part.get("summary"):
        yield f"{role} thinks", _plain(part["summary"])
    elif text is None:
        yield role, f"[{kind}]"
    elif text.strip():
        yield f"{role} thinks" if kind in _THOUGHTS else role, text


def _call(role: str, call: str, part: Mapping[str, Any], tools: dict[str, str]) -> Iterator[Turn]:
    """Yield what a tool is asked, and note its name."""
    kind = str(part.get("type"))
    asked = part.get("function") or part.get("custom") or part
    tools[call] = str(asked.get("name") or kind)
    given = (asked[name] for name in ("arguments", "input", kind) if asked.get(name) is not None)
    others = {name: value for name, value in asked.items() if name not in _ABOUT and value is not None}
    yield f"{role} calls {tools[call]}", _plain(next(given, others))


def _plain(value: object) -> str:
    """Arguments or an answer as text; parts of text are joined, and pictures and files named in brackets."""
    if isinstance(value, str):
        return value
    told = [_shown(one) for one in value] if isinstance(value, list) and value else [_shown(value)]
    return json.dumps(value, ensure_ascii=False) if None in told else "\n".join(str(one) for one in told)


def _shown(part: object) -> str | None:
    """A part of an answer for people; None for data."""
    if not isinstance(part, dict):
        return None
    return f"[{part['type']}]" if part.get("type") in _MEDIA else part.get("text")
