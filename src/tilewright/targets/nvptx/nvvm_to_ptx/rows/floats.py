"""Arithmetic of floats.

Operations without an instruction in f16 or bf16 are computed in f32 and rounded: for sums, products,
quotients and roots of such operands this is equal to rounding once. Sums and products of bf16 are fused
multiply-adds on chips that have only these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from tilewright.dialects.llvm.enums import FastMathFlags
from tilewright.dialects.llvm.intrinsics import float as intrinsics
from tilewright.dialects.llvm.ops import arithmetic
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ptx.model import IntegerConstant, Operand
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.legal import element_of, lanes_of

QUIET_BF16 = 0x7FFF
ROUNDING_BIAS = 0x7FFF


def widened(emit: PtxFunctionEmitter, element: builtin_types.FloatType, value: Operand) -> Operand:
    """Return `value`, a float of type `element`, as f32 if it is f16 or bf16, exactly; f32 and f64 are
    returned unchanged. No other type is allowed.
    """
    if element in (builtin_types.f32, builtin_types.f64):
        return value
    if element is builtin_types.f16:
        return emit.compute("cvt.f32.f16", value)
    if isinstance(value, IntegerConstant):
        return IntegerConstant(value.value << 16)
    return emit.compute("shl.b32", emit.compute("cvt.u32.u16", value), IntegerConstant(16))


def narrowed(emit: PtxFunctionEmitter, element: builtin_types.FloatType, value: Operand) -> Operand:
    """Round an f32 to `element`, f16 or bf16, to nearest even. If `element` is f32 or f64, `value` has this
    type and is returned unchanged. No other type is allowed.
    """
    if element in (builtin_types.f32, builtin_types.f64):
        return value
    if element is builtin_types.f16:
        return emit.compute("cvt.rn.f16.f32", value)
    if emit.chip.number >= 80:
        return emit.compute("cvt.rn.bf16.f32", value)
    return _rounded_by_parts(emit, value)


def _rounded_by_parts(emit: PtxFunctionEmitter, value: Operand) -> Operand:
    """Round an f32 to bf16, to nearest even, without a conversion instruction: add half a unit to the bits,
    less one for even results. NaN becomes the quiet NaN with the bits `QUIET_BF16`.
    """
    odd = emit.compute("and.b32", emit.compute("shr.u32", value, IntegerConstant(16)), IntegerConstant(1))
    moved = emit.compute("add.s32", emit.compute("add.s32", value, IntegerConstant(ROUNDING_BIAS)), odd)
    high = emit.compute("cvt.u16.u32", emit.compute("shr.u32", moved, IntegerConstant(16)))
    is_nan = emit.compute("setp.nan.f32", value, value)
    return emit.compute("selp.b16", IntegerConstant(QUIET_BF16), high, is_nan)


MAY_FUSE = FastMathFlags.CONTRACT
MAY_APPROXIMATE = FastMathFlags.AFN
MAY_INVERT = FastMathFlags.ARCP


def float_type(type: Type) -> builtin_types.FloatType:
    """Return the element type of a float, or of a vector of floats."""
    element = element_of(type)
    assert isinstance(element, builtin_types.FloatType)
    return element


def flags_of(op: Operation) -> FastMathFlags:
    """Return the fast-math flags of an operation; `NONE` for an operation without this attribute."""
    flags = getattr(op, "fastmathFlags", FastMathFlags.NONE)
    assert isinstance(flags, FastMathFlags)
    return flags


Form = Callable[..., Operand]
"""A function that computes the result of a lane, or of a pair of lanes, from the operands."""
NUMBERS_OF_BF16 = (0x3F80, 0xBF80, 0x8000)
"""The bits of the bf16 numbers 1, -1 and -0."""
AS_FUSED: Mapping[str, Callable[[Sequence[Operand]], Sequence[Operand]]] = {
    "add": itemgetter(0, 2, 1),  # a * 1 + b
    "sub": itemgetter(1, 3, 0),  # b * -1 + a
    "mul": itemgetter(0, 1, 4),  # a * b + -0: a zero product keeps its sign
}
"""The operands of the fused multiply-add with an equal result, chosen from the operands and
`NUMBERS_OF_BF16`.
"""


@dataclass(frozen=True, slots=True)
class FloatInstruction:
    """An instruction on floats of every type: its name, and the modifiers between the name and the type.

    `fuses` drops the rounding modifier if the operation may be contracted with another. `flushes` says
    whether the f32 form may flush subnormal numbers to zero. `native` are the types that have the instruction
    on recent chips.
    """

    name: str
    words: str = ""
    fuses: bool = False
    flushes: bool = True
    native: tuple[builtin_types.FloatType, ...] = (
        builtin_types.f16,
        builtin_types.bf16,
        builtin_types.f32,
        builtin_types.f64,
    )

    def spelling(self, emit: PtxFunctionEmitter, op: Operation, type: str) -> str:
        """Return the full name for a type, such as ``add.rn.ftz.f32``. The rounding modifier is left out if
        the operation may be contracted and `fuses` is set; ``ftz`` is for f32 in a function that flushes.
        """
        free = self.fuses and MAY_FUSE in flags_of(op)
        words = [] if free or not self.words else [self.words]
        flush = ["ftz"] if self.flushes and emit.flushes and type == "f32" else []
        return ".".join((self.name, *words, *flush, type))

    def __call__(self, emit: PtxFunctionEmitter, op: Operation) -> None:
        element = float_type(op.results[0].type)
        paired = self._form(emit, op, element, f"{element.spelling}x2") if _is_paired(op) else None
        if paired is not None:
            parts = zip(*map(emit.parts, op.operands), strict=True)
            emit.bind(op.results[0], [paired(*group) for group in parts])
            return
        single = self._form(emit, op, element, element.spelling)
        if single is not None:
            emit.each_group(op, lambda lane: single(*lane))
        else:
            self._promoted(emit, op, element)

    def _form(
        self, emit: PtxFunctionEmitter, op: Operation, element: builtin_types.FloatType, type: str
    ) -> Form | None:
        """Return the function that emits the instruction for a lane or a pair of lanes; `type` is the type in
        its name, such as ``f16`` or ``f16x2``. For bf16 it may be an equal fused multiply-add. `None` if the
        chip has neither.
        """
        if element not in self.native:
            return None
        spelling, fused = self.spelling(emit, op, type), f"fma.rn.{type}"
        if element in (builtin_types.f32, builtin_types.f64) or emit.has(spelling):
            return lambda *lane: emit.compute(spelling, *lane)
        if element is builtin_types.bf16 and self.name in AS_FUSED and emit.has(fused):
            order = AS_FUSED[self.name]
            one, minus_one, minus_zero = (
                IntegerConstant(bits | bits << 16 if type.endswith("x2") else bits)
                for bits in NUMBERS_OF_BF16
            )
            return lambda *lane: emit.compute(fused, *order((*lane, one, minus_one, minus_zero)))
        return None

    def _promoted(self, emit: PtxFunctionEmitter, op: Operation, element: builtin_types.FloatType) -> None:
        """Compute an operation on elements of type `element`, f16 or bf16, with the f32 instruction, and
        round each result to `element`. Raises `DiagnosticError` for other types and for more than two
        operands, where rounding twice could be wrong.
        """
        if element not in (builtin_types.f16, builtin_types.bf16) or len(op.operands) > 2:
            raise emit.lacking(f"it has no '{self.spelling(emit, op, element.spelling)}'")
        spelling = self.spelling(emit, op, "f32")
        emit.each_group(
            op,
            lambda lane: narrowed(
                emit, element, emit.compute(spelling, *(widened(emit, element, one) for one in lane))
            ),
        )


def _is_paired(op: Operation) -> bool:
    type = op.results[0].type
    return (
        isinstance(type, builtin_types.VectorType)
        and lanes_of(type) % 2 == 0
        and type.element_type in (builtin_types.f16, builtin_types.bf16)
    )


# --- quotients and roots


EXACT = FloatInstruction("div", "rn", native=(builtin_types.f32, builtin_types.f64))
FAST = FloatInstruction("div", "full", native=(builtin_types.f32,))
ONE = {builtin_types.f32: 0x3F800000, builtin_types.f64: 0x3FF0000000000000}


def _divide(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Emit a quotient, correctly rounded, or with an error of at most 2 units in the last place of f32 if the
    fast-math flags ``afn`` or ``arcp`` allow it. A quotient of f64 is always correctly rounded.
    """
    flags, element = flags_of(op), float_type(op.results[0].type)
    if element is builtin_types.f64 or not (MAY_APPROXIMATE in flags or MAY_INVERT in flags):
        EXACT(emit, op)
    else:
        FAST(emit, op)


