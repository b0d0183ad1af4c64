"""The limits of a child process. Run as a program, this file sets the limits of its own process and becomes another
program: ``python limits.py BYTES SECONDS PROGRAM ARGUMENTS``.

It imports nothing of tilewright, so that it starts in a few milliseconds.
"""

from __future__ import annotations

import os
import sys

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None


def limit_this_process(memory: int, seconds: int) -> None:
    """Limit the memory of this process to ``memory`` bytes and its processor time to ``seconds``, and forbid
    core dumps. Each of its children has the same limits for itself. Nothing is limited on systems without
    `resource`.
    """
    if resource is None:
        return
    for kind, limit in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (most, most))


def main(words: list[str]) -> None:
    """Set the limits of this process, and replace its program. `words` are the bytes of memory, the seconds
    of processor time, the path of the program, and its arguments.
    """
    memory, seconds, *command = words
    limit_this_process(int(memory), int(seconds))
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
