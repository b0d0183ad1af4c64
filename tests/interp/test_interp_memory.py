"""Loads, stores, views, allocas and globals."""

import math

import ml_dtypes
import numpy as np
import pytest

from tests.interp.kernels import Kernel, contiguous, pointer
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, PaddingValue, PtrAttr
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    float as ops_float,
    integer as ops_integer,
    memory as ops_memory,
    tile as ops_tile,
    view as ops_view,
)
from tilewright.dialects.cuda_tile.types import (
    GatherScatterViewType,
    PartitionViewType,
    PointerType,
    StridedViewType,
    TensorViewType,
    TileType,
    tile,
)
from tilewright.interp.values import InterpretOptions
from tilewright.ir.builtin_attributes import dense
from tilewright.ir.builtin_types import DYNAMIC, f4E2M1FN, f16, f32, i1, i8, i32, i64
from tilewright.ir.diagnostic import DiagnosticError


def test_masked_load_and_store():
    kernel = Kernel(pointer(i32), pointer(i32))
    numbers = kernel.iota(8)
    mask = kernel.add(
        ops_integer.CmpIOp(
            ComparisonPredicate.LESS_THAN,
            numbers,
            kernel.splat(kernel.i32(5), 8),
            signedness=ops_integer.Signedness.SIGNED,
            result_types=[tile(8, i1)],
        )
    )
    padding = kernel.splat(kernel.i32(-7), 8)
    source, target = (kernel.pointers(base, numbers) for base in kernel.arguments)
    loaded = kernel.load(source, mask, padding).results[0]
    kernel.store(target, loaded)
    x, y = np.arange(10, 15, dtype=np.int32), np.zeros(8, np.int32)
    kernel.run(x, y, memcheck=True)
    assert y.tolist() == [10, 11, 12, 13, 14, -7, -7, -7]


def test_masked_store_leaves_the_rest():
    kernel = Kernel(pointer(i32))
    mask = kernel.constant([1, 0, 1, 0], tile(4, i1))
    kernel.store(kernel.pointers(kernel.arguments[0], kernel.iota(4)), kernel.splat(kernel.i32(9), 4), mask)
    out = np.zeros(4, np.int32)
    kernel.run(out)
    assert out.tolist() == [9, 0, 9, 0]


def test_booleans_are_bytes():
    kernel = Kernel(pointer(i1), pointer(i1))
    kernel.store_all(kernel.arguments[1], kernel.load_all(kernel.arguments[0], 4))
    x, y = np.array([0, 1, 2, 255], np.uint8), np.full(4, 9, np.uint8)
    kernel.run(x, y)
    assert y.tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("padding", "expected"),
    [
        (None, 0.0),
        (PaddingValue.ZERO, 0.0),
        (PaddingValue.NEG_ZERO, -0.0),
        (PaddingValue.NAN, math.nan),
        (PaddingValue.POS_INF, math.inf),
        (PaddingValue.NEG_INF, -math.inf),
    ],
)
def test_edge_tiles_load_padding_and_drop_stores(padding, expected):
    kernel = Kernel(pointer(f32), pointer(f32), pointer(f32))
    source, whole, target = kernel.arguments
    one = kernel.i32(1)
    loaded = kernel.load_view(kernel.partition(source, (5, 7), (4, 4), padding=padding), one, one).results[0]
    zero = kernel.i32(0)
    kernel.store_view(kernel.partition(whole, (4, 4), (4, 4)), loaded, zero, zero)
    kernel.store_view(kernel.partition(target, (5, 7), (4, 4)), loaded, one, one)
    x = np.arange(35, dtype=np.float32).reshape(5, 7)
    tile_out, out = np.full((4, 4), 99, np.float32), np.zeros((5, 7), np.float32)
    kernel.run(x, tile_out, out, memcheck=True)
    full = np.full((4, 4), expected, np.float32)
    full[:1, :3] = x[4:, 4:]
    np.testing.assert_array_equal(tile_out.view(np.int32), full.view(np.int32))
    kept = np.zeros((5, 7), np.float32)
    kept[4:, 4:] = x[4:, 4:]
    assert (out == kept).all()


def test_dim_map_reads_and_then_permutes():
    kernel = Kernel(pointer(i32), pointer(i32))
    one, zero = kernel.i32(1), kernel.i32(0)
    view = kernel.partition(kernel.arguments[0], (4, 8), (4, 2), dim_map=(1, 0))
    loaded = kernel.load_view(view, one, zero).results[0]
    kernel.store_view(kernel.partition(kernel.arguments[1], (4, 2), (4, 2)), loaded, zero, zero)
    x, y = np.arange(32, dtype=np.int32).reshape(4, 8), np.zeros((4, 2), np.int32)
    kernel.run(x, y)
    assert (y == x[0:2, 4:8].T).all()


