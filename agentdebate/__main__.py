"""python -m agentdebate: the command line.

Python puts the current folder in front of where it looks for modules. That folder may be somebody else's project, and a
yaml.py or a registered plug-in in it is not the user's: it is left out before anything else is imported.
"""

import os
import sys

_STOPPED = 130
"""The exit code after Ctrl-C."""


def _leave_out_current_folder() -> None:
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109 - pathlib is not loaded
        del sys.path[0]


def main() -> None:
    """Run the command line and exit with its code, with that of Ctrl-C too where it comes while modules are still imported."""
    try:
        from agentdebate.cli.app import main as command_line
    except KeyboardInterrupt:
        sys.exit(_STOPPED)
    try:
        command_line()
    except SystemExit as end:
        _end_quietly(end.code if isinstance(end.code, int) else 0)
        raise


def _end_quietly(code: int) -> None:
    """Have signals end the process at once from now on: all is said, and the interpreter's own end would show a traceback."""
    import signal  # which a folder that is left out could have as well

    for one in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, lambda *_: os._exit(code))


if __name__ == "__main__":
    _leave_out_current_folder()
    main()
