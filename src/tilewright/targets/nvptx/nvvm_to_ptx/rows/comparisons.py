"""Comparisons of integers and floats, and selections."""

from __future__ import annotations

from tilewright.dialects.llvm.enums import FloatPredicate, IntegerPredicate
from tilewright.dialects.llvm.intrinsics import float as float_intrinsics, integer as intrinsics
from tilewright.dialects.llvm.ops import arithmetic
from tilewright.ir.builtin_types import bf16, f64
from tilewright.ir.operation import Operation
from tilewright.ptx.model import IntegerConstant, Operand
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule, is_wide
from tilewright.targets.nvptx.nvvm_to_ptx.legal import lanes_of, register_bits
from tilewright.targets.nvptx.nvvm_to_ptx.rows.floats import float_type, widened

INTEGER_ORDERS: dict[IntegerPredicate, tuple[str, str]] = {
    IntegerPredicate.EQ: ("eq", "b"),
    IntegerPredicate.NE: ("ne", "b"),
    IntegerPredicate.SLT: ("lt", "s"),
    IntegerPredicate.SLE: ("le", "s"),
    IntegerPredicate.SGT: ("gt", "s"),
    IntegerPredicate.SGE: ("ge", "s"),
    IntegerPredicate.ULT: ("lt", "u"),
    IntegerPredicate.ULE: ("le", "u"),
    IntegerPredicate.UGT: ("gt", "u"),
    IntegerPredicate.UGE: ("ge", "u"),
}
"""The PTX relation and the kind of type of each predicate."""
FLOAT_ORDERS: dict[FloatPredicate, str] = {
    FloatPredicate.OEQ: "eq",
    FloatPredicate.OGT: "gt",
    FloatPredicate.OGE: "ge",
    FloatPredicate.OLT: "lt",
    FloatPredicate.OLE: "le",
    FloatPredicate.ONE: "ne",
    FloatPredicate.ORD: "num",
    FloatPredicate.UEQ: "equ",
    FloatPredicate.UGT: "gtu",
    FloatPredicate.UGE: "geu",
    FloatPredicate.ULT: "ltu",
    FloatPredicate.ULE: "leu",
    FloatPredicate.UNE: "neu",
    FloatPredicate.UNO: "nan",
}
CERTAIN = {FloatPredicate.FALSE: 0, FloatPredicate.TRUE: 1}


def compared(
    emit: PtxFunctionEmitter, order: IntegerPredicate, width: int, a: Operand, b: Operand
) -> Operand:
    """Return the predicate that is true if the relation `order` holds between the integers `a` and `b` of
    `width` bits.
    """
    relation, kind = INTEGER_ORDERS[order]
    bits = 32 if width == 1 else register_bits(width)
    if kind == "s":
        a, b = emit.signed(a, width, bits), emit.signed(b, width, bits)
    elif width == 1:
        a, b = emit.resized(a, 1, 32), emit.resized(b, 1, 32)
    return emit.compute(f"setp.{relation}.{kind}{bits}", a, b)


def _integers(emit: PtxFunctionEmitter, op: arithmetic.ICmpOp) -> None:
    if is_wide(op.lhs.type):
        emit.bind(op.res, [_wide(emit, op)])
        return
    width = emit.width(op.lhs.type)
    emit.each_two(op, lambda a, b: compared(emit, op.predicate, width, a, b))


def _wide(emit: PtxFunctionEmitter, op: arithmetic.ICmpOp) -> Operand:
    """Return the predicate of a comparison of 128-bit integers. It compares the high halves, and the low
    halves if the high halves are equal.
    """
    (a, b), (c, d) = emit.parts(op.lhs), emit.parts(op.rhs)
    relation, kind = INTEGER_ORDERS[op.predicate]
    if kind == "b":
        low, high = emit.compute("setp.eq.b64", a, c), emit.compute("setp.eq.b64", b, d)
        both = emit.compute("and.pred", low, high)
        return both if relation == "eq" else emit.compute("not.pred", both)
    low = emit.compute(f"setp.{relation}.u64", a, c)
    high = emit.compute(f"setp.{relation[0]}t.{kind}64", b, d)
    equal = emit.compute("setp.eq.b64", b, d)
    return emit.compute("or.pred", high, emit.compute("and.pred", equal, low))


def _floats(emit: PtxFunctionEmitter, op: arithmetic.FCmpOp) -> None:
    if op.predicate in CERTAIN:
        emit.bind(op.res, [IntegerConstant(CERTAIN[op.predicate])] * lanes_of(op.res.type))
        return
    element = float_type(op.lhs.type)
    name, order = element.spelling, FLOAT_ORDERS[op.predicate]
    if element is bf16 and not emit.has("setp.eq.bf16"):
        spelling = f"setp.{order}.f32"
        emit.each_two(op, lambda a, b: emit.compute(spelling, widened(emit, bf16, a), widened(emit, bf16, b)))
        return
    flush = ".ftz" if emit.flushes and name == "f32" else ""
    emit.each_two(op, lambda a, b: emit.compute(f"setp.{order}{flush}.{name}", a, b))


