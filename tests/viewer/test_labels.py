"""A person labels blind: what is shown, what is kept, going on, taking back, and who may send a form."""

import json
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from viewing import STORE, TOKEN, Client, asking, item

from agentdebate.cli.app import run as command
from agentdebate.errors import DataError, UsageError, UserError
from agentdebate.prompts.prompts import load_task
from agentdebate.tasks import Item, Scale
from agentdebate.viewer.label_app import label_app
from agentdebate.viewer.label_file import LabelFile
from agentdebate.viewer.label_session import LabelSession
from agentdebate.viewer.label_set import LabelSet, label_set
from agentdebate.viewer.words import ago, count, money, seconds

FILE = Path("anna.jsonl")
OURS = {"origin": "http://127.0.0.1"}


@contextmanager
def desk(wanted: LabelSet, *, seed: int = 0) -> Iterator[Client]:
    """A browser without scripts at the pages of a labelling."""
    with (
        closing(LabelFile(FILE)) as file,
        asking(label_app(LabelSession(wanted, file, seed=seed), token=TOKEN)) as client,
    ):
        yield client


def asked(text: str) -> dict[str, str]:
    """The hidden fields of the form of a page."""
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text))


def answer(client: Client, **answers: object) -> int:
    """Answer about the item that is shown; the status."""
    said = {**asked(client.get("/").text), **{name: str(value) for name, value in answers.items()}}
    return int(client.post("/", data=said, headers=OURS).status_code)


def labels(file: Path = FILE) -> list[dict[str, object]]:
    """The rows of a file."""
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.fixture
def wanted(run: str) -> LabelSet:
    """The items of the run."""
    return label_set(run, store=STORE)


def test_an_answer_is_appended_and_the_next_item_shown(wanted: LabelSet) -> None:
    with desk(wanted) as client:
        first = client.get("/").text
        assert answer(client, coherence=4) == 303
        assert client.get("/").text != first
        assert answer(client, coherence=2) == 303
    assert [row["coherence"] for row in labels()] == [4, 2]
    assert labels()[0].keys() == {"id", "group", "system", "coherence", "labelled"}
    assert FILE.stat().st_mode & 0o777 == 0o600


def test_nothing_on_the_page_says_who_wrote_it_or_what_the_judge_said(wanted: LabelSet, run: str) -> None:
    hidden = {one.system for one in wanted.items} | {one.group for one in wanted.items}
    with desk(wanted) as client:
        for number in range(12):
            text = client.get("/", params={"after": number}).text
            body = re.sub(r"The bridge stays closed, says \w+\.", "", text)
            assert not [
                name
                for name in [*hidden, *(one.id for one in wanted.items), run]
                if name and f">{name}<" in body
            ]
            assert "a0" not in re.sub(r"<link[^>]*>", "", body)
        assert client.get("/run").status_code == 404
        assert client.get("/debate", params={"id": "a00/coherence"}).status_code == 404


def test_the_order_is_that_of_the_seed_and_not_that_of_the_run(wanted: LabelSet) -> None:
    def order(seed: int) -> list[str]:
        FILE.unlink(missing_ok=True)
        with desk(wanted, seed=seed) as client:
            for _ in wanted.items:
                answer(client, coherence=3)
        return [str(row["id"]) for row in labels()]

    first = order(1)
    assert first == order(1)
    assert first != order(2)
    assert sorted(first) == [one.id for one in wanted.items] != first


def test_the_last_page_has_the_whole_command_that_compares_the_run_with_the_labels(
    run: str, wanted: LabelSet, capsys: pytest.CaptureFixture[str]
) -> None:
    with desk(wanted) as client:
        for _ in range(12):
            answer(client, coherence=3)
        told = re.search(r"<code>(agentdebate agree.*?)</code>", client.get("/").text)
    assert told
    assert told[1] == f"agentdebate agree {run} --store {STORE} --data {FILE} --on id"
    assert command(shlex.split(told[1])[1:]) == 0
    assert "coherence" in capsys.readouterr().out


