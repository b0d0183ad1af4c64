"""Our lowering and mlir-opt's compute the same bits: both become LLVM IR that runs in this process."""

from __future__ import annotations

import functools

import pytest

from tests.lowering.native import AT_ONCE, STEP_BY_STEP, Native, llvm_ir, ours, theirs
from tests.lowering.programs import OUTPUTS, function, inputs
from tests.support.samples import samples

SEEDS = range(samples(8, of=24))
RUNS = 6
"""Inputs for each function."""


@functools.cache
def programs() -> tuple[Native, Native, Native]:
    """The generated functions: lowered by mlir-opt, by us at once, by us pass by pass."""
    module = "\n".join(function(seed) for seed in SEEDS)
    texts = [*theirs([module]), ours(module, AT_ONCE), ours(module, STEP_BY_STEP)]
    peer, at_once, step_by_step = map(Native, llvm_ir(texts))
    return peer, at_once, step_by_step


@pytest.mark.parametrize("way", ["at once", "step by step"])
def test_generated_functions_give_the_same_bits(way: str) -> None:
    peer, *own = programs()
    mine = own[way == "step by step"]
    for seed in SEEDS:
        for run in range(RUNS):
            given = inputs(1000 * seed + run)
            wanted = peer.run(f"f{seed}", given, OUTPUTS)
            assert mine.run(f"f{seed}", given, OUTPUTS) == wanted, (seed, given)


def written(body: str) -> str:
    """A function that works on a 4x6 view of its input and writes single words to its output."""
    return f"""func.func @NAME(%in: memref<?xi64>, %out: memref<?xi64>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %m = memref.reinterpret_cast %in to offset: [0], sizes: [4, 6], strides: [6, 1]
      : memref<?xi64> to memref<4x6xi64, strided<[6, 1]>>
{body}
  return
}}
"""


