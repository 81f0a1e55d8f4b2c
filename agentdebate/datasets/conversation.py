"""Conversations as lists of messages, with what was asked of tools: OpenAI's, Anthropic's, and OpenTelemetry's for generative AI."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentdebate.errors import UsageError

_CALLS = frozenset(("function", "custom", "function_call", "tool_call", "tool_use"))
_RESULTS = frozenset(("function_call_output", "tool_call_response", "tool_result"))
_THOUGHTS = frozenset(("reasoning", "thinking"))
_ANSWERS = ("response", "result", "output", "content")
"""Fields of a tool's answer, by format."""
_TEXTS = ("text", "content", "refusal", "thinking")
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
    return "\n\n".join(f"{who}: {_INDENT.join(text.strip().splitlines())}" for who, text in turns)


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
    for part in [content] if isinstance(content, str) else content or ():
        yield from _part(role, part, tools)
    for part in message.get("tool_calls") or ():
        yield from _part(role, part, tools)


def _part(role: str, part: str | Mapping[str, Any], tools: dict[str, str]) -> Iterator[Turn]:
    if isinstance(part, str):
        part = {"type": "text", "text": part}
    kind = part.get("type")
    call = str(part.get("call_id") or part.get("tool_use_id") or part.get("id"))
    text = next((part[name] for name in _TEXTS if isinstance(part.get(name), str)), None)
    if kind in _CALLS:
        asked = part.get("function") or part.get("custom") or part
        tools[call] = str(asked.get("name"))
        yield f"{role} calls {tools[call]}", _plain(asked.get("arguments", asked.get("input")))
    elif kind in _RESULTS:
        answer = next((part[name] for name in _ANSWERS if name in part), None)
        yield f"tool {tools.get(call, '')}".rstrip(), _plain(answer)
    elif text is None:
        yield role, f"[{kind}]"
    elif text.strip():
        yield f"{role} thinks" if kind in _THOUGHTS else role, text


def _plain(value: object) -> str:
    """Arguments or an answer as text; several parts of text are joined."""
    if isinstance(value, list) and value and all(isinstance(one, dict) and "text" in one for one in value):
        return "\n".join(str(one["text"]) for one in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
