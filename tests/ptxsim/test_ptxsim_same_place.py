"""Threads that store to one place by one instruction: different values are told, equal ones only if asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ptxsim.harness import HEAD
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

KERNEL = """.entry k(.param .u64 out)
{{
    .shared .align 16 .b8 words[1024]; .reg .b16 %h; .reg .b32 %r, %v, %w, %s, %x<4>; .reg .b64 %d, %g, %q; .reg .pred %p;
    mov.u32 %r, %tid.x; mov.u32 %s, words; ld.param.u64 %d, [out]; mov.u32 %v, VALUE; cvt.u16.u32 %h, %v;
    shr.u32 %w, %r, SHIFT; mad.lo.u32 %s, %w, SIZE, %s; mad.wide.u32 %g, %w, SIZE, %d;
    setp.lt.u32 %p, %r, 2; cvta.shared.u64 %q, %d;
    {body}
    ret;
}}
"""
STORES = {
    "st.shared.b32 [%s], %v;": 4,
    "st.global.b32 [%g], %v;": 4,
    "st.b32 [%g], %v;": 4,
    "st.shared.b8 [%s], %h;": 1,
    "st.shared.v2.b32 [%s], {%w, %v};": 8,
    "st.global.v4.b32 [%g], {%w, %w, %v, %w};": 16,
    "@%p st.shared.b32 [%s], %v;": 4,
    "@%p st.global.b32 [%g], %v;": 4,
}


def stored(body: str, value: str, shift: int, size: int, threads: int = 64, **options: Any) -> np.ndarray:
    text = KERNEL.format(body=body).replace("VALUE", value)
    text = HEAD + text.replace("SHIFT", str(shift)).replace("SIZE", str(size))
    out = np.zeros(256, np.uint32)
    launch(text, "k", (1,), (threads,), [out], **options)
    return out


def told(*given: Any, **options: Any) -> str:
    with pytest.raises(DiagnosticError) as error:
        stored(*given, **options)
    return str(error.value)


@pytest.mark.parametrize("body", STORES)
def test_different_values_are_told(body: str) -> None:
    found = told(body, "%r", 1, STORES[body])
    assert "error[TW1268]: threads 0 and 1 store different values of" in found
    assert ("global" if "%g" in body else "shared") + " address" in found


@pytest.mark.parametrize("body", STORES)
def test_threads_of_several_warps_are_told(body: str) -> None:
    body = body.replace("@%p ", "")
    assert "TW1268" in told(body, "%r", 8, STORES[body.replace("@%p ", "")])


@pytest.mark.parametrize("body", STORES)
@pytest.mark.parametrize("schedule", [0, 1, 2])
def test_equal_values_are_told_if_asked_for(body: str, schedule: int) -> None:
    stored(body, "7", 1, STORES[body], schedule=schedule)
    stored(body, "7", 0, STORES[body], schedule=schedule, same_values=True)
    text = told(body, "7", 1, STORES[body], schedule=schedule, same_values=True)
    assert "TW1268" in text
    assert "threads 0 and 1 store the same value of" in text


@pytest.mark.parametrize("body", ["st.shared.b32 [%s], %v;", "st.global.b32 [%g], %v;"])
def test_one_instruction_of_several_warps_in_any_order(body: str) -> None:
    """Warps that come to a store one after the other are no race if they store one value, and else they are."""
    for schedule in range(6):
        stored(body, "7", 8, 4, threads=128, schedule=schedule)
        found = told(body, "%r", 8, 4, threads=128, schedule=schedule)
        assert "TW1268" in found or "TW1265" in found
    again = f"{body} {body}"
    stored(again, "7", 0, 4, threads=32)
    assert "TW1265" in told(again, "7", 8, 4, threads=64)
    assert "the other access is here" in told(again, "7", 8, 4, threads=64)


def test_blocks_that_store_one_value_race() -> None:
    text = HEAD + KERNEL.format(body="st.global.b32 [%d], 7;").replace("VALUE", "7")
    text = text.replace("SHIFT", "0").replace("SIZE", "4")
    with pytest.raises(DiagnosticError, match="TW1265"):
        launch(text, "k", (2,), (1,), [np.zeros(1, np.uint32)])


@pytest.mark.parametrize(
    "body",
    [
        "st.volatile.shared.b32 [%s], %v;",
        "st.relaxed.gpu.global.b32 [%g], %v;",
        "red.global.add.u32 [%g], %v;",
    ],
)
def test_accesses_with_an_order_may_meet(body: str) -> None:
    stored(body, "%r", 3, 4)


def test_without_checks_the_last_one_stays() -> None:
    found = stored("st.global.b32 [%g], %v;", "%r", 1, 4, threads=4, checks="none")
    assert found[:2].tolist() == [1, 3]


def test_a_value_that_one_thread_leaves_undefined() -> None:
    """Nobody knows whether the defined or the undefined value stays."""
    body = "@%p mov.u32 %x0, 5; st.shared.b32 [%s], %x0; bar.sync 0; ld.shared.b32 %x1, [%s]; st.global.b32 [%g], %x1;"
    assert stored(body, "7", 0, 4, threads=2)[:2].tolist() == [5, 5]
    for shift in (1, 2):
        assert "TW1253" in told(body, "7", shift, 4, threads=4)


MATRIX = """and.b32 %x0, %r, MASK; mov.u32 %s, words; mad.lo.u32 %s, %x0, 16, %s;
    stmatrix.sync.aligned.m8n8.x4.shared.b16 [%s], {FOUR};"""
COPY = """and.b32 %x0, %r, MASK; mov.u32 %s, words; mad.lo.u32 %s, %x0, 4, %s; mad.wide.u32 %g, %x1, 4, %d;
    cp.async.ca.shared.global [%s], [%g], 4; cp.async.wait_all;"""


def test_rows_of_matrices_that_meet() -> None:
    """Lanes 0, 8, 16 and 24 name one place for the first rows of four matrices."""
    stored(MATRIX.replace("MASK", "31").replace("FOUR", "%v, %r, %v, %v"), "7", 0, 0, threads=32)
    stored(MATRIX.replace("MASK", "7").replace("FOUR", "%v, %v, %v, %v"), "7", 0, 0, threads=32)
    found = told(MATRIX.replace("MASK", "7").replace("FOUR", "%v, %v, %r, %v"), "7", 0, 0, threads=32)
    assert "TW1268" in found
    assert "threads 16 and 24 store different values" in found


def test_copies_that_meet() -> None:
    """Copies to one place from one source are one value, from several they are not."""

    def copy(mask: int, source: str, **options: Any) -> None:
        body = f"mov.u32 %x1, {source}; " + COPY.replace("MASK", str(mask))
        out = np.arange(256, dtype=np.uint32)
        text = HEAD + KERNEL.format(body=body).replace("VALUE", "7").replace("SHIFT", "0").replace(
            "SIZE", "4"
        )
        launch(text, "k", (1,), (32,), [out], **options)

    copy(31, "%r")
    copy(15, "9")
    for mask, source, options in ((15, "%r", {}), (15, "9", {"same_values": True})):
        with pytest.raises(DiagnosticError, match=r"TW1268\]: threads 0 and 16 store"):
            copy(mask, source, **options)
