"""Launches of other threads than the main one end when Ctrl-C ends the process, or whoever handles it says so."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.runtime.test_endless_kernels import LATE, LONG, SUMS
from tilewright.gpu_programs.routing import routed
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.runtime.elsewhere import (
    ELSEWHERE,
    ENDED,
    OtherThreadLaunches,
    handle_interrupts,
    leave_interrupts,
)

TARGETS = ["cpu", "interp", "sim:sm_80"]


@cache
def compiled(target: str) -> Any:
    return tilewright.compile(SUMS, target=target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("blocks", [1, 5])
def test_a_launch_is_stopped_and_made_again(target: str, blocks: int) -> None:
    artifact, out = compiled(target), np.zeros(8, np.int32)
    artifact.launch((1, 1, 1), [out, 1])
    begun, ended = threading.Event(), list[BaseException]()

    def go() -> None:
        begun.set()
        try:
            artifact.launch((blocks, 1, 1), [out, LONG])
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=go)
    thread.start()
    begun.wait()
    start = time.monotonic()
    while thread.is_alive() and time.monotonic() < start + 10 * LATE:  # it may not have begun yet
        ELSEWHERE.stop()
        thread.join(0.05)
    assert [type(error) for error in ended] == [ENDED]
    out[:] = 0
    with ThreadPoolExecutor(1) as pool:
        pool.submit(artifact.launch, (blocks, 1, 1), [out, 3]).result()
    assert out[:blocks].tolist() == [3] * blocks


def test_where_the_process_ends_nothing_begins() -> None:
    elsewhere = OtherThreadLaunches()
    stopped = list[str]()
    key = elsewhere.begin(lambda: stopped.append("first"))
    elsewhere.end(key)
    elsewhere.begin(lambda: stopped.append("second"))
    elsewhere.finish()
    with pytest.raises(ENDED):
        elsewhere.begin(lambda: stopped.append("third"))
    assert stopped == ["second"]


def test_ctrl_c_is_handled_where_nobody_else_handles_it() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with routed(ProgramSettings.of("cpu", "", "")):
            assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        handle_interrupts()
        leave_interrupts()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import tilewright

text = open(sys.argv[1]).read()
kernel = tilewright.compile(text, target=sys.argv[2])

def go(last):
    kernel.launch((1, 1, 1), [np.zeros(8, np.int32), last])

def wait(form):
    if form == "main":
        go(2**31 - 1)
    pool = ThreadPoolExecutor()
    if form == "pool":
        pool.submit(go, 2**31 - 1).result()
    with pool:
        pool.submit(go, 2**31 - 1).result()

go(1)
print("ready", flush=True)
wait(sys.argv[3])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
@pytest.mark.parametrize(
    ("command", "target", "form", "status", "words"),
    [
        ([], "cpu", "pool", -signal.SIGINT, "KeyboardInterrupt"),
        (["-m", "tilewright", "run"], "sim:sm_80", "with", 130, ""),
        (
            ["-m", "tilewright", "run"],
            "cpu",
            "main",
            130,
            "KeyboardInterrupt\nit ended kernel 'k' in tile block",
        ),
    ],
)
def test_one_interrupt_ends_the_process(
    tmp_path: Path, command: list[str], target: str, form: str, status: int, words: str
) -> None:
    (tmp_path / "kernel.mlir").write_text(SUMS, encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    given = [sys.executable, *command, "program.py", "kernel.mlir", target, form]
    pipe = subprocess.PIPE
    with subprocess.Popen(given, cwd=tmp_path, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == status
    assert words in told
