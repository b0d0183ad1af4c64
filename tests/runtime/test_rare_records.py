"""What processes tell each other of findings, and parts of the runtime that a launch seldom reaches."""

from __future__ import annotations

import ctypes
import os
import stat
import sys
import threading
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from tilewright.interp.codes import OUT_OF_BOUNDS
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
from tilewright.ir.location import UNKNOWN, FileLineColLocation
from tilewright.ir.support.ignores import Ignore
from tilewright.runtime import codes, disk_cache, elsewhere, interrupts, reports
from tilewright.runtime.context import CheckEvent, CheckRequirements
from tilewright.runtime.disk_cache import DiskCache
from tilewright.runtime.distribution import Here
from tilewright.runtime.findings.ignores import Ignores, LaunchedLines
from tilewright.runtime.findings.observer import BlockClocks, BlockFinding, Observer
from tilewright.runtime.findings.record import VARIABLE, FindingRecord, recording
from tilewright.runtime.findings.spool import Spool
from tilewright.runtime.workers import schedulers
from tilewright.runtime.workers.schedulers import DaskCluster

LINES = LaunchedLines(frozenset({("k.py", 3), ("k.py", 4)}), frozenset({"TW1", "TW2"}))
COMMENT = Ignore("k.py", 3, 7, "TW1")


def finding(line: int, message: str = "outside") -> Diagnostic:
    """Return a finding at a line of a program."""
    return Diagnostic(Severity.ERROR, message, FileLineColLocation("k.py", line, 0), OUT_OF_BOUNDS)


# --- records of several processes


def test_comments_and_lines_are_passed_on_as_data() -> None:
    one, other = Ignores(), Ignores()
    assert one.take(LINES)
    assert not one.take(LINES)
    assert one.take(COMMENT)
    assert not one.take(COMMENT)
    one.stopped.add(("k.py", 9))
    other.join(one.as_data())
    other.join([])
    assert (other.launched, other.used, other.stopped) == ({LINES}, {COMMENT}, {("k.py", 9)})
    assert other.as_data() == one.as_data()


def test_a_child_sends_what_it_records_to_the_process_that_reads_it() -> None:
    told: list[str] = []
    parent = FindingRecord(lambda one: told.append(one.message))
    spool = Spool.at(parent.address.partition(":")[2])
    assert spool is not None
    child = FindingRecord(spool=spool)
    child.count("kernel")
    child.count("kernel")
    child.add(finding(1))
    child.add(finding(1))
    child.take_ignore(LINES)
    child.take_ignore(LINES)
    child.take_ignore(COMMENT)
    assert (parent.launches, parent.findings, told) == ({}, [], [])
    parent.gather()
    assert parent.launches == {"kernel": 2}
    assert [one.message for one in parent.findings] == ["outside"]
    assert told == ["outside"]
    assert list(parent.repeats.values()) == [1]
    assert (parent.ignores.launched, parent.ignores.used) == ({LINES}, {COMMENT})
    child.gather()  # not the process that opened the record
    assert child.launches == {"kernel": 2}
    parent.count("kernel")
    parent.add(finding(2))
    assert parent.launches == {"kernel": 3}
    assert told == ["outside", "outside"]
    assert parent.has(DiagnosticError([finding(2), finding(1)]))
    assert not parent.has(DiagnosticError([finding(3)]))
    assert not parent.has(ValueError())
    assert [one.location.line for one in parent.take() if isinstance(one.location, FileLineColLocation)] == [
        1,
        2,
    ]
    assert (parent.findings, parent.repeats) == ([], {})
    parent.close()
    parent.count("kernel")  # which nobody reads any more
    parent.take_ignore(Ignore("k.py", 4, 7, "TW2"))
    assert parent.launches == {"kernel": 4}


def test_a_heard_finding_is_not_told_again() -> None:
    told: list[str] = []
    parent = FindingRecord(lambda one: told.append(one.message))
    spool = Spool.at(parent.address.partition(":")[2])
    assert spool is not None
    child = FindingRecord(lambda one: told.append(f"child: {one.message}"), spool=spool)
    child.add(finding(1))
    parent.gather()
    assert told == ["child: outside"]
    assert len(parent.findings) == 1
    parent.close()


