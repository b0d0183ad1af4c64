"""Memory of tile blocks on GPUs: every thread sees all of it, it is apart from that of others, and it comes to an end."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, kernel, ptx_of, same
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_atomics import pointers
from tilewright import ptxsim
from tilewright.ir.diagnostic import DiagnosticError

LENGTH = 256
POINTERS, TILE = f"tile<{LENGTH}xptr<i32>>", f"tile<{LENGTH}xi32>"


def turned(loaded: str, words: str = "", count: int = LENGTH) -> str:
    """Puts the tile ``%v`` into memory of the tile block, and reads it from the end on."""
    return (
        f"%m = alloca num_elem = {count}, alignment = 64 {words} : tile<ptr<i32>>\n"
        + pointers("m", "i32", LENGTH)
        + f"""%t = store_ptr_tko weak %m_p, %v : {POINTERS}, {TILE} -> token
    %last = constant <i32: {LENGTH - 1}> : {TILE}
    %back = subi %last, %m_i : {TILE}
    %from = offset %m_b, %back : {POINTERS}, {TILE} -> {POINTERS}
    %{loaded}, %{loaded}_t = load_ptr_tko weak %from token=%t : {POINTERS} -> {TILE}, token
    """
    )


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("words", ["", "global"])
def test_each_block_has_memory_of_its_own(chip: str, words: str) -> None:
    body = pointers("x", "i32", LENGTH)
    body += f"""%i_1 = reshape %i : tile<i32> -> tile<1xi32>
    %i_n = broadcast %i_1 : tile<1xi32> -> {TILE}
    %length = constant <i32: {LENGTH}> : {TILE}
    %start = muli %i_n, %length : {TILE}
    %v = addi %start, %x_i : {TILE}
    """
    body += turned("w", words)
    body += f"""%to = offset %x_p, %start : {POINTERS}, {TILE} -> {POINTERS}
    %s = store_ptr_tko weak %to, %w : {POINTERS}, {TILE} -> token
    """
    (x,) = same(kernel("%x: tile<ptr<i32>>", body), (3,), [np.zeros(3 * LENGTH, np.int32)], chip)
    assert (x.reshape(3, LENGTH)[:, ::-1].reshape(-1) == np.arange(3 * LENGTH)).all()


def test_memory_of_an_iteration_ends_with_it() -> None:
    """Four of these are as much as the heap has, and two more follow."""
    body = pointers("x", "i32", LENGTH)
    body += f"""%n = constant <i32: 6> : tile<i32>
    %r = for %k in (%zero to %n, step %one) : tile<i32> iter_values(%v = %x_i) -> ({TILE}) {{
      {turned("w", count=65536)}
      continue %w : {TILE}
    }}
    %s = store_ptr_tko weak %x_p, %r : {POINTERS}, {TILE} -> token
    """
    text = kernel("%x: tile<ptr<i32>>", body)
    out = np.zeros(LENGTH, np.int32)
    tilewright.launch(text, "k", 1, [out], target="sim:sm_80")
    assert (out == np.arange(LENGTH)).all()


def test_memory_that_the_device_does_not_have_is_a_failed_assertion_at_its_place() -> None:
    body = "%m = alloca num_elem = 4194304, alignment = 4 : tile<ptr<i32>>\n"
    body += "%s = store_ptr_tko weak %m, %one : tile<ptr<i32>>, tile<i32> -> token\n"
    with pytest.raises(DiagnosticError, match="the heap of the device has no memory left") as caught:
        tilewright.launch(kernel("", body), "k", 1, [], target="sim:sm_80")
    assert "in block (0, 0, 0)" in str(caught.value)


@pytest.mark.parametrize("alignment", [4, 16, 4096])
def test_addresses_are_aligned(alignment: int) -> None:
    body = f"""%m = alloca num_elem = 3, alignment = {alignment} : tile<ptr<i32>>
    %s = store_ptr_tko weak %m, %one : tile<ptr<i32>>, tile<i32> -> token
    %a = ptr_to_int %m : tile<ptr<i32>> -> tile<i64>
    %t = store_ptr_tko weak %x, %a : tile<ptr<i64>>, tile<i64> -> token
    """
    out = np.zeros(1, np.int64)
    tilewright.launch(kernel("%x: tile<ptr<i64>>", body), "k", 1, [out], target="sim:sm_80")
    assert out[0]
    assert out[0] % alignment == 0


def test_a_block_meets_before_its_memory_goes_back() -> None:
    text = kernel(
        "%x: tile<ptr<i32>>", pointers("x", "i32", LENGTH) + "%v = iota : " + TILE + "\n" + turned("w")
    )
    lines = ptx_of(text).splitlines()
    given_back = next(at for at, line in enumerate(lines) if "free," in line and "call" in line)
    last = max(at for at in range(given_back) if "global" in lines[at].split(" ")[0])
    assert any(".sync" in line for line in lines[last:given_back])


PTX = """
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.visible .entry k(.param .u64 out)
{
  .reg .b64 %rd<4>;
  { .param .b64 n; .param .b64 r; st.param.b64 [n], SIZE; call.uni (r), malloc, (n); ld.param.b64 %rd0, [r]; }
  ld.param.u64 %rd1, [out];
  st.global.u64 [%rd1], %rd0;
  { .param .b64 p; st.param.b64 [p], %rd0; call.uni free, (p); }
  AGAIN
  ret;
}
"""
AGAIN = "{ .param .b64 p; st.param.b64 [p], %rd0; call.uni free, (p); }"


@pytest.mark.parametrize(("size", "is_there"), [(1, True), (1 << 20, True), ((1 << 20) + 1, False)])
def test_the_heap_of_the_simulator_is_limited(size: int, is_there: bool) -> None:
    out = np.ones(1, np.uint64)
    ptxsim.launch(PTX.replace("SIZE", str(size)).replace("AGAIN", ""), "k", (1,), (1,), [out])
    assert bool(out[0]) == is_there


def test_memory_is_given_back_once() -> None:
    text = PTX.replace("SIZE", "64").replace("AGAIN", AGAIN)
    with pytest.raises(DiagnosticError, match="which malloc did not return"):
        ptxsim.launch(text, "k", (1,), (1,), [np.zeros(1, np.uint64)])
