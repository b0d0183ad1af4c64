"""Processes and threads that share things: children of processes that compile, a cache among processes that are killed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

import tilewright  # noqa: E402
from tests.house.tree import ROOT, imported_from  # noqa: E402
from tilewright.runtime import disk_cache  # noqa: E402
from tilewright.runtime.disk_cache import NOWHERE, default_directory  # noqa: E402
from tilewright.runtime.keyed_cache import KeyedCache  # noqa: E402

KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
SCALED = [0.0, 3.0, 6.0, 9.0]

COMPILE = f"""
import os, signal, sys, threading
import numpy as np
import tilewright
tilewright.Module  # the rest is loaded when it is needed
TEXT = open({str(KERNEL)!r}).read()
def once(name):
    x = np.arange(4, dtype=np.float32)
    source = tilewright.Module.parse(TEXT.replace('"scale"', '"%s"' % name)).to_bytecode()
    tilewright.launch(source, None, (1, 1, 1), [x, 1.5])
    assert x.tolist() == {SCALED}
"""

FORKS = """
import time
def go(thread):
    number = 0
    while running:
        once(f"k{thread}_{number}")
        loaded.set()
        tilewright.compile(tilewright.Module.parse(TEXT)).asm["object"]
        number += 1
running, loaded = True, threading.Event()
signal.alarm(110)
threads = [threading.Thread(target=go, args=(number,)) for number in range(1)]
for thread in threads:
    thread.start()
children = []
for number in range(5):
    time.sleep(0.1)
    if number:
        loaded.wait()  # the first child has to load what its parent was loading
    child = os.fork()
    if child == 0:
        signal.alarm(100)
        try:
            once(f"child{number}")
        except BaseException as error:
            print(error, file=sys.stderr)
            os._exit(1)
        os._exit(0)
    children.append(child)
running = False
print([os.waitpid(child, 0)[1] for child in children])
for thread in threads:
    thread.join()
"""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{imported_from()}{os.pathsep}{ROOT}", **more}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_children_of_a_process_that_compiles(tmp_path: Path) -> None:
    """At any moment, that of the first compilation included, which loads modules."""
    command = [sys.executable, "-W", "ignore", "-c", COMPILE + FORKS]
    given = environment(TILEWRIGHT_CACHE_DIR=str(tmp_path))
    done = subprocess.run(command, env=given, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout.strip(), done.stderr) == (str([0] * 5), "")


def launched(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The result of a launch in a process that has compiled nothing yet."""
    monkeypatch.setattr("tilewright.driver.launch.KERNELS", KeyedCache(2))
    x = np.arange(4, dtype=np.float32)
    source = tilewright.Module.parse(KERNEL.read_text()).to_bytecode()
    tilewright.launch(source, None, (1, 1, 1), [x, 1.5])
    return x.tolist()


def test_users_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("HOME", "XDG_CACHE_HOME", "TILEWRIGHT_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(disk_cache, "_SYSTEM", "linux")
    monkeypatch.setattr(Path, "home", fail)
    assert default_directory() == NOWHERE
    assert launched(monkeypatch) == SCALED
    assert not NOWHERE.exists()


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(Path, "write_bytes", fail)
    assert launched(monkeypatch) == SCALED
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_disk_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "below"))
    monkeypatch.setattr(Path, "mkdir", fail)
    assert launched(monkeypatch) == SCALED
    assert not (tmp_path / "below").exists()


def test_sixteen_callers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All compile and launch the same kernels at once."""
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("tilewright.driver.launch.KERNELS", KeyedCache(8))
    text = KERNEL.read_text()
    sources = [tilewright.Module.parse(text.replace('"scale"', f'"{name}"')).to_bytecode() for name in "abcd"]
    wrong: list[object] = []

    def go(number: int) -> None:
        for turn in range(40):
            x = np.arange(4, dtype=np.float32)
            try:
                tilewright.launch(sources[(number + turn) % 4], None, (1, 1, 1), [x, 1.5], threads=2)
            except Exception as error:
                wrong.append(error)
            if x.tolist() != SCALED:
                wrong.append(x)

    callers = [threading.Thread(target=go, args=(number,)) for number in range(16)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert wrong == []
