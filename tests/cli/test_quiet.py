"""run --quiet prints the result and errors, and nothing else."""

from pathlib import Path

import pytest
from typed import NOBODY, RUN, numbered, typed, write

Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(numbered(3))


@pytest.mark.parametrize("words", [("--quiet",), ("-q",), ("-q", "--json")], ids=" ".join)
def test_a_run_that_goes_well_prints_its_result_alone(capsys: Capsys, words: tuple[str, ...]) -> None:
    form = [word for word in words if word == "--json"]
    told, quiet = typed(capsys, *RUN, *form), typed(capsys, *RUN, *words)
    assert quiet.code == 0
    assert quiet.err == "" != told.err
    assert len(quiet.out.splitlines()) == len(told.out.splitlines())


def test_what_goes_wrong_is_still_said(capsys: Capsys) -> None:
    wrong = typed(capsys, *RUN, "--quiet", "--scale", "beauty=1-3")
    assert wrong.code == 2
    assert "beauty" in wrong.err
    failed = typed(capsys, *RUN, "--quiet", *NOBODY, "--deadline", "0.2")
    assert failed.code == 1
    assert "127.0.0.1:9" in failed.err
