"""Loads and stores in every form: what caches are told changes nothing, and orders are those of one thread."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ptxsim.harness import run

PLACE = ".reg .b64 %y; ld.param.b64 %y, [in0]; mad.wide.u32 %y, %t, BYTES, %y;"
LOADS = (
    "ld.weak.global.ca.L1::evict_last.L2::128B",
    "ld.L1::no_allocate",
    "ld.global.nc",
    "ld.weak.global.nc.L1::evict_first.L2::256B",
    "ld.volatile",
    "ld.volatile.global",
    "ld.relaxed.gpu.global",
    "ld.acquire.sys",
    "ld.mmio.relaxed.sys.global",
)
STORES = (
    "st.weak.global.wb.L1::evict_last",
    "st.L1::no_allocate",
    "st.volatile",
    "st.volatile.global",
    "st.relaxed.cta.global",
    "st.release.gpu",
    "st.mmio.relaxed.sys.global",
)
VALUES = np.arange(100, 164, dtype=np.uint32)


@pytest.mark.parametrize("load", LOADS)
def test_loads(load: str) -> None:
    one = f"{PLACE} {load}.b32 %r, [%y];".replace("BYTES", "4")
    two = f"{PLACE} {load}.v2.b32 {{%w0, %w1}}, [%y]; mad.lo.u32 %r, %w0, 1000, %w1;".replace("BYTES", "8")
    assert (run(one, "b32 -> b32", VALUES) == VALUES).all()
    assert (run(two, "b32 -> b32", VALUES, block=32) == VALUES[::2] * 1000 + VALUES[1::2]).all()


@pytest.mark.parametrize("store", STORES)
def test_stores(store: str) -> None:
    one = f"bar.sync 0; {PLACE} {store}.b32 [%y], %t; ld.global.b32 %r, [%y];".replace("BYTES", "4")
    two = f"bar.sync 0; {PLACE} {store}.v2.b32 [%y], {{%t, 7}}; ld.global.v2.b32 {{%w0, %w1}}, [%y]; mad.lo.u32 %r, %w0, 10, %w1;"
    assert (run(one, "b32 -> b32", VALUES.copy()) == np.arange(64)).all()
    assert (
        run(two.replace("BYTES", "8"), "b32 -> b32", VALUES.copy(), block=32) == np.arange(32) * 10 + 7
    ).all()