def test_strided_view_overlaps():
    kernel = Kernel(pointer(i32), pointer(i32))
    block_id = kernel.block_id()
    view = kernel.view(
        kernel.arguments[0],
        (10,),
        lambda t: StridedViewType((4,), (3,), t, (0,), PaddingValue.ZERO),
        ops_view.MakeStridedViewOp,
    )
    loaded = kernel.load_view(view, block_id).results[0]
    kernel.store_view(kernel.partition(kernel.arguments[1], (16,), (4,)), loaded, block_id)
    x, y = np.arange(1, 11, dtype=np.int32), np.zeros(16, np.int32)
    kernel.run(x, y, grid=(4, 1, 1))
    assert y.reshape(4, 4).tolist() == [[1, 2, 3, 4], [4, 5, 6, 7], [7, 8, 9, 10], [10, 0, 0, 0]]


def test_gather_and_scatter():
    kernel = Kernel(pointer(i32), pointer(i32), pointer(i32))
    source, rows, target = kernel.arguments
    picked, zero = kernel.load_all(rows, 4), kernel.i32(0)

    def view(base):
        return kernel.view(
            base,
            (6, 8),
            lambda t: GatherScatterViewType((4, 8), t, 0, PaddingValue.ZERO),
            ops_view.MakeGatherScatterViewOp,
        )

    loaded = kernel.load_view(view(source), picked, zero).results[0]
    kernel.store_view(view(target), loaded, picked, zero)
    x = np.arange(48, dtype=np.int32).reshape(6, 8)
    index, y = np.array([5, 0, 6, 2], np.int32), np.full((6, 8), -1, np.int32)
    kernel.run(x, index, y, memcheck=True)
    expected = np.full((6, 8), -1, np.int32)
    expected[[5, 0, 2]] = x[[5, 0, 2]]
    assert (y == expected).all()


def test_gather_counts_elements_along_the_dense_dimension():
    kernel = Kernel(pointer(i32), pointer(i32))
    source, target = kernel.arguments
    view = kernel.view(
        source,
        (4, 8),
        lambda t: GatherScatterViewType((1, 4), t, 0, PaddingValue.ZERO),
        ops_view.MakeGatherScatterViewOp,
    )
    row = kernel.constant([2], tile(1, i32))
    loaded = kernel.load_view(view, row, kernel.i32(3)).results[0]
    kernel.store_view(kernel.partition(target, (1, 4), (1, 4)), loaded, kernel.i32(0), kernel.i32(0))
    x, y = np.arange(32, dtype=np.int32).reshape(4, 8), np.zeros((1, 4), np.int32)
    kernel.run(x, y, memcheck=True)
    assert (y == x[2:3, 3:7]).all()


def dynamic_view(kernel, base, rank):
    """A tensor view whose extents and strides are the parameters after the first."""
    kind = TensorViewType((DYNAMIC,) * rank, base.type.element_type.pointee, (DYNAMIC,) * rank)
    extents = kernel.arguments[1 : 1 + 2 * rank]
    return kernel.add(ops_view.MakeTensorViewOp(base, extents[:rank], extents[rank:], result_types=[kind]))


def test_dynamic_extents_and_shape_queries():
    kernel = Kernel(pointer(i32), *[tile(i64)] * 4, pointer(i64))
    tensor = dynamic_view(kernel, kernel.arguments[0], 2)
    view = kernel.add(
        ops_view.MakePartitionViewOp(
            tensor, result_types=[PartitionViewType((4, 4), tensor.type, (1, 0), PaddingValue.ZERO)]
        )
    )
    shape = kernel.add(ops_view.GetTensorShapeOp(tensor, result_types=[tile(i64)] * 2))
    space = kernel.add(ops_view.GetIndexSpaceShapeOp(view, result_types=[tile(i64)] * 2))
    for position, value in enumerate((*shape.results, *space.results)):
        at = kernel.add(ops_tile.OffsetOp(kernel.arguments[-1], kernel.i32(position)))
        kernel.store(at, value)
    out = np.zeros(4, np.int64)
    kernel.run(np.zeros((5, 9), np.int32), 5, 9, 9, 1, out)
    assert out.tolist() == [5, 9, 3, 2]


def test_view_of_a_strided_array():
    kernel = Kernel(pointer(i32), pointer(i32))
    zero = kernel.i32(0)
    view = kernel.partition(kernel.arguments[0], (4, 4), (4, 4), strides=(16, 2))
    loaded = kernel.load_view(view, zero, zero).results[0]
    kernel.store_view(kernel.partition(kernel.arguments[1], (4, 4), (4, 4)), loaded, zero, zero)
    x, y = np.arange(64, dtype=np.int32).reshape(8, 8), np.zeros((4, 4), np.int32)
    kernel.run(x[::2, ::2], y, memcheck=True)
    assert (y == x[::2, ::2]).all()


