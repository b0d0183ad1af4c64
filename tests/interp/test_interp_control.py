"""Control flow: loops, branches, early exits, depth, limits, tile blocks that wait for each other."""

import numpy as np
import pytest

from tests.interp.kernels import ACQUIRE, DEVICE, RELEASE, SIGNED, Kernel, pointer
from tilewright.dialects.cuda_tile.enums import AtomicRMWMode, ComparisonPredicate
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    integer as ops_integer,
    memory as ops_memory,
    tile as ops_tile,
)
from tilewright.dialects.cuda_tile.types import tile
from tilewright.interp.values import InterpretOptions
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import i1, i8, i32
from tilewright.ir.diagnostic import DiagnosticError


def compare(kernel, predicate, a, b):
    return kernel.add(
        ops_integer.CmpIOp(ComparisonPredicate[predicate], a, b, signedness=SIGNED, result_types=[tile(i1)])
    )


def branch(kernel, condition, then, otherwise=None, result_types=()):
    """An `if`; ``then`` and ``otherwise`` add their operations and a terminator."""
    regions = []
    for fill in (then, otherwise):
        if fill is None:
            regions.append(Region())
            continue
        kernel.open(Block())
        fill()
        regions.append(kernel.close())
    op = ops_control.IfOp(
        condition, then_region=regions[0], else_region=regions[1], result_types=list(result_types)
    )
    kernel.add(op)
    return op


def run_scalar(kernel, value, *args, **options):
    kernel.store(kernel.arguments[0], value)
    out = np.full(1, -99, np.int32)
    kernel.run(out, *args, **options)
    return int(out[0])


@pytest.mark.parametrize(
    ("lower", "upper", "step"), [(0, 10, 1), (0, 10, 3), (-5, 5, 2), (5, 5, 1), (7, 2, 1)]
)
def test_for_sums_its_counter(lower, upper, step):
    kernel = Kernel(pointer(i32))
    zero = kernel.i32(0)
    body = kernel.for_loop(kernel.i32(lower), kernel.i32(upper), kernel.i32(step), zero)
    header = kernel.pending
    total = kernel.add(ops_integer.AddIOp(body.arguments[0], body.arguments[1]))
    loop = kernel.end_for(header, total)
    assert run_scalar(kernel, loop.results[0]) == sum(range(lower, upper, step))


def test_unsigned_comparison_and_a_counter_near_the_end_of_its_range():
    kernel = Kernel(pointer(i32))
    eight = [kernel.constant(value, tile(i8)) for value in (100, 250, 50)]
    one, zero = kernel.i32(1), kernel.i32(0)
    body = kernel.for_loop(*eight, zero, unsigned=True)
    header = kernel.pending
    rounds = kernel.add(ops_integer.AddIOp(body.arguments[1], one))
    loop = kernel.end_for(header, rounds)
    assert run_scalar(kernel, loop.results[0]) == 3  # 100, 150, 200


def test_step_must_be_positive():
    kernel = Kernel(pointer(i32))
    bounds = kernel.i32(0), kernel.i32(4), kernel.i32(0)
    kernel.for_loop(*bounds)
    kernel.end_for(kernel.pending)
    with pytest.raises(DiagnosticError, match=r"kernel.py:4:1.*TW0409.*the step is 0"):
        kernel.run(np.zeros(1, np.int32))


def test_carried_values_are_exchanged_at_once():
    kernel = Kernel(pointer(i32))
    first, second = kernel.i32(1), kernel.i32(2)
    body = kernel.for_loop(kernel.i32(0), kernel.i32(3), kernel.i32(1), first, second)
    header = kernel.pending
    loop = kernel.end_for(header, body.arguments[2], body.arguments[1])
    assert run_scalar(kernel, loop.results[0]) == 2


def collatz(kernel, start):
    """Rounds until 1 is reached: `loop` with `break` and `continue` inside branches."""
    one, two, three, zero = (kernel.i32(v) for v in (1, 2, 3, 0))
    body = kernel.open(Block([tile(i32), tile(i32)]))
    number, rounds = body.arguments

    def stop():
        kernel.add(ops_control.BreakOp(operands_=[rounds]))

    def halve():
        half = kernel.add(ops_integer.DivIOp(number, two, signedness=SIGNED))
        kernel.add(ops_control.ContinueOp(operands_=[half, more]))

    def skip():
        kernel.add(ops_control.YieldOp(operands_=[]))

    branch(kernel, compare(kernel, "EQUAL", number, one), stop)
    more = kernel.add(ops_integer.AddIOp(rounds, one))
    odd = kernel.add(ops_integer.AndIOp(number, one))
    branch(kernel, compare(kernel, "EQUAL", odd, zero), halve, skip)
    tripled = kernel.add(ops_integer.AddIOp(kernel.add(ops_integer.MulIOp(number, three)), one))
    kernel.add(ops_control.ContinueOp(operands_=[tripled, more]))
    region = kernel.close()
    return kernel.add(ops_control.LoopOp(init_values=[start, zero], body=region, result_types=[tile(i32)]))


def test_loop_with_break_and_continue():
    kernel = Kernel(pointer(i32))

    assert run_scalar(kernel, collatz(kernel, kernel.i32(27))) == 111


