"""Memory and variables that outlive launches."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptxsim import launch
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.host.device import UNIT, DeviceMemory, DeviceModule, placed_variables
from tilewright.ptxsim.storage import Storage

BASE = 4 << 40
PTX = """
.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 count = 5;
.visible .entry add(.param .u64 data)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    ld.global.u32 %r2, [count];
    ld.global.u32 %r3, [%rd2];
    add.u32 %r3, %r3, %r2;
    st.global.u32 [%rd2], %r3;
    ret;
}
.visible .entry raise()
{
    .reg .b32 %r<2>;
    ld.global.u32 %r1, [count];
    add.u32 %r1, %r1, 1;
    st.global.u32 [count], %r1;
    ret;
}
"""
DATA, COUNT = BASE + 4096, BASE + 256


def device(*, poison: bool = False) -> tuple[DeviceModule, np.ndarray]:
    data = np.zeros(4 * UNIT, np.uint8)
    memory = DeviceMemory(BASE, data, poison=poison)
    memory.open_range(COUNT, 4)
    memory.open_range(DATA, 64, undefined=poison)
    module = read(PTX)
    assert placed_variables(module) == [("count", 4, 4)]
    return DeviceModule(module, memory, [COUNT]), data[4096 : 4096 + 64].view(np.uint32)


def run(made: DeviceModule, entry: str, *args: object, threads: int = 16) -> None:
    launch(made.module, entry, (1,), (threads,), args, device=made)


def test_variables_keep_their_values() -> None:
    made, data = device()
    run(made, "raise", threads=1)
    run(made, "add", DATA.to_bytes(8, "little"))
    run(made, "raise", threads=1)
    run(made, "add", DATA)
    assert data.tolist() == [6 + 7] * 16


def test_accesses_are_ranges_of_bytes() -> None:
    made, _ = device()
    run(made, "add", DATA, threads=8)
    assert made.accesses == [(256, 260, False), (4096, 4128, False), (4096, 4128, True)]


def test_memory_exists_between_open_and_close() -> None:
    made, _ = device()
    with pytest.raises(DiagnosticError, match="TW1254"):
        run(made, "add", DATA, threads=32)
    made.memory.close_range(DATA, 64)
    with pytest.raises(DiagnosticError, match="TW1254"):
        run(made, "add", DATA)


def test_memory_far_away_is_reached() -> None:
    made, _ = device()
    made.memory.open_range(BASE + 3 * UNIT, 64)
    run(made, "add", BASE + 3 * UNIT)


def test_undefined_memory_is_told() -> None:
    made, _ = device(poison=True)
    with pytest.raises(DiagnosticError, match="TW1253"):
        run(made, "add", DATA)
    made.memory.define(DATA, 64)
    run(made, "add", DATA)


DISCARDS = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data)
{
    .reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .pred %p;
    ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x; setp.eq.u32 %p, %r1, 0; mad.wide.u32 %rd2, %r1, 4, %rd1;
    @%p discard.global.L2 [%rd1], 128; bar.sync 0;
    ld.global.u32 %r2, [%rd2+OFFSET]; st.global.u32 [%rd2+256], %r2;
    ret;
}
"""


def test_memory_becomes_undefined() -> None:
    """Of memory that was defined as a whole; what is opened later is defined, or not, as it is asked for."""
    data = np.zeros(4 * UNIT, np.uint8)
    memory = DeviceMemory(BASE, data)
    memory.open_range(DATA, 512)
    words = data[4096 : 4096 + 512].view(np.uint32)
    words[:] = np.arange(128)
    near, far = (DeviceModule(read(DISCARDS.replace("OFFSET", text)), memory, []) for text in ("0", "128"))
    launch(far.module, "k", (1,), (32,), [DATA], device=far)
    assert words[64:96].tolist() == list(range(32, 64))
    with pytest.raises(DiagnosticError, match="TW1253"):
        launch(near.module, "k", (1,), (32,), [DATA], device=near)
    later = BASE + 2 * UNIT + 4096
    memory.open_range(later, 512)
    data[2 * UNIT + 4096 :][:512].view(np.uint32)[:] = np.arange(200, 328)
    launch(far.module, "k", (1,), (32,), [later], device=far)
    assert data[2 * UNIT + 4096 :][:512].view(np.uint32)[64:96].tolist() == list(range(232, 264))
    last = BASE + 3 * UNIT + 4096
    memory.open_range(last, 512, undefined=True)
    with pytest.raises(DiagnosticError, match="TW1253"):
        launch(far.module, "k", (1,), (32,), [last], device=far)
    with pytest.raises(DiagnosticError, match="TW1253"):
        launch(near.module, "k", (1,), (32,), [DATA], device=near)


def test_reservations_stay_when_memory_grows() -> None:
    storage = Storage("global", 0, 64, poison=False)
    start = storage.allocate(16, 16)
    storage.begin_write(np.arange(start, start + 8))
    storage.allocate(4096, 16)
    with pytest.raises(Fault, match="a store to bytes"):
        storage.begin_write(np.arange(start + 4, start + 12))
    made, _ = device()
    place = np.arange(DATA - BASE, DATA - BASE + 8)
    made.memory.begin_write(place)
    made.memory.open_range(BASE + 3 * UNIT, 64)
    with pytest.raises(Fault, match="a store to bytes"):
        made.memory.begin_write(place)
