"""The pages of two runs: what is matched, what differs, what only one of them has."""

from viewing import Client, hold, item, looking

NAMES = ("i1", "i2", "i3", "i4")


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


async def test_runs_that_were_marked_are_compared_and_one_alone_with_the_last_on_the_same_items() -> None:
    first, second = await two_runs()
    other = await hold({"elsewhere": 3}, item("elsewhere"))
    with looking() as client:
        assert f'<option value="{second}" selected>' in client.get(f"/compare?run={first}&run={second}").text
        assert f'<option value="{second}" selected>' in client.get(f"/compare?run={first}").text
        assert "No other run has debates of the same items" in client.get(f"/compare?a={other}").text
        assert client.get(f"/compare?run={first}&run={second}&run={other}").status_code == 400