def test_packed_elements():
    """f4 elements share a byte, the even one in the low nibble; neighbours of a stored tile survive."""
    kernel = Kernel(pointer(f4E2M1FN), pointer(f4E2M1FN))
    one = kernel.i32(1)
    loaded = kernel.load_view(kernel.partition(kernel.arguments[0], (8,), (4,)), one).results[0]
    kernel.store_view(kernel.partition(kernel.arguments[1], (7,), (4,)), loaded, one)
    x, y = np.array([0x10, 0x32, 0x54, 0x76], np.uint8), np.full(4, 0xAA, np.uint8)
    kernel.run(x, y)
    assert y.tolist() == [0xAA, 0xAA, 0x54, 0xA6]


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.uint16])
def test_16_bit_floats_come_as_numbers_or_bits(dtype):
    kernel = Kernel(pointer(f16), pointer(f32))
    wide = kernel.add(
        ops_conversion.FToFOp(kernel.load_all(kernel.arguments[0], 4), result_types=[tile(4, f32)])
    )
    kernel.store_all(kernel.arguments[1], wide)
    x, y = np.array([1, 2, 3, 4], np.float16), np.zeros(4, np.float32)
    if dtype is ml_dtypes.bfloat16:
        x = x.astype(dtype)
        kernel = Kernel(pointer(f16))
        with pytest.raises(DiagnosticError, match="bfloat16"):
            kernel.run(x)
        return
    kernel.run(x.view(dtype), y)
    assert y.tolist() == [1, 2, 3, 4]


def test_alloca_lives_for_one_round():
    kernel = Kernel(pointer(i32))
    body = kernel.for_loop(kernel.i32(0), kernel.i32(3), kernel.i32(1))
    header = kernel.pending
    scratch = kernel.add(ops_memory.AllocaOp(num_elem=4, alignment=64, result_types=[pointer(i32)]))
    spread = kernel.splat(body.arguments[0], 4)
    kernel.store_all(scratch, spread)
    loaded = kernel.load_all(scratch, 4)
    view = kernel.partition(kernel.arguments[0], (12,), (4,))
    kernel.store_view(view, loaded, body.arguments[0])
    kernel.end_for(header)
    out = np.zeros(12, np.int32)
    kernel.run(out, memcheck=True)
    assert out.tolist() == [0] * 4 + [1] * 4 + [2] * 4


def test_alloca_is_gone_after_its_round():
    kernel = Kernel(pointer(i32))
    body = kernel.for_loop(kernel.i32(0), kernel.i32(2), kernel.i32(1), kernel.arguments[0])
    header = kernel.pending
    kernel.store(body.arguments[1], kernel.i32(1))
    scratch = kernel.add(ops_memory.AllocaOp(num_elem=1, alignment=4, result_types=[pointer(i32)]))
    kernel.end_for(header, scratch)
    with pytest.raises(DiagnosticError, match="TW0402"):
        kernel.run(np.zeros(1, np.int32))


def counter(constant=False, alignment=0):
    value = dense(TileType((2,), i32), [40, 50])
    return ops_control.GlobalOp(sym_name="g", value=value, alignment=alignment, constant=constant)


def test_globals_keep_their_values_between_launches():
    kernel = Kernel(pointer(i32), globals_=[counter(alignment=64)])
    address = kernel.add(ops_control.GetGlobalOp(global_name="g", result_types=[pointer(i32)]))
    old = kernel.load(address).results[0]
    more = kernel.add(ops_integer.AddIOp(old, kernel.i32(1)))
    token = kernel.store(address, more)
    kernel.store(kernel.arguments[0], old, token=token)
    out = np.zeros(1, np.int32)
    seen = []
    for _ in range(3):
        kernel.run(out, memcheck=True)
        seen.append(int(out[0]))
    assert seen == [40, 41, 42]


def test_constant_globals_are_read_only():
    kernel = Kernel(globals_=[counter(constant=True)])
    address = kernel.add(ops_control.GetGlobalOp(global_name="g", result_types=[pointer(i32)]))
    kernel.store(address, kernel.i32(1))
    with pytest.raises(DiagnosticError, match=r"TW0404.*global @g"):
        kernel.run()


