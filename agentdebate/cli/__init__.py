"""The command line: arguments in, one call, output. One file a command; app.py puts them together."""

from agentdebate.cli.app import main as main
