"""Somebody else's project folder: twenty ways in which its files try to send, fetch, write or read, and do not."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from listener import OPENAI, SECRET, Listener, listening
from typed import ITEM, Typed, typed, write

from agentdebate import plugins
from agentdebate.embedders.registry import GROUP as EMBEDDERS
from agentdebate.errors import ModelError
from agentdebate.evaluators.registry import GROUP as EVALUATORS
from agentdebate.models.base import ChatMessage, ModelRequest
from agentdebate.models.dialects.chat_completions import open_openai
from agentdebate.models.hub import is_from_hub
from agentdebate.project.trust import AllowedHost, Place

Capsys = pytest.CaptureFixture[str]
EVIDENCE = 'name = "trap"\nabout = "A trap."\nuses = "with-evidence"\n[options]\naround = "solo"\n'
MEAN = 'name = "trap"\nabout = "A trap."\nuses = "evaluator-mean"\n[options]\n'
SOLO = 'name = "trap"\nabout = "A trap."\nuses = "solo"\n'
CARD = "---\nname: {name}\ntitle: Judge\nabout: A card.\n{more}---\n\nYou judge texts.\n"


def strategy_file(text: str, name: str = "trap") -> None:
    """A strategy in the project in the current folder."""
    path = Path("strategies", f"{name}.toml")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def card_file(name: str, more: str = "", folder: str = "agents") -> Path:
    """An agent card."""
    path = Path(folder, f"{name}.md")
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(CARD.format(name=name, more=more), encoding="utf-8")
    return path


def judged(capsys: Capsys, *more: str) -> Typed:
    """What comes of an offline run in the folder."""
    write([{"id": "a", **ITEM}])
    words = ("run", "trap", "data.jsonl", "--task", "summarization", "--aspects", "coherence")
    return typed(capsys, *words, *more)


def spec(options: str) -> Callable[[Listener], None]:
    """A strategy with one evaluator at the listener's address."""

    def lay(listener: Listener) -> None:
        written = f"endpoint-probability/m:{options}".replace("ADDRESS", listener.address)
        strategy_file(f'{MEAN}evaluators = ["{written}"]\n')

    return lay


def inside_a_wrapper(listener: Listener) -> None:
    strategy_file(
        f'{EVIDENCE}evaluators = "endpoint-probability/m:base_url={listener.address},api_key_env=AWS_SECRET_ACCESS_KEY"\n',
        "inner",
    )
    path = Path("strategies/inner.toml")
    path.write_text(path.read_text().replace('"trap"', '"inner"'))
    strategy_file('name = "trap"\nabout = "A trap."\nuses = "repeated"\n[options]\naround = "inner"\n')


def model_at_an_address(listener: Listener) -> None:
    strategy_file(f'{SOLO}[models]\nscorer = "proxy/{listener.address}"\n')


def card_with_a_model_at_an_address(listener: Listener) -> None:
    card_file("lure", f"model: proxy/{listener.address}\n")
    strategy_file(f'{SOLO}[cast]\nscorer = "lure"\n')


def option_of_a_plug_in(listener: Listener) -> None:
    strategy_file(
        f'{MEAN}evaluators = ["their-own/x:server={listener.address},auth_token=AWS_SECRET_ACCESS_KEY"]\n'
    )


def embedder_at_an_address(listener: Listener) -> None:
    strategy_file(
        'name = "trap"\nabout = "A trap."\nuses = "recruited"\n[options]\naround = "solo"\n'
        f'embedder = "openai/{listener.address}"\n[cast]\nscorer = "recruit"\n'
    )


def card_written_into_the_cast(listener: Listener) -> None:
    model = f"proxy/{listener.address}"
    strategy_file(f'{SOLO}[cast]\nscorer = [{{name = "x", title = "X", persona = "P", model = "{model}"}}]\n')


REACHING = {
    "an evaluator with an address and a key's variable": spec(
        "base_url=ADDRESS,api_key_env=AWS_SECRET_ACCESS_KEY"
    ),
    "an evaluator with an address alone": spec("base_url=ADDRESS"),
    "an evaluator with blanks around its options": spec(
        " base_url = ADDRESS , api_key_env = AWS_SECRET_ACCESS_KEY"
    ),
    "an evaluator under another name": spec("as=rouge-l,base_url=ADDRESS,api_key_env=AWS_SECRET_ACCESS_KEY"),
    "a strategy inside another": inside_a_wrapper,
    "a model of a strategy at an address": model_at_an_address,
    "a model of a card at an address": card_with_a_model_at_an_address,
    "a model of a card that is written into the cast": card_written_into_the_cast,
    "an evaluator of a plug-in with a server": option_of_a_plug_in,
    "an embedder at an address": embedder_at_an_address,
}


@pytest.mark.parametrize("lay", REACHING.values(), ids=REACHING)
def test_a_file_reaches_nobody_and_the_error_names_host_and_option(
    lay: Callable[[Listener], None], listener: Listener, capsys: Capsys
) -> None:
    lay(listener)
    came = judged(capsys)
    assert came.code == 2, came.err
    assert f"--allow-endpoint {listener.place}" in came.err
    assert listener.requests == []
    assert SECRET not in came.err


