"""Limits of this processor: what the measured loops compute, and how times become rates."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tilewright.targets.cpu.machine import ceilings
from tilewright.targets.cpu.machine.ceilings import STREAMS, UNROLL, Machine

COUNT, SECONDS = 1 << 12, 2.0


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


@pytest.mark.parametrize("name", STREAMS)
def test_streams_compute_what_their_names_say(machine: Machine, name: str) -> None:
    loads, stores, temporal = STREAMS[name]
    text = ceilings._stream_text(machine.lanes, loads, stores, temporal)
    assert text.count("!nontemporal") == (0 if temporal else UNROLL)
    assert text.count("fence seq_cst") == (not temporal)
    call = machine.function(text, *[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 2)
    a, b, out = (ceilings._zeros(COUNT) for _ in range(3))
    a[:], b[:] = np.arange(COUNT), 7
    call(a.ctypes.data, b.ctypes.data, out.ctypes.data, COUNT, 2)
    if stores:
        assert out.tolist() == (a + b if loads == 2 else a).tolist()
    else:
        lanes = a.reshape(-1, UNROLL, machine.lanes)[:, -1].sum(0)
        assert out[: machine.lanes].tolist() == lanes.tolist()
        assert not out[machine.lanes :].any()


def test_arrays_begin_at_a_page() -> None:
    for count in (1, 1024, 5000):
        made = ceilings._zeros(count)
        assert made.ctypes.data % 4096 == 0
        assert made.dtype == np.float32
        assert made.tolist() == [0] * count


def test_the_shortest_time_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 13.0, 20.0, 21.5, 30.0, 38.0])
    monkeypatch.setattr(ceilings.time, "perf_counter", lambda: next(clock))
    assert ceilings._best(lambda: None, 3) == 1.5


def test_times_become_rates(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "_best", lambda call, repeats: SECONDS)
    monkeypatch.setattr(ceilings, "STREAM", 1 << 14)
    rows = {name: (make()(), unit) for name, make, unit in ceilings.streams(machine, 1)}
    for name, (loads, stores, _) in STREAMS.items():
        assert rows[name] == ((loads + stores) * 4 * (1 << 22) / SECONDS / 1e9, "GB/s")
    assert rows["L1, read"] == rows["L2, read"] == rows["DRAM, read"]
    sums = {name: (make()(), unit) for name, make, unit in ceilings.arithmetic(machine, 1)}
    assert sums["f32 FMA"] == (16 * (1 << 20) * 2 * machine.lanes / SECONDS / 1e9, "GFLOP/s")


def test_rates_of_threads_are_added() -> None:
    (found,) = ceilings.ceilings([[0], [0, 0]], 1, ("L1, read",))
    assert found.unit == "GB/s"
    assert list(found.rates) == [1, 2]
    assert ceilings.together(lambda: 3.0, [0, 0]) == 6.0
