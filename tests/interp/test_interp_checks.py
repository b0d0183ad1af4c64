"""Run-time checks: each with a seeded fault and a clean twin."""

import math

import numpy as np
import pytest

from tests.interp.kernels import ACQUIRE, DEVICE, EVEN, RELAXED, RELEASE, SIGNED, Kernel, pointer
from tilewright.dialects.cuda_tile.attributes import BoundedAttr, DivByAttr, SameElementsAttr
from tilewright.dialects.cuda_tile.enums import (
    AtomicRMWMode,
    ComparisonPredicate,
    IntegerOverflow,
    MemoryScope,
    PaddingValue,
    RoundingMode,
)
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    float as ops_float,
    integer as ops_integer,
    memory as ops_memory,
    tile as ops_tile,
)
from tilewright.dialects.cuda_tile.types import tile
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import f32, i1, i8, i32
from tilewright.ir.diagnostic import DiagnosticError


def failure_of(kernel, *args, **options):
    with pytest.raises(DiagnosticError) as caught:
        kernel.run(*args, **options)
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.hints
    assert diagnostic.location.source is not None
    return f"{diagnostic.code} {diagnostic.message}"


# memory


def overrun(count=8):
    kernel = Kernel(pointer(i32))
    kernel.store_all(kernel.arguments[0], kernel.splat(kernel.i32(1), count))
    return kernel


def test_access_past_the_end_names_the_lane_and_the_buffer():
    text = failure_of(overrun(), np.zeros(6, np.int32))
    assert text.startswith("TW0402 kernel 'k' in tile block (0, 0, 0): store of element [6] of argument 0 ")
    assert "by element [6] of the tile (and 1 more)" in text
    assert "is outside of argument 0, which has 6 elements" in text


def test_access_through_a_view_that_is_larger_than_the_array():
    kernel = Kernel(pointer(i32))
    view = kernel.partition(kernel.arguments[0], (8,), (4,))
    kernel.load_view(view, kernel.i32(1))
    assert "by element [2] of the tile" in failure_of(kernel, np.zeros(6, np.int32))


def test_memcheck_refuses_memory_known_only_by_address():
    x = np.zeros(8, np.int32)
    overrun().run(x.ctypes.data)
    assert "TW0402" in failure_of(overrun(), x.ctypes.data, memcheck=True)


def test_misaligned_and_read_only_memory():
    data = np.zeros(40, np.uint8)
    assert "TW0403" in failure_of(overrun(), data[1:37])
    frozen = np.zeros(8, np.int32)
    frozen.flags.writeable = False
    with pytest.raises(
        DiagnosticError, match="TW0404"
    ):  # refused before the kernel runs, so at no line of it
        overrun().run(frozen)


# undefined values


def edge(padding=None, use=None):
    """Load a tile of which one element is outside, add 1, store 4 elements."""
    kernel = Kernel(pointer(f32), pointer(f32))
    view = kernel.partition(kernel.arguments[0], (3,), (4,), padding=padding)
    loaded = kernel.load_view(view, kernel.i32(0)).results[0]
    total = kernel.add(ops_float.AddFOp(loaded, kernel.constant(1.0, tile(4, f32)), rounding_mode=EVEN))
    if use is not None:
        total = use(kernel, total)
    kernel.store_all(kernel.arguments[1], total)
    return kernel


ARRAYS = np.zeros(3, np.float32), np.zeros(4, np.float32)


def test_storing_an_unspecified_element():
    edge().run(*ARRAYS)
    text = failure_of(edge(), *ARRAYS, initcheck=True)
    assert "TW0405" in text
    assert "the stored value uses an unspecified value at element [3]" in text


def test_defined_padding_and_selection_are_fine():
    edge(PaddingValue.ZERO).run(*ARRAYS, initcheck=True)

    def choose(kernel, total):
        mask = kernel.constant([1, 1, 1, 0], tile(4, i1))
        return kernel.add(ops_tile.SelectOp(mask, total, kernel.constant(0.0, tile(4, f32))))

    edge(use=choose).run(*ARRAYS, initcheck=True)