def test_tokens_and_fences_pass_through():
    kernel = Kernel(pointer(i32))
    token = kernel.add(ops_memory.MakeTokenOp())
    for op_class in (
        ops_memory.GdcWaitTkoOp,
        ops_memory.MemoryFenceAliasTkoOp,
        ops_memory.GdcLaunchDependentsTkoOp,
    ):
        token = kernel.add(op_class(token=token))
    both = kernel.add(ops_memory.JoinTokensOp(tokens=[token, kernel.add(ops_memory.MakeTokenOp())]))
    kernel.store(kernel.arguments[0], kernel.i32(3), token=both)
    out = np.zeros(1, np.int32)
    kernel.run(out)
    assert out[0] == 3


def test_one_device_is_every_copy_of_multicast_memory():
    from tests.interp.kernels import RELAXED
    from tilewright.dialects.cuda_tile.enums import MemoryScope, MultimemReductionKind

    multicast = tile(PointerType(f32, PtrAttr.MULTICAST))
    kernel = Kernel(multicast, multicast)
    zero = kernel.i32(0)

    def view(base):
        tensor = TensorViewType((3,), f32, contiguous((3,)), PtrAttr.MULTICAST)
        made = kernel.add(ops_view.MakeTensorViewOp(base, result_types=[tensor]))
        kind = PartitionViewType((4,), tensor, (0,), PaddingValue.ZERO)
        return kernel.add(ops_view.MakePartitionViewOp(made, result_types=[kind]))

    given = {"index": [zero], "inbounds": (False,)}
    loaded = kernel.add(
        ops_memory.MultimemLoadReduceViewTkoOp(
            view=view(kernel.arguments[0]),
            reduction=MultimemReductionKind.ADD,
            memory_ordering_semantics=RELAXED,
            memory_scope=MemoryScope.SYS,
            result_types=[tile(4, f32), ops_memory.TOKEN_TYPE.types[0]],
            **given,
        )
    ).results[0]
    kernel.add(
        ops_memory.MultimemStoreViewTkoOp(
            view=view(kernel.arguments[1]),
            tile=loaded,
            memory_ordering_semantics=RELAXED,
            memory_scope=MemoryScope.SYS,
            **given,
        )
    )
    kernel.add(
        ops_memory.MultimemReduceViewTkoOp(
            view=view(kernel.arguments[1]),
            tile=loaded,
            reduction=MultimemReductionKind.ADD,
            memory_ordering_semantics=RELAXED,
            memory_scope=MemoryScope.SYS,
            **given,
        )
    )
    x, y = np.array([1, 2, 3], np.float32), np.zeros(3, np.float32)
    kernel.run(x, y, memcheck=True)
    assert y.tolist() == [2, 4, 6]


def test_pointer_tables_reach_arrays_known_only_by_address():
    kernel = Kernel(pointer(i64), pointer(i32))
    table, out = kernel.arguments
    addresses = kernel.load_all(table, 2)
    bases = kernel.add(ops_conversion.IntToPtrOp(addresses, result_types=[tile(2, PointerType(i32))]))
    kernel.store_all(out, kernel.load(bases).results[0])
    first, second = np.array([11], np.int32), np.array([22], np.int32)
    y = np.zeros(2, np.int32)
    addresses = np.array([first.ctypes.data, second.ctypes.data], np.int64)
    kernel.run(addresses, y)
    assert y.tolist() == [11, 22]
    with pytest.raises(DiagnosticError, match="TW0402"):
        kernel.run(addresses, y, memcheck=True)
    assert kernel.loaded is not None
    kernel.loaded.begin(
        "k", (1, 1, 1), [addresses, y], InterpretOptions(memcheck=True), known_memory=[first, second]
    ).run()


@pytest.mark.parametrize("address", [0, 8, 1 << 46, (1 << 63) - 4, 1 << 63, (1 << 64) - 4096])
def test_wrong_addresses_never_crash(address):
    kernel = Kernel(pointer(i32))
    kernel.store(kernel.arguments[0], kernel.i32(1))
    with pytest.raises(DiagnosticError, match=r"kernel.py:2:1.*TW0402.*store of 4 bytes at"):
        kernel.run(address)


def test_negation_of_loaded_tile_is_stored_in_place():
    kernel = Kernel(pointer(f32))
    loaded = kernel.load_all(kernel.arguments[0], 8)
    kernel.store_all(kernel.arguments[0], kernel.add(ops_float.NegFOp(loaded)))
    x = np.arange(8, dtype=np.float32)
    kernel.run(x)
    assert x.tolist() == [-v for v in range(8)]


def test_i8_tiles_in_large_arrays():
    kernel = Kernel(pointer(i8))
    block_id = kernel.block_id()
    kernel.store_view(
        kernel.partition(kernel.arguments[0], (1000,), (64,)), kernel.constant(1, tile(64, i8)), block_id
    )
    x = np.zeros(1000, np.int8)
    kernel.run(x, grid=(16, 1, 1), memcheck=True)
    assert x.all()
