"""A plugin of pytest that collects tests once and runs some of them for each mutant, in a forked process.

`tools.mutants.runner` starts ``python -m pytest -p tools.mutants.server`` and writes a request as a line of JSON to the
descriptor ``MUTANTS_REQUESTS``; the results of the tests come back as lines on the descriptor ``MUTANTS_RESULTS``.

A mutation inside functions is put into the functions that exist: they get the code that the changed source has.  So
nothing is imported again, and everything that tests left in caches is gone with the process that ran them.
"""

from __future__ import annotations

import collections
import contextlib
import gc
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TextIO

import pytest


class Server:
    """Answers requests over a pair of pipes instead of running the tests that were collected."""

    def __init__(self, requests: TextIO, results: TextIO, output: Path) -> None:
        self.requests = requests
        self.results = results
        self.output = output
        self.failed = False
        self.number = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run what is asked for until the requests end."""
        items = {item.nodeid: item for item in session.items}
        gc.unfreeze()  # frozen objects are in no list: the suite freezes what was collected
        functions = functions_by_file()
        gc.collect()
        gc.freeze()  # children leave the pages of these objects shared
        self.say({"ready": len(items)})
        for number, line in enumerate(self.requests):
            self.number = number
            child = os.fork()
            if not child:
                self.serve(items, functions, json.loads(line))
            os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
            end_group(
                child
            )  # what the tests have started: the number is not given to others before the wait below
            os.waitpid(child, 0)
            self.say({"ended": child})
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test failed, and say why."""
        self.failed = self.failed or report.failed
        if report.failed:
            print(report.longreprtext)

    def say(self, message: dict[str, object]) -> None:
        """Send a message, with the number of the request: processes that tests leave behind may send more of one."""
        self.results.write(json.dumps({"number": self.number, **message}) + "\n")
        self.results.flush()

    def serve(
        self, items: dict[str, pytest.Item], functions: dict[str, list[FunctionType]], request: dict[str, Any]
    ) -> None:
        """Run the tests of a request in this process, which ends here, until one fails."""
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.say({"child": os.getpid()})
        with self.output.open("w") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        try:
            if request["path"] and not put(functions.get(request["path"], []), request):
                self.say({"not put": True})
                os._exit(0)
            self.run([item for name in request["tests"] for item in named(name, items)])
        finally:
            sys.stdout.flush()
            os._exit(0)

    def run(self, items: Sequence[pytest.Item]) -> None:
        for item, following in zip(items, [*items[1:], None], strict=True):
            self.say({"begins": item.nodeid})
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                self.say({"failed": item.nodeid})
                return
            self.say({"passed": item.nodeid})


def end_group(number: int) -> None:
    """End the processes of a group, if there are any left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)


def named(name: str, items: dict[str, pytest.Item]) -> list[pytest.Item]:
    """Return the test of a name, all cases of the function, or all tests of the file of that name."""
    if name in items:
        return [items[name]]
    whole = Path(name).absolute()
    return [item for test, item in items.items() if test.startswith(f"{name}[") or item.path == whole]


# --- code of functions


def functions_by_file() -> dict[str, list[FunctionType]]:
    """Return all functions of this process by the file of their code."""
    found: dict[str, list[FunctionType]] = collections.defaultdict(list)
    for function in gc.get_objects():
        if type(function) is FunctionType:  # isinstance asks lazy objects what they are
            found[function.__code__.co_filename].append(function)
    return found


def put(functions: Sequence[FunctionType], request: dict[str, Any]) -> bool:
    """Give functions the code of a changed source; False if that cannot be done without importing it again.

    No function at all means that the file is not imported yet: then its import brings the change.
    """
    if not functions:
        return True
    before, after = (
        compile(request[key], request["path"], "exec", dont_inherit=True) for key in ("before", "after")
    )
    changed = dict(pairs(before, after))
    if not all(old.co_flags & CO_OPTIMIZED for old, new in changed.items() if differ(old, new)):
        return False  # a module or the body of a class
    new = {function: changed[function.__code__] for function in functions if function.__code__ in changed}
    if any(function.__code__.co_freevars != code.co_freevars for function, code in new.items()):
        return False
    for function, code in new.items():
        function.__code__ = code
    return True


def differ(before: CodeType, after: CodeType) -> bool:
    """Whether code differs by itself, and not only by functions inside of it or by numbers of lines."""
    constants = [[one for one in code.co_consts if not isinstance(one, CodeType)] for code in (before, after)]
    kinds = [[type(one) for one in found] for found in constants]
    return (before.co_code, before.co_names, constants[0], kinds[0]) != (
        after.co_code,
        after.co_names,
        constants[1],
        kinds[1],
    )


def pairs(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield the code objects that differ with those in their place, from the outside to the inside."""
    if before == after:
        return
    yield before, after
    inside, replaced = (
        [one for one in code.co_consts if isinstance(one, CodeType)] for code in (before, after)
    )
    if [one.co_name for one in inside] == [one.co_name for one in replaced]:
        for one, other in zip(inside, replaced, strict=True):
            yield from pairs(one, other)


def pytest_configure(config: pytest.Config) -> None:
    """Serve the pipes that the environment names."""
    requests, results = (int(os.environ.pop(name)) for name in ("MUTANTS_REQUESTS", "MUTANTS_RESULTS"))
    output = Path(os.environ.pop("MUTANTS_OUTPUT"))
    server = Server(os.fdopen(requests), os.fdopen(results, "w"), output)
    config.pluginmanager.register(server, "mutants-server")