def test_dropped_elements_are_fine():
    kernel = Kernel(pointer(f32), pointer(f32))
    zero = kernel.i32(0)
    source, target = (kernel.partition(base, (3,), (4,)) for base in kernel.arguments)
    kernel.store_view(target, kernel.load_view(source, zero).results[0], zero)
    kernel.run(np.zeros(3, np.float32), np.zeros(3, np.float32), initcheck=True)


def test_undefined_elements_reach_sums_and_products():
    def through_mma(kernel, total):
        row = kernel.add(ops_tile.ReshapeOp(total, result_types=[tile(1, 4, f32)]))
        ones = kernel.constant(1.0, tile(4, 4, f32))
        product = kernel.add(ops_tile.MmaFOp(row, ones, kernel.constant(0.0, tile(1, 4, f32))))
        return kernel.add(ops_tile.ReshapeOp(product, result_types=[tile(4, f32)]))

    assert "at element [0] (and 3 more)" in failure_of(edge(use=through_mma), *ARRAYS, initcheck=True)


def test_undefined_condition_print_and_address():
    kernel = Kernel(pointer(i32), pointer(i32))
    masked = kernel.load(
        kernel.pointers(kernel.arguments[0], kernel.iota(2)), kernel.constant([1, 0], tile(2, i1))
    )
    value = masked.results[0]
    kernel.add(ops_control.PrintTkoOp(format="%d", args=[value]))
    assert "the printed tile" in failure_of(
        kernel, np.zeros(2, np.int32), np.zeros(2, np.int32), initcheck=True
    )

    kernel = Kernel(pointer(i32))
    masked = kernel.load(kernel.arguments[0], kernel.constant([0], tile(i1))).results[0]
    condition = kernel.add(
        ops_integer.CmpIOp(
            ComparisonPredicate.EQUAL, masked, kernel.i32(0), signedness=SIGNED, result_types=[tile(i1)]
        )
    )
    kernel.open(Block())
    kernel.add(ops_control.YieldOp(operands_=[]))
    kernel.add(ops_control.IfOp(condition, then_region=kernel.close(), result_types=[]))
    assert "the condition is an unspecified value" in failure_of(
        kernel, np.zeros(1, np.int32), initcheck=True
    )

    kernel = Kernel(pointer(i32))
    masked = kernel.load(kernel.arguments[0], kernel.constant([0], tile(i1))).results[0]
    kernel.store(kernel.add(ops_tile.OffsetOp(kernel.arguments[0], masked)), kernel.i32(0))
    assert "the address uses" in failure_of(kernel, np.zeros(1, np.int32), initcheck=True)


def test_and_with_a_defined_zero_is_defined():
    kernel = Kernel(pointer(i32))
    masked = kernel.load(kernel.arguments[0], kernel.constant([0], tile(i1))).results[0]
    kernel.store(kernel.arguments[0], kernel.add(ops_integer.AndIOp(masked, kernel.i32(0))))
    kernel.run(np.ones(1, np.int32), initcheck=True)


@pytest.mark.parametrize("result", [0, 1])
def test_undefined_values_are_tracked_through_loops(result):
    """Two carried values change places in each of two rounds; the first is undefined before and after."""
    kernel = Kernel(pointer(i32))
    masked = kernel.load(kernel.arguments[0], kernel.constant([0], tile(i1))).results[0]
    body = kernel.for_loop(kernel.i32(0), kernel.i32(2), kernel.i32(1), masked, kernel.i32(1))
    header = kernel.pending
    loop = kernel.end_for(header, body.arguments[2], body.arguments[1])
    kernel.store(kernel.arguments[0], loop.results[result])
    if result == 0:
        assert "TW0405" in failure_of(kernel, np.ones(1, np.int32), initcheck=True)
    else:
        kernel.run(np.ones(1, np.int32), initcheck=True)


# races


