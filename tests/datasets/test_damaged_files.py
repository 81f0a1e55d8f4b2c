"""Whatever stands in a row of a published dataset: there are items, or an error that says where."""

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published_files import as_json, goyal_article, hanna_rows, part, unieval_summary, usr_dialogue

from agentdebate.errors import DataError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
ARTICLE = {
    "article_id": "cnn-0",
    "article": "News.",
    "summaries": {"a": "A.", "b": "B."},
    "annotators": [{"best": ["a"], "worst": ["b"]}] * 3,
}
FORMS: list[tuple[str, Any]] = [
    ("summeval", [unieval_summary(), unieval_summary(system="M9")]),
    ("topical-chat", [usr_dialogue("Original Ground Truth", "Argmax Decoding")]),
    ("goyal2022", {"0": goyal_article(*[("gpt3", "t0")] * 3), "1": goyal_article(*[("t0", "gpt3")] * 3)}),
    ("goyal2022", [ARTICLE, {**ARTICLE, "article_id": "cnn-1"}]),
    ("hanna", hanna_rows(("0", "A prompt.", "Human"), ("1", "Another.", "GPT-2"))),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([path] if path else []), *(place for key, one in inner for place in places(one, (*path, key)))]


@settings(max_examples=60)
@pytest.mark.parametrize(("name", "data"), FORMS)
@given(draw=st.data())
def test_a_value_that_is_another_one_gives_items_or_an_error_that_names_the_file(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: Any, draw: st.DataObject
) -> None:
    damaged = copy.deepcopy(data)
    *way, last = draw.draw(st.sampled_from(places(data)))
    inner = damaged
    for key in way:
        inner = inner[key]
    inner[last] = draw.draw(JSON)
    path = as_json(tmp_path_factory.getbasetemp() / "cnn_damaged.json", damaged)
    assert given_or_named(name, path)


def given_or_named(name: str, path: Path) -> bool:
    try:
        taken = part(name, path)
    except DataError as error:
        return str(error).startswith(str(path))
    return len(taken.items) > 0 and all(item.id for item in taken.items)