def _root(emit: PtxFunctionEmitter, op: Operation) -> None:
    approximate = MAY_APPROXIMATE in flags_of(op) and float_type(op.results[0].type) is not builtin_types.f64
    FloatInstruction(
        "sqrt", "approx" if approximate else "rn", native=(builtin_types.f32, builtin_types.f64)
    )(emit, op)


# --- minimum and maximum


@dataclass(frozen=True, slots=True)
class Extremum:
    """The rule of a maximum or minimum of two floats; `name` is ``max`` or ``min``. With `strict` the result
    is NaN if an operand is NaN; otherwise it is the other operand.
    """

    name: str
    strict: bool

    def __call__(self, emit: PtxFunctionEmitter, op: Operation) -> None:
        element = float_type(op.results[0].type)
        words = "NaN" if self.strict else ""
        types = (
            (builtin_types.f16, builtin_types.bf16, builtin_types.f32)
            if self.strict
            else (builtin_types.f16, builtin_types.bf16, builtin_types.f32, builtin_types.f64)
        )
        plain = FloatInstruction(
            self.name,
            "",
            native=(builtin_types.f16, builtin_types.bf16, builtin_types.f32, builtin_types.f64),
        )
        if not self.strict:
            plain(emit, op)
        elif is_one_instruction(emit, element):
            FloatInstruction(self.name, words, flushes=False, native=types)(emit, op)
        else:
            emit.each_two(op, lambda a, b: strict_extremum(emit, self.name, element, a, b))


