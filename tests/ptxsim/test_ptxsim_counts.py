"""Counts of a launch: bank conflicts, sectors, and instructions of each kind."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.ptxsim.harness import HEAD
from tilewright.ptxsim import SimulationReport, launch
from tilewright.ptxsim.trace import Trace

KERNEL = (
    HEAD
    + """.entry k(.param .u64 data) {
    .reg .b32 %t, %s, %r<4>; .reg .b64 %x; .shared .align 16 .b8 room[8192]; mov.u32 %t, %tid.x; mov.u32 %s, room;
    ld.param.u64 %x, [data]; BODY ret; }"""
)


def report(body: str, threads: int = 32) -> SimulationReport:
    return launch(KERNEL.replace("BODY", body), "k", (1,), (threads,), [np.zeros(4096, np.uint32)])


@pytest.mark.parametrize(
    ("stride", "width", "conflicts"),
    [
        (4, 1, 0),
        (8, 1, 1),
        (128, 1, 31),
        (132, 1, 0),
        (64, 1, 15),
        (0, 1, 0),  # all threads read one word
        (8, 2, 0),
        (16, 4, 0),
        (128, 4, 28),  # quarters of a warp: eight rows that begin in the same bank
    ],
)
def test_bank_conflicts(stride: int, width: int, conflicts: int) -> None:
    registers = ", ".join(f"%r{at}" for at in range(width))
    vector = f".v{width}.b32 {{{registers}}}" if width > 1 else ".b32 %r0"
    found = report(f"mad.lo.u32 %s, %t, {stride}, %s; ld.shared{vector}, [%s];")
    assert (found.shared_requests, found.bank_conflicts) == (1, conflicts)


@pytest.mark.parametrize(("stride", "sectors"), [(4, 4), (8, 8), (32, 32), (64, 32), (0, 1)])
def test_sectors(stride: int, sectors: int) -> None:
    found = report(f"mad.wide.u32 %x, %t, {stride}, %x; ld.global.b32 %r0, [%x];")
    assert (found.global_requests, found.sectors) == (1, sectors)


def test_requests_are_those_of_warps() -> None:
    body = "mad.wide.u32 %x, %t, 4, %x; ld.global.b32 %r0, [%x]; st.global.b32 [%x], %r0;"
    found = report(body, threads=96)
    assert (found.global_requests, found.sectors) == (6, 24)


def test_units() -> None:
    found = report("add.u32 %r0, %t, 1; cvt.rn.f32.u32 %r1, %r0; mul.f32 %r1, %r1, %r1; bar.sync 0;")
    assert found.units["integer"] == found.units["floating"] == 32
    assert sum(found.units.values()) == found.thread_instructions


def test_a_trace_for_perfetto(tmp_path: Path) -> None:
    """Each warp of each block has its spans; together they are all instructions that were executed."""
    text = """.version 8.0
.target sm_80
.address_size 64
.entry k() { .reg .b32 %t; .reg .pred %p; mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 32; @%p bra there;
    bar.sync 0; ret; there: bar.sync 0; ret; }"""
    path = tmp_path / "trace.json"
    report = launch(text, "k", (2,), (64,), [], trace=path)
    events = json.loads(path.read_text())["traceEvents"]
    spans = [one for one in events if one["ph"] == "X"]
    assert {(one["pid"], one["tid"]) for one in spans} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert sum(one["dur"] for one in {one["ts"]: one for one in spans}.values()) == report.steps
    assert {one["name"] for one in events if one["ph"] == "i"} >= {"waits at a barrier"}
    assert {one["args"]["name"] for one in events if one["ph"] == "M"} >= {"block (1, 0, 0)", "warp 1"}


def test_spans_of_a_trace_name_their_lines_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """.version 8.0
.target sm_80
.address_size 64
.entry k() { .reg .b32 %t;
    mov.u32 %t, %tid.x;
    add.u32 %t, %t, 1;
    bar.sync 0;
    ret; }"""
    trace = Trace()
    launch(text, "k", (1,), (40,), [], trace=trace)
    threads = {warp: {one.threads for one in trace.spans if one.warp == warp} for warp in (0, 1)}
    assert threads == {0: {32}, 1: {8}}, "the second warp has 8 threads"
    assert {one.name for one in trace.spans} == {"lines 5 to 7", "line 8"}
    shorter = Trace()
    monkeypatch.setattr("tilewright.ptxsim.trace.MAXIMUM_SPANS", 3)
    launch(text, "k", (1,), (40,), [], trace=shorter)
    assert [one.begin for one in shorter.spans] == [one.begin for one in trace.spans[:3]]


def test_blocks_of_a_grid_of_three_dimensions_have_their_numbers() -> None:
    text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }"
    trace = Trace()
    launch(text, "k", (2, 3, 4), (1,), [], trace=trace)
    order = [(i, j, k) for k in range(4) for j in range(3) for i in range(2)]
    assert {(one.block, one.place) for one in trace.spans} == set(enumerate(order))


def test_lines_have_their_instructions_and_the_waits_of_warps() -> None:
    text = """.version 8.0
.target sm_80
.address_size 64
.file 1 "k.py"
.entry k() { .reg .b32 %t; .reg .pred %p;
    .loc 1 3 1
    mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 32; @%p bra there;
    .loc 1 4 1
    add.u32 %t, %t, 1;
    .loc 1 5 1
    bar.sync 0; ret;
there:
    .loc 1 6 1
    bar.sync 0; ret; }"""
    trace = Trace()
    report = launch(text, "k", (2,), (64,), [], trace=trace)
    found = {one.place.source[1]: one for one in report.work if one.place.source}
    assert {line: one.thread_instructions for line, one in found.items()} == {3: 320, 4: 64, 5: 128, 6: 128}
    assert sum(one.waits for one in found.values()) == 2, "in each of two blocks the first warp waits"
    assert sum(one.thread_instructions for one in found.values()) == report.thread_instructions
    waits = {line: (one.waits, one.waited) for line, one in found.items() if one.waits}
    assert waits in ({5: (2, 2)}, {6: (2, 4)}), "until the other warp has come to the barrier"
    assert all(one.waits == 0 for one in launch(text, "k", (2,), (64,), []).work)