@pytest.mark.parametrize("said", ["6", "0", "", "nan", "2.5", "1e400", "four"])
def test_what_is_not_on_the_scale_is_not_kept(wanted: LabelSet, said: str) -> None:
    with desk(wanted) as client:
        assert answer(client, coherence=said) == 422
    assert FILE.read_bytes() == b""


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:1"}],
    ids=["none", "stranger", "null", "other port"],
)
def test_a_form_of_a_stranger_is_not_taken(wanted: LabelSet, headers: dict[str, str]) -> None:
    with desk(wanted) as client:
        said = {**asked(client.get("/").text), "coherence": "3"}
        assert client.post("/", data=said, headers=headers).status_code == 403
        assert client.post("/", data=said, headers={**OURS, "host": "evil.example"}).status_code == 421
        assert client.post("/", data={**said, "proof": "guessed"}, headers=OURS).status_code == 403
        assert client.post("/", data={**said, "proof": ""}, headers=OURS).status_code == 403
        assert client.post("/", content=b"x" * 30_000, headers=OURS).status_code == 403
        assert client.post("/elsewhere", data=said, headers=OURS).status_code == 405
        assert client.put("/", headers=OURS).status_code == 405
    assert FILE.read_bytes() == b""


def test_a_tab_takes_back_no_label_that_another_tab_gave_after_it_was_shown(wanted: LabelSet) -> None:
    with desk(wanted) as client:
        answer(client, coherence=4)
        first_tab = asked(client.get("/").text)
        answer(client, coherence=2)
        told = client.post("/undo", data=first_tab, headers=OURS)
        assert told.status_code == 422
        assert "Nothing was taken back" in told.text
    assert [row["coherence"] for row in labels()] == [4, 2]


def test_an_answer_about_an_item_that_another_tab_has_labelled_is_shown_and_fills_no_other_form(
    wanted: LabelSet,
) -> None:
    with desk(wanted) as client:
        second_tab = {**asked(client.get("/").text), "coherence": "2"}
        answer(client, coherence=4)
        told = client.post("/", data=second_tab, headers=OURS)
        assert told.status_code == 422
        assert "Item 1 was labelled in another tab" in told.text
        assert "(coherence 2) was not saved" in told.text
        assert 'name="number" value="2"' in told.text
        assert " checked" not in told.text
    assert [row["coherence"] for row in labels()] == [4]


def test_texts_are_compared_by_letters_in_an_order_of_their_own() -> None:
    items = [
        Item(task="comparison", id=f"q{n}", fields={"question": "Why?", "answer_1": "one", "answer_2": "two"})
        for n in range(20)
    ]
    wanted = LabelSet.of(items, {"comparison": load_task("comparison")}, None)
    sides = set[bool]()
    with desk(wanted) as client:
        for number in range(20):
            text = client.get("/", params={"after": number}).text
            sides.add(text.index(">one<") < text.index(">two<"))
            assert "answer_1" not in re.sub(r"<input[^>]*>", "", text)
        assert answer(client, choice="answer_2") == 303
        assert answer(client, choice="tie") == 303
        assert answer(client, choice="answer_3") == 422
    assert sides == {True, False}
    assert [row["choice"] for row in labels()] == ["answer_2", "tie"]


@pytest.mark.parametrize(
    ("scale", "keys", "refused"),
    [
        (Scale.parse("0-9"), list("0123456789"), "10"),
        (Scale.parse("-2-2"), list("12345"), "3"),
        (Scale.graded({"A": 5, "B": 4, "C": 1}), list("123"), "3"),
        (Scale.parse("0-100"), [], "101"),
        (Scale.parse("0-1 any"), [], "1.5"),
    ],
    ids=str,
)
def test_every_scale_has_its_keys(scale: Scale, keys: list[str], refused: str) -> None:
    kind = load_task("summarization").rescaled({"coherence": scale})
    wanted = LabelSet.of([item("a1")], {"summarization": kind}, ["coherence"])
    with desk(wanted) as client:
        page = client.get("/").text
        assert re.findall(r'type="radio"[^>]* data-key="(\d)"', page) == keys
        assert answer(client, coherence=refused) == 422
        assert answer(client, coherence=f"{scale.high:g}") == 303
    assert labels()[0]["coherence"] == scale.high


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("nonsense\n", "anna.jsonl, line 1"),
        ('{"id": "a00", "coherence": 3, "labelled": "2026"}\n{"id": "a01", "cohe', "anna.jsonl, line 2"),
        ('{"id": "a00", "source": "a data file"}\n', "is not a label"),
    ],
    ids=["nonsense", "cut off", "of another kind"],
)
def test_a_file_that_holds_something_else_is_left_alone(content: str, problem: str) -> None:
    FILE.write_text(content)
    with pytest.raises(DataError, match=problem):
        LabelFile(FILE)
    assert FILE.read_text() == content