def is_one_instruction(emit: PtxFunctionEmitter, element: builtin_types.FloatType) -> bool:
    """Return whether the chip has an instruction for the maximum or minimum of two floats that propagates
    NaN; there is none for f64.
    """
    return element is not builtin_types.f64 and emit.has("min.NaN.f32")


def strict_extremum(
    emit: PtxFunctionEmitter, name: str, element: builtin_types.FloatType, a: Operand, b: Operand
) -> Operand:
    """Return the maximum or minimum (``name`` is "max" or "min") of `a` and `b`, floats of the type
    `element`; NaN if one of them is NaN.
    """
    a, b = widened(emit, element, a), widened(emit, element, b)
    if is_one_instruction(emit, element):
        return narrowed(emit, element, emit.compute(f"{name}.NaN.f32", a, b))
    type, bits = ("f64", 64) if element is builtin_types.f64 else ("f32", 32)
    number = emit.compute(f"{name}.{type}", a, b)
    unordered = emit.compute(f"setp.nan.{type}", a, b)
    quiet = IntegerConstant(0x7FF8 << 48 if bits == 64 else 0x7FC00000)
    return narrowed(emit, element, emit.compute(f"selp.b{bits}", quiet, number, unordered))


# --- bits of floats


def _bits(op_bits: Callable[[PtxFunctionEmitter, int, Operand, Operand], Operand]) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        width = emit.width(op.results[0].type)
        emit.each_two(op, lambda a, b: op_bits(emit, width, a, b))

    return rule


def _copy_sign(emit: PtxFunctionEmitter, width: int, number: Operand, sign: Operand) -> Operand:
    if width > 16:
        return emit.compute(f"copysign.f{width}", sign, number)
    high = 1 << (width - 1)
    size = emit.compute(f"and.b{width}", number, IntegerConstant(high - 1))
    return emit.compute(f"or.b{width}", size, emit.compute(f"and.b{width}", sign, IntegerConstant(high)))


def _by_bits(instruction: str, *, sets: bool) -> Rule:
    """Return the rule that changes the sign bit by `instruction` with a mask: with `sets` it inverts the sign
    (`neg`, by ``xor``), otherwise it clears the sign (`abs`, by ``and``). One instruction changes both
    elements of a pair of 16-bit floats; f32 and f64 have instructions of their own.
    """

    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        element = float_type(op.results[0].type)
        if element in (builtin_types.f32, builtin_types.f64):
            FloatInstruction("neg" if sets else "abs", flushes=False)(emit, op)
            return
        parts: list[Operand] = []
        for part, slot in zip(emit.parts(op.operands[0]), emit.slots(op.results[0].type), strict=True):
            mask = sum(0x8000 << 16 * lane for lane in range(slot.lanes))
            bits = mask if sets else mask ^ ((1 << slot.bits) - 1)
            parts.append(emit.compute(f"{instruction}.b{slot.bits}", part, IntegerConstant(bits)))
        emit.bind(op.results[0], parts)

    return rule


