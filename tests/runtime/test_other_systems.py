"""What Linux has and other systems lack: the code goes on without, or says so."""

from __future__ import annotations

import os
import signal
import sys
import time
from multiprocessing.context import BaseContext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tilewright.interp.memory import address_space
from tilewright.pytest_plugin import time_limit
from tilewright.runtime.distribution import processes
from tilewright.runtime.findings import spool
from tilewright.runtime.workers.threads import available_processors
from tilewright.targets.process import finished


@pytest.mark.parametrize("reads", ["pread", "lseek"])
def test_processes_are_heard_without_proc(
    reads: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "_OPEN_FILES", str(tmp_path / "no" / "{}"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if reads == "lseek":
        monkeypatch.delattr(os, "pread")
    heard = spool.Spool.new()
    other = spool.Spool.at(heard.path)
    assert other is not None
    other.append("one")
    heard.append("two")
    assert list(heard.entries()) == ["one", "two"]
    other.append("three")
    assert list(heard.entries()) == ["three"]
    other.close()
    heard.close()
    assert list(tmp_path.iterdir()) == []
    assert spool.Spool.at(heard.path) is None


@pytest.mark.skipif(sys.platform != "linux", reason="Linux shows open files")
def test_the_file_has_no_name_where_open_files_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    heard = spool.Spool.new()
    assert list(tmp_path.iterdir()) == []
    heard.close()


def test_processors_are_counted_without_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert available_processors() == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert available_processors() == 1


def test_a_tool_that_hangs_is_ended_without_process_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "killpg", raising=False)
    began = time.monotonic()
    ended = finished([sys.executable, "-c", "import time; time.sleep(60)"], limit=0.2)
    assert ended.status is None
    assert time.monotonic() - began < 30


def test_processes_are_spawned_without_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork", raising=False)
    made: Any = processes(1, preload=["json"])
    context: BaseContext = made.keywords["mp_context"]
    assert context.get_start_method() == "spawn"


def test_without_proc_no_address_may_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_space, "_MAPS", tmp_path / "maps")
    memory = address_space.ProcessMemory()
    assert not memory.permits(np.array([id(memory)]), 8, write=False).any()


def test_time_limits_leave_signals_alone_where_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("setitimer", "SIGALRM"):
        monkeypatch.delattr(signal, name, raising=False)
    item: Any = SimpleNamespace()
    assert not time_limit.begin(
        item, SimpleNamespace(method="thread", timeout=5)
    )  # what pytest-timeout then says
