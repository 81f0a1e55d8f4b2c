"""TF-IDF, and the way from a name to an embedder, and what that costs to import."""

import asyncio
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.roster import Role
from agentdebate.embedders.registry import embedder
from agentdebate.embedders.sentence_transformer import SentenceTransformerEmbedder
from agentdebate.embedders.tfidf import TfIdf
from agentdebate.errors import MissingExtra, UsageError
from agentdebate.strategies.diversity import text_of


def embedded(texts: Sequence[str]) -> list[list[float]]:
    return asyncio.run(TfIdf().embed(texts))


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    return 1 - sum(a * b for a, b in zip(one, other, strict=True))


@given(
    st.lists(st.text(alphabet=st.characters(codec="utf-8"), max_size=30), max_size=6).flatmap(
        lambda texts: st.tuples(st.just(texts), st.permutations(texts))
    )
)
@settings(max_examples=40)
def test_the_order_of_the_texts_decides_nothing(orders: tuple[list[str], list[str]]) -> None:
    """To the last bit: what is near a limit must not fall on another side of it."""
    given_, permuted = orders
    vectors = dict(zip(given_, embedded(given_), strict=True))
    assert embedded(permuted) == [vectors[text] for text in permuted]


ROSTERS = {
    "A defamation trial between two film stars": """
        a | Amber Heard Fan | Follows her career closely and hopes that the coverage is fair to her side of the story.
        b | Johnny Depp Fan | Follows his career closely and hopes that the coverage is fair to his side of the story.
        c | Celebrity Gossip Reader | Wants juicy details about the private lives of film stars.
        d | Trial Lawyer | Looks at the evidence, the testimony and the legal reasoning behind the verdict.
        z | Attorney | A legal professional who pays attention to court procedure and the grounds of the judgment.
        c | Celebrity Gossip Fan | Wants juicy details about private lives of stars and their scandals.
        e | Domestic Violence Advocate | Supports survivors of abuse and watches how the media treats their accounts.
        e | Advocate for Abuse Survivors | Supporting survivors of domestic abuse, watches how media treat their accounts.
    """,
    "A rise of interest rates": """
        a | Homeowner with a Mortgage | Worries about monthly payments when rates rise.
        b | Retired Saver | Lives on savings and hopes for better returns from deposits.
        e | Day Trading Investor | Trades stocks on rate decisions, reacting within minutes to the numbers.
        d | Economist | Studies inflation and expects the central bank's reasoning and data.
        d | Economics Professor | Studies inflation and expects data and the reasoning of the central bank.
        z | Home Loan Borrower | Is anxious that repayments on the house will grow each month.
        e | Stock Trader | Reacts within minutes to rate decisions and wants the numbers first.
        f | First-time Home Buyer | Is saving for a deposit and wonders whether to wait.
    """,
    "A museum returns carved heads": """
        a | Art Historian | Knows the provenance of collections and expects exact dates and names.
        b | Museum Curator | Cares for objects and weighs restitution against access and research.
        c | Descendant of the Makers | Belongs to the community from which the carvings were taken.
        z | Member of the Indigenous Community | Has ancestors who carved the heads and wants them home.
        d | Tourist | Plans a visit and wants to know what can still be seen.
        d | Museum Visitor | Plans a visit to the museum and wants to know what can still be seen there.
        e | Diplomat | Sees the return as a sign of relations between two governments.
        a | Historian of Art | Expects exact dating and naming of what was collected, with its provenance.
    """,
}
"""Eight roles each, as recruiters write them. Those with one letter are the same readers, in much the same words or other forms of them.

Others are different readers, however much of their topic and wording they share, or said in other words altogether.
"""


@pytest.mark.parametrize("roster", ROSTERS.values(), ids=ROSTERS)
def test_repeated_roles_of_a_roster_are_found(roster: str) -> None:
    lines = [[part.strip() for part in line.split("|")] for line in roster.strip().splitlines()]
    vectors = embedded([text_of(Role(type=type_, description=said)) for _, type_, said in lines])
    for (one, first), (other, second) in combinations(zip(lines, vectors, strict=True), 2):
        if one[0] == other[0]:
            assert distance(first, second) < TfIdf().eps, (one, other)


async def test_without_scikit_learn_the_error_says_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(MissingExtra, match=r"agentdebate\[drpe\]"):
        await TfIdf().embed(["one"])


# From a name to an embedder.


def test_what_stands_behind_the_first_slash_is_the_model(tmp_path: Path) -> None:
    """A folder's own slashes stay."""
    (tmp_path / "modules.json").write_text("[]", encoding="utf-8")
    found = embedder(f"sentence-transformers/{tmp_path}", eps=0.3)
    assert isinstance(found, SentenceTransformerEmbedder)
    assert (found.name, found.eps) == (f"sentence-transformers/{tmp_path.name}", 0.3)
    assert embedder("sentence-transformers/org/model").name == "sentence-transformers/org/model"


@pytest.mark.parametrize(
    ("name", "hint"), [("tfidf", "Did you mean 'tf-idf'"), ("word2vec", "Known: .*tf-idf")]
)
def test_an_unknown_embedder_is_a_usage_error_with_the_nearest_name(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        embedder(name)


@pytest.mark.parametrize("name", ["openai", "openai/ ", "sentence-transformers", "sentence-transformers/"])
def test_a_name_without_its_model_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError, match="name a model"):
        embedder(name)