HELPERS = """memref.global "private" constant @numbers : memref<2x3xi64> = dense<[[1, 2, 3], [4, 5, 6]]>
memref.global "private" @one : memref<i64> = dense<42>
func.func private @pair(%a: memref<?xi64>, %i: index) -> (i64, memref<?xi64>) {
  %0 = memref.load %a[%i] : memref<?xi64>
  return %0, %a : i64, memref<?xi64>
}
func.func private @unranked(%a: memref<?xi64>) -> memref<*xi64> {
  %0 = memref.cast %a : memref<?xi64> to memref<*xi64>
  return %0 : memref<*xi64>
}
func.func private @bare(%a: memref<4xi64>) -> memref<4xi64> attributes {llvm.bareptr} {
  return %a : memref<4xi64>
}
"""
WRITTEN = {
    "slice": """  %s = memref.subview %m[%c1, 2] [%c2, 2] [2, %c2]
      : memref<4x6xi64, strided<[6, 1]>> to memref<?x2xi64, strided<[12, ?], offset: ?>>
  %0 = memref.load %s[%c1, %c1] : memref<?x2xi64, strided<[12, ?], offset: ?>>
  memref.store %0, %out[%c0] : memref<?xi64>
  %t = memref.subview %s[%c1, 0] [1, 2] [1, 1]
      : memref<?x2xi64, strided<[12, ?], offset: ?>> to memref<2xi64, strided<[?], offset: ?>>
  %1 = memref.load %t[%c1] : memref<2xi64, strided<[?], offset: ?>>
  memref.store %1, %out[%c1] : memref<?xi64>""",
    "reshapes": """  %e = memref.expand_shape %m [[0], [1, 2]] output_shape [4, 2, 3]
      : memref<4x6xi64, strided<[6, 1]>> into memref<4x2x3xi64, strided<[6, 3, 1]>>
  %0 = memref.load %e[%c2, %c1, %c2] : memref<4x2x3xi64, strided<[6, 3, 1]>>
  memref.store %0, %out[%c0] : memref<?xi64>
  %k = memref.collapse_shape %e [[0, 1], [2]]
      : memref<4x2x3xi64, strided<[6, 3, 1]>> into memref<8x3xi64, strided<[3, 1]>>
  %1 = memref.load %k[%c6, %c1] : memref<8x3xi64, strided<[3, 1]>>
  memref.store %1, %out[%c1] : memref<?xi64>
  %d = memref.expand_shape %in [[0, 1]] output_shape [%c6, 4] : memref<?xi64> into memref<?x4xi64>
  %2 = memref.dim %d, %c0 : memref<?x4xi64>
  %3 = memref.load %d[%c3, %c1] : memref<?x4xi64>
  %4 = arith.index_cast %2 : index to i64
  memref.store %4, %out[%c2] : memref<?xi64>
  memref.store %3, %out[%c3] : memref<?xi64>""",
    "transpose and copy": """  %t = memref.transpose %m (i, j) -> (j, i)
      : memref<4x6xi64, strided<[6, 1]>> to memref<6x4xi64, strided<[1, 6]>>
  %0 = memref.load %t[%c3, %c2] : memref<6x4xi64, strided<[1, 6]>>
  memref.store %0, %out[%c0] : memref<?xi64>
  %a = memref.alloc() {alignment = 64} : memref<4x6xi64>
  memref.copy %m, %a : memref<4x6xi64, strided<[6, 1]>> to memref<4x6xi64>
  %1 = memref.load %a[%c3, %c3] : memref<4x6xi64>
  memref.store %1, %out[%c1] : memref<?xi64>
  memref.dealloc %a : memref<4x6xi64>""",
    "globals": """  %g = memref.get_global @numbers : memref<2x3xi64>
  %0 = memref.load %g[%c1, %c2] : memref<2x3xi64>
  memref.store %0, %out[%c0] : memref<?xi64>
  %h = memref.get_global @one : memref<i64>
  %1 = memref.load %h[] : memref<i64>
  memref.store %1, %out[%c1] : memref<?xi64>""",
    "calls": """  %0, %a = call @pair(%in, %c3) : (memref<?xi64>, index) -> (i64, memref<?xi64>)
  memref.store %0, %out[%c0] : memref<?xi64>
  %u = call @unranked(%a) : (memref<?xi64>) -> memref<*xi64>
  %n = memref.dim %u, %c0 : memref<*xi64>
  %r = memref.rank %u : memref<*xi64>
  %s = arith.addi %n, %r : index
  %1 = arith.index_cast %s : index to i64
  memref.store %1, %out[%c1] : memref<?xi64>
  %v = memref.cast %u : memref<*xi64> to memref<?xi64>
  %2 = memref.load %v[%c2] : memref<?xi64>
  memref.store %2, %out[%c2] : memref<?xi64>
  %f = constant @pair : (memref<?xi64>, index) -> (i64, memref<?xi64>)
  %3:2 = call_indirect %f(%v, %c6) : (memref<?xi64>, index) -> (i64, memref<?xi64>)
  memref.store %3#0, %out[%c3] : memref<?xi64>""",
    "stack scopes": """  %0 = memref.alloca_scope -> (i64) {
    %b = memref.alloca() : memref<3xi64>
    %1 = memref.load %in[%c3] : memref<?xi64>
    memref.store %1, %b[%c2] : memref<3xi64>
    %2 = memref.load %b[%c2] : memref<3xi64>
    memref.alloca_scope.return %2 : i64
  }
  memref.store %0, %out[%c0] : memref<?xi64>
  memref.alloca_scope {
    memref.store %0, %out[%c1] : memref<?xi64>
  }""",
    "bare pointers": """  %w = memref.reinterpret_cast %in to offset: [0], sizes: [4], strides: [1]
      : memref<?xi64> to memref<4xi64>
  %b = call @bare(%w) : (memref<4xi64>) -> memref<4xi64>
  %0 = memref.load %b[%c3] : memref<4xi64>
  memref.store %0, %out[%c0] : memref<?xi64>""",
    "atomics": """  %v = memref.load %in[%c1] : memref<?xi64>
  %0 = memref.atomic_rmw addi %v, %in[%c2] : (i64, memref<?xi64>) -> i64
  memref.store %0, %out[%c0] : memref<?xi64>
  %1 = memref.generic_atomic_rmw %in[%c2] : memref<?xi64> {
  ^bb0(%old: i64):
    %3 = arith.muli %old, %v : i64
    memref.atomic_yield %3 : i64
  }
  memref.store %1, %out[%c1] : memref<?xi64>
  %2 = memref.load %in[%c2] : memref<?xi64>
  memref.store %2, %out[%c2] : memref<?xi64>""",
}
"""Buffers, slices, globals, calls and atomics, written by hand."""


@functools.cache
def written_programs() -> tuple[Native, Native]:
    named = {f"w{at}": written(body).replace("NAME", f"w{at}") for at, body in enumerate(WRITTEN.values())}
    module = HELPERS + "\n".join(named.values())
    peer, mine = map(Native, llvm_ir([*theirs([module]), ours(module)]))
    return peer, mine


@pytest.mark.parametrize("name", WRITTEN)
def test_written_functions_give_the_same_words(name: str) -> None:
    peer, mine = written_programs()
    given = [1000 + 7 * at for at in range(24)]
    function_name = f"w{list(WRITTEN).index(name)}"
    wanted = peer.run(function_name, given, 4)
    assert any(wanted)
    assert mine.run(function_name, given, 4) == wanted
