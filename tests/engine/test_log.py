"""Events go through structlog to the loggers of the program, and nothing is set up for anybody."""

import subprocess
import sys

import pytest
import structlog

from agentdebate.log import get_log

NAME = "agentdebate.some.module"


def test_a_program_s_own_configuration_of_structlog_is_neither_used_nor_changed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: object) -> str:
        raise AssertionError("the program's processors were used")

    before = structlog.get_config()
    structlog.configure(processors=[refuse])
    try:
        theirs = structlog.get_config()
        get_log(NAME).warning("ours")
        assert structlog.get_config() == theirs
    finally:
        structlog.reset_defaults()
    assert caplog.messages == ["ours"]
    assert structlog.get_config().keys() == before.keys()


def test_structlog_is_imported_with_the_first_event_that_is_wanted_and_nothing_is_configured() -> None:
    code = (
        "import sys; from agentdebate.log import get_log; log = get_log('agentdebate.x'); log.info('no')\n"
        "assert 'structlog' not in sys.modules\n"
        "log.warning('yes'); import structlog, logging\n"
        "assert not structlog.is_configured() and not logging.getLogger().handlers\n"
        "assert logging.getLoggerClass() is logging.Logger and not logging.getLogger('agentdebate').handlers\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, "yes")