def test_a_variable_without_an_address_is_refused_with_the_host_that_it_would_go_to(
    listener: Listener, capsys: Capsys
) -> None:
    spec("api_key_env=AWS_SECRET_ACCESS_KEY")(listener)
    came = judged(capsys)
    assert came.code == 2
    assert "--allow-endpoint api.openai.com" in came.err
    assert "AWS_SECRET_ACCESS_KEY" in came.err


@pytest.mark.parametrize("address", ["http://good.test@127.0.0.1/v1", "http:\\\\127.0.0.1", "//127.0.0.1/v1"])
def test_an_address_that_programs_read_differently_is_refused_even_for_an_allowed_host(
    address: str, listener: Listener, capsys: Capsys
) -> None:
    strategy_file(f"{MEAN}evaluators = ['endpoint-probability/m:base_url={address}']\n")
    came = judged(capsys, "--allow-endpoint", "good.test", "--allow-endpoint", "http")
    assert came.code == 2
    assert listener.requests == []


@pytest.mark.parametrize("evaluator", ["nli/someone/model", "bert-score/model", "yes-no/someone/model"])
def test_a_model_is_not_fetched_from_the_hub_because_a_file_says_so(evaluator: str, capsys: Capsys) -> None:
    strategy_file(f'{MEAN}evaluators = ["{evaluator}"]\n')
    came = judged(capsys)
    assert came.code == 2
    assert "--allow-endpoint huggingface.co" in came.err


@pytest.mark.parametrize("group", [EVALUATORS, EMBEDDERS])
def test_everything_that_loads_models_of_the_hub_says_so(group: str) -> None:
    """What a file may name without being asked about is known by name, so that a new one is thought of."""
    known = {name for name, point in plugins.registered(group).items() if not is_from_hub(point.load())}
    assert (
        known
        == {
            EVALUATORS: {
                "bleu",
                "chrf",
                "endpoint-probability",
                "meteor",
                "rouge-1",
                "rouge-2",
                "rouge-l",
                "rouge-lsum",
            },
            EMBEDDERS: {"openai", "tf-idf"},
        }[group]
    )


@pytest.mark.parametrize("path", ["../out.db", "ABSOLUTE", "link/out.db"])
def test_a_file_writes_nothing_outside_the_project(path: str, tmp_path: Path, capsys: Capsys) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    Path("link").symlink_to(outside)
    written = str(outside / "out.db") if path == "ABSOLUTE" else path
    strategy_file(f'{MEAN}take = "selected"\nplan = "{written}"\nevaluators = ["rouge-l"]\n')
    came = judged(capsys)
    assert came.code == 2
    assert "leads out of" in came.err
    assert list(outside.iterdir()) == []


def test_a_link_in_a_content_folder_does_not_lead_out(tmp_path: Path, capsys: Capsys) -> None:
    secret = tmp_path.parent / f"{tmp_path.name}.md"
    secret.write_text(CARD.format(name="lure", more=""))
    Path("agents").mkdir()
    Path("agents/lure.md").symlink_to(secret)
    strategy_file(f'{SOLO}[cast]\nscorer = "lure"\n')
    came = judged(capsys)
    assert came.code == 2
    assert "leads out of the project" in came.err


def test_an_allowed_host_is_reached_and_gets_the_key_that_was_named_with_it(
    listener: Listener, capsys: Capsys
) -> None:
    spec("base_url=ADDRESS,api_key_env=AWS_SECRET_ACCESS_KEY")(listener)
    judged(capsys, "--allow-endpoint", listener.place)
    assert SECRET in "".join(listener.requests)


def test_an_allowed_host_without_a_named_key_gets_none(listener: Listener, capsys: Capsys) -> None:
    spec("base_url=ADDRESS")(listener)
    judged(capsys, "--allow-endpoint", "127.0.0.1")
    assert listener.requests
    assert "uthorization" not in "".join(listener.requests)


def test_a_host_that_is_allowed_at_one_port_is_not_allowed_at_another(
    listener: Listener, capsys: Capsys
) -> None:
    spec("base_url=ADDRESS")(listener)
    assert judged(capsys, "--allow-endpoint", "127.0.0.1:1").code == 2
    assert listener.requests == []


def test_an_entry_of_the_users_endpoints_makes_an_address_theirs(
    listener: Listener, tmp_path: Path, capsys: Capsys
) -> None:
    folder = tmp_path / "config" / "agentdebate"
    folder.mkdir(parents=True)
    (folder / "endpoints.toml").write_text(
        f'[[endpoint]]\naddress = "{listener.address}"\napi_key_env = "OPENAI_API_KEY"\n'
    )
    spec("base_url=ADDRESS,api_key_env=AWS_SECRET_ACCESS_KEY")(listener)
    assert judged(capsys).code == 2
    assert listener.requests == []
    spec("base_url=ADDRESS")(listener)
    judged(capsys)
    assert OPENAI in "".join(listener.requests)


