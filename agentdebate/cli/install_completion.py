"""`agentdebate --install-completion`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.completion.detect import ShellDetectionError, detect_shell

from agentdebate.cli.app import build
from agentdebate.cli.console.output import out
from agentdebate.errors import UsageError

Shell = Literal["bash", "zsh", "fish"]

_AFTERWARDS = {
    "bash": "~/.bashrc reads it. Start a new shell, or: source ~/.bashrc",
    "zsh": "~/.zshrc has its folder in fpath, and has to call compinit. Start a new shell, or: exec zsh",
    "fish": "fish reads it by itself. Start a new shell.",
}


def install_completion(
    shell: Annotated[Shell | None, Parameter(help="The shell [the one that you are in].")] = None, /
) -> None:
    """Have a shell complete commands and options."""
    chosen = shell or _here()
    try:
        path = build().install_completion(shell=chosen)
    except OSError as error:
        raise UsageError(
            f"completion for {chosen} cannot be installed in {Path.home()}: {error}; make that place writable, or set HOME"
        ) from error
    out(f"{path} is installed. {_AFTERWARDS[chosen]}")


def _here() -> Shell:
    """The shell that this process was started from. Raises UsageError where it is not one that is known."""
    try:
        shell = detect_shell()
    except ShellDetectionError:
        shell = "powershell"
    if shell == "powershell":
        raise UsageError(
            "it is not known which shell this is; name it: --install-completion bash, zsh or fish"
        )
    return shell
