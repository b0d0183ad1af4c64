"""Arithmetic, logic and shifts of integers.

Integers that do not fill their register are zero-extended: sums are truncated, and operands of signed
operations are sign-extended first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.dialects.llvm.intrinsics import integer as intrinsics
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic, conversion
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import IntegerConstant, Operand
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.legal import register_bits
from tilewright.targets.nvptx.nvvm_to_ptx.rows.wide import WIDE, WIDTH, no_instruction

Scalar = Callable[[PtxFunctionEmitter, int, Operand, Operand], Operand]


@dataclass(frozen=True, slots=True)
class BinaryInstruction:
    """An instruction on two integers: its spelling with ``{bits}`` for the width of a register.

    `signed` sign-extends the operands. `grows` says that the result may have more bits than the type.
    `shifts` says that the second operand is a number of bits, which the instruction takes as an unsigned
    integer of 32 bits. `bit` is the instruction on predicates; if it is empty, the result for single bits is
    the first operand.
    """

    spelling: str
    bit: str = ""
    signed: bool = False
    grows: bool = False
    shifts: bool = False

    def __call__(self, emit: PtxFunctionEmitter, op: Operation) -> None:
        width = emit.width(op.operands[0].type)
        if width == WIDTH:
            WIDE.get(op.__class__, no_instruction)(emit, op)
            return
        emit.each_two(op, lambda a, b: self.scalar(emit, width, a, b))

    def scalar(self, emit: PtxFunctionEmitter, width: int, a: Operand, b: Operand) -> Operand:
        """Emit the instruction on the integers `a` and `b` of `width` bits, and return the result."""
        if width == 1:
            return emit.compute(self.bit, a, b) if self.bit else a
        bits = register_bits(width)
        if self.signed:
            a = emit.signed(a, width, bits)
            b = b if self.shifts else emit.signed(b, width, bits)
        if self.shifts:
            b = emit.resized(b, width, 32)
        result = emit.compute(self.spelling.format(bits=bits), a, b)
        return emit.masked(result, width) if self.grows else result


BINARY: dict[type[Operation], BinaryInstruction] = {
    arithmetic.AddOp: BinaryInstruction("add.s{bits}", "xor.pred", grows=True),
    arithmetic.SubOp: BinaryInstruction("sub.s{bits}", "xor.pred", grows=True),
    arithmetic.MulOp: BinaryInstruction("mul.lo.s{bits}", "and.pred", grows=True),
    arithmetic.AndOp: BinaryInstruction("and.b{bits}", "and.pred"),
    arithmetic.OrOp: BinaryInstruction("or.b{bits}", "or.pred"),
    arithmetic.XOrOp: BinaryInstruction("xor.b{bits}", "xor.pred"),
    arithmetic.ShlOp: BinaryInstruction("shl.b{bits}", grows=True, shifts=True),
    arithmetic.LShrOp: BinaryInstruction("shr.u{bits}", shifts=True),
    arithmetic.AShrOp: BinaryInstruction("shr.s{bits}", signed=True, grows=True, shifts=True),
    arithmetic.UDivOp: BinaryInstruction("div.u{bits}"),
    arithmetic.SDivOp: BinaryInstruction("div.s{bits}", signed=True, grows=True),
    arithmetic.URemOp: BinaryInstruction("rem.u{bits}", "xor.pred"),
    arithmetic.SRemOp: BinaryInstruction("rem.s{bits}", "xor.pred", signed=True, grows=True),
    intrinsics.SMaxOp: BinaryInstruction("max.s{bits}", "and.pred", signed=True, grows=True),
    intrinsics.SMinOp: BinaryInstruction("min.s{bits}", "or.pred", signed=True, grows=True),
    intrinsics.UMaxOp: BinaryInstruction("max.u{bits}", "or.pred"),
    intrinsics.UMinOp: BinaryInstruction("min.u{bits}", "and.pred"),
}
"""Operations that are an instruction on registers of any width."""


EXTENSIONS: dict[type[Operation], str] = {
    conversion.ZExtOp: "mul.wide.u32",
    conversion.SExtOp: "mul.wide.s32",
}
"""The products of words with results of 64 bits, by how the words are extended."""
WORD = 32


def _multiply(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Emit a product. A 64-bit product of 32-bit integers that are extended in the same way becomes
    ``mul.wide``; a constant may be one of the factors.

    The assembler does not always see that the upper half of an extended integer adds nothing.
    """
    extension = op.operands[0].owner.__class__
    spelling = EXTENSIONS.get(extension) if op.results[0].type is i64 else None
    found = [] if spelling is None else [_word_of(emit, value, extension) for value in op.operands]
    words = [one for one in found if one is not None]
    if spelling is not None and len(words) == len(op.operands):
        emit.bind(op.results[0], [emit.compute(spelling, *words)])
    else:
        BINARY[arithmetic.MulOp](emit, op)


def _word_of(emit: PtxFunctionEmitter, value: Value, extension: type) -> Operand | None:
    """Return the 32-bit integer that an operation of the class `extension` extends to `value`; or the
    constant `value` if it is in ``[0, 2**31)``; None for any other value.
    """
    owner = value.owner
    if owner.__class__ is extension and isinstance(owner, Operation) and owner.operands[0].type is i32:
        return emit.part(owner.operands[0])
    number = emit.part(value) if isinstance(owner, llvm_aggregate.ConstantOp) else None
    fits = isinstance(number, IntegerConstant) and 0 <= number.value < 1 << WORD - 1
    return number if fits else None