# --- rounding to integers, and approximations


def _to_integer(mode: str) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        element = float_type(op.results[0].type)
        if element is builtin_types.bf16:
            whole = f"cvt.{mode}.f32.f32"
            emit.map_lanes(
                op,
                lambda a: narrowed(
                    emit, builtin_types.bf16, emit.compute(whole, widened(emit, builtin_types.bf16, a))
                ),
            )
            return
        name = element.spelling
        emit.map_lanes(op, lambda a: emit.compute(f"cvt.{mode}.{name}.{name}", a))

    return rule


HALF = {builtin_types.f32: 0x3F000000, builtin_types.f64: 0x3FE0000000000000}


def _round_half_away(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Round each lane to an integral value, halves away from zero: truncate, and add one with the sign of the
    number if the rest is at least a half.
    """
    element = float_type(op.results[0].type)
    at = builtin_types.f64 if element is builtin_types.f64 else builtin_types.f32
    name, bits = at.spelling, at.width

    def lane(a: Operand) -> Operand:
        number = widened(emit, element, a)
        whole = emit.compute(f"cvt.rzi.{name}.{name}", number)
        rest = emit.compute(f"abs.{name}", emit.compute(f"sub.rn.{name}", number, whole))
        is_more = emit.compute(f"setp.ge.{name}", rest, IntegerConstant(HALF[at]))
        step = emit.compute(f"copysign.{name}", number, IntegerConstant(ONE[at]))
        moved = emit.compute(f"add.rn.{name}", whole, step)
        return narrowed(emit, element, emit.compute(f"selp.b{bits}", moved, whole, is_more))

    emit.map_lanes(op, lane)


def _approximate(name: str) -> Rule:
    """Return the rule of the approximate f32 instruction `name`. The rule raises `DiagnosticError` for f64,
    and for operations without the fast-math flag `afn`.
    """

    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        element = float_type(op.results[0].type)
        if MAY_APPROXIMATE not in flags_of(op) or element is builtin_types.f64:
            hint = "allow it (`fastmath<afn>`, at most 32 bits), or lower the function to arithmetic first"
            raise emit.refused("PTX has only an approximation", hint)
        FloatInstruction(name, "approx", flushes=name != "tanh", native=(builtin_types.f32,))(emit, op)

    return rule


def _fused(emit: PtxFunctionEmitter, op: Operation) -> None:
    FloatInstruction("fma", "rn")(emit, op)


ROWS: dict[type[Operation], Rule] = {
    arithmetic.FAddOp: FloatInstruction("add", "rn", fuses=True),
    arithmetic.FSubOp: FloatInstruction("sub", "rn", fuses=True),
    arithmetic.FMulOp: FloatInstruction("mul", "rn", fuses=True),
    arithmetic.FDivOp: _divide,
    arithmetic.FNegOp: _by_bits("xor", sets=True),
    intrinsics.FAbsOp: _by_bits("and", sets=False),
    intrinsics.CopySignOp: _bits(_copy_sign),
    intrinsics.FMAOp: _fused,
    intrinsics.FMulAddOp: _fused,
    intrinsics.SqrtOp: _root,
    intrinsics.MaxNumOp: Extremum("max", strict=False),
    intrinsics.MinNumOp: Extremum("min", strict=False),
    intrinsics.MaximumOp: Extremum("max", strict=True),
    intrinsics.MinimumOp: Extremum("min", strict=True),
    intrinsics.FCeilOp: _to_integer("rpi"),
    intrinsics.FFloorOp: _to_integer("rmi"),
    intrinsics.FTruncOp: _to_integer("rzi"),
    intrinsics.RintOp: _to_integer("rni"),
    intrinsics.NearbyintOp: _to_integer("rni"),
    intrinsics.RoundEvenOp: _to_integer("rni"),
    intrinsics.RoundOp: _round_half_away,
    intrinsics.Exp2Op: _approximate("ex2"),
    intrinsics.Log2Op: _approximate("lg2"),
    intrinsics.SinOp: _approximate("sin"),
    intrinsics.CosOp: _approximate("cos"),
    intrinsics.TanhOp: _approximate("tanh"),
}