def test_a_record_ends_with_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with recording(goes_on=True) as outer:
        address = os.environ[VARIABLE]
        assert address == outer.address
        path = address.partition(":")[2]
        with recording() as inner:
            assert os.environ[VARIABLE] == inner.address != address
            assert inner.address.partition(":")[0] != address.partition(":")[0]
        assert os.environ[VARIABLE] == address
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(inner._spool._descriptor)  # pyright: ignore[reportPrivateUsage]
    assert VARIABLE not in os.environ
    assert Spool.at(path) is None


# --- observers


def observer(**needs: Any) -> Observer:
    """Return an observer of two tile blocks of a kernel with two sites."""
    sites = [
        SimpleNamespace(location=UNKNOWN, kind="memcheck", text="one"),
        SimpleNamespace(location=UNKNOWN, kind="memcheck", text="two"),
    ]
    image: Any = SimpleNamespace(sites=sites, name="k")
    return Observer(image, CheckRequirements(**needs), (2, 1, 1), cast("Any", None))


def heard(seen: Observer, event: int, *words: int, site: int = 0, block: int = 0) -> int:
    """Call an observer as kernels do."""
    given = (ctypes.c_uint64 * max(len(words), 4))(*words)
    call = seen._observe  # pyright: ignore[reportPrivateUsage]
    return call(0, event, site, block, ctypes.addressof(given))


def test_an_observer_has_the_findings_of_one_launch() -> None:
    seen = observer()
    assert heard(seen, CheckEvent.OUTSIDE, 64, 1, block=1) == 1
    assert heard(seen, CheckEvent.OUTSIDE, 72, 2, site=1) == 1
    first = seen.finding()
    assert first is not None
    assert (first.event, first.site, first.block, first.details[:2]) == (CheckEvent.OUTSIDE, 1, 0, (72, 2))
    seen.begin(5)
    assert seen.first_number == 5
    assert seen.finding() is None
    seen.raise_failure()


def test_an_exception_in_an_observer_ends_the_tile_block_and_is_raised_later() -> None:
    seen = observer()
    assert heard(seen, 99) == 1
    assert seen.finding() is None
    with pytest.raises(ValueError, match="99 is not a valid CheckEvent"):
        seen.raise_failure()
    seen.begin(1)
    seen.raise_failure()


def test_clocks_are_released_and_acquired_at_an_address() -> None:
    clocks = BlockClocks(3)
    mine, other = np.array([1, 5, 0], np.uint32), np.array([4, 2, 7], np.uint32)
    clocks.acquire(8, mine.ctypes.data)  # nothing was released there
    assert mine.tolist() == [1, 5, 0]
    clocks.release(2, 8, other.ctypes.data, 9)
    clocks.acquire(8, mine.ctypes.data)
    assert mine.tolist() == [4, 5, 9]
    clocks.release(2, 8, other.ctypes.data, 3)  # an earlier epoch takes nothing back
    clocks.acquire(8, (again := np.zeros(3, np.uint32)).ctypes.data)
    assert again.tolist() == [4, 2, 9]


def test_an_observer_of_clocks_forgets_them_with_the_next_launch() -> None:
    seen = observer(clocks=True)
    clock = np.array([3, 0], np.uint32)
    assert heard(seen, CheckEvent.RELEASE, 16, clock.ctypes.data, 6) == 0
    got = np.zeros(2, np.uint32)
    assert heard(seen, CheckEvent.ACQUIRE, 16, got.ctypes.data, block=1) == 0
    assert got.tolist() == [6, 0]
    seen.begin(1)
    got[:] = 0
    assert heard(seen, CheckEvent.ACQUIRE, 16, got.ctypes.data, block=1) == 0
    assert got.tolist() == [0, 0]


