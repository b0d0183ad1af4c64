"""Programs in processes of their own: how they end, time limits, floods of output, interrupts."""

from __future__ import annotations

import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from tilewright.targets import process
from tilewright.targets.process import ProcessResult, finished, worker


def python(program: str) -> list[str]:
    return [sys.executable, "-SE", "-c", f"import os, sys, time, signal\n{program}"]


def test_output_talk_and_status() -> None:
    program = "sys.stdout.write(sys.stdin.read().upper()); sys.stderr.write('talk'); sys.exit(3)"
    ended = finished(python(program), given=b"abc")
    assert ended == ProcessResult(3, b"ABC", b"talk")
    assert ended.how == "with status 3"


def test_a_signal_is_named() -> None:
    ended = finished(python("os.kill(os.getpid(), signal.SIGSEGV)"))
    assert (ended.status, ended.how) == (-signal.SIGSEGV, "by signal SIGSEGV")


def test_the_limit_ends_a_program_that_hangs() -> None:
    ended = finished(python("print('before', flush=True)\ntime.sleep(100)"), limit=0.5)
    assert (ended.status, ended.output, ended.how) == (None, b"before\n", "at its time limit")


def test_the_limit_ends_what_the_program_started(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    child = f"import time; time.sleep(1.5); open({str(mark)!r}, 'w')"
    program = (
        f"import subprocess\nsubprocess.Popen([sys.executable, '-SE', '-c', {child!r}])\ntime.sleep(100)"
    )
    assert finished(python(program), limit=0.5).status is None
    time.sleep(1.5)
    assert not mark.exists()


def test_of_a_flood_the_beginning_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "KEPT_BYTES", 1000)
    ended = finished(python("sys.stdout.write('x' * 1_000_000)"))
    assert (ended.status, ended.output) == (0, b"x" * 1000)


def test_input_that_nobody_reads_is_no_error() -> None:
    assert finished(python("sys.exit(0)"), given=b"x" * 1_000_000).status == 0


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to threads are needed")
def test_an_interrupt_ends_the_program(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        finished(python(f"time.sleep(1)\nopen({str(mark)!r}, 'w')"))
    time.sleep(1)
    assert not mark.exists()


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        finished(["/nowhere/at/all"])


def test_a_module_of_this_program() -> None:
    ended = worker("tilewright.version", given=b"")
    assert (ended.status, ended.output) == (0, b"")