def _select(emit: PtxFunctionEmitter, op: arithmetic.SelectOp) -> None:
    """Select one of two values: by registers for a scalar condition, by lanes for a vector."""
    if lanes_of(op.condition.type) > 1:
        width = emit.width(op.res.type)
        emit.each_three(op, lambda c, a, b: chosen(emit, 1 if width == 1 else register_bits(width), c, a, b))
        return
    condition = emit.part(op.condition)
    triples = zip(emit.parts(op.trueValue), emit.parts(op.falseValue), emit.slots(op.res.type), strict=True)
    emit.bind(op.res, [chosen(emit, slot.register.bits, condition, a, b) for a, b, slot in triples])


def chosen(emit: PtxFunctionEmitter, bits: int, condition: Operand, a: Operand, b: Operand) -> Operand:
    """Return ``a`` if the predicate `condition` is true, otherwise ``b``: both are registers or constants of
    `bits` bits, predicates if `bits` is 1. A constant condition emits no code.
    """
    if isinstance(condition, IntegerConstant):
        return a if condition.value & 1 else b
    if bits > 1:
        return emit.compute(f"selp.b{bits}", a, b, condition)
    first = emit.compute("and.pred", condition, a)
    second = emit.compute("and.pred", emit.compute("not.pred", condition), b)
    return emit.compute("or.pred", first, second)


def _three_way(less: IntegerPredicate, greater: IntegerPredicate) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        width, target = emit.width(op.operands[0].type), emit.width(op.results[0].type)
        bits = register_bits(target)

        def lane(a: Operand, b: Operand) -> Operand:
            below = compared(emit, less, width, a, b)
            above = compared(emit, greater, width, a, b)
            rest = emit.compute(f"selp.b{bits}", IntegerConstant(1), IntegerConstant(0), above)
            return emit.compute(f"selp.b{bits}", IntegerConstant((1 << target) - 1), rest, below)

        emit.each_two(op, lane)

    return rule


CLASSES = ((0x3, "nan"), (0x204, "infinite"), (0x108, "normal"), (0x90, "subnormal"), (0x60, "zero"))
"""The tests of `llvm.is.fpclass`: two bits of its mask, and the class that both stand for. The bits are the
two signs of the class, or quiet and signalling NaN.
"""
NEGATIVE = 0x3C
"""The bits of the mask of `llvm.is.fpclass` that stand for negative numbers."""


def _classified(emit: PtxFunctionEmitter, op: float_intrinsics.IsFPClassOp) -> None:
    element = float_type(op.in_.type)
    name = "f64" if element is f64 else "f32"
    if name == "f32" and element.width < 32 and op.bit & 0x198:
        hint = "convert to f32 first, if the classes of f32 are meant"
        raise emit.refused(f"normal and subnormal numbers of {element.spelling}", hint)
    if op.bit & 3 in (1, 2):
        raise emit.refused("quiet and signalling NaN cannot be distinguished", "test for both")
    emit.map_lanes(op, lambda a: _class(emit, name, op.bit, widened(emit, element, a)))


def _class(emit: PtxFunctionEmitter, name: str, wanted: int, value: Operand) -> Operand:
    found: Operand = IntegerConstant(0)
    for bits, test in CLASSES:
        if not wanted & bits:
            continue
        holds = _test(emit, name, test, value)
        if bits != 0x3 and wanted & bits != bits:
            sign = "lt" if wanted & bits & NEGATIVE else "ge"
            width = name[1:]
            signed = emit.compute(f"setp.{sign}.s{width}", value, IntegerConstant(0))
            holds = emit.compute("and.pred", holds, signed)
        found = holds if isinstance(found, IntegerConstant) else emit.compute("or.pred", found, holds)
    return found


def _test(emit: PtxFunctionEmitter, name: str, test: str, value: Operand) -> Operand:
    if test == "nan":
        return emit.compute(f"setp.nan.{name}", value, value)
    if test == "zero":
        return emit.compute(f"setp.eq.{name}", value, IntegerConstant(0))
    holds = emit.compute(f"testp.{test}.{name}", value)
    if test != "normal":
        return holds
    other = emit.compute(f"setp.neu.{name}", value, IntegerConstant(0))  # zeros are normal in PTX
    return emit.compute("and.pred", holds, other)


ROWS: dict[type[Operation], Rule] = {
    arithmetic.ICmpOp: _integers,
    arithmetic.FCmpOp: _floats,
    arithmetic.SelectOp: _select,
    float_intrinsics.IsFPClassOp: _classified,
    intrinsics.SCmpOp: _three_way(IntegerPredicate.SLT, IntegerPredicate.SGT),
    intrinsics.UCmpOp: _three_way(IntegerPredicate.ULT, IntegerPredicate.UGT),
}
