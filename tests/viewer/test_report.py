"""A report in one file: what is in it, what is left out, and that it loads nothing and runs nothing of a user's."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
from output_checks import Page
from viewing import STORE, hold, item

import agentdebate as ad
from agentdebate.viewer.report_file import markdown_of

pytestmark = pytest.mark.usefixtures("run")

OUT = Path("report.html")


def written(*runs: str, **options: object) -> str:
    """A report as it was written."""
    return ad.write_report(*runs, output=OUT, store=STORE, **options).read_text(encoding="utf-8")  # type: ignore[arg-type]  # as they are given


def test_every_link_leads_to_a_place_of_the_file_and_no_two_places_have_one_name() -> None:
    seen = Page(written())
    places = seen.all("id")
    assert len(places) == len(set(places))
    links = {one for one in seen.all("href") if one != "data:,"}
    assert len(links) > 30
    assert {one for one in links if one[1:] not in places} == set()
    assert all(one.startswith("#") for one in links)


def test_the_file_loads_nothing_and_knows_its_own_style_and_script_by_their_digests() -> None:
    text = written()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    assert policy[1].startswith("default-src &#39;none&#39;;")
    for tag in ("style", "script"):
        found = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert len(found) == 1
        digest = base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode()
        assert f"{tag}-src &#39;sha256-{digest}&#39;" in policy[1]
    seen = Page(text)
    assert seen.all("src") == seen.all("action") == seen.all("style") == []
    assert not any(name.startswith("on") for name in seen.attributes)


def test_what_fails_leaves_the_file_as_it_was_and_nothing_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    OUT.write_text("as it was", encoding="utf-8")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("half way")

    monkeypatch.setattr("agentdebate.viewer.report_file.debate_page", broken)
    with pytest.raises(RuntimeError):
        written()
    assert OUT.read_text(encoding="utf-8") == "as it was"
    assert [one.name for one in Path().iterdir() if one.name.startswith(".report")] == []


def comparison(text: str) -> str:
    """The part of a file that compares two runs."""
    found = re.search(r'<section class="run" id="comparison".*?</section>', text, re.DOTALL)
    return found[0] if found else ""


SECRET_WORDS = "zebra-quartz-lantern"
"""Words that stand in texts, prompts, replies and reasons, and nowhere else."""


async def private() -> str:
    """A run in which every text of a user's or a model's has these words."""

    def answer(request: ad.ModelRequest) -> str:
        if request.context is not None and request.context.item.id == "lost":
            raise ValueError(f"it says {SECRET_WORDS}")
        return f"It says “{SECRET_WORDS} and more of them”.\n\nCoherence: 3"

    fields = {"source": f"One {SECRET_WORDS} and more of them.", "summary": f"Two {SECRET_WORDS}."}
    items = [item("kept-id", fields=fields), item("lost", fields=fields)]
    model = ad.Function("scripted", answer)
    held = ad.evaluate(items, "debate", model=model, aspects="coherence", store=STORE, concurrency=1)
    async with held as run:
        async for _ in run:
            pass
    assert run.id
    return run.id


async def test_for_everybody_there_is_no_text_and_no_prompt_and_ids_stay() -> None:
    run = await private()
    assert SECRET_WORDS in written(run)
    text = written(run, await private(), public=True)
    marked = markdown_of(run, store=STORE, public=True)
    assert SECRET_WORDS not in marked
    assert "lost/coherence" in marked
    assert SECRET_WORDS not in text
    assert "zebra" not in text
    assert "A coherent summary" not in text  # the criterion, which is a part of the prompt
    assert "kept-id" in text
    assert "left out" in text
    assert comparison(text)
    assert "coherence" in text


async def test_what_looks_like_a_key_is_not_in_the_file() -> None:
    key = "sk-" + "abcdEFGH1234" * 3
    await hold({"i": 3}, item("i", fields={"source": f"Use {key} here.", "summary": f"A key: {key}"}))
    text = written()
    assert key not in text
    assert "[key]" in text
