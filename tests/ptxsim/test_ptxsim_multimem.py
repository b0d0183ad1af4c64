"""Objects of several copies: reading reduces the copies, writing and updating reach all of them."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.ptxsim import Multicast, launch

TEXT = """.version 8.7
.target sm_90
.address_size 64
.entry k(.param .u64 both, .param .u64 out)
{
  .reg .b32 %t, %r;
  .reg .b64 %x, %y;
  mov.u32 %t, %tid.x;
  ld.param.b64 %x, [both];
  mad.wide.u32 %x, %t, 4, %x;
  ld.param.b64 %y, [out];
  mad.wide.u32 %y, %t, 4, %y;
  BODY
  st.global.b32 [%y], %r;
  ret;
}
"""


def ran(body: str) -> tuple[list[int], list[int], list[int]]:
    """What threads find, and both copies afterwards."""
    first, second = np.arange(4, dtype=np.uint32), np.arange(10, 14, dtype=np.uint32)
    out = np.zeros(4, np.uint32)
    launch(TEXT.replace("BODY", body), "k", (1,), (4,), [Multicast((first, second)), out])
    return out.tolist(), first.tolist(), second.tolist()


@pytest.mark.parametrize(
    ("operation", "found"),
    [("add", [10, 12, 14, 16]), ("max", [10, 11, 12, 13]), ("min", [0, 1, 2, 3])],
)
def test_a_load_reduces_the_copies(operation: str, found: list[int]) -> None:
    body = f"multimem.ld_reduce.relaxed.sys.global.{operation}.u32 %r, [%x];"
    assert ran(body) == (found, [0, 1, 2, 3], [10, 11, 12, 13])


def test_a_load_of_several_elements_reduces_each() -> None:
    first, second = np.arange(4, dtype=np.float32), np.arange(10, 14, dtype=np.float32)
    out = np.zeros(4, np.float32)
    body = """.reg .f32 %f<4>;
    ld.param.b64 %x, [both];
    ld.param.b64 %y, [out];
    multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%f0, %f1, %f2, %f3}, [%x];
    st.global.v4.f32 [%y], {%f0, %f1, %f2, %f3};"""
    text = TEXT.replace("BODY", body).replace("  st.global.b32 [%y], %r;\n", "")
    launch(text, "k", (1,), (1,), [Multicast((first, second)), out])
    assert out.tolist() == [10, 12, 14, 16]


def test_a_store_reaches_all_copies() -> None:
    body = "add.u32 %r, %t, 5; multimem.st.weak.global.u32 [%x], %r;"
    assert ran(body) == ([5, 6, 7, 8], [5, 6, 7, 8], [5, 6, 7, 8])


def test_an_update_reaches_all_copies() -> None:
    body = "mov.u32 %r, 7; multimem.red.relaxed.gpu.global.add.u32 [%x], %r;"
    assert ran(body) == ([7] * 4, [7, 8, 9, 10], [17, 18, 19, 20])
