"""The pages of two runs: what is matched, what differs, what only one of them has."""

import re

import pytest
from viewing import Client, hold, item, looking

NAMES = ("i1", "i2", "i3", "i4")


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


def listed(text: str) -> list[str]:
    return re.findall(r'<a class="row" href="[^"]*">([^<]*)', text.replace("<wbr>", ""))


async def two_runs() -> tuple[str, str]:
    """The second run raises i1 by 2 and lowers i2 by 1; i3 is alike; i4 fails in it; i5 is in the first run alone."""
    people = [item(name, human={"coherence": float(number)}) for number, name in enumerate((*NAMES, "i5"), 1)]
    first = await hold({"i1": 1, "i2": 3, "i3": 4, "i4": 5, "i5": 2}, *people)
    second = await hold({"i1": 3, "i2": 2, "i3": 4}, *people[:4])
    return first, second


def get(client: Client, path: str, **query: str) -> str:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


async def test_two_large_runs_are_matched_beside_the_page_which_goes_on_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = await two_runs()
    with looking() as client:
        whole = get(client, "/compare", a=first, b=second)
    monkeypatch.setattr("agentdebate.viewer.compare_page.PAIRED_AT_ONCE", 2)
    monkeypatch.setattr("agentdebate.viewer.shelf._PATIENCE", 60)
    with looking() as client:
        assert get(client, "/compare", a=first, b=second) == whole
    monkeypatch.setattr("agentdebate.viewer.shelf.Shelf.at_work", lambda *_: None)
    with looking() as client:
        text = get(client, "/compare", a=first, b=second)
    assert "The debates of the two runs are being matched." in text
    assert "data-more" in text
    assert "<tbody>" not in text


async def test_what_both_scored_is_counted_by_direction_and_what_one_has_alone_is_counted_apart() -> None:
    first, second = await two_runs()
    with looking() as client:
        text = get(client, "/compare", a=first, b=second)
    row = plain(text[text.index("<tbody>") : text.index("</tbody>")]).split()
    assert row == ["coherence", "3", "1", "1", "1", "+0.333", "1"]
    assert "1 debate ended in the first run only" in plain(text)
    assert "0 debates in the second only" in plain(text)


@pytest.mark.parametrize(
    ("show", "names"),
    [
        ("all", ["i1", "i2", "i3"]),
        ("up", ["i1"]),
        ("down", ["i2"]),
    ],
)
async def test_the_list_has_the_largest_changes_first(show: str, names: list[str]) -> None:
    first, second = await two_runs()
    with looking() as client:
        text = get(client, "/compare", a=first, b=second, show=show)
    assert listed(text) == [f"{name}/coherence" for name in names]


async def test_both_transcripts_stand_side_by_side() -> None:
    first, second = await two_runs()
    with looking() as client:
        text = get(client, "/pair", a=first, b=second, id="i1/coherence")
    assert "Coherence: 1" in text
    assert "Coherence: 3" in text
    assert len(set(re.findall(r'id="([^"]*)"', text))) == len(re.findall(r'id="([^"]*)"', text)), (
        "no id is there twice"
    )


async def test_statistics_are_those_of_agree_with_their_names_in_words() -> None:
    first, second = await two_runs()
    with looking() as client:
        text = plain(get(client, "/compare", a=first, b=second, statistic="spearman", level="pooled"))
    assert "Spearman" in text
    assert "permutation test" in text
    with looking() as client:
        assert (
            client.get("/compare", params={"a": first, "b": second, "statistic": "nonsense"}).status_code
            == 400
        )
        for wrong in ({"show": "nonsense"}, {"level": "nonsense"}, {"score": "nonsense"}):
            answer = client.get("/compare", params={"a": first, "b": second, **wrong})
            assert (answer.status_code, "nonsense" in answer.text) == (400, True)


async def test_runs_that_were_marked_in_the_list_are_compared() -> None:
    first, second = await two_runs()
    with looking() as client:
        text = client.get(f"/compare?run={first}&run={second}").text
        alone = client.get(f"/compare?run={first}").text
        assert client.get(f"/compare?run={first}&run={second}&run={first}").status_code == 400
    assert f'<option value="{second}" selected>' in text
    assert "Choose a second run" in alone
