"""The width of the cells in which races are looked for."""

from __future__ import annotations

import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptxsim import launch
from tilewright.ptxsim.races.cells import cell
from tilewright.ptxsim.running import SimulatedLaunch

HEAD = (
    ".version 8.0 .target sm_90 .address_size 64 .entry k() { .reg .b32 %t, %x, %r<4>; .reg .b64 %y; .reg .b16 %h; "
    ".shared .align 16 .b8 tile[4096]; .global .align 16 .b8 far[4096]; mov.u32 %t, %tid.x; shl.b32 %x, %t, 4; "
    "mov.u32 %r1, tile; add.u32 %x, %x, %r1; mov.u64 %y, far; mov.u32 %r0, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; "
)
WIDE = "st.shared.v4.b32 [%x], {%r0, %r1, %r2, %r3};"


def built(body: str) -> SimulatedLaunch:
    """A launch of one warp that has not run."""
    return SimulatedLaunch(read(HEAD + body + " ret; }"), "k", (1,), (32,), [], 0, (1, 1, 1), "all", 0, 0)


@pytest.mark.parametrize(
    ("body", "shared", "global_"),
    [
        ("", 16, 16),
        (WIDE, 16, 16),
        (WIDE + "st.shared.b32 [%x], %r0;", 4, 16),
        (WIDE + "cvt.u16.u32 %h, %r0; st.shared.u16 [%x], %h;", 2, 16),
        ("st.global.v2.b32 [%y], {%r0, %r1};", 16, 8),
        ("st.v2.b32 [%y], {%r0, %r1};", 8, 8),
        ("cp.async.cg.shared.global [%x], [%y], 16;", 16, 16),
        ("cp.async.ca.shared.global [%x], [%y], 8, %r0;", 8, 4),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%x];", 16, 16),
        ("mbarrier.init.shared.b64 [%x], 1;", 4, 4),
    ],
)
def test_cells_are_as_wide_as_the_narrowest_access(body: str, shared: int, global_: int) -> None:
    """A narrow access of one space leaves the cells of the other wide."""
    codes = built(body).codes.values()
    assert (cell(codes, "shared"), cell(codes, "global")) == (shared, global_)


@pytest.mark.parametrize(
    "narrow", ["", "@%p st.shared.b32 [%x], %r0;"], ids=["cells of 16 bytes", "cells of 4"]
)
def test_the_place_of_a_race_does_not_depend_on_the_cells(narrow: str) -> None:
    """Thread 0 writes the row of its neighbour."""
    body = (
        ".reg .pred %p; setp.gt.u32 %p, %t, 99;"
        + narrow
        + WIDE
        + "setp.eq.u32 %p, %t, 0; @%p st.shared.v4.b32 [%x+16], {%r0, %r1, %r2, %r3}; ret; }"
    )
    with pytest.raises(DiagnosticError, match="shared address 0x410 is written by thread 0"):
        launch(HEAD + body, "k", (1,), (32,), [])
