"""Log lines on the command line: on standard error, harmless, and never in floods."""

import logging
from collections.abc import Iterator

import pytest
import structlog

from agentdebate.cli.logs import EVERY, Thinned, to_stderr


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    ours = logging.getLogger("agentdebate")
    before = ours.handlers[:], ours.propagate
    to_stderr()
    yield
    structlog.reset_defaults()
    ours.handlers[:], ours.propagate = before


def test_warnings_go_to_standard_error_and_lesser_lines_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.get_logger().info("chatter")
    structlog.get_logger().warning("the disk is nearly full", left="3 MB\x1b[2J")
    logging.getLogger("agentdebate.models").warning("left out %s", "top_p\x1b")
    logging.getLogger("agentdebate.models").info("more chatter")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "warning: the disk is nearly full left=3 MB" in captured.err
    assert "warning: left out top_p" in captured.err
    assert "\x1b" not in captured.err
    assert "chatter" not in captured.err


def test_a_failed_debate_is_left_to_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.get_logger().warning("debate failed", error="X")
    assert capsys.readouterr().err == ""


def test_a_retry_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.get_logger().warning(
        "stamina.retry_scheduled", callable="f", args=(), wait_for=1.25, caused_by="RateLimited('slow')"
    )
    assert capsys.readouterr().err.endswith("warning: tried again in 1.2 s: RateLimited('slow')\n")


def test_an_exception_is_shown_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        int("odd")
    except ValueError:
        structlog.get_logger().exception("it broke")
    assert "ValueError: invalid literal" in capsys.readouterr().err


def test_what_was_just_said_is_counted_instead_of_said_again() -> None:
    now = 0.0
    thinned = Thinned(clock=lambda: now)
    assert thinned(None, "warning", {"event": "slow"}) == {"event": "slow"}
    for _ in range(3):
        with pytest.raises(structlog.DropEvent):
            thinned(None, "warning", {"event": "slow"})
    assert thinned(None, "warning", {"event": "other"}) == {"event": "other"}
    now = EVERY
    assert thinned(None, "warning", {"event": "slow"}) == {"event": "slow", "more_like_it": 3}
