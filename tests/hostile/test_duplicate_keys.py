"""A key that stands twice is an error that says where, and what to do: no reader takes one of the two in silence."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.plan import read_plan
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.datasets.files import read_rows
from agentdebate.datasets.json_objects import KeyTwiceError, once
from agentdebate.errors import DataError
from agentdebate.tasks import Aspect, Scale


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.jsonl", '{"id": 1}\n{"id": 2, "id": 3}\n', 2),
        ("a.jsonl", '{"a": [{"b": {"c": 1, "c": 1}}]}\n', 1),
        ("a.json", '[{"id": 1},\n\n{"id": 2,\n"id": 3}]', 3),
        ("a.csv", "id,text,id\n1,2,3\n", 1),
        ("a.tsv", "id\tid\n1\t2\n", 1),
    ],
)
def test_a_data_file_with_a_key_twice_is_refused_at_its_line(
    tmp_path: Path, name: str, text: str, line: int
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="twice") as caught:
        list(read_rows(path))
    assert caught.value.line == line


def test_an_object_of_named_scores_with_a_name_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text('{"a": {"x": 1},\n"b": {"x": 1},\n"a": {"x": 2}}', encoding="utf-8")
    with pytest.raises(DataError, match="line 3, 'a': the key is on line 1 too; leave one out"):
        list(read_rows(path))
    path.write_text('{"a": {"x": 1, "x": 2}}', encoding="utf-8")
    with pytest.raises(DataError, match="'x' stands twice in one object"):
        list(read_rows(path))


def test_a_plan_with_an_aspect_twice_is_a_problem() -> None:
    aspects = [Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="It hangs together.")]
    found = read_plan('{"coherence": ["bleu"], "coherence": []}', aspects, ["bleu"])
    assert isinstance(found, Problem)
    assert "twice" in found.text


@given(st.lists(st.tuples(st.text(max_size=2), st.integers()), max_size=6))
def test_keys_that_stand_once_are_an_object_and_others_an_error(pairs: list[tuple[str, int]]) -> None:
    keys = [key for key, _ in pairs]
    if len(set(keys)) == len(keys):
        assert once(pairs) == dict(pairs)
        return
    with pytest.raises(KeyTwiceError) as caught:
        once(pairs)
    assert keys.count(caught.value.key) > 1
