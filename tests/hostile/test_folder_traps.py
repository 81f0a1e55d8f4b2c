"""Somebody else's project folder: twenty ways in which its files try to send, fetch, write or read, and do not."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from listener import OPENAI, SECRET, Listener
from typed import ITEM, Typed, typed, write

from agentdebate import plugins
from agentdebate.embedders.registry import GROUP as EMBEDDERS
from agentdebate.evaluators.registry import GROUP as EVALUATORS
from agentdebate.models.hub import is_from_hub
from agentdebate.project.trust import AllowedHost, Place

Capsys = pytest.CaptureFixture[str]
Files = Mapping[str, str]
TRAP = "strategies/trap.toml"
HEAD = 'name = "trap"\nabout = "A trap."\nuses = '
SOLO = f'{HEAD}"solo"\n'
MEAN = f'{HEAD}"evaluator-mean"\n[options]\n'
RECRUITED = (
    f'{HEAD}"recruited"\n[options]\naround = "solo"\nembedder = "EMBEDDER"\n[cast]\nscorer = "recruit"\n'
)
AROUND = f'{HEAD}"repeated"\n[options]\naround = "inner"\n'
EVIDENCE = f'{HEAD}"with-evidence"\n[options]\naround = "solo"\n'.replace("trap", "inner")
CARD = "---\nname: lure\ntitle: Judge\nabout: A card.\nmodel: MODEL\n---\n\nYou judge texts.\n"
KEY = "api_key_env=AWS_SECRET_ACCESS_KEY"


def lay(files: Files, **named: str) -> None:
    """Write files of the project in the current folder, each word in capitals replaced by what is given for it."""
    for path, text in files.items():
        Path(path).parent.mkdir(exist_ok=True, parents=True)
        Path(path).write_text(filled(text, named), encoding="utf-8")


def filled(text: str, named: Mapping[str, str]) -> str:
    for word, value in named.items():
        text = text.replace(word, value)
    return text


def judged(capsys: Capsys, *more: str) -> Typed:
    """Return what comes of an offline run in the folder."""
    write([{"id": "a", **ITEM}])
    words = ("run", "trap", "data.jsonl", "--task", "summarization", "--aspects", "coherence")
    return typed(capsys, *words, *more)


def evaluator(options: str, name: str = "endpoint-probability/m") -> Files:
    """A strategy with one evaluator."""
    return {TRAP: f'{MEAN}evaluators = ["{name}:{options}"]\n'}


SEATS: dict[str, Files] = {
    "models of a strategy": {TRAP: f'{SOLO}[models]\nscorer = "MODEL"\n'},
    "a model of a card": {"agents/lure.md": CARD, TRAP: f'{SOLO}[cast]\nscorer = "lure"\n'},
    "a card in the cast": {
        TRAP: f'{SOLO}[cast]\nscorer = [{{name = "x", title = "X", persona = "P", model = "MODEL"}}]\n'
    },
    "a strategy inside another": {
        "strategies/inner.toml": f'{SOLO}[models]\nscorer = "MODEL"\n'.replace("trap", "inner"),
        TRAP: AROUND,
    },
}
"""Where a folder may name a model for a seat."""
WITH_ADDRESS = {
    **SEATS,
    "an evaluator with an address and a key's variable": evaluator(f"base_url=ADDRESS,{KEY}"),
    "an evaluator with an address alone": evaluator("base_url=ADDRESS"),
    "an evaluator with blanks around its options": evaluator(" base_url = ADDRESS , " + KEY),
    "an evaluator under another name": evaluator(f"as=rouge-l,base_url=ADDRESS,{KEY}"),
    "an evaluator inside another strategy": {
        "strategies/inner.toml": f'{EVIDENCE}evaluators = "endpoint-probability/m:base_url=ADDRESS,{KEY}"\n',
        TRAP: AROUND,
    },
    "an evaluator of a plug-in with a server": evaluator(
        "server=ADDRESS,auth_token=AWS_SECRET_ACCESS_KEY", "their-own/x"
    ),
    "an embedder at an address": {TRAP: RECRUITED.replace("EMBEDDER", "openai/ADDRESS")},
}


@pytest.mark.parametrize("files", WITH_ADDRESS.values(), ids=WITH_ADDRESS)
def test_a_file_reaches_nobody_and_the_error_names_host_and_option(
    files: Files, listener: Listener, capsys: Capsys
) -> None:
    lay(files, MODEL="proxy/ADDRESS", ADDRESS=listener.address)
    came = judged(capsys)
    assert came.code == 2, came.err
    assert f"--allow-endpoint {listener.place}" in came.err
    assert listener.requests == []
    assert SECRET not in came.err


def test_a_variable_without_an_address_is_refused_with_the_host_that_it_would_go_to(capsys: Capsys) -> None:
    lay(evaluator(KEY))
    came = judged(capsys)
    assert came.code == 2
    assert "--allow-endpoint api.openai.com" in came.err
    assert "AWS_SECRET_ACCESS_KEY" in came.err


@pytest.mark.parametrize("address", ["http://good.test@127.0.0.1/v1", "http:\\\\127.0.0.1", "//127.0.0.1/v1"])
def test_an_address_that_programs_read_differently_is_refused_even_for_an_allowed_host(
    address: str, listener: Listener, capsys: Capsys
) -> None:
    lay({TRAP: f"{MEAN}evaluators = ['endpoint-probability/m:base_url={address}']\n"})
    assert judged(capsys, "--allow-endpoint", "good.test", "--allow-endpoint", "http").code == 2
    assert listener.requests == []


FETCHED = {
    **{
        name: {TRAP: f'{MEAN}evaluators = ["{name}"]\n'}
        for name in ("nli/someone/model", "bert-score/model", "yes-no/someone/model")
    },
    "an embedder": {TRAP: RECRUITED.replace("EMBEDDER", "sentence-transformers/someone/model")},
}


@pytest.mark.parametrize("files", FETCHED.values(), ids=FETCHED)
def test_a_model_is_not_fetched_from_the_hub_because_a_file_says_so(files: Files, capsys: Capsys) -> None:
    lay(files)
    came = judged(capsys)
    assert came.code == 2
    assert "--allow-endpoint huggingface.co" in came.err


ASKED_ABOUT_NOTHING = {
    EVALUATORS: "bleu chrf decisions endpoint-probability meteor rouge-1 rouge-2 rouge-l rouge-lsum systemone",
    EMBEDDERS: "openai tf-idf",
}


@pytest.mark.parametrize("group", ASKED_ABOUT_NOTHING)
def test_everything_that_loads_models_of_the_hub_says_so(group: str) -> None:
    """What a file may name without being asked about is known by name, so that a new one is thought of."""
    known = {name for name, point in plugins.registered(group).items() if not is_from_hub(point.load())}
    assert known == set(ASKED_ABOUT_NOTHING[group].split())


@pytest.mark.parametrize("path", ["../out.db", "ABSOLUTE", "link/out.db"])
def test_a_file_writes_nothing_outside_the_project(path: str, tmp_path: Path, capsys: Capsys) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    Path("link").symlink_to(outside)
    lay(
        {TRAP: f'{MEAN}take = "selected"\nplan = "{path}"\nevaluators = ["rouge-l"]\n'},
        ABSOLUTE=str(outside / "out.db"),
    )
    came = judged(capsys)
    assert came.code == 2
    assert "leads out of" in came.err
    assert list(outside.iterdir()) == []


def test_a_link_in_a_content_folder_does_not_lead_out(tmp_path: Path, capsys: Capsys) -> None:
    secret = tmp_path.parent / f"{tmp_path.name}.md"
    secret.write_text(CARD.replace("model: MODEL\n", ""))
    lay({TRAP: f'{SOLO}[cast]\nscorer = "lure"\n'})
    Path("agents").mkdir()
    Path("agents/lure.md").symlink_to(secret)
    came = judged(capsys)
    assert came.code == 2
    assert "leads out of the project" in came.err


def test_an_allowed_host_is_reached_and_gets_the_key_that_was_named_with_it(
    listener: Listener, capsys: Capsys
) -> None:
    lay(evaluator(f"base_url=ADDRESS,{KEY}"), ADDRESS=listener.address)
    judged(capsys, "--allow-endpoint", listener.place)
    assert SECRET in "".join(listener.requests)


def test_an_allowed_host_without_a_named_key_gets_none(listener: Listener, capsys: Capsys) -> None:
    lay(evaluator("base_url=ADDRESS"), ADDRESS=listener.address)
    judged(capsys, "--allow-endpoint", "127.0.0.1")
    assert listener.requests
    assert "uthorization" not in "".join(listener.requests)


def test_a_host_that_is_allowed_at_one_port_is_not_allowed_at_another(
    listener: Listener, capsys: Capsys
) -> None:
    lay(evaluator("base_url=ADDRESS"), ADDRESS=listener.address)
    assert judged(capsys, "--allow-endpoint", "127.0.0.1:1").code == 2
    assert listener.requests == []


def test_an_entry_of_the_users_endpoints_makes_an_address_theirs(listener: Listener, capsys: Capsys) -> None:
    entry = '[[endpoint]]\naddress = "ADDRESS"\napi_key_env = "OPENAI_API_KEY"\n'
    theirs = {"config/agentdebate/endpoints.toml": entry}
    lay({**theirs, **evaluator(f"base_url=ADDRESS,{KEY}")}, ADDRESS=listener.address)
    assert judged(capsys).code == 2
    assert listener.requests == []
    lay(evaluator("base_url=ADDRESS"), ADDRESS=listener.address)
    judged(capsys)
    assert OPENAI in "".join(listener.requests)


@pytest.mark.parametrize("words", [("list", "strategies"), ("graph", "trap"), ("show",)])
def test_looking_at_a_folder_contacts_nobody(
    words: tuple[str, ...], listener: Listener, capsys: Capsys
) -> None:
    lay(evaluator(f"base_url=ADDRESS,{KEY}"), ADDRESS=listener.address)
    typed(capsys, *words)
    if words[0] == "graph":
        typed(capsys, *words, "--allow-endpoint", listener.place)
    assert listener.requests == []


def test_a_dry_run_contacts_nobody_even_where_it_is_allowed(listener: Listener, capsys: Capsys) -> None:
    lay(evaluator(f"base_url=ADDRESS,{KEY}"), ADDRESS=listener.address)
    came = judged(capsys, "--dry-run", "--allow-endpoint", listener.place)
    assert came.code == 0, came.err
    assert listener.requests == []


MODULES = ("yaml", "json", "typing", "re", "pydantic", "cyclopts", "agents", "tomllib")


def test_code_of_the_folder_is_not_imported_by_list() -> None:
    points = "".join(f"their-{module} = {module}:it\n" for module in MODULES)
    lay(
        {
            **{f"{module}.py": "raise SystemExit('this is code of the folder')\n" for module in MODULES},
            "evil-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: evil\nVersion: 1\n",
            "evil-1.dist-info/entry_points.txt": f"[agentdebate.models]\n{points}",
        }
    )
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
    lay({TRAP: SOLO})
    judged(capsys, "--model", "openai/m", "--base-url", listener.address)
    assert listener.requests
    assert OPENAI not in "".join(listener.requests)


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


PATHS = {
    "embedder": RECRUITED.replace("EMBEDDER", "sentence-transformers/NAME"),
    "cast": f'{SOLO}[cast]\nscorer = "NAME"\n',
    "evaluators": f'{MEAN}evaluators = ["nli/NAME"]\n',
    "plan": f'{MEAN}evaluators = ["rouge-l"]\ntake = "selected"\nplan = "NAME"\n',
}


@pytest.mark.parametrize("name", ["~no-such-user/m", "a/" * 3000, "\\u0000"])
@pytest.mark.parametrize("text", PATHS.values(), ids=PATHS)
def test_a_path_that_cannot_be_one_is_an_error_of_the_users(text: str, name: str, capsys: Capsys) -> None:
    lay({TRAP: text}, NAME=name)
    write([{"id": "a", **ITEM, "reference": "A bridge."}])
    came = typed(capsys, "run", "trap", "data.jsonl", "--task", "summarization", "--aspects", "coherence")
    assert came.code in (1, 2), came
    assert "agentdebate itself" not in came.err
    assert len(came.err) < 20_000