def test_a_race_with_several_tile_blocks_names_none() -> None:
    seen = observer(site_bits=4)
    several = seen._checks.numbers(2)  # pyright: ignore[reportPrivateUsage]
    cell = several << 4 | 1
    found = BlockFinding(CheckEvent.RACE, 0, 0, (64, 0, 0, cell))
    other = seen._other_site(found)  # pyright: ignore[reportPrivateUsage]
    assert other is None
    known = BlockFinding(CheckEvent.RACE, 0, 0, (64, 0, 0, 2 << 4 | 1))
    assert seen._other_site(known) == 1  # pyright: ignore[reportPrivateUsage]
    assert seen._other_block(known) == 1  # pyright: ignore[reportPrivateUsage]
    outside = BlockFinding(CheckEvent.OUTSIDE, 0, 0, (64, 0))
    assert seen._other_site(outside) is None  # pyright: ignore[reportPrivateUsage]


# --- launches on other threads


def test_launches_elsewhere_are_stopped_if_the_main_thread_was_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(elsewhere, "_at_end", lambda function: None)
    for last, stops in ((None, 0), (ValueError, 0), (KeyboardInterrupt, 2)):
        launches, stopped = elsewhere.OtherThreadLaunches(), list[int]()
        keys = [
            launches.begin(lambda number=number, stopped=stopped: stopped.append(number))
            for number in range(3)
        ]
        launches.end(keys[1])
        monkeypatch.setattr(sys, "last_type", last, raising=False)
        launches._stop_if_interrupted()  # pyright: ignore[reportPrivateUsage]
        assert stopped == [0, 2][:stops]
        assert launches.is_over == bool(stops)
    with pytest.raises(elsewhere.ENDED):
        launches.begin(lambda: stopped.append(9))
    assert stopped == [0, 2]
    launches.end(keys[0])
    monkeypatch.setattr(sys, "last_type", None, raising=False)
    launches._stop_if_interrupted()  # pyright: ignore[reportPrivateUsage]
    assert stopped == [0, 2, 2]


def test_a_forked_child_has_its_own_main_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    resets: list[str] = []

    class Watched:
        def __init__(self) -> None:
            resets.append("reset")

    monkeypatch.setattr(interrupts, "WATCHDOG", Watched())
    main = interrupts._MainThread()  # pyright: ignore[reportPrivateUsage]
    assert main.identity == threading.main_thread().ident
    thread = threading.Thread(target=main.forget)
    thread.start()
    thread.join()
    assert main.identity == thread.ident != threading.main_thread().ident
    assert resets == ["reset", "reset"]


# --- records on the disk


def test_what_is_no_record_is_left_alone(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "cache", 1 << 20)
    cache.put("ab12", b"content")
    (cache.directory / "lonely").write_bytes(b"x" * 100)
    (cache.directory / "long").mkdir()
    (cache.directory / "long" / "cd34.record").write_bytes(b"x")
    assert [entry.key for entry in cache.entries()] == ["ab12"]
    assert cache.prune(0) > 0
    assert cache.entries() == []
    assert (cache.directory / "lonely").exists()


def test_a_record_that_another_process_removed_is_not_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = DiskCache(tmp_path / "cache", 1 << 20)
    for key in ("ab12", "cd34", "ef56"):
        cache.put(key, key.encode())
    read = disk_cache._read  # pyright: ignore[reportPrivateUsage]

    def fails(path: Path) -> bytes:
        if path.name.startswith("ab12"):
            raise FileNotFoundError(path)
        if path.name.startswith("cd34"):
            raise PermissionError(path)
        return read(path)

    monkeypatch.setattr(disk_cache, "_read", fails)
    assert cache.verify() == ["cd34"]
    assert cache.verify(lambda content: content != b"ef56") == ["ef56"]
    assert [entry.key for entry in cache.entries()] == ["ab12"]


def test_a_record_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = DiskCache(tmp_path / "cache", 1 << 20)

    def refused(self: Path, target: Path) -> Path:
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", refused)
    cache.put("ab12", b"content")
    assert [path for path in cache.directory.rglob("*") if path.is_file()] == []
    assert cache.get("ab12") is None


