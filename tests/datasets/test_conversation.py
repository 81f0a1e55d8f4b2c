"""Conversations with tools, in the formats that programs write, as texts to be judged."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.errors import DataError, UsageError

ASKED, SAID, CITY, ANSWER = "Is it warm\nin Kelby?", "Let me look.", {"city": "Kelby"}, "12 degrees"
TEXT = f'user: Is it warm\n  in Kelby?\n\nassistant: {SAID}\n\nassistant calls weather: {{"city": "Kelby"}}\n\ntool weather: {ANSWER}'
GIVEN = json.dumps(CITY)
FUNCTION = {"name": "weather", "arguments": GIVEN}
BLOCKS = [{"type": "text", "text": ANSWER}]
FORMATS: dict[str, list[dict[str, Any]]] = {
    "chat completions": [
        {"role": "user", "content": [{"type": "text", "text": ASKED}]},
        {
            "role": "assistant",
            "content": SAID,
            "tool_calls": [{"id": "1", "type": "function", "function": FUNCTION}],
        },
        {"role": "tool", "tool_call_id": "1", "content": BLOCKS},
    ],
    "responses": [
        {"role": "user", "content": ASKED},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": SAID}]},
        {"type": "function_call", "id": "f", "call_id": "1", **FUNCTION},
        {"type": "function_call_output", "call_id": "1", "output": ANSWER},
    ],
    "messages": [
        {"role": "user", "content": ASKED},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": SAID},
                {"type": "tool_use", "id": "1", "name": "weather", "input": CITY},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": BLOCKS}]},
    ],
    "OpenTelemetry": [
        {"role": "user", "parts": [{"type": "text", "content": ASKED}]},
        {
            "role": "assistant",
            "parts": [
                {"type": "text", "content": SAID},
                {"type": "tool_call", "id": "1", "name": "weather", "arguments": CITY},
            ],
        },
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": ANSWER}]},
    ],
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_conversation_is_the_same_text_in_every_format(name: str) -> None:
    assert ad.conversation(FORMATS[name]) == TEXT


def test_a_column_of_messages_is_judged_as_their_conversation_and_a_wrong_one_is_named(
    tmp_path: Path,
) -> None:
    file = tmp_path / "chats.jsonl"
    file.write_text(json.dumps({"source": "s", "summary": FORMATS["messages"]}), encoding="utf-8")
    (item,) = ad.load_items(file, "summarization")
    assert item.fields["summary"] == TEXT
    file.write_text('{"source": "s", "summary": [{"said": "x"}]}', encoding="utf-8")
    with pytest.raises(DataError, match=r"line 1.*summary.*message 1 .* no format"):
        ad.load_items(file, "summarization")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda some: (
        st.lists(some, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "type", "content", "parts", "tool_calls", "function", "text"]), some
        )
    ),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=3))
def test_anything_is_a_text_or_an_error_of_the_user(messages: list[Any]) -> None:
    with contextlib.suppress(UsageError):
        assert isinstance(ad.conversation(messages), str)


@given(st.lists(st.text(), max_size=4))
def test_no_text_passes_for_a_message_of_somebody_else(texts: list[str]) -> None:
    found = ad.conversation([{"role": "user", "content": text} for text in texts])
    heads = [line for line in found.splitlines() if line and not line.startswith("  ")]
    assert len(heads) == len(texts)
    assert all(line.startswith("user: ") for line in heads)


@given(st.text(), st.text())
def test_no_name_passes_for_a_message_of_somebody_else(role: str, name: str) -> None:
    found = ad.conversation(
        [{"role": role, "parts": [{"type": "tool_call", "name": name, "arguments": "{}"}]}]
    )
    assert len(found.splitlines()) == 1


SEARCH = {"type": "web_search_call", "id": "w", "status": "completed", "action": {"query": "Kelby"}}
SHOT = {"type": "computer_screenshot", "image_url": "data:..."}
REMOTE = {"type": "mcp_call", "id": "m", "name": "weather", "arguments": GIVEN, "output": ANSWER}
SERVED = {"type": "server_tool_call", "id": "s", "name": "code", "server_tool_call": CITY}


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([{"role": "assistant", "content": None, "refusal": "I cannot."}], ["assistant: I cannot."]),
        (
            [{"role": "assistant", "content": None, "function_call": FUNCTION}],
            [f"assistant calls weather: {GIVEN}"],
        ),
        ([{"role": "assistant", "audio": {"id": "a", "transcript": "Mild."}}], ["assistant: Mild."]),
        ([{"role": "assistant", "content": None}], ["assistant: [empty]"]),
        (
            [
                {"type": "custom_tool_call", "call_id": "1", "name": "sql", "input": "select 1"},
                {"type": "custom_tool_call_output", "call_id": "1", "output": "1"},
            ],
            ["assistant calls sql: select 1", "tool sql: 1"],
        ),
        ([REMOTE], [f"assistant calls weather: {GIVEN}", f"tool weather: {ANSWER}"]),
        ([SEARCH], ['assistant calls web_search_call: {"action": {"query": "Kelby"}}']),
        (
            [
                {"type": "computer_call", "call_id": "1", "action": {"type": "wait"}},
                {"type": "computer_call_output", "call_id": "1", "output": SHOT},
            ],
            [
                'assistant calls computer_call: {"action": {"type": "wait"}}',
                "tool computer_call: [computer_screenshot]",
            ],
        ),
        ([{"type": "reasoning", "summary": [{"text": "It is cold."}]}], ["assistant thinks: It is cold."]),
        (
            [
                {"role": "assistant", "parts": [SERVED]},
                {
                    "role": "tool",
                    "parts": [
                        {"type": "server_tool_call_response", "id": "s", "server_tool_call_response": CITY}
                    ],
                },
            ],
            ['assistant calls code: {"city": "Kelby"}', 'tool code: {"city": "Kelby"}'],
        ),
    ],
)
def test_every_kind_of_call_answer_and_refusal_is_shown(messages: list[Any], told: list[str]) -> None:
    assert ad.conversation(messages).split("\n\n") == told


def test_what_is_no_text_is_named_and_thoughts_are_told_apart() -> None:
    parts = [{"type": "image_url", "image_url": {}}, {"type": "reasoning", "content": "It is cold."}]
    told = "user: [image_url]\n\nuser thinks: It is cold."
    assert ad.conversation([{"role": "user", "content": parts}]) == told
    with pytest.raises(UsageError, match="message 1"):
        ad.conversation([{}])