def test_two_tile_blocks_write_the_same_element():
    kernel = Kernel(pointer(i32))
    kernel.store(kernel.arguments[0], kernel.block_id())
    kernel.run(np.zeros(1, np.int32), grid=(2, 1, 1))
    text = failure_of(kernel, np.zeros(1, np.int32), grid=(2, 1, 1), racecheck=True)
    assert "TW0406 kernel 'k' in tile block (1, 0, 0): store of element [0] of argument 0 races" in text
    assert "races with the store in tile block (0, 0, 0)" in text


def test_a_race_names_both_places():
    kernel = Kernel(pointer(i32))
    kernel.load(kernel.arguments[0])
    kernel.store(kernel.arguments[0], kernel.i32(1))
    with pytest.raises(DiagnosticError) as caught:
        kernel.run(np.zeros(1, np.int32), racecheck=True)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.location.source == ("kernel.py", 3, 1)
    assert diagnostic.notes[0].location.source == ("kernel.py", 1, 1)
    assert "token" in diagnostic.hints[0]


def test_tokens_and_data_flow_order():
    kernel = Kernel(pointer(i32))
    loaded = kernel.load(kernel.arguments[0])
    token = kernel.store(kernel.arguments[0], kernel.i32(1), token=loaded.results[1])
    again = kernel.load(kernel.arguments[0], token=token)
    more = kernel.add(ops_integer.AddIOp(again.results[0], kernel.i32(1)))
    kernel.store(kernel.arguments[0], more)
    out = np.zeros(1, np.int32)
    kernel.run(out, racecheck=True)
    assert out[0] == 2


def test_tokens_are_followed_through_loops():
    def make(carry):
        kernel = Kernel(pointer(i32))
        start = kernel.add(ops_memory.MakeTokenOp())
        body = kernel.for_loop(kernel.i32(0), kernel.i32(3), kernel.i32(1), start)
        header = kernel.pending
        token = kernel.store(kernel.arguments[0], body.arguments[0], token=body.arguments[1])
        kernel.end_for(header, token if carry else body.arguments[1])
        return kernel

    make(carry=True).run(np.zeros(1, np.int32), racecheck=True)
    assert "TW0406" in failure_of(make(carry=False), np.zeros(1, np.int32), racecheck=True)


def test_own_elements_shared_reads_and_atomics_do_not_race():
    kernel = Kernel(pointer(i32), pointer(i32), pointer(i32))
    shared, own, total = kernel.arguments
    value = kernel.load(shared).results[0]
    kernel.store(kernel.add(ops_tile.OffsetOp(own, kernel.block_id())), value)
    kernel.add(ops_memory.AtomicRMWTkoOp(RELAXED, DEVICE, total, AtomicRMWMode.ADD, value))
    kernel.run(
        np.ones(1, np.int32), np.zeros(4, np.int32), np.zeros(1, np.int32), grid=(4, 1, 1), racecheck=True
    )


@pytest.mark.parametrize("scope", [MemoryScope.DEVICE, MemoryScope.TL_BLK])
def test_atomics_of_narrow_scope_race_between_tile_blocks(scope):
    kernel = Kernel(pointer(i32))
    kernel.add(
        ops_memory.AtomicRMWTkoOp(RELAXED, scope, kernel.arguments[0], AtomicRMWMode.ADD, kernel.i32(1))
    )
    given = {"grid": (2, 1, 1), "racecheck": True}
    if scope is MemoryScope.DEVICE:
        kernel.run(np.zeros(1, np.int32), **given)
    else:
        assert "TW0406" in failure_of(kernel, np.zeros(1, np.int32), **given)


def test_plain_write_races_with_atomic():
    kernel = Kernel(pointer(i32))
    kernel.add(
        ops_memory.AtomicRMWTkoOp(RELAXED, DEVICE, kernel.arguments[0], AtomicRMWMode.ADD, kernel.i32(1))
    )
    kernel.store(kernel.arguments[0], kernel.i32(1))
    assert "TW0406" in failure_of(kernel, np.zeros(1, np.int32), racecheck=True)