def test_only_a_directory_of_this_user_is_private(tmp_path: Path) -> None:
    private = disk_cache._is_private  # pyright: ignore[reportPrivateUsage]
    (tmp_path / "file").write_bytes(b"")
    assert not private(os.stat(tmp_path / "file"))
    tmp_path.chmod(0o700)
    assert private(os.stat(tmp_path))
    for mode in (stat.S_IWGRP, stat.S_IWOTH):
        tmp_path.chmod(0o700 | mode)
        assert not private(os.stat(tmp_path))
    tmp_path.chmod(0o755)
    assert private(os.stat(tmp_path))


# --- executors and reports


def test_an_executor_here_passes_results_and_errors_on() -> None:
    made = Here()
    assert made.submit(pow, 2, 5).result() == 32
    failed = made.submit(int, "x", base=10)
    assert failed.done()
    with pytest.raises(ValueError, match="invalid literal"):
        failed.result()


class Scheduler:
    """A client of a scheduler with two workers."""

    def __init__(self, counts: dict[str, int]) -> None:
        self.counts = counts
        self.calls: list[tuple[str, Any]] = []

    def get_executor(self, *, pure: bool) -> Scheduler:
        self.calls.append(("executor", pure))
        return self

    def submit(self, function: Any, *arguments: Any, **named: Any) -> Future[Any]:
        self.calls.append(("submit", (arguments, named)))
        return Here().submit(function, *arguments, **named)

    def nthreads(self) -> dict[str, int]:
        return self.counts

    def shutdown(self, *, wait: bool) -> None:
        self.calls.append(("shutdown", wait))

    def close(self) -> None:
        self.calls.append(("close", None))


@pytest.mark.parametrize(("counts", "processors"), [({}, 1), ({"a": 2, "b": 3}, 5)])
@pytest.mark.parametrize(
    ("wait", "cancel", "waits"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_a_cluster_asks_its_scheduler(
    counts: dict[str, int],
    processors: int,
    wait: bool,
    cancel: bool,
    waits: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scheduler = Scheduler(counts)
    monkeypatch.setattr(schedulers, "_client", lambda address: scheduler if address == "h:1" else None)
    cluster = DaskCluster("h:1")
    assert cluster.processors() == processors
    assert cluster.submit(pow, 2, exp=3).result() == 8
    cluster.shutdown(wait, cancel_futures=cancel)
    assert scheduler.calls == [
        ("executor", False),
        ("submit", ((2,), {"exp": 3})),
        ("shutdown", waits),
        ("close", None),
    ]


def test_a_report_of_a_site_of_no_check_says_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    site = SimpleNamespace(kind="limit", text="too many", location=FileLineColLocation("k.py", 3, 0))
    image: Any = SimpleNamespace(sites=[None, site])
    monkeypatch.setattr(reports, "_where", lambda kernel, block, grid: f"block {block} of {grid}")
    (found,) = reports.report_failure(image, 1, 4, (8, 1, 1)).diagnostics
    assert found.message == "block 4 of (8, 1, 1): limit: too many"
    assert found.code is codes.CHECK_FAILED
    assert found.location is site.location
    site.kind = "assert"
    (found,) = reports.report_failure(image, 1, 4, (8, 1, 1)).diagnostics
    assert found.message == "block 4 of (8, 1, 1): assertion 'too many' failed"
    assert found.code is codes.ASSERTION_FAILED
    assert "interp" in found.hints[0]


def test_a_text_that_cannot_be_made_is_raised_where_the_kernel_was_launched(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printer = reports.KernelPrinter([cast("Any", "a site")])
    called: list[Any] = []
    crew: Any = SimpleNamespace(call_in_launcher=called.append)
    wrong = ValueError("no text")

    def text(site: Any, values: int) -> str:
        if not values:
            raise wrong
        return f"{site} {values}\n"

    monkeypatch.setattr(reports, "_text", text)
    say = printer._print  # pyright: ignore[reportPrivateUsage]
    with printer.printing(7, crew):
        say(7, 0, 0, 5)
        say(7, 0, 0, 0)
    called[0]()
    with pytest.raises(ValueError, match="no text") as caught:
        called[1]()
    assert caught.value is wrong
    assert capsys.readouterr().out == "a site 5\n"
    with pytest.raises(KeyError):
        say(7, 0, 0, 5)