@pytest.mark.parametrize("value", [0, 1])
def test_if_yields_and_returns(value):
    kernel = Kernel(pointer(i32), tile(i1))
    seven, eight = kernel.i32(7), kernel.i32(8)
    chosen = branch(
        kernel,
        kernel.arguments[1],
        lambda: kernel.add(ops_control.YieldOp(operands_=[seven])),
        lambda: kernel.add(ops_control.YieldOp(operands_=[eight])),
        [tile(i32)],
    )
    branch(kernel, kernel.arguments[1], lambda: kernel.add(ops_control.ReturnOp(operands_=[])))
    assert run_scalar(kernel, chosen.results[0], bool(value)) == (-99 if value else 8)


def test_nesting_is_limited_by_memory_only():
    kernel = Kernel(pointer(i32), tile(i1))
    depth = 4_000  # far beyond Python's recursion limit
    for _ in range(depth):
        kernel.open(Block())
    kernel.blocks[-1].append(
        ops_memory.StorePtrTkoOp(
            destination=kernel.arguments[0],
            value=kernel.i32(5),
            memory_ordering_semantics=ops_memory.MemoryOrderingSemantics.WEAK,
        )
    )
    for _ in range(depth):
        kernel.blocks[-1].append(ops_control.YieldOp(operands_=[]))
        op = ops_control.IfOp(kernel.arguments[1], then_region=kernel.close(), result_types=[])
        kernel.blocks[-1].append(op)
    out = np.zeros(1, np.int32)
    kernel.run(out, True)
    assert out[0] == 5


def test_a_loop_without_end_is_stopped_by_the_limit():
    kernel = Kernel()
    kernel.open(Block())
    kernel.add(ops_control.ContinueOp(operands_=[]))
    kernel.add(ops_control.LoopOp(init_values=[], body=kernel.close(), result_types=[]))
    with pytest.raises(DiagnosticError, match=r"TW0410.*tile block \(0, 0, 0\).*more than 1000 operations"):
        kernel.run(max_steps=1000)


def test_tile_blocks_that_wait_for_each_other():
    """Tile block n waits until the flag is (last - n): the reverse of the order in which they start."""
    kernel = Kernel(pointer(i32), pointer(i32))
    flag, out = kernel.arguments
    count = kernel.add(ops_control.GetNumTileBlocksOp()).results[0]
    block_id = kernel.block_id()
    zero, one = kernel.i32(0), kernel.i32(1)
    turn = kernel.add(ops_integer.SubIOp(kernel.add(ops_integer.SubIOp(count, one)), block_id))
    kernel.open(Block())
    old = kernel.add(ops_memory.AtomicRMWTkoOp(ACQUIRE, DEVICE, flag, AtomicRMWMode.ADD, zero)).results[0]
    branch(kernel, compare(kernel, "EQUAL", old, turn), lambda: kernel.add(ops_control.BreakOp(operands_=[])))
    kernel.add(ops_control.ContinueOp(operands_=[]))
    kernel.add(ops_control.LoopOp(init_values=[], body=kernel.close(), result_types=[]))
    kernel.store(kernel.add(ops_tile.OffsetOp(out, turn)), block_id)
    kernel.add(ops_memory.AtomicRMWTkoOp(RELEASE, DEVICE, flag, AtomicRMWMode.ADD, one))
    flags, order = np.zeros(1, np.int32), np.zeros(20, np.int32)
    kernel.run(flags, order, grid=(20, 1, 1))
    assert order.tolist() == list(range(19, -1, -1))


def test_grid_positions():
    kernel = Kernel(pointer(i32))
    op = kernel.add(ops_control.GetTileBlockIdOp())
    size = kernel.add(ops_control.GetNumTileBlocksOp())
    x, y, z = op.results
    row = kernel.add(ops_integer.AddIOp(kernel.add(ops_integer.MulIOp(z, size.results[1])), y))
    place = kernel.add(ops_integer.AddIOp(kernel.add(ops_integer.MulIOp(row, size.results[0])), x))
    view = kernel.partition(kernel.arguments[0], (24,), (1,))
    kernel.store_view(view, kernel.splat(place, 1), place)
    out = np.zeros(24, np.int32)
    report = kernel.run(out, grid=(4, 3, 2))
    assert out.tolist() == list(range(24))
    assert report.tile_blocks == 24


def test_runs_are_deterministic():
    outputs = set()
    for _ in range(2):
        kernel = Kernel(pointer(i32))
        block_id = kernel.block_id()
        old = kernel.add(
            ops_memory.AtomicRMWTkoOp(ACQUIRE, DEVICE, kernel.arguments[0], AtomicRMWMode.ADD, block_id)
        ).results[0]
        kernel.add(ops_control.PrintTkoOp(format="%d ", args=[old]))
        kernel.run(np.zeros(1, np.int32), grid=(9, 1, 1))
        outputs.add(kernel.output)
    assert outputs == {"0 0 1 3 6 10 15 21 28 "}


def test_options_are_off_by_default():
    assert InterpretOptions() == InterpretOptions(False, False, False, False, False, None, 16)