@pytest.mark.parametrize("ordered", [True, False])
def test_locks_order_tile_blocks(ordered):
    """Every tile block adds to a number under a lock (compare-and-swap to take it, exchange to release)."""
    kernel = Kernel(pointer(i32), pointer(i32))
    number, lock = kernel.arguments
    zero, one = kernel.i32(0), kernel.i32(1)
    token_type = ops_memory.TOKEN_TYPE.types[0]
    kernel.open(Block())
    attempt = kernel.add(ops_memory.AtomicCASTkoOp(ACQUIRE if ordered else RELAXED, DEVICE, lock, zero, one))
    free = kernel.add(
        ops_integer.CmpIOp(
            ComparisonPredicate.EQUAL, attempt.results[0], zero, signedness=SIGNED, result_types=[tile(i1)]
        )
    )
    kernel.open(Block())
    kernel.add(ops_control.BreakOp(operands_=[attempt.results[1]]))
    kernel.add(ops_control.IfOp(free, then_region=kernel.close(), result_types=[]))
    kernel.add(ops_control.ContinueOp(operands_=[]))
    entered = kernel.add(ops_control.LoopOp(init_values=[], body=kernel.close(), result_types=[token_type]))
    loaded = kernel.load(number, token=entered)
    more = kernel.add(ops_integer.AddIOp(loaded.results[0], one))
    token = kernel.store(number, more, token=loaded.results[1])
    kernel.add(ops_memory.AtomicRMWTkoOp(RELEASE, DEVICE, lock, AtomicRMWMode.XCHG, zero, token=token))
    out = np.zeros(1, np.int32)
    if ordered:
        kernel.run(out, np.zeros(1, np.int32), grid=(5, 1, 1), racecheck=True)
        assert out[0] == 5
    else:
        assert "TW0406" in failure_of(kernel, out, np.zeros(1, np.int32), grid=(5, 1, 1), racecheck=True)


def test_two_elements_of_one_store_race():
    kernel = Kernel(pointer(i32))
    kernel.store(kernel.pointers(kernel.arguments[0], kernel.splat(kernel.i32(0), 2)), kernel.iota(2))
    assert "races with itself" in failure_of(kernel, np.zeros(1, np.int32), racecheck=True)


# promises and floats


def promise(build, *parameters, args=()):
    kernel = Kernel(*parameters)
    build(kernel)
    kernel.run(*args)
    return failure_of(kernel, *args, promises=True)


@pytest.mark.parametrize(
    ("predicate", "good", "bad"),
    [
        (BoundedAttr(0, 10), [0, 10, 5, 1], [0, 11, 5, 1]),
        (BoundedAttr(0, None), [0, 10, 5, 1], [0, -1, 5, 1]),
        (DivByAttr(4), [0, 4, 8, -4], [0, 4, 6, 8]),
        (DivByAttr(4, 2, 0), [4, 5, 8, 9], [4, 6, 8, 9]),
        (SameElementsAttr((2,)), [1, 1, 7, 7], [1, 1, 7, 8]),
    ],
)
def test_assume(predicate, good, bad):
    for values, holds in ((good, True), (bad, False)):
        kernel = Kernel(pointer(i32))
        value = kernel.load_all(kernel.arguments[0], 4)
        assumed = kernel.add(ops_control.AssumeOp(predicate=predicate, value=value))
        kernel.store_all(kernel.arguments[0], assumed)
        array = np.array(values, np.int32)
        if holds:
            kernel.run(array, promises=True)
        else:
            assert "TW0408" in failure_of(kernel, array, promises=True)


