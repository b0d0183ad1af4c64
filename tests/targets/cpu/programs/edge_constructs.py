"""The constructs that edge values go through: each makes tiles of the edge values from a tile of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.interp.kernels import DEVICE, RELAXED, SIGNED
from tests.targets.cpu.programs.edge_programs import COUNT, Construct, Program, Rows, elements
from tilewright.dialects.cuda_tile.enums import AtomicRMWMode, PaddingValue, RoundingMode
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    integer as ops_integer,
    memory as ops_memory,
    tile as ops_tile,
)
from tilewright.dialects.cuda_tile.ops.float import AddFOp, MaxFOp, MulFOp
from tilewright.dialects.cuda_tile.rules.memory import EXCHANGEABLE, natural_size
from tilewright.dialects.cuda_tile.rules.mma import ACCUMULATORS, BLOCK_SIZES
from tilewright.dialects.cuda_tile.types import BASE_FLOATS, INTEGERS, PointerType, tile
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import (
    FloatType,
    bf16,
    f4E2M1FN,
    f8E8M0FNU,
    f16,
    f32,
    f64,
    i1,
    i4,
    i8,
    i32,
    i64,
)
from tilewright.ir.value import Value

EVEN = RoundingMode.NEAREST_EVEN
BACKWARDS = tuple(reversed(range(COUNT)))
PRINTED = COUNT // 4


# --- moved: bits in are bits out


def copied(at: Program) -> Rows:
    return [at.load(), at.constant()]


def padded(at: Program) -> Rows:
    kernel = at.kernel
    kinds = tuple(PaddingValue) if at.element in BASE_FLOATS else (PaddingValue.ZERO,)
    views = [kernel.partition(at.source, (COUNT - 2,), (COUNT,), padding=kind) for kind in kinds]
    return (
        [kernel.load_view(view, kernel.i32(0)).results[0] for view in views] if at.element is not i4 else []
    )


def through_if(at: Program) -> Rows:
    return [at.chosen(at.load(), at.constant())]


def through_for(at: Program) -> Rows:
    kernel, first, second = at.kernel, at.load(), at.constant()
    header = kernel.i32(0), kernel.i32(3), kernel.i32(1), (first, second), False
    body = kernel.open(Block([tile(i32), at.type, at.type]))
    return list(kernel.end_for(header, body.arguments[2], body.arguments[1]).results)


def through_continue(at: Program) -> Rows:
    """A round of a loop that ends early."""
    kernel, first, second = at.kernel, at.load(), at.constant()
    header = kernel.i32(0), kernel.i32(3), kernel.i32(1), (first, second), False
    body = kernel.open(Block([tile(i32), at.type, at.type]))
    number, *carried = body.arguments
    is_first = kernel.add(
        ops_integer.CmpIOp(
            ops_integer.ComparisonPredicate.EQUAL, number, kernel.i32(0), SIGNED, result_types=[tile(i1)]
        )
    )
    early = at.branch(ops_control.ContinueOp(operands_=tuple(reversed(carried))))
    kernel.add(ops_control.IfOp(is_first, then_region=early, result_types=[]))
    return list(kernel.end_for(header, *carried).results)


def through_loop(at: Program) -> Rows:
    kernel, value = at.kernel, at.load()
    body = kernel.open(Block([at.type]))
    leave = at.branch(ops_control.BreakOp(operands_=(body.arguments[0],)))
    kernel.add(ops_control.IfOp(at.true, then_region=leave, else_region=at.yielded(), result_types=[]))
    kernel.add(ops_control.ContinueOp(operands_=(body.arguments[0],)))
    return [kernel.add(ops_control.LoopOp(init_values=(value,), body=kernel.close(), result_types=[at.type]))]


def selected(at: Program) -> Rows:
    if at.element is f4E2M1FN:  # no choice is made among halves of bytes
        return []
    return [at.kernel.add(ops_tile.SelectOp(at.every_third(), at.load(), at.constant()))]


def through_shapes(at: Program) -> Rows:
    kernel, value = at.kernel, at.load()
    square = at.reshaped(value, 4, 8)
    turned = kernel.add(ops_tile.PermuteOp(square, (1, 0), result_types=[tile(8, 4, at.element)]))
    half = tile(COUNT // 2, at.element)
    parts = [
        kernel.add(ops_tile.ExtractOp(value, (kernel.i32(number),), result_types=[half])) for number in (1, 0)
    ]
    joined = kernel.add(ops_tile.CatOp(parts[0], parts[1], 0, result_types=[at.type]))
    return [at.reshaped(turned, COUNT), joined]


def packed(at: Program) -> Rows:
    """As bytes, which go through a branch, and back."""
    if at.element.width == i8.width:
        return []
    kernel = at.kernel
    data = [kernel.add(ops_conversion.PackOp(value)) for value in (at.load(), at.constant())]
    return [kernel.add(ops_conversion.UnpackOp(at.chosen(*data), result_types=[at.type]))]


def one_by_one(at: Program) -> Rows:
    """Scalars: loaded alone, with a mask, with an order, and through a branch."""
    kernel, found = at.kernel, Rows()
    for number in range(0, COUNT, 5):
        place = kernel.add(ops_tile.OffsetOp(at.source, kernel.i32(number)))
        scalar = kernel.load(place).results[0]
        other = kernel.load(place, memory_ordering_semantics=RELAXED, memory_scope=DEVICE).results[0]
        found += [kernel.splat(at.chosen(scalar, other), COUNT), kernel.splat(other, COUNT)]
    return found


def gathered(at: Program) -> Rows:
    """Pointers side by side, backwards and under a mask."""
    kernel = at.kernel
    places = [at.places(at.source), at.places(at.source, BACKWARDS)]
    plain = [kernel.load(place).results[0] for place in places]
    return [*plain, *(kernel.load(place, at.every_third(), at.constant()).results[0] for place in places)]


def scattered(at: Program) -> Rows:
    """Side by side, backwards, under a mask, one by one, and over the edge of a view."""
    kernel = at.kernel
    for value in (at.load(), at.constant()):
        kernel.store(at.places(at.row_of_scratch()), value)
        kernel.store(at.places(at.row_of_scratch(), BACKWARDS), value, at.every_third())
    view = kernel.partition(at.row_of_scratch(), (COUNT - 3,), (COUNT,))
    kernel.store_view(view, at.load(), kernel.i32(0))
    row = at.row_of_scratch()
    for number in range(0, COUNT, 5):
        scalar = kernel.load(kernel.add(ops_tile.OffsetOp(at.source, kernel.i32(number)))).results[0]
        kernel.store(kernel.add(ops_tile.OffsetOp(row, kernel.i32(number))), scalar)
    return []


def through_room(at: Program) -> Rows:
    """Memory of the tile block."""
    kernel, size = at.kernel, natural_size(at.element)
    room = kernel.add(
        ops_memory.AllocaOp(
            num_elem=COUNT,
            alignment=1 << (size - 1).bit_length(),
            result_types=[tile(PointerType(at.element))],
        )
    )
    stored = kernel.store(at.places(room), at.load())
    plain = kernel.load(at.places(room, BACKWARDS), token=stored).results[0]
    stored = kernel.store(at.places(room, BACKWARDS), at.constant(), at.every_third(), token=stored)
    return [plain, kernel.load(at.places(room), token=stored).results[0]]


def from_a_variable(at: Program) -> Rows:
    """The first elements of a global."""
    kernel = at.kernel
    kernel.globals.append(ops_control.GlobalOp(sym_name="g", value=elements(at.element)))
    base = kernel.add(ops_control.GetGlobalOp(global_name="g", result_types=[tile(PointerType(at.element))]))
    return [kernel.load(at.places(base)).results[0], kernel.load(at.places(base, BACKWARDS)).results[0]]


def cast(at: Program) -> Rows:
    """As integers and back, and in a wider format and back."""
    kernel, element, found = at.kernel, at.element, Rows()
    if isinstance(element, FloatType) and element.width in (8, 16, 32, 64):
        value = kernel.add(ops_conversion.BitcastOp(at.load(), result_types=[at.bits()]))
        found.append(kernel.add(ops_conversion.BitcastOp(value, result_types=[at.type])))
    if element in (bf16, f16, f32):
        value = converted(at, at.load(), f64 if element is f32 else f32)
        found.append(converted(at, value, element))
    return found


def printed(at: Program) -> Rows:
    """Side by side and in lists of lists."""
    format = "%d;%x\n" if at.element in (*INTEGERS, i4) else "%e;%g\n"
    values = (at.load(), at.reshaped(at.constant(), 4, 8))
    at.kernel.add(ops_control.PrintTkoOp(format=format, args=values))
    return []


NEUTRAL = {
    AtomicRMWMode.ADD: 0,
    AtomicRMWMode.AND: -1,
    AtomicRMWMode.OR: 0,
    AtomicRMWMode.XOR: 0,
    AtomicRMWMode.UMAX: 0,
    AtomicRMWMode.UMIN: -1,
}
"""The bit patterns that change nothing."""


def exchanged(at: Program) -> Rows:
    """Atomics that answer the edge values, and leave them or others."""
    if at.element not in EXCHANGEABLE:
        return []
    kernel, row = at.kernel, at.row_of_scratch()
    places, other = at.places(row), kernel.load(at.places(at.source, BACKWARDS)).results[0]
    token = kernel.store(places, at.load())
    order: dict[str, Any] = {"memory_ordering_semantics": RELAXED, "memory_scope": DEVICE}
    order |= {"pointers": places, "result_types": [at.type, token.type]}
    modes = [(AtomicRMWMode.XCHG, other), (AtomicRMWMode.XCHG, at.constant())]
    if at.element in (i32, i64):
        modes += [(mode, at.splat(pattern)) for mode, pattern in NEUTRAL.items()]
    found = Rows()
    for mode, argument in modes:
        op = kernel.add(ops_memory.AtomicRMWTkoOp(mode=mode, arg=argument, token=token, **order))
        old, token = op.results
        found.append(old)
    for compared, value in ((other, at.splat(0)), (at.load(), other)):  # some are equal, and all are
        op = kernel.add(ops_memory.AtomicCASTkoOp(cmp=compared, val=value, token=token, **order))
        old, token = op.results
        found.append(old)
    return found


def addressed(construct: Construct) -> Construct:
    """A construct of pointers to single elements, of which elements of less than a byte have none."""

    def made(at: Program) -> Rows:
        return construct(at) if at.has_address else []

    return made


MOVING: Sequence[Construct] = (
    copied,
    padded,
    through_if,
    through_for,
    through_continue,
    through_loop,
    selected,
    through_shapes,
    packed,
    *map(addressed, (one_by_one, gathered, scattered, through_room, from_a_variable, exchanged)),
    cast,
    printed,
)


# --- computed: of these one NaN is as good as another


def converted(at: Program, value: Value, element: Any) -> Value:
    type: Any = value.type
    if type.element_type is element:
        return value
    wanted = tile(*type.shape, element)
    mode = RoundingMode.ZERO if element is f8E8M0FNU else EVEN
    return at.kernel.add(ops_conversion.FToFOp(value, rounding_mode=mode, result_types=[wanted]))


def folded(at: Program, combine: Callable[[Value, Value], Any], neutral: Attribute) -> Rows:
    """Rows of the tile, folded and scanned."""
    kernel, element = at.kernel, at.element
    rows, found = at.reshaped(at.load(), 4, 8), Rows()
    for op_class in (ops_tile.ReduceOp, ops_tile.ScanOp):
        body = kernel.open(Block([tile(element), tile(element)]))
        kernel.add(ops_control.YieldOp(operands_=(kernel.add(combine(*body.arguments)),)))
        shape = (4,) if op_class is ops_tile.ReduceOp else (4, 8)
        more: Any = {} if op_class is ops_tile.ReduceOp else {"reverse": False}
        more |= {"identities": (neutral,), "body": kernel.close(), "result_types": [tile(*shape, element)]}
        made = kernel.add(op_class((rows,), 1, **more))
        if op_class is ops_tile.ReduceOp:
            made = at.spread(at.reshaped(made, 4, 1), 4, 8)
        found.append(at.reshaped(made, COUNT))
    return found


def folded_integers(at: Program) -> Rows:
    if at.element not in INTEGERS:
        return []
    width, found = at.element.width, Rows()
    least, largest = 1 << width - 1, (1 << width - 1) - 1

    def extreme(op_class: Any, signedness: Any) -> Callable[[Value, Value], Any]:
        return lambda a, b: op_class(a, b, signedness)

    unsigned = ops_integer.Signedness.UNSIGNED
    rows: Sequence[tuple[Callable[[Value, Value], Any], int]] = (
        (ops_integer.AddIOp, 0),
        (ops_integer.XOrIOp, 0),
        (ops_integer.AndIOp, (1 << width) - 1),
        (extreme(ops_integer.MaxIOp, SIGNED), least),
        (extreme(ops_integer.MinIOp, SIGNED), largest),
        (extreme(ops_integer.MaxIOp, unsigned), 0),
    )
    for combine, neutral in rows:
        found += folded(at, combine, IntegerAttr(at.element, neutral))
    return found


def computed(at: Program) -> Rows:
    """The larger of neighbours, whole rows, and what a multiplication by one leaves."""
    element = at.element
    if element not in BASE_FLOATS:
        return []
    kernel, value = at.kernel, at.load()
    least = FloatAttr(element, element.format.exponent_mask | element.format.sign_mask)
    found = [kernel.add(MaxFOp(value, value)), *folded(at, MaxFOp, least)]
    one = kernel.constant(1.0, at.type)
    found.append(kernel.add(MulFOp(value, one, rounding_mode=EVEN)))
    found.append(kernel.add(AddFOp(value, value, rounding_mode=EVEN)))
    return found


def added_in_memory(at: Program) -> Rows:
    """Atomic additions of a zero that changes nothing: what was there, and what is."""
    if at.element not in BASE_FLOATS:
        return []
    kernel, places = at.kernel, at.places(at.row_of_scratch())
    token = kernel.store(places, at.load())
    op = kernel.add(
        ops_memory.AtomicRMWTkoOp(
            memory_ordering_semantics=RELAXED,
            memory_scope=DEVICE,
            pointers=places,
            mode=AtomicRMWMode.ADDF,
            arg=at.splat(at.element.format.sign_mask),
            token=token,
            result_types=[at.type, token.type],
        )
    )
    return [op.results[0], kernel.load(places, token=op.results[1]).results[0]]


def diagonal(at: Program, value: Value) -> Value:
    """A square with the elements of a tile along its diagonal and zeros elsewhere."""
    shape = COUNT, COUNT
    is_diagonal = at.kernel.constant(
        [row == column for row in range(COUNT) for column in range(COUNT)], tile(*shape, i1)
    )
    zeros = at.kernel.constant(0.0, tile(*shape, at.element))
    return at.kernel.add(
        ops_tile.SelectOp(is_diagonal, at.spread(at.reshaped(value, COUNT, 1), *shape), zeros)
    )


def line(at: Program, product: Value, *shape: int) -> Value:
    """The first row or column of a product."""
    element: Any = product.type
    zero = at.kernel.i32(0)
    part = at.kernel.add(
        ops_tile.ExtractOp(product, (zero, zero), result_types=[tile(*shape, element.element_type)])
    )
    return at.reshaped(part, COUNT)


def multiplied(at: Program) -> Rows:
    """Products of a diagonal matrix and ones, on either side."""
    if at.element not in ACCUMULATORS:
        return []
    kernel, square = at.kernel, (COUNT, COUNT)
    ones = kernel.constant(1.0, tile(*square, at.element))
    values, found = diagonal(at, at.load()), Rows()
    for total in ACCUMULATORS[at.element]:
        zeros = kernel.constant(0.0, tile(*square, total))
        left = kernel.add(ops_tile.MmaFOp(values, ones, zeros, result_types=[zeros.type]))
        right = kernel.add(ops_tile.MmaFOp(ones, values, zeros, result_types=[zeros.type]))
        lines = line(at, left, COUNT, 1), line(at, right, 1, COUNT)
        found += [converted(at, value, at.element) for value in lines]
    return found


def multiplied_integers(at: Program) -> Rows:
    if at.element is not i8:
        return []
    kernel, square, found = at.kernel, (COUNT, COUNT), Rows()
    is_diagonal = kernel.constant(
        [row == column for row in range(COUNT) for column in range(COUNT)], tile(*square, i1)
    )
    zeros, ones, total = (
        kernel.constant(0, tile(*square, i8)),
        kernel.constant(1, tile(*square, i8)),
        kernel.constant(0, tile(*square, i32)),
    )
    column = at.spread(at.reshaped(at.load(), COUNT, 1), *square)
    values = kernel.add(ops_tile.SelectOp(is_diagonal, column, zeros))
    for sign in ops_integer.Signedness:
        left = kernel.add(ops_tile.MmaIOp(values, ones, total, sign, sign))
        right = kernel.add(ops_tile.MmaIOp(ones, values, total, sign, sign))
        for value in (line(at, left, COUNT, 1), line(at, right, 1, COUNT)):
            high = kernel.add(ops_integer.ShRIOp(value, kernel.constant(8, value.type), sign))
            found += [
                kernel.add(ops_conversion.TruncIOp(part, result_types=[at.type])) for part in (value, high)
            ]
    return found


def scaled(at: Program) -> Rows:
    """Scaled products of the edge values and ones; the other scale makes up for the number of terms."""
    kernel, found = at.kernel, Rows()
    for (element, scale), sizes in BLOCK_SIZES.items():
        if at.element not in (element, scale):
            continue
        depth = sizes[0]
        shares = kernel.constant(1.0 / depth, tile(1, COUNT, scale))
        ones = kernel.constant(1.0, tile(depth, COUNT, element))
        column = at.reshaped(at.load(), COUNT, 1)
        if at.element is element:
            values, factors = at.spread(column, COUNT, depth), kernel.constant(1.0, tile(COUNT, 1, scale))
        else:
            values, factors = kernel.constant(1.0, tile(COUNT, depth, element)), column
        total = kernel.constant(0.0, tile(COUNT, COUNT, f32))
        made = kernel.add(
            ops_tile.MmaFScaledOp(values, ones, total, factors, shares, result_types=[total.type])
        )
        found.append(converted(at, line(at, made, COUNT, 1), at.element))
    return found


COMPUTING: Sequence[Construct] = (
    computed,
    folded_integers,
    addressed(added_in_memory),
    multiplied,
    multiplied_integers,
    scaled,
)
