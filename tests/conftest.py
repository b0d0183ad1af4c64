"""Options and fixtures of all tests."""

from __future__ import annotations

import atexit
import faulthandler
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support import samples
from tests.support.real import real_tools
from tilewright.ir.support.collection import spare_growing_ir

os.environ["TILEWRIGHT_CACHE_SIZE"] = (
    "0"  # tests compile, and leave nothing in the cache of whoever runs them
)

os.environ.pop(
    "VIRTUAL_ENV", None
)  # the environment of the tests is that of their Python, whatever a shell activated

gc.set_threshold(100_000, 20, 100)
# The heap is frozen (`_freeze_heap`); while it is, modules that grow would count its objects again and again.
spare_growing_ir(False)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells let jobs in the background ignore Ctrl-C, and processes that tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_at_once() -> None:
    """End this process without freeing millions of objects, which takes seconds."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if "PYTEST_XDIST_WORKER" in os.environ:  # its controller has its results, and looks at no status
    atexit.register(_end_at_once)  # runs behind all that is registered later

pytest_plugins = ("tilewright.testing.filecheck_plugin", "pytester", "tests.support.browser")

settings.register_profile(
    "tilewright",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("tilewright")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--bless",
        action="store_true",
        help="rewrite golden files and generated pages instead of comparing with them",
    )
    parser.addoption(
        "--screenshots",
        action="store_true",
        help="write the pictures of docs/images that tests in a browser make",
    )
    parser.addoption(
        "--whole",
        action="store_true",
        help="what runs at night, too: the replayed corpus, runs of tools whose answers are kept, and all samples",
    )


MARGIN_SECONDS, REARM_SECONDS = 30, 10
"""How much longer than a test the watchdog waits, and how often its time begins anew."""


class Watchdog:
    """Ends the process of a test that no signal reaches (native code, a lock), which says where it was.

    pytest's own one, `faulthandler_timeout`, starts a thread and waits for its end at every test.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._file = os.dup(2)  # what a test prints goes elsewhere
        self._armed = float("-inf")

    def pytest_runtest_logstart(self) -> None:
        now = time.monotonic()
        if now - self._armed > REARM_SECONDS:
            faulthandler.dump_traceback_later(self._seconds, exit=True, file=self._file)
            self._armed = now

    def pytest_unconfigure(self) -> None:
        faulthandler.cancel_dump_traceback_later()


def pytest_configure(config: pytest.Config) -> None:
    real_tools.asks_again = samples.draws_all = bool(config.getoption("--whole"))
    seconds = float(config.getini("timeout")) + MARGIN_SECONDS  # of pytest-timeout
    config.pluginmanager.register(Watchdog(seconds), "watchdog")


def pytest_collection_finish() -> None:
    _freeze_heap()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem is None or nextitem.path != item.path:
        _freeze_heap()


def _freeze_heap() -> None:
    """Leave the objects that are alive out of later collections: most of them stay until the end (caches of
    modules and of tests), and a full collection that visits those of thousands of tests takes seconds.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--bless"))


@pytest.fixture
def young_heap() -> None:
    """Full collections look only at objects that the test made: those of all tests before it take seconds each.

    They stay left out: were they thawed, the next full collection would visit them all.
    """
    gc.freeze()


@pytest.fixture
def no_collections() -> Iterator[None]:
    """None while the test runs, which makes many objects: for each few of them all that live would be looked at again."""
    gc.disable()
    yield
    gc.enable()