# --- counts and permutations of bits


def _unary(scalar: Callable[[PtxFunctionEmitter, int, Operand], Operand]) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        width = emit.width(op.operands[0].type)
        emit.map_lanes(op, lambda a: scalar(emit, width, a))

    return rule


def _absolute(emit: PtxFunctionEmitter, width: int, a: Operand) -> Operand:
    bits = register_bits(width)
    return emit.masked(emit.compute(f"abs.s{bits}", emit.signed(a, width, bits)), width)


def _word(emit: PtxFunctionEmitter, width: int, a: Operand) -> tuple[int, Operand]:
    """Return an integer in a register of at least 32 bits, and the width of the register."""
    bits = max(register_bits(width), 32)
    return bits, emit.resized(a, width, bits)


def _ones(emit: PtxFunctionEmitter, width: int, a: Operand) -> Operand:
    bits, word = _word(emit, width, a)
    return emit.resized(emit.compute(f"popc.b{bits}", word), 32, width)


def _leading(emit: PtxFunctionEmitter, width: int, a: Operand) -> Operand:
    bits, word = _word(emit, width, a)
    found: Operand = emit.compute(f"clz.b{bits}", word)
    if width < bits:
        found = emit.compute("sub.s32", found, IntegerConstant(bits - width))
    return emit.resized(found, 32, width)


def _trailing(emit: PtxFunctionEmitter, width: int, a: Operand) -> Operand:
    bits, word = _word(emit, width, a)
    if width < bits:
        word = emit.compute(f"or.b{bits}", word, IntegerConstant(1 << width))
    turned = emit.compute(f"brev.b{bits}", word)
    return emit.resized(emit.compute(f"clz.b{bits}", turned), 32, width)


def _reversed(emit: PtxFunctionEmitter, width: int, a: Operand) -> Operand:
    bits, word = _word(emit, width, a)
    turned: Operand = emit.compute(f"brev.b{bits}", word)
    if width < bits:
        turned = emit.compute(f"shr.u{bits}", turned, IntegerConstant(bits - width))
    return emit.resized(turned, bits, width) if bits != register_bits(width) else turned


BACKWARDS, SWAPPED_HALF = 0x0123, 0x4401
"""Selectors of ``prmt`` that reverse all four bytes of a word, or its low two."""


def _bytes_swapped(emit: PtxFunctionEmitter, width: int, a: Operand) -> Operand:
    if width == 64:
        low, high = emit.split(a, 64, 32)
        return emit.join([_bytes_swapped(emit, 32, high), _bytes_swapped(emit, 32, low)], 32)
    if width not in (16, 32):
        raise emit.refused(f"the bytes of i{width}", "use integers of 16, 32 or 64 bits")
    selector = BACKWARDS if width == 32 else SWAPPED_HALF
    word = emit.resized(a, width, 32)
    return emit.resized(
        emit.compute("prmt.b32", word, IntegerConstant(0), IntegerConstant(selector)), 32, width
    )


UNARY: dict[type[Operation], Rule] = {
    intrinsics.AbsOp: _unary(_absolute),
    intrinsics.CtPopOp: _unary(_ones),
    intrinsics.CountLeadingZerosOp: _unary(_leading),
    intrinsics.CountTrailingZerosOp: _unary(_trailing),
    intrinsics.BitReverseOp: _unary(_reversed),
    intrinsics.ByteSwapOp: _unary(_bytes_swapped),
}


# --- shifts of two integers


def _funnel(*, left: bool) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        width = emit.width(op.operands[0].type)
        emit.each_three(op, lambda a, b, c: _funnel_shift(emit, width, a, b, c, left=left))

    return rule


def _funnel_shift(
    emit: PtxFunctionEmitter, width: int, high: Operand, low: Operand, count: Operand, *, left: bool
) -> Operand:
    if width == 32:
        return emit.compute(f"shf.{'l' if left else 'r'}.wrap.b32", low, high, count)
    distance = emit.resized(count, width, 32)
    divide = "and.b32" if width & (width - 1) == 0 else "rem.u32"
    distance = emit.compute(divide, distance, IntegerConstant(width - 1 if divide == "and.b32" else width))
    rest = emit.compute("sub.s32", IntegerConstant(width - 1), distance)
    bits = register_bits(width)
    if left:
        upper = emit.compute(f"shl.b{bits}", high, distance)
        lower = emit.compute(f"shr.u{bits}", emit.compute(f"shr.u{bits}", low, IntegerConstant(1)), rest)
    else:
        upper = emit.compute(f"shl.b{bits}", emit.compute(f"shl.b{bits}", high, IntegerConstant(1)), rest)
        lower = emit.compute(f"shr.u{bits}", low, distance)
    return emit.masked(emit.compute(f"or.b{bits}", upper, lower), width)


FUNNELS: dict[type[Operation], Rule] = {
    intrinsics.FshlOp: _funnel(left=True),
    intrinsics.FshrOp: _funnel(left=False),
}

ROWS: dict[type[Operation], Rule] = {**BINARY, **UNARY, **FUNNELS, arithmetic.MulOp: _multiply}
