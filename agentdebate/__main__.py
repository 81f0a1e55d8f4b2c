"""python -m agentdebate: the command line."""

from agentdebate.cli.app import main

if __name__ == "__main__":
    main()
