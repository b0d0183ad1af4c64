"""Checks of values in machine code: seeded faults of many operations are found where the interpreter finds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.interp.kernels import EVEN, RELAXED, SIGNED, UNSIGNED, Kernel, pointer
from tests.support.samples import samples
from tests.targets.cpu.checks.checked_kernels import Case, finding
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
    view as ops_view,
)
from tilewright.dialects.cuda_tile.types import StridedViewType, tile
from tilewright.driver.stages import CompileOptions
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import (
    bf16,
    f8E4M3FN,
    f8E5M2,
    f8E8M0FNU,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
    tf32,
)
from tilewright.targets.cpu.text import kernels_of
from tilewright.testing.execution import Launchpad, entries, observe
from tilewright.testing.strategies import sample_modules

Build = Callable[[Kernel], None]
SIZE = 8


def compared(case: Case) -> str:
    """What both say of a case; the code if they agree on it, on the place and on the operation."""
    interpreted, compiled = finding(case, "interp"), finding(case, "cpu")
    assert interpreted[:2] == compiled[:2], (interpreted, compiled)
    if interpreted[0]:
        assert f"'{interpreted[2].split(chr(39))[1]}'" in compiled[2]
    return interpreted[0]


def case(
    build: Build, arrays: Sequence[Any], check: str, parameters: Sequence[Any], name: str = "", **more: Any
) -> Case:
    def made() -> Kernel:
        kernel = Kernel(*(pointer(element) for element in parameters))
        build(kernel)
        return kernel

    return Case(name, made, lambda: [array.copy() for array in arrays], checks=(check,), **more)


# --- origins of NaN and infinity

ONES, TWOS = np.ones(SIZE, np.float32), np.full(SIZE, 2, np.float32)


def _with(number: float, array: Any = ONES, at: int = 5) -> Any:
    changed = array.copy()
    changed[at] = number
    return changed


def _unary(op_class: Any, **named: Any) -> Any:
    return lambda k, x, y: op_class(x, **named)


def _binary(op_class: Any, **named: Any) -> Any:
    return lambda k, x, y: op_class(x, y, **named)


def _converted(element: Any) -> Any:
    """To a narrow type, where large numbers become infinities or NaN."""

    def convert(k: Kernel, x: Any, y: Any) -> Any:
        return ops_conversion.FToFOp(x, EVEN, result_types=[tile(SIZE, element)])

    return convert


def _fold(op_class: Any, inner: Any, identity: float, *more: Any) -> Any:
    def fold(k: Kernel, x: Any, y: Any) -> Any:
        k.open(Block([tile(f32), tile(f32)]))
        body = k.blocks[-1]
        k.add(ops_control.YieldOp([k.add(inner(*body.arguments))]))
        return op_class((x,), 0, *more, (FloatAttr(f32, identity),), body=k.close())

    return fold


def _product(k: Kernel, x: Any, y: Any) -> Any:
    left = k.add(ops_tile.ReshapeOp(x, result_types=[tile(2, 4, f32)]))
    right = k.add(ops_tile.ReshapeOp(y, result_types=[tile(4, 2, f32)]))
    return ops_tile.MmaFOp(left, right, k.constant(0.0, tile(2, 2, f32)))


def _sum(a: Any, b: Any) -> Any:
    return ops_float.AddFOp(a, b, rounding_mode=EVEN)


HUGE = 3e38
ORIGINS: dict[str, tuple[Any, Any, Any]] = {
    "addf": (_binary(ops_float.AddFOp, rounding_mode=EVEN), _with(HUGE), _with(HUGE)),
    "subf": (_binary(ops_float.SubFOp, rounding_mode=EVEN), _with(HUGE), _with(-HUGE)),
    "mulf": (_binary(ops_float.MulFOp, rounding_mode=EVEN), _with(HUGE), _with(2)),
    "divf": (_binary(ops_float.DivFOp, rounding_mode=EVEN), _with(0), _with(0)),
    "fma": (lambda k, x, y: ops_float.FmaOp(x, y, y, rounding_mode=EVEN), _with(HUGE), _with(3)),
    "sqrt": (_unary(ops_float.SqrtOp, rounding_mode=EVEN), _with(-1), ONES),
    "rsqrt": (_unary(ops_float.RsqrtOp), _with(0), ONES),
    "exp": (_unary(ops_float.ExpOp), _with(1000), ONES),
    "exp2": (_unary(ops_float.Exp2Op), _with(1000), ONES),
    "log": (_unary(ops_float.LogOp), _with(-3), ONES),
    "pow": (_binary(ops_float.PowOp), _with(HUGE), TWOS),
    "remf": (_binary(ops_float.RemFOp), ONES, _with(0)),
    "f16": (_converted(f16), _with(1e6), ONES),
    "bf16": (_converted(bf16), _with(3.4e38), ONES),
    "tf32": (_converted(tf32), _with(3.4028e38), ONES),
    "reduce": (_fold(ops_tile.ReduceOp, _sum, 0), _with(HUGE, _with(HUGE, at=1)), ONES),
    "scan": (_fold(ops_tile.ScanOp, _sum, 0, False), _with(HUGE, _with(HUGE, at=1)), ONES),
    "mmaf": (_product, _with(HUGE), _with(4, TWOS)),
}
"""Operations with operands of which some give no finite number."""


def _born(make: Any) -> Build:
    """Computes from two tiles; the result is not needed, but asked for."""

    def build(k: Kernel) -> None:
        x, y = (k.load_all(base, SIZE) for base in k.arguments)
        k.add(make(k, x, y))

    return build


@pytest.mark.parametrize(
    ("element", "pattern"),
    [(f8E4M3FN, 0x7F), (f8E4M3FN, 0xFF), (f8E5M2, 0x7C), (f8E5M2, 0x7F), (f8E8M0FNU, 0xFF)],
)
def test_numbers_of_eight_bits_are_passed_on(element: Any, pattern: int) -> None:
    def build(k: Kernel) -> None:
        bits = k.load_all(k.arguments[0], 4)
        narrow = k.add(ops_conversion.BitcastOp(bits, result_types=[tile(4, element)]))
        wide = k.add(ops_conversion.FToFOp(narrow, EVEN, result_types=[tile(4, f32)]))
        k.add(ops_float.DivFOp(wide, k.constant([1, 1, 0, 1], tile(4, f32)), rounding_mode=EVEN))

    given = np.array([0x38, pattern, pattern, 0x3C], np.uint8).view(np.int8)
    assert compared(case(build, (given,), "fpcheck", (i8,))) == ""
    assert compared(case(build, (np.roll(given, 1),), "fpcheck", (i8,))) == ""
    assert compared(case(build, (np.roll(given, 2),), "fpcheck", (i8,))) == "TW0411"


@pytest.mark.parametrize("name", ORIGINS)
def test_origins_of_non_finite_elements(name: str) -> None:
    make, x, y = ORIGINS[name]
    assert compared(case(_born(make), (x, y), "fpcheck", (f32, f32))) == "TW0411"
    harmless = case(_born(make), (ONES, ONES), "fpcheck", (f32, f32))
    assert compared(harmless) == ""
    passed_on = case(_born(make), (_with(np.nan), _with(np.nan)), "fpcheck", (f32, f32))
    assert compared(passed_on) == ""


# --- promises

NUMBERS = np.arange(1, SIZE + 1, dtype=np.int32)
NSW, NUW, BOTH = (
    IntegerOverflow.NO_SIGNED_WRAP,
    IntegerOverflow.NO_UNSIGNED_WRAP,
    IntegerOverflow.NO_WRAP,
)
INTEGERS = {8: (np.int8, i8), 16: (np.int16, i16), 32: (np.int32, i32), 64: (np.int64, i64)}
OVERFLOWING = (ops_integer.AddIOp, ops_integer.SubIOp, ops_integer.MulIOp)


def _arithmetic(op_class: Any, overflow: IntegerOverflow) -> Build:
    def build(k: Kernel) -> None:
        x, y = (k.load_all(base, SIZE) for base in k.arguments)
        k.add(op_class(x, y, overflow=overflow))

    return build


@pytest.mark.parametrize("width", INTEGERS)
@pytest.mark.parametrize("op_class", OVERFLOWING)
def test_overflow(op_class: Any, width: int) -> None:
    """Sums, differences and products at the edges of their types, of all pairs of a few numbers."""
    dtype, element = INTEGERS[width]
    largest = (1 << (width - 1)) - 1
    numbers = np.array([0, 1, -1, 2, largest, -largest - 1, largest // 2 + 1, 3], dtype)
    codes = []
    for shift in range(0, SIZE, 3 if width in (8, 64) else 5):
        for overflow in (NSW, NUW):
            build = _arithmetic(op_class, overflow)
            arrays = (numbers, np.roll(numbers, shift))
            codes.append(compared(case(build, arrays, "promises", (element, element))))
    assert "TW0408" in codes
    calm = (np.full(SIZE, 4, dtype), np.full(SIZE, 3, dtype))
    assert compared(case(_arithmetic(op_class, BOTH), calm, "promises", (element, element))) == ""


def _integers(make: Any) -> Build:
    def build(k: Kernel) -> None:
        x, y = (k.load_all(base, SIZE) for base in k.arguments)
        made = make(k, x, y)
        value = k.add(made)
        if isinstance(made, ops_control.AssumeOp):  # an assumption about an unused value is not checked
            total = k.add(ops_integer.AddIOp(value, value))
            k.add(ops_integer.AddIOp(total, total))

    return build


def _i32(number: int) -> Any:
    changed = NUMBERS.copy()
    changed[3] = number
    return changed


LEAST = -(1 << 31)
UNDEFINED: dict[str, tuple[Any, Any, Any]] = {
    "division by zero": (_binary(ops_integer.DivIOp, signedness=SIGNED), NUMBERS, _i32(0)),
    "smallest number by -1": (_binary(ops_integer.DivIOp, signedness=SIGNED), _i32(LEAST), _i32(-1)),
    "unsigned division": (_binary(ops_integer.DivIOp, signedness=UNSIGNED), NUMBERS, _i32(0)),
    "remainder": (_binary(ops_integer.RemIOp, signedness=SIGNED), NUMBERS, _i32(0)),
    "shift left": (_binary(ops_integer.ShLIOp), NUMBERS, _i32(32)),
    "bits shifted out": (_binary(ops_integer.ShLIOp, overflow=NUW), _i32(LEAST), NUMBERS),
    "shift right": (_binary(ops_integer.ShRIOp, signedness=SIGNED), NUMBERS, _i32(-1)),
    "negation": (_unary(ops_integer.NegIOp, overflow=NSW), _i32(LEAST), NUMBERS),
    "truncation": (
        lambda k, x, y: ops_conversion.TruncIOp(x, overflow=NSW, result_types=[tile(SIZE, i8)]),
        _i32(200),
        NUMBERS,
    ),
    "bounded": (lambda k, x, y: ops_control.AssumeOp(BoundedAttr(0, 8), x), _i32(-1), NUMBERS),
    "multiples": (
        lambda k, x, y: ops_control.AssumeOp(DivByAttr(2), k.add(ops_integer.AddIOp(x, x))),
        NUMBERS,
        NUMBERS,
    ),
    "groups of multiples": (lambda k, x, y: ops_control.AssumeOp(DivByAttr(1, 4, 0), x), _i32(0), NUMBERS),
    "groups of three": (lambda k, x, y: ops_control.AssumeOp(DivByAttr(1, 3, 0), x), _i32(0), NUMBERS),
    "same elements": (
        lambda k, x, y: ops_control.AssumeOp(
            SameElementsAttr((4,)), k.add(ops_integer.ShRIOp(x, k.constant(6, tile(SIZE, i32)), SIGNED))
        ),
        _i32(100),
        NUMBERS,
    ),
    "slice": (
        lambda k, x, y: ops_tile.ExtractOp(
            x, [k.load(k.arguments[1]).results[0]], result_types=[tile(2, i32)]
        ),
        NUMBERS,
        np.full(SIZE, 4, np.int32),
    ),
    "a sum in a reduction": (
        lambda k, x, y: _integer_sum(k, x),
        _i32((1 << 31) - 1),
        NUMBERS,
    ),
}
"""Operations with operands for which they are undefined, or break a promise; with 1 to 8 they do not."""


def _integer_sum(k: Kernel, x: Any) -> Any:
    body = k.open(Block([tile(i32), tile(i32)]))
    k.add(ops_control.YieldOp([k.add(ops_integer.AddIOp(*body.arguments, overflow=NSW))]))
    return ops_tile.ReduceOp((x,), 0, (IntegerAttr(i32, 0),), body=k.close())


@pytest.mark.parametrize("name", UNDEFINED)
def test_promises(name: str) -> None:
    make, x, y = UNDEFINED[name]
    wanted = "" if name == "multiples" else "TW0408"
    assert compared(case(_integers(make), (x, y), "promises", (i32, i32))) == wanted
    if name != "slice":
        harmless = case(_integers(make), (NUMBERS, NUMBERS), "promises", (i32, i32))
        assert compared(harmless) == ""


@pytest.mark.parametrize("element", [f16, f32, f64])
@pytest.mark.parametrize(
    ("target", "signedness"), [(i8, SIGNED), (i32, SIGNED), (i64, SIGNED), (i64, UNSIGNED)]
)
def test_conversion_to_integers(element: Any, target: Any, signedness: Any) -> None:
    """Just inside and outside of the integer type, and what is no number."""
    dtype: Any = {f16: np.float16, f32: np.float32, f64: np.float64}[element]

    def build(k: Kernel) -> None:
        value = k.load_all(k.arguments[0], 2)
        k.add(
            ops_conversion.FToIOp(
                value, signedness, RoundingMode.NEAREST_INT_TO_ZERO, result_types=[tile(2, target)]
            )
        )

    lowest = -(2.0 ** (target.width - 1)) if signedness is SIGNED else 0.0
    for number in (
        lowest,
        lowest - 0.5,
        lowest - 1,
        -2 * lowest,
        np.nextafter(-lowest, 0),
        1.0,
        np.nan,
        np.inf,
    ):
        with np.errstate(over="ignore"):
            array = np.array([1, number]).astype(dtype)
        compared(case(build, (array,), "promises", (element,)))


def _tile_at(index: int, extent: int = 6, **more: Any) -> Build:
    def build(k: Kernel) -> None:
        view = k.partition(k.arguments[0], (extent,), (4,), padding=PaddingValue.ZERO)
        k.store_all(k.arguments[1], k.load_view(view, k.i32(index), **more).results[0])

    return build


def _overlapping(index: int) -> Build:
    def build(k: Kernel) -> None:
        def kind(tensor: Any) -> Any:
            return StridedViewType((4,), (2,), tensor, (0,), PaddingValue.ZERO)

        view = k.view(k.arguments[0], (8,), kind, ops_view.MakeStridedViewOp)
        k.store_all(k.arguments[1], k.load_view(view, k.i32(index), inbounds=(True,)).results[0])

    return build


@pytest.mark.parametrize(
    ("build", "code"),
    [
        (_tile_at(1), ""),
        (_tile_at(2), "TW0408"),
        (_tile_at(-1), "TW0408"),
        (_tile_at(0, inbounds=(True,)), ""),
        (_tile_at(1, inbounds=(True,)), "TW0408"),
        (_overlapping(2), ""),
        (_overlapping(3), "TW0408"),
    ],
)
def test_tiles_of_views(build: Build, code: str) -> None:
    arrays = (np.zeros(8, np.int32), np.zeros(4, np.int32))
    assert compared(case(build, arrays, "promises", (i32, i32))) == code


# --- unspecified values


def _loaded(k: Kernel, missing: int) -> Any:
    """A tile of which the element of a number is not loaded."""
    mask = k.constant([at != missing for at in range(SIZE)], tile(SIZE, i1))
    return k.load(k.pointers(k.arguments[0], k.iota(SIZE)), mask).results[0]


def _zeros(k: Kernel) -> Any:
    return k.constant(0, tile(SIZE, i32))


def _rows(k: Kernel, value: Any) -> Any:
    return k.add(ops_tile.ReshapeOp(value, result_types=[tile(2, 4, i32)]))


def _folded(op_class: Any, *more: Any, axis: int = 0) -> Any:
    def fold(k: Kernel, x: Any) -> Any:
        rows = _rows(k, x)
        body = k.open(Block([tile(i32), tile(i32)]))
        k.add(ops_control.YieldOp([k.add(ops_integer.AddIOp(*body.arguments))]))
        return k.add(op_class((rows,), axis, *more, (IntegerAttr(i32, 0),), body=k.close()))

    return fold


def _extracted(k: Kernel, x: Any, number: int) -> Any:
    return k.add(ops_tile.ExtractOp(x, [k.i32(number)], result_types=[tile(2, i32)]))


def _product_of_bytes(k: Kernel, x: Any) -> Any:
    rows = k.add(ops_conversion.TruncIOp(_rows(k, x), result_types=[tile(2, 4, i8)]))
    ones = k.constant(1, tile(4, 2, i8))
    return k.add(ops_tile.MmaIOp(rows, ones, k.constant(0, tile(2, 2, i32)), SIGNED, SIGNED))


def _in_a_loop(k: Kernel, x: Any) -> Any:
    body = k.for_loop(k.i32(0), k.i32(3), k.i32(1), _zeros(k))
    header = k.pending
    total = k.add(ops_integer.AddIOp(body.arguments[1], x))
    return k.end_for(header, total).results[0]


def _in_a_branch(k: Kernel, x: Any) -> Any:
    regions = list[Any]()
    condition = k.constant(1, tile(i1))
    for value in (x, x):
        k.open(Block())
        k.add(ops_control.YieldOp([value]))
        regions.append(k.close())
    then, other = regions
    return k.add(ops_control.IfOp(condition, then_region=then, else_region=other, result_types=[x.type]))


def _masked_away(k: Kernel, x: Any) -> Any:
    mask = k.constant([at != 2 for at in range(SIZE)], tile(SIZE, i1))
    return k.add(ops_tile.SelectOp(mask, x, _zeros(k)))


def _anded(k: Kernel, x: Any) -> Any:
    mask = k.constant([-(at != 2) for at in range(SIZE)], tile(SIZE, i32))
    return k.add(ops_integer.AndIOp(mask, x))


def _as_padding(k: Kernel, x: Any, missing: int = 2) -> Any:
    mask = k.constant([at != missing for at in range(SIZE)], tile(SIZE, i1))
    return k.load(k.pointers(k.arguments[0], k.iota(SIZE)), mask, x).results[0]


SPREADS: dict[str, Any] = {
    "padding": _as_padding,
    "padding elsewhere": lambda k, x: _as_padding(k, x, 3),
    "sum": lambda k, x: k.add(ops_integer.AddIOp(x, x)),
    "comparison": lambda k, x: k.add(
        ops_conversion.ExtIOp(
            k.add(ops_integer.CmpIOp(ComparisonPredicate.EQUAL, x, _zeros(k), SIGNED)),
            UNSIGNED,
            result_types=[tile(SIZE, i32)],
        )
    ),
    "select": _masked_away,
    "and": _anded,
    "rows": _rows,
    "permute": lambda k, x: k.add(ops_tile.PermuteOp(_rows(k, x), (1, 0), result_types=[tile(4, 2, i32)])),
    "cat": lambda k, x: k.add(ops_tile.CatOp(_zeros(k), x, 0, result_types=[tile(2 * SIZE, i32)])),
    "slice with it": lambda k, x: _extracted(k, x, 1),
    "slice without it": lambda k, x: _extracted(k, x, 0),
    "reduce rows": _folded(ops_tile.ReduceOp, axis=1),
    "reduce columns": _folded(ops_tile.ReduceOp, axis=0),
    "scan": _folded(ops_tile.ScanOp, False, axis=1),
    "scan backwards": _folded(ops_tile.ScanOp, True, axis=0),
    "product": _product_of_bytes,
    "loop": _in_a_loop,
    "branch": _in_a_branch,
}
"""Operations through which unspecified elements go, or do not."""


def _stored(make: Any, missing: int, kept: Any = None) -> Build:
    """Stores what is made of a tile with a hole, in rows; ``kept`` is the only element of it that is stored."""

    def build(k: Kernel) -> None:
        value = make(k, _loaded(k, missing))
        count = int(np.prod(value.type.shape))
        row = k.add(ops_tile.ReshapeOp(value, result_types=[tile(count, i32)]))
        mask = None if kept is None else k.constant([at == kept for at in range(count)], tile(count, i1))
        k.store(k.pointers(k.arguments[1], k.iota(count)), row, mask)

    return build


@pytest.mark.parametrize("name", SPREADS)
def test_unspecified_elements_spread(name: str) -> None:
    """Both agree on the whole result, and on its first and last elements."""
    arrays = (NUMBERS, np.zeros(2 * SIZE, np.int32))
    clean = name in ("select", "and", "slice without it", "padding elsewhere")
    whole = case(_stored(SPREADS[name], 2), arrays, "initcheck", (i32, i32))
    assert compared(whole) == ("" if clean else "TW0405")
    for kept in (0, 1):
        compared(case(_stored(SPREADS[name], 2, kept), arrays, "initcheck", (i32, i32)))


def _used_as_address(k: Kernel) -> None:
    k.store(k.pointers(k.arguments[1], _loaded(k, 2)), _zeros(k))


def _used_as_mask(k: Kernel) -> None:
    mask = k.add(ops_integer.CmpIOp(ComparisonPredicate.EQUAL, _loaded(k, 2), _zeros(k), SIGNED))
    k.store(k.pointers(k.arguments[1], k.iota(SIZE)), _zeros(k), mask)


def _added_atomically(k: Kernel) -> None:
    k.add(
        ops_memory.AtomicRMWTkoOp(
            RELAXED,
            MemoryScope.DEVICE,
            k.pointers(k.arguments[1], k.iota(SIZE)),
            AtomicRMWMode.ADD,
            _loaded(k, 2),
        )
    )


def _asserted(k: Kernel) -> None:
    holds = k.add(ops_integer.CmpIOp(ComparisonPredicate.EQUAL, _zeros(k), _zeros(k), SIGNED))
    other = k.add(
        ops_integer.CmpIOp(
            ComparisonPredicate.LESS_THAN, _loaded(k, 2), k.constant(99, tile(SIZE, i32)), SIGNED
        )
    )
    k.add(ops_control.AssertOp(k.add(ops_integer.AndIOp(holds, other)), "small"))


def _beyond_the_edge(k: Kernel) -> None:
    """What is loaded beyond the edge of one tensor is stored inside of another."""
    source = k.partition(k.arguments[0], (6,), (4,))
    target = k.partition(k.arguments[1], (8,), (4,))
    k.store_view(target, k.load_view(source, k.i32(1)).results[0], k.i32(1))


def _as_bound(k: Kernel) -> None:
    bound = k.load(k.arguments[0], k.constant(0, tile(i1))).results[0]
    k.for_loop(k.i32(0), bound, k.i32(1))
    k.end_for(k.pending)


def _as_step(k: Kernel) -> None:
    step = k.load(k.arguments[0], k.constant(0, tile(i1))).results[0]
    k.for_loop(k.i32(0), k.i32(1), step)
    k.end_for(k.pending)


@pytest.mark.parametrize(
    "build",
    [_used_as_address, _used_as_mask, _added_atomically, _asserted, _beyond_the_edge, _as_bound, _as_step],
)
def test_uses_of_unspecified_elements(build: Build) -> None:
    arrays = (np.arange(SIZE, dtype=np.int32), np.zeros(SIZE, np.int32))
    assert compared(case(build, arrays, "initcheck", (i32, i32))) == "TW0405"


# --- generated kernels

CODES = {"fpcheck": "TW0411", "initcheck": "TW0405", "promises": "TW0408"}


def _codes(module: Any, pad: Launchpad, target: str, check: str) -> list[str]:
    pad.reset()
    try:
        wrapped: Any = SimpleNamespace(operation=module)
        tilewright.launch(wrapped, pad.name, (1, 1, 1), pad.arguments, target=target, check=check)
    except tilewright.DiagnosticError as error:
        return [str(found.code) for found in error.diagnostics]
    return []


@pytest.mark.parametrize("check", sorted(CODES))
def test_generated_kernels(check: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Both find something, or neither; and where there is nothing to find, results are those without checks."""
    for number, module in enumerate(sample_modules(samples(3, of=8), seed=f"checked/{check}")):
        for kernel in entries(module):
            for op in list(kernel.walk())[1:]:
                observe(op)
        for kernel in entries(module):
            pad = Launchpad(kernel, str(number))
            interpreted, compiled = (_codes(module, pad, target, check) for target in ("interp", "cpu"))
            if (
                "TW0830" in compiled
                or "TW0953" in compiled
                or (interpreted and CODES[check] not in interpreted)
            ):
                continue
            assert (CODES[check] in interpreted) == (CODES[check] in compiled)
            if not interpreted:
                found = pad.contents()
                assert _codes(module, pad, "cpu", "") == compiled
                assert pad.contents() == found


# --- passes


def _chain(k: Kernel) -> None:
    """Many operations on elements, and a sum of their results, in tiles that are worth a loop."""
    view, target = (k.partition(base, (4096,), (1024,)) for base in k.arguments)
    value = k.load_view(view, k.i32(0)).results[0]
    for _ in range(8):
        value = k.add(ops_float.MulFOp(value, value, rounding_mode=EVEN))
        value = k.add(ops_float.ExpOp(value))
    k.store_view(target, value, k.i32(0))


@pytest.mark.parametrize("check", sorted(CODES))
def test_checks_share_the_pass_of_what_they_check(check: str) -> None:
    """However many checks there are, no further loop and no further memory is needed."""

    def made(checks: tuple[str, ...]) -> tuple[int, int]:
        kernel = Kernel(pointer(f32), pointer(f32))
        _chain(kernel)
        module: Any = SimpleNamespace(operation=kernel.module())
        text = str(tilewright.compile(module, options=CompileOptions(checks=checks)).asm["llvm"])
        (image,) = kernels_of(text)
        return text.count("!llvm.loop"), image.scratch_bytes

    assert made((check,)) == made(())
