"""Edge values of every element type through every construct of control flow and memory: bits in are bits out.

One kernel for each type holds all constructs, each of which writes a row of the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.interp.kernels import RELAXED, Kernel, pointer
from tests.targets.cpu import generated_programs
from tilewright.dialects.cuda_tile import ops_control, ops_conversion, ops_tile
from tilewright.dialects.cuda_tile.enums import MemoryScope, PaddingValue
from tilewright.dialects.cuda_tile.ops_float import AddFOp, MaxFOp, MulFOp
from tilewright.dialects.cuda_tile.types import BASE_FLOATS, POINTEES, tile
from tilewright.driver.stages import CompileOptions
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr
from tilewright.ir.builtin_types import (
    FloatType,
    IntegerType,
    bf16,
    f4E2M1FN,
    f8E8M0FNU,
    f16,
    f32,
    f64,
    i1,
)
from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.host import PROCESSORS, obstacle
from tilewright.testing.edge_values import edges, edges_in_memory

COUNT = 32
ROW = tuple[int, ...]
FLUSHING = re.compile("v(cvtne2?ps2bf16|dpbf16ps)")
"""Instructions that take subnormal numbers for zero."""


# --- the values


def patterns(element: Any) -> list[int]:
    """The bit patterns of the edge values, as often as a tile takes them."""
    return (list(edges(element)) * COUNT)[:COUNT]


def in_memory(element: Any) -> np.ndarray[Any, Any]:
    """The edge values as memory holds them."""
    if element is f4E2M1FN:
        held = patterns(element)
        return np.array([low | high << 4 for low, high in zip(held[::2], held[1::2], strict=True)], np.uint8)
    return np.resize(edges_in_memory(element), COUNT)


def constant(kernel: Kernel, element: Any, count: int = COUNT) -> Value:
    """The edge values in the text of the program."""
    type = tile(count, element)
    size = max(1, (element.width + 7) // 8)
    data = b"".join(pattern.to_bytes(size, "little") for pattern in patterns(element)[:count])
    return kernel.add(ops_tile.ConstantOp(value=DenseElementsAttr(type, data), result_types=[type]))


# --- the constructs: each makes tiles of the edge values from a tile of them


class Program:
    """A kernel of the constructs over one element type."""

    def __init__(self, element: Any) -> None:
        self.element = element
        self.kernel = Kernel(pointer(element), pointer(element), tile(i1))
        self.source, self.target, self.true = self.kernel.arguments
        self.type = tile(COUNT, element)
        self.first_computed = 0
        """The number of the first row that is computed: of those one NaN is as good as another."""

    def load(self) -> Value:
        """The edge values, through a view."""
        view = self.kernel.partition(self.source, (COUNT,), (COUNT,))
        return self.kernel.load_view(view, self.kernel.i32(0)).results[0]

    def module(self) -> Any:
        """The program: the result of each construct is a row of the result."""
        rows = [row for construct in CONSTRUCTS for row in construct(self)]
        self.first_computed = len(rows)
        rows += computed(self)
        view = self.kernel.partition(self.target, (len(rows) * COUNT,), (COUNT,))
        for number, row in enumerate(rows):
            self.kernel.store_view(view, row, self.kernel.i32(number))
        return self.kernel.module()

    def spread(self, scalar: Value) -> Value:
        """A tile of one value."""
        return self.kernel.splat(scalar, COUNT)


def copied(at: Program) -> list[Value]:
    return [at.load(), constant(at.kernel, at.element)]


def padded(at: Program) -> list[Value]:
    kernel = at.kernel
    view = kernel.partition(at.source, (COUNT - 2,), (COUNT,), padding=PaddingValue.ZERO)
    return [kernel.load_view(view, kernel.i32(0)).results[0]]


def through_if(at: Program) -> list[Value]:
    kernel, first, second = at.kernel, at.load(), constant(at.kernel, at.element)
    branches: list[Any] = []
    for value in (first, second):
        kernel.open(Block())
        kernel.add(ops_control.YieldOp(operands_=(value,)))
        branches.append(kernel.close())
    op = ops_control.IfOp(at.true, then_region=branches[0], else_region=branches[1], result_types=[at.type])
    return [kernel.add(op)]


def through_for(at: Program) -> list[Value]:
    kernel, first, second = at.kernel, at.load(), constant(at.kernel, at.element)
    header = kernel.pending = (kernel.i32(0), kernel.i32(3), kernel.i32(1), (first, second), False)
    body = kernel.open(Block([tile(IntegerType(32)), at.type, at.type]))
    op = kernel.end_for(header, body.arguments[2], body.arguments[1])
    return list(op.results)


def through_loop(at: Program) -> list[Value]:
    kernel, value = at.kernel, at.load()
    body = kernel.open(Block([at.type]))
    kernel.open(Block())
    kernel.add(ops_control.BreakOp(operands_=(body.arguments[0],)))
    leave = kernel.close()
    kernel.open(Block())
    kernel.add(ops_control.YieldOp(operands_=()))
    stay = kernel.close()
    kernel.add(ops_control.IfOp(at.true, then_region=leave, else_region=stay, result_types=[]))
    kernel.add(ops_control.ContinueOp(operands_=(body.arguments[0],)))
    return [kernel.add(ops_control.LoopOp(init_values=(value,), body=kernel.close(), result_types=[at.type]))]


def selected(at: Program) -> list[Value]:
    kernel = at.kernel
    if at.element is f4E2M1FN:  # no choice is made among halves of bytes
        return []
    mask = kernel.constant([number % 3 == 0 for number in range(COUNT)], tile(COUNT, i1))
    return [kernel.add(ops_tile.SelectOp(mask, at.load(), constant(kernel, at.element)))]


def through_shapes(at: Program) -> list[Value]:
    kernel, element, value = at.kernel, at.element, at.load()
    square = kernel.add(ops_tile.ReshapeOp(value, result_types=[tile(4, 8, element)]))
    turned = kernel.add(ops_tile.PermuteOp(square, (1, 0), result_types=[tile(8, 4, element)]))
    parts = [
        kernel.add(ops_tile.ExtractOp(value, (kernel.i32(half),), result_types=[tile(COUNT // 2, element)]))
        for half in (1, 0)
    ]
    joined = kernel.add(ops_tile.CatOp(parts[0], parts[1], 0, result_types=[at.type]))
    return [kernel.add(ops_tile.ReshapeOp(turned, result_types=[at.type])), joined]


def one_by_one(at: Program) -> list[Value]:
    """Scalars: loaded alone, with a mask, with an order, and through a branch."""
    kernel, found = at.kernel, list[Value]()
    if at.element is f4E2M1FN:  # no pointer names one
        return found
    for number in range(0, COUNT, 5):
        place = kernel.add(ops_tile.OffsetOp(at.source, kernel.i32(number)))
        scalar = kernel.load(place).results[0]
        other = kernel.load(place, memory_ordering_semantics=RELAXED, memory_scope=MemoryScope.DEVICE)
        branches: list[Any] = []
        for value in (scalar, other.results[0]):
            kernel.open(Block())
            kernel.add(ops_control.YieldOp(operands_=(value,)))
            branches.append(kernel.close())
        types = [tile(at.element)]
        op = ops_control.IfOp(at.true, then_region=branches[0], else_region=branches[1], result_types=types)
        found += [at.spread(kernel.add(op)), at.spread(other.results[0])]
    return found


def gathered(at: Program) -> list[Value]:
    """Pointers side by side, backwards and under a mask."""
    kernel = at.kernel
    if at.element is f4E2M1FN:
        return []
    backwards = kernel.constant([COUNT - 1 - number for number in range(COUNT)], tile(COUNT, IntegerType(32)))
    mask = kernel.constant([number % 3 == 0 for number in range(COUNT)], tile(COUNT, i1))
    places = [kernel.pointers(at.source, order) for order in (kernel.iota(COUNT), backwards)]
    plain = [kernel.load(place).results[0] for place in places]
    return [*plain, *(kernel.load(place, mask, constant(kernel, at.element)).results[0] for place in places)]


def cast(at: Program) -> list[Value]:
    """As integers and back, and in a wider format and back."""
    kernel, element, found = at.kernel, at.element, list[Value]()
    if isinstance(element, FloatType) and element.width in (8, 16, 32, 64):
        bits = tile(COUNT, IntegerType(element.width))
        value = kernel.add(ops_conversion.BitcastOp(at.load(), result_types=[bits]))
        found.append(kernel.add(ops_conversion.BitcastOp(value, result_types=[at.type])))
    if element in (bf16, f16, f32):
        even = ops_conversion.RoundingMode.NEAREST_EVEN
        wide = tile(COUNT, f64 if element is f32 else f32)
        value = kernel.add(ops_conversion.FToFOp(at.load(), rounding_mode=even, result_types=[wide]))
        found.append(kernel.add(ops_conversion.FToFOp(value, rounding_mode=even, result_types=[at.type])))
    return found


def computed(at: Program) -> list[Value]:
    """The larger of neighbours, whole rows, and what a multiplication by one leaves."""
    kernel, element = at.kernel, at.element
    if element not in BASE_FLOATS:
        return []
    value = at.load()
    found = [kernel.add(MaxFOp(value, value))]
    rows = kernel.add(ops_tile.ReshapeOp(value, result_types=[tile(4, 8, element)]))
    for op_class in (ops_tile.ReduceOp, ops_tile.ScanOp):
        body = kernel.open(Block([tile(element), tile(element)]))
        kernel.add(ops_control.YieldOp(operands_=(kernel.add(MaxFOp(*body.arguments)),)))
        shape = (4,) if op_class is ops_tile.ReduceOp else (4, 8)
        more = {} if op_class is ops_tile.ReduceOp else {"reverse": False}
        least = FloatAttr(element, element.format.exponent_mask | element.format.sign_mask)
        op = op_class(
            (rows,), 1, identities=(least,), body=kernel.close(), result_types=[tile(*shape, element)], **more
        )
        made = kernel.add(op)
        if op_class is ops_tile.ReduceOp:
            made = kernel.add(ops_tile.ReshapeOp(made, result_types=[tile(4, 1, element)]))
            made = kernel.add(ops_tile.BroadcastOp(made, result_types=[tile(4, 8, element)]))
        found.append(kernel.add(ops_tile.ReshapeOp(made, result_types=[at.type])))
    one = kernel.constant(1.0, at.type)
    found.append(kernel.add(MulFOp(value, one, rounding_mode=ops_conversion.RoundingMode.NEAREST_EVEN)))
    found.append(kernel.add(AddFOp(value, value, rounding_mode=ops_conversion.RoundingMode.NEAREST_EVEN)))
    return found


CONSTRUCTS: Sequence[Callable[[Program], list[Value]]] = (
    copied,
    padded,
    through_if,
    through_for,
    through_loop,
    selected,
    through_shapes,
    one_by_one,
    gathered,
    cast,
)


def arguments(element: Type) -> list[Any]:
    """The edge values, room for the result, and the bit that chooses."""
    source = in_memory(element)
    return [source, np.zeros(64 * len(source), source.dtype), True]


@pytest.mark.parametrize("opt_level", [0, 3])
@pytest.mark.parametrize("element", POINTEES, ids=str)
def test_bits_in_are_bits_out(element: Any, opt_level: int) -> None:
    check_bits(element, CompileOptions(opt_level=opt_level))


@pytest.mark.skipif(bool(obstacle(PROCESSORS["x86-64-v3"])), reason="this processor cannot run the code")
@pytest.mark.parametrize("element", [bf16, f16, f32], ids=str)
def test_bits_without_instructions_for_bf16(element: Any) -> None:
    """Code for processors with AVX2 and nothing newer, which those with AVX512-BF16 run, too."""
    check_bits(element, CompileOptions(cpu="x86-64-v3"))


def check_bits(element: Any, options: CompileOptions) -> None:
    """Raises `AssertionError` if machine code gives other rows than the interpreter."""
    program = Program(element)
    module = program.module()
    wanted, given = arguments(element), arguments(element)
    tilewright.compile(SimpleNamespace(operation=module), target="interp").launch((1, 1, 1), wanted)
    tilewright.compile(SimpleNamespace(operation=module), options=options).launch((1, 1, 1), given)
    rows = (array.reshape(-1, len(wanted[0])) for array in (wanted[1], given[1]))
    for number, (expected, found) in enumerate(zip(*rows, strict=True)):
        same = found.tobytes() == expected.tobytes()
        if number >= program.first_computed:
            same = same or generated_programs._same_numbers(element, expected.tobytes(), found.tobytes())
        assert same, f"row {number}: {found} instead of {expected}"


@pytest.mark.parametrize("cpu", ["sapphirerapids", "znver4"])
@pytest.mark.parametrize("opt_level", [0, 3])
def test_no_instruction_flushes(cpu: str, opt_level: int) -> None:
    """Not for bf16, nor for what travels as bf16, on processors that have such instructions."""
    options = CompileOptions(opt_level=opt_level, cpu=cpu)
    text = tilewright.compile(SimpleNamespace(operation=Program(bf16).module()), options=options).asm["asm"]
    assert not FLUSHING.search(str(text))


@pytest.mark.parametrize("byte", [0, 1, 127, 254])
def test_folded_scales(byte: int) -> None:
    """The smallest number of f8E8M0FNU is a subnormal f32."""
    kernel = Kernel(pointer(f32))
    type = tile(1, f8E8M0FNU)
    scale = kernel.add(ops_tile.ConstantOp(value=DenseElementsAttr(type, bytes([byte])), result_types=[type]))
    even = ops_conversion.RoundingMode.NEAREST_EVEN
    wide = kernel.add(ops_conversion.FToFOp(scale, rounding_mode=even, result_types=[tile(1, f32)]))
    kernel.store_view(kernel.partition(kernel.arguments[0], (1,), (1,)), wide, kernel.i32(0))
    given = np.zeros(1, np.float32)
    tilewright.compile(SimpleNamespace(operation=kernel.module())).launch((1, 1, 1), [given])
    assert given[0] == np.float32(2.0 ** (byte - 127))
