"""Results that are one for all threads: each thread has it, whichever of them go on."""

from __future__ import annotations

import numpy as np

from tests.ptxsim.harness import run_lanes

BODY = """
.reg .b16 %h;
cvt.rn.satfinite.e4m3x2.f32 %h, 0f3F800000, 0f40000000;
mov.b32 %r0, 7;
setp.gt.u32 %p, %t, 4;
@%p bra done;
cvt.u32.u16 %r0, %h;
done:
"""


def test_a_conversion_of_constants() -> None:
    got = run_lanes(BODY, {"a": np.zeros((32, 1), np.uint32)}, 1)
    assert got[:, 0].tolist() == [0x3840] * 5 + [7] * 27