def test_overflow_division_shift_and_conversion():
    def big(kernel):
        return kernel.constant(100, tile(4, i8))

    no_wrap = IntegerOverflow.NO_SIGNED_WRAP
    assert "the signed result does not fit its type at element [0]" in promise(
        lambda k: k.add(ops_integer.AddIOp(big(k), big(k), overflow=no_wrap))
    )
    zero = lambda k: k.constant(0, tile(4, i8))  # noqa: E731
    assert "division by zero" in promise(
        lambda k: k.add(ops_integer.DivIOp(big(k), zero(k), signedness=SIGNED))
    )
    assert "division by zero" in promise(
        lambda k: k.add(ops_integer.RemIOp(big(k), zero(k), signedness=SIGNED))
    )
    assert "shift by the width" in promise(lambda k: k.add(ops_integer.ShLIOp(big(k), big(k))))
    assert "the signed result does not fit its type" in promise(
        lambda k: k.add(
            ops_conversion.TruncIOp(k.constant(300, tile(i32)), overflow=no_wrap, result_types=[tile(i8)])
        )
    )
    assert "outside the integer type" in promise(
        lambda k: k.add(
            ops_conversion.FToIOp(
                k.constant(1e20, tile(f32)),
                signedness=SIGNED,
                rounding_mode=RoundingMode.NEAREST_INT_TO_ZERO,
                result_types=[tile(i32)],
            )
        )
    )
    assert "the signed result does not fit its type" in promise(
        lambda k: k.add(ops_integer.NegIOp(k.constant(-128, tile(i8)), overflow=no_wrap))
    )


def test_operands_of_a_broken_promise():
    def big(kernel):
        return kernel.constant(100, tile(4, i8))

    no_wrap = IntegerOverflow.NO_SIGNED_WRAP
    assert "the signed result does not fit its type at element [0] (and 3 more), from 100 and 100" in promise(
        lambda k: k.add(ops_integer.AddIOp(big(k), big(k), overflow=no_wrap))
    )
    assert "the signed result does not fit its type, from -128" in promise(
        lambda k: k.add(ops_integer.NegIOp(k.constant(-128, tile(i8)), overflow=no_wrap))
    )


def test_indices():
    assert "slice [4]" in promise(
        lambda k: k.add(ops_tile.ExtractOp(k.iota(8), indices=[k.i32(4)], result_types=[tile(2, i32)]))
    )
    x = np.zeros(6, np.int32)
    assert "tile index 2 of dimension 0 lies outside argument 0, which has 2 tiles of 4 elements" in promise(
        lambda k: k.load_view(k.partition(k.arguments[0], (6,), (4,)), k.i32(2)), pointer(i32), args=(x,)
    )
    assert "inbounds is promised" in promise(
        lambda k: k.load_view(k.partition(k.arguments[0], (6,), (4,)), k.i32(1), inbounds=(True,)),
        pointer(i32),
        args=(x,),
    )


def test_origins_of_non_finite_numbers():
    def divide(kernel):
        one, zero = kernel.constant([1.0, 1.0], tile(2, f32)), kernel.constant([1.0, 0.0], tile(2, f32))
        kernel.add(ops_float.DivFOp(one, zero, rounding_mode=EVEN))

    kernel = Kernel()
    divide(kernel)
    kernel.run()
    assert "finite operands gave a NaN or an infinity at element [1]" in failure_of(kernel, fpcheck=True)
    passed_on = Kernel()
    nan = passed_on.constant(math.nan, tile(2, f32))
    passed_on.add(ops_float.NegFOp(nan))
    passed_on.run(fpcheck=True)


def test_checks_do_not_change_results():
    given = dict.fromkeys(("memcheck", "initcheck", "racecheck", "fpcheck", "promises"), True)
    kernel = Kernel(pointer(f32), pointer(f32))
    loaded = kernel.load_all(kernel.arguments[0], 16)
    kernel.store_all(kernel.arguments[1], kernel.add(ops_float.ExpOp(loaded)))
    x, plain, checked = (
        np.linspace(-1, 1, 16, dtype=np.float32),
        np.zeros(16, np.float32),
        np.zeros(16, np.float32),
    )
    kernel.run(x, plain)
    kernel.run(x, checked, **given)
    assert (plain == checked).all()