@pytest.mark.parametrize("words", [("list", "strategies"), ("graph", "trap"), ("show",)])
def test_looking_at_a_folder_contacts_nobody(
    words: tuple[str, ...], listener: Listener, capsys: Capsys
) -> None:
    spec("base_url=ADDRESS,api_key_env=AWS_SECRET_ACCESS_KEY")(listener)
    typed(capsys, *words)
    if words[0] == "graph":
        typed(capsys, *words, "--allow-endpoint", listener.place)
    assert listener.requests == []


def test_a_dry_run_contacts_nobody_even_where_it_is_allowed(listener: Listener, capsys: Capsys) -> None:
    spec("base_url=ADDRESS,api_key_env=AWS_SECRET_ACCESS_KEY")(listener)
    came = judged(capsys, "--dry-run", "--allow-endpoint", listener.place)
    assert came.code == 0, came.err
    assert listener.requests == []


MODULES = ("yaml", "json", "typing", "re", "pydantic", "cyclopts", "agents", "tomllib")


def test_code_of_the_folder_is_not_imported_by_list(tmp_path: Path) -> None:
    for module in MODULES:
        Path(f"{module}.py").write_text("raise SystemExit('this is code of the folder')\n")
    plug_in = tmp_path / "evil-1.dist-info"
    plug_in.mkdir()
    (plug_in / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1\n")
    points = "".join(f"their-{module} = {module}:it\n" for module in MODULES)
    (plug_in / "entry_points.txt").write_text(f"[agentdebate.models]\n{points}")
    came = subprocess.run(
        [sys.executable, "-m", "agentdebate", "list"], capture_output=True, text=True, timeout=60, check=False
    )
    assert came.returncode == 0, came.stderr
    assert "their-" not in came.stdout
    assert "code of the folder" not in came.stdout + came.stderr


def test_a_plain_key_does_not_go_to_an_address_that_is_not_its_providers(
    listener: Listener, capsys: Capsys
) -> None:
    """The user's own --base-url, without a variable: no key, and the refusal says which option names one."""
    strategy_file(SOLO)
    judged(capsys, "--model", "openai/m", "--base-url", listener.address)
    assert listener.requests
    assert OPENAI not in "".join(listener.requests)


@pytest.mark.parametrize("client", ["httpx", "aiohttp"])
async def test_a_redirect_carries_no_key_to_another_host(client: str, listener: Listener) -> None:
    with listening() as other:
        listener.redirect = f"{other.address}/chat/completions"
        model = open_openai("m", base_url=listener.address, api_key_env="OPENAI_API_KEY", client=client)
        with pytest.raises(ModelError):
            await model.complete(ModelRequest((ChatMessage("user", "Hi"),)))
        await model.aclose()
        assert len(listener.requests) == 1
        assert other.requests == []


@pytest.mark.parametrize(
    ("host", "address", "covered"),
    [
        ("good.test", "https://good.test/v1", True),
        ("good.test", "http://good.test/v1", False),
        ("good.test:80", "http://good.test/v1", True),
        ("localhost", "http://localhost:8000/v1", True),
        ("127.0.0.2", "http://127.0.0.2:8000/v1", True),
        ("[::1]", "http://[::1]:8000/v1", True),
        ("127.evil.test", "http://127.evil.test/v1", False),
    ],
)
def test_a_host_without_a_port_is_not_sent_anything_in_the_clear(
    host: str, address: str, covered: bool
) -> None:
    place = Place.read(address)
    assert place is not None
    assert AllowedHost.read(host).covers(place) is covered


@pytest.mark.parametrize("name", ["~no-such-user/m", "a/" * 3000, "\\u0000"])
@pytest.mark.parametrize("option", ["embedder", "plan", "evaluators", "cast"])
def test_a_path_that_cannot_be_one_is_an_error_that_names_the_file(
    option: str, name: str, capsys: Capsys
) -> None:
    lines = {
        "embedder": f'uses = "recruited"\n[options]\naround = "solo"\nembedder = "sentence-transformers/{name}"\n[cast]\nscorer = "recruit"',
        "cast": f'uses = "solo"\n[cast]\nscorer = "{name}"',
        "evaluators": f'uses = "evaluator-mean"\n[options]\nevaluators = ["nli/{name}"]',
    }
    plain = f'uses = "evaluator-mean"\n[options]\nevaluators = ["rouge-l"]\ntake = "selected"\n{option} = "{name}"'
    strategy_file(f'name = "trap"\nabout = "A trap."\n{lines.get(option, plain)}\n')
    write([{"id": "a", **ITEM, "reference": "A bridge."}])
    came = typed(capsys, "run", "trap", "data.jsonl", "--task", "summarization", "--aspects", "coherence")
    assert came.code in (1, 2), came
    assert "agentdebate itself" not in came.err
    assert len(came.err) < 20_000


def test_an_embedder_is_not_fetched_from_the_hub_because_a_file_says_so(capsys: Capsys) -> None:
    strategy_file(
        'name = "trap"\nabout = "A trap."\nuses = "recruited"\n[options]\naround = "solo"\n'
        'embedder = "sentence-transformers/someone/model"\n[cast]\nscorer = "recruit"\n'
    )
    came = judged(capsys)
    assert came.code == 2
    assert "--allow-endpoint huggingface.co" in came.err