def test_labels_of_other_items_are_not_mixed_in(wanted: LabelSet) -> None:
    FILE.write_text('{"id": "elsewhere", "coherence": 3, "labelled": "2026"}\n')
    with closing(LabelFile(FILE)) as file, pytest.raises(UsageError, match="labels other items"):
        LabelSession(wanted, file)


def test_two_processes_do_not_write_one_file() -> None:
    with closing(LabelFile(FILE)), pytest.raises(UsageError, match="is open in another"):
        LabelFile(FILE)


def test_what_somebody_else_writes_meanwhile_is_never_cut_away(wanted: LabelSet) -> None:
    with closing(LabelFile(FILE)) as file:
        file.append({"id": "a00", "coherence": 3, "labelled": "now"})
        with FILE.open("a") as other:
            other.write("their line\n")
        with pytest.raises(UsageError, match="changed by another program"):
            file.undo()
    assert FILE.read_text().endswith("their line\n")


def test_a_label_is_on_the_disk_before_the_next_item_is_shown(
    wanted: LabelSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = list[int]()
    fsync = os.fsync

    def noted(handle: int) -> None:
        synced.append(FILE.stat().st_size)
        fsync(handle)

    monkeypatch.setattr("os.fsync", noted)
    with desk(wanted) as client:
        answer(client, coherence=3)
    assert synced == [FILE.stat().st_size]


def test_a_label_that_the_disk_does_not_take_is_not_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with closing(LabelFile(FILE)) as file:
        file.append({"id": "a00", "coherence": 3, "labelled": "now"})
        monkeypatch.setattr(os, "fsync", full)
        for change in (lambda: file.append({"id": "a01", "coherence": 3, "labelled": "now"}), file.undo):
            with pytest.raises(UsageError, match=r"anna\.jsonl cannot be written: No space left"):
                change()
        assert [row["id"] for row in file.rows] == ["a00"]


ROW = {"id": "a", "source": "The bridge closes.", "summary": "It closes."}


@pytest.mark.parametrize(
    ("rows", "given", "problem"),
    [
        ([ROW], {"task": "summarization"}, "task=... goes with data"),
        ([ROW], {"run": "last", "data": "rows.jsonl"}, "a run or data=..., not both"),
        ([ROW], {"data": "rows.jsonl"}, "task=... is missing"),
        ([ROW], {"data": "rows.jsonl", "task": "summarization", "aspects": "grace"}, "grace"),
        ([ROW, ROW], {"data": "rows.jsonl", "task": "summarization"}, "is on line 1 too"),
    ],
)
def test_what_cannot_be_labelled_is_refused(rows: list[object], given: dict[str, str], problem: str) -> None:
    Path("rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    with pytest.raises(UserError, match=problem):
        label_set(
            given.get("run"), store=STORE, **{name: one for name, one in given.items() if name != "run"}
        )


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (count(None), "-"), (count(1234), "1,234"), (count(25_000_000), "25.0 M"), (money(None), "-"), (money(0.00125), "0.0013"),
        (money(12), "12.00"), (seconds(None), "-"), (seconds(0.25), "250 ms"), (seconds(9), "9.0 s"), (seconds(90), "1 min 30 s"),
        (seconds(7260), "2 h 1 min"), (ago(0, 59), "just now"), (ago(0, 7200), "2 hours ago"), (ago(0, 86_400), "1 day ago"),
    ],
)  # fmt: skip
def test_amounts_are_told_as_people_read_them(told: str, words: str) -> None:
    assert told.replace("\N{EN DASH}", "-").replace("\N{EM DASH}", "-") == words
