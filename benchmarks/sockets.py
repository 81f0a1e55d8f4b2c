"""As many sockets as the system allows: shells give a process 1,024, and thousands of debates at once have more connections."""

import resource


def allow_many() -> None:
    """Raise this process's limit of open files as far as it goes."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
