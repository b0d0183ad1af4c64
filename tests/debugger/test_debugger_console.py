"""The debugger in a terminal: each command, on kernels of cuTile."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cuda.tile")

from tests.debugger import kernels
from tests.debugger.sessions import LINES, debugged, launching, line_of
from tilewright import DiagnosticError
from tilewright.debugger.console import Console, parse_block
from tilewright.debugger.session import Session
from tilewright.driver.debugging import attached
from tilewright.interp import launch as interp_launch

FILE = Path(kernels.__file__).name


def steps(*commands: str, **options: object) -> str:
    """The transcript of a session on the kernel `steps`, with 16 elements in each of two tile blocks."""
    x, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    return debugged(commands, launching(kernels.steps, (2,), x, out, 16), **options)


def at(transcript: str) -> list[tuple[str, str]]:
    """The lines and functions at which a session stopped."""
    return re.findall(rf"> \S*{FILE}\((\d+)\)(\w+)\(\) tile", transcript)


def test_next_goes_by_lines_of_the_kernel() -> None:
    shown = [LINES[int(line) - 1].strip() for line, _ in at(steps(*["n"] * 12, "q"))]
    assert shown == [
        "block = ct.bid(0)",
        "values = ct.load(x, (block,), shape=(n,))",
        "total = ct.full((n,), 0, ct.float32)",
        "last = total",
        "for j in range(3):  # noqa: B007",
        "part = scaled(values + total, 2)",
        "if ct.sum(part) > 100:",
        "part = part + 1",
        "total = total + part + kind",
        "last = total * 1",
        "for j in range(3):  # noqa: B007",
        "part = scaled(values + total, 2)",
        "if ct.sum(part) > 100:",
    ]


def test_step_goes_into_functions_and_frames_are_looked_at() -> None:
    shown = steps(
        "s",
        "s",
        "s",
        "s",
        "s",
        "s",
        "bt",
        "p tile[:2]",
        "p product",
        "u",
        "p values[:3]",
        "d",
        "u",
        "u",
        "r",
        "q",
    )
    assert at(shown)[6] == (str(line_of("product = tile")), "scaled")
    assert re.search(
        r"bt\n  \S+\(\d+\)steps\(\)\n-> part = .*\n> \S+\(\d+\)scaled\(\)\n-> product = .*\n", shown
    )
    assert "steps, tile block (0, 0, 0), iteration 0" in shown
    assert "p tile[:2]\nfloat32[2]: min 0, max 1, mean 0.5\n[0., 1.]\n" in shown
    assert "*** product is not known here: it is not assigned yet" in shown
    assert "p values[:3]\nfloat32[3]: min 0, max 2, mean 1\n" in shown
    assert "*** Oldest frame" in shown
    assert at(shown)[-1] == (str(line_of("if ct.sum(part)")), "steps")


def test_return_from_a_kernel_goes_to_the_next_tile_block() -> None:
    shown = steps("r", "p block", "q")
    assert "(tilewright) r\n> " in shown
    assert "tile block (1, 0, 0)" in shown
    assert "p block\n*** block is not known here: it is not assigned yet" in shown


def test_breakpoints_are_set_listed_and_removed() -> None:
    line = line_of("last = total * 1")
    shown = steps(
        f"b {line}, j == 1 and total[0] > 0",
        f"b {FILE}:3",
        "b 9999, (",
        "b words",
        "c",
        "p j",
        "b",
        "cl 1 7",
        "c",
        "p total",
    )
    assert f"Breakpoint 1 at {kernels.__file__}:{line}\n" in shown
    assert "*** the condition is no expression" in shown
    assert "*** 'words' is no line" in shown
    assert "[breakpoint 1: j == 1 and total[0] > 0]" in shown
    assert "(tilewright) p j\ntile<i32>: 1\n" in shown
    assert f":{line} if j == 1 and total[0] > 0  (hit 1 times)" in shown
    assert "Removed 1\n*** there is no breakpoint or watch '7'" in shown
    assert len(at(shown)) == 2, "nothing stops any more"


def test_a_breakpoint_on_a_line_that_is_never_a_stop_is_moved() -> None:
    shown = steps(f"b {line_of('block = ct.bid(0)') - 1}", "q")
    assert f"stops at line {line_of('block = ct.bid(0)')}" in shown


def test_a_condition_that_fails_stops_and_says_so() -> None:
    assert "breakpoint 1, whose condition failed: name 'zz'" in steps(
        "q", breaks=[(FILE, line_of("last = total * 1"), "zz > 1")], stop_at_entry=False
    )


def test_tile_blocks_are_chosen() -> None:
    shown = steps("p tile_block", "block", "block 0,0,0", "block zero", "block all", "c", blocks=[(1, 0, 0)])
    assert "p tile_block\n(1, 0, 0)\n" in shown
    assert "(tilewright) block\ntile block (1, 0, 0) of (2, 1, 1)\n" in shown
    assert "*** 'zero' is no tile block" in shown
    assert (parse_block("3"), parse_block("(3, 1)"), parse_block("3,1,2,4")) == ((3, 0, 0), (3, 1, 0), None)


def test_watched_values_stop_when_they_change() -> None:
    line = line_of("for j in range(3)")
    shown = steps(
        f"b {line}",
        "c",
        "watch total[3]",
        "watch out[17]",
        "watch (",
        "c",
        "b",
        "cl 1",
        "cl 2",
        "c",
        "wrote out[17]",
        "wrote out[3]",
        "wrote out[:]",
        "q",
    )
    assert "Watch 2: total[3]\n" in shown
    assert "*** '(' is no expression" in shown
    assert re.search(r"\[watch 2: total\[3\] was 0\.0, is \d+\.0\]\n> .*\n-> last = total \* 1", shown)
    assert "2  watch total[3]" in shown
    assert "[watch 3: out[17] was 0.0, is " not in shown, "there is no statement after the last store"


def test_the_last_write_to_an_element_is_told() -> None:
    x = np.zeros(12, np.float32)
    shown = debugged(
        ["r", "wrote x[4]", "wrote x[0]", "wrote x", "wrote values", "p x[4]"],
        launching(kernels.shifts, (2,), x),
    )
    store = f"{kernels.__file__}:{line_of('ct.store(x, (block + 1,)')}"
    assert f"wrote x[4]\n{store}, tile block (0, 0, 0)\n" in shown
    assert "wrote x[0]\nnot written by this launch\n" in shown
    assert f"wrote x\nnot written by this launch\n{store}, tile block (0, 0, 0)\n" in shown
    assert "*** 'values' is no element of an array argument" in shown


def test_names_have_their_values_and_lost_ones_a_reason() -> None:
    shown = steps(
        f"b {line_of('last = total * 1')}, j == 2",
        "c",
        "vars",
        "values 26",
        "p n * 2",
        "p zz",
        "p 26:16[:2]",
        "p 1:1",
        "p",
        "total[0]",
    )
    for line in ("n = 16", "block = tile<i32>: 0", "j = tile<i32>: 2", "kind = tile<i32>: 1"):
        assert f"\n{line}\n" in shown
    assert re.search(r"\nx = float32\[32\]: min 0, max 31, mean 15\.5\n", shown)
    assert re.search(r"\ntotal = tile<16xf32>: min \d", shown)
    assert re.search(r"\nlast = tile<16xf32>: min \d", shown)
    assert "(tilewright) p n * 2\n32\n" in shown
    assert "*** NameError: name 'zz' is not defined" in shown
    assert "*** LostValueError" not in shown
    assert "no value of" in shown
    assert "*** write an expression" in shown


def test_values_by_line_and_column() -> None:
    line = line_of("part = scaled")
    shown = steps(f"b {line_of('if ct.sum(part)')}", "c", f"values {line}", f"p {line}:23[3]", "q")
    assert f"{line}:23 = tile<16xf32>: min 0, max 15, mean 7.5" in shown
    assert f"p {line}:23[3]\nfloat32[]: 3.0" in shown


def test_the_value_of_a_while_loop() -> None:
    x, out = np.full(4, 8, np.float32), np.zeros(4, np.int32)
    line = line_of("ct.store(out, (0,), ct.full((4,)")
    shown = debugged([f"b {line}", "c", "p count", "p value"], launching(kernels.counts, (1,), x, out))
    assert "p count\ntile<i32>: 5\n" in shown
    assert "p value\ntile<f32>: 1.0\n" in shown


def test_a_name_is_not_taken_for_another_one_that_began_with_its_value() -> None:
    x, out = np.ones(8, np.float32), np.zeros(4, np.float32)
    line = line_of("first = ct.load(x, (j,)")
    shown = debugged(
        [f"b {line}, j == 1", "c", "p first", "p second"], launching(kernels.aliases, (1,), x, out)
    )
    assert "p first\n*** first is not known here" in shown
    assert "p second\ntile<4xf32>: min 1, max 1, mean 1\n" in shown


def test_all_elements_are_printed_on_request() -> None:
    x, out = np.zeros(1024, np.float32), np.zeros(1024, np.float32)
    x[500] = np.nan
    shown = debugged(["n", "n", "p values", "pp values", "q"], launching(kernels.steps, (1,), x, out, 1024))
    brief, whole = shown.split("(tilewright) pp values")
    assert "tile<1024xf32>: min 0, max 0, mean 0, 1 NaN" in brief
    assert "..." in brief
    assert "..." not in whole
    assert "nan" in whole


def test_undefined_elements_are_marked_and_are_no_findings() -> None:
    x, out = np.ones(6, np.float32), np.zeros(6, np.float32)
    shown = debugged(["n", "p values", "n", "p doubled + 1"], launching(kernels.partly, (1,), x, out))
    assert "p values\ntile<8xf32>: min 1, max 1, mean 1, 2 undefined\n[1, 1, 1, 1, 1, 1, ?, ?]\n" in shown
    assert "[2, 2, 2, 2, 2, 2, ?, ?]" not in shown
    assert "[3, 3, 3, 3, 3, 3, ?, ?]" in shown


def test_the_source_is_listed_and_help_tells_the_commands() -> None:
    shown = steps("l", "l", "l 3", "l 900", "h", "h n", "", "q")
    line = line_of("block = ct.bid(0)")
    assert f"  {line} ->     block = ct.bid(0)" in shown
    assert "Documented commands" in shown
    assert "n(ext): run to the next line of this function, in this tile block." in shown


def test_the_end_of_the_input_ends_the_program() -> None:
    x = np.zeros(12, np.float32)
    shown = debugged(["n"], launching(kernels.shifts, (2,), x))
    assert shown.endswith("(tilewright) \n")
    assert not x.any()


def test_breakpoint_in_a_kernel_stops_the_right_tile_block() -> None:
    x = np.zeros(4, np.float32)
    shown = debugged(
        ["p ct.bid", "p value", "bt", "c"], launching(kernels.waits, (2,), x), only_findings=True
    )
    assert shown.startswith("[breakpoint()]\n")
    assert at(shown) == [(str(line_of("breakpoint()")), "waits")]
    assert "tile block (1, 0, 0)" in shown


def test_breakpoint_without_a_debugger_starts_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    x = np.zeros(4, np.float32)
    monkeypatch.setenv("PYTHONBREAKPOINT", "0")
    launching(kernels.waits, (2,), x)()
    assert capsys.readouterr().out == ""
    monkeypatch.delenv("PYTHONBREAKPOINT")
    monkeypatch.setattr("builtins.input", lambda prompt: "c")
    launching(kernels.waits, (2,), x)()
    assert "[breakpoint()]" in capsys.readouterr().out


def test_the_debugger_stops_at_findings() -> None:
    x = np.zeros(12, np.float32)
    commands = ["p block", "wrote x[4]", "p values", "c"]
    with pytest.raises(DiagnosticError, match="TW0406"):
        debugged(commands, launching(kernels.shifts, (2,), x, check="racecheck,memcheck"), only_findings=True)


def test_a_finding_shows_the_tile_block_that_has_it() -> None:
    x = np.zeros(12, np.float32)
    shown = debugged(
        ["p block", "q"], launching(kernels.shifts, (4,), x, check="racecheck"), only_findings=True
    )
    assert "error[TW0406]: kernel 'shifts' in tile block (1, 0, 0): load of x[4] races" in shown
    assert "\n-> values = ct.load(x, (block,), shape=(4,))\n" in shown
    assert "p block\ntile<i32>: 1\n" in shown


def test_without_a_debugger_no_instruction_calls_one(monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[object] = []
    observed = interp_launch.observed
    monkeypatch.setattr(interp_launch, "observed", lambda *given: (followed.append(given), observed(*given)))
    x = np.zeros(12, np.float32)
    launching(kernels.shifts, (2,), x)()
    assert followed == []
    debugged(["c"], launching(kernels.shifts, (2,), x))
    assert len(followed) > 3


def read_to_end(descriptor: int) -> Iterator[bytes]:
    """Yield what the other end of a terminal writes until it is closed, which Linux reports as an error."""
    with contextlib.suppress(OSError):
        while piece := os.read(descriptor, 4096):
            yield piece


def test_a_session_through_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.extend(read_to_end(ours)))
    with os.fdopen(os.dup(theirs), "r") as given, os.fdopen(theirs, "w") as said:
        monkeypatch.setattr(sys, "stdin", given)
        monkeypatch.setattr(sys, "stdout", said)
        x = np.zeros(12, np.float32)
        os.write(ours, b"n\np block\nc\n")
        reader.start()
        with attached(Session(Console())):
            launching(kernels.shifts, (2,), x)()
    reader.join()
    os.close(ours)
    shown = b"".join(read).decode()
    assert "-> block = ct.bid(0)" in shown
    assert "(tilewright) tile<i32>: 0" in shown
