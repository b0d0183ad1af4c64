"""Assertions and prints of kernels."""

import ctypes

import numpy as np

from tests.targets.cpu.kernel.whole_kernels import Kernel
from tilewright.dialects.arith import ops_integer
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.nv_tileaa.ops import program as ops_program
from tilewright.dialects.scf import ops_loop
from tilewright.ir.block import Block, Region


def asserting(array, out, limit, *, scalar):
    """Each tile block asserts that all its elements are below a limit, then stores them."""
    kernel = Kernel(array, out, limit)
    at = kernel.add(ops_program.GetProgramIdOp(0))
    tile = kernel.load(0, (16,), [at])
    if scalar:
        holds = kernel.add(ops_integer.CmpIOp(CmpIPredicate.SLT, at, kernel.arguments[2]))
    else:
        many = kernel.splat(kernel.arguments[2], 16)
        holds = kernel.add(ops_integer.CmpIOp(CmpIPredicate.SLT, tile, many))
    kernel.add(ops_program.AssertOp(holds, "too large"))
    kernel.store(1, tile, [at])
    return kernel


def test_assertions_that_hold_say_nothing():
    array, out = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    for scalar, limit in ((True, 4), (False, 64)):
        out[:] = 0
        assert asserting(array, out, limit, scalar=scalar).run((4, 1, 1)).report == 0
        assert (out == array).all()


def test_an_assertion_that_fails_stops_the_launch():
    """The first two tile blocks are done, the third one reports, and no other one begins."""
    array = np.arange(64, dtype=np.int32)
    for scalar, limit in ((True, 2), (False, 40)):
        out = np.zeros(64, np.int32)
        done = asserting(array, out, limit, scalar=scalar).run((4, 1, 1))
        assert (done.report, done.report_block) == (1, 2)
        (site,) = done.compiled.sites
        assert (site.kind, site.text) == ("assert", "too large")
        assert (out[:32] == array[:32]).all()
        assert not out[32:].any()


def test_assertions_in_loops_end_the_tile_block():
    out = np.zeros(16, np.int32)
    kernel = Kernel(out)
    lower, upper, step = (kernel.number(value) for value in (0, 10, 1))
    block = Block([lower.type])
    kernel.blocks.append(block)
    holds = kernel.add(ops_integer.CmpIOp(CmpIPredicate.SLT, block.arguments[0], kernel.number(3)))
    kernel.add(ops_program.AssertOp(holds, "three rounds"))
    kernel.store(0, kernel.splat(block.arguments[0], 16))
    kernel.add(ops_loop.YieldOp())
    kernel.blocks.pop()
    kernel.add(ops_loop.ForOp(lower, upper, step, (), region=Region([block])))
    done = kernel.run((3, 1, 1))
    assert done.report == 1
    assert (out == 2).all()


def test_prints_hand_over_their_values():
    array, small = (
        np.arange(24, dtype=np.float32).reshape(2, 12)[:, :8].copy(),
        np.array([1, 0] * 4, np.bool_),
    )
    kernel = Kernel(array, small, 42)
    tiles = [kernel.load(0), kernel.arguments[2], kernel.load(1)]
    kernel.add(ops_program.PrintOp("%f %i %i", tiles, result_types=[]))
    loaded = kernel.load_module()
    (site,) = loaded.compiled.sites
    assert (site.types, site.shapes) == (("f32", "i32", "i1"), ((2, 8), (), (8,)))
    said = []

    def on_print(number, block, values):
        data = ctypes.string_at(values, 192)
        floats = np.frombuffer(data[:64], np.float32).tolist()
        said.append((number, block, floats, int.from_bytes(data[64:68], "little"), list(data[128:136])))

    loaded.launch((1, 2, 1), *kernel.arrays, on_print=on_print)
    expected = (array.ravel().tolist(), 42, small.astype(int).tolist())
    assert said == [(0, 0, *expected), (0, 1, *expected)]
