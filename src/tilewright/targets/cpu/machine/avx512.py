"""Elementary functions on AVX-512 instructions that split and scale floats, special values included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from tilewright.dialects.llvm.intrinsics.float import RoundEvenOp
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, control as llvm_control
from tilewright.ir import builtin_types
from tilewright.ir.value import Value
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math import coefficients as tables, exponential, logarithm, polynomial
from tilewright.targets.llvm.code import LlvmBuilder

REGISTER = 64
"""The size of a register in bytes."""
SUFFIXES: Mapping[builtin_types.FloatType, str] = {builtin_types.f32: "ps.512", builtin_types.f64: "pd.512"}
CURRENT_MODE = 4
"""The rounding operand that selects the current rounding mode."""
FROM_ONE = 0b1100
"""The immediate for mantissas in [1, 2); negative numbers give NaN, zeros give 1."""
ROOT_OF_TWO = sqrt(2.0)
SMALLER_MAGNITUDE = 0b0110
"""The immediate that selects the operand of smaller magnitude, with its own sign."""


# --- instructions on vectors of any length


@dataclass(frozen=True, slots=True)
class Avx512Intrinsic:
    """An intrinsic: its name between ``llvm.x86.avx512.`` and the type, such as ``mask.scalef``, its
    immediate operand if it has one, and whether it `rounds`: takes an operand for the rounding mode.
    """

    name: str
    immediate: int | None = None
    rounds: bool = True

    def __call__(self, *operands: Expression) -> Expression:
        """Apply the instruction to as many registers as the lanes of the first operand fill; the result has
        as many lanes, and scalars are broadcast.
        """
        first = operands[0]
        width = REGISTER * 8 // first.element.width
        pieces = [_registers(operand, width) for operand in operands]
        results = [self._on_register(first, part) for part in zip(*pieces, strict=True)]
        return first.of(_joined(first.code, results, first.lanes))

    def _on_register(self, model: Expression, operands: Sequence[Value]) -> Value:
        code, lanes = model.code, REGISTER * 8 // model.element.width
        immediate = [] if self.immediate is None else [code.integer(self.immediate, builtin_types.i32)]
        mode = [code.integer(CURRENT_MODE, builtin_types.i32)] if self.rounds else []
        everything = code.integer(-1, builtin_types.IntegerType(lanes))
        made = llvm_control.CallIntrinsicOp(
            intrin=f"llvm.x86.avx512.{self.name}.{SUFFIXES[model.element]}",
            op_bundle_sizes=(),
            args=(*operands, *immediate, operands[0], everything, *mode),
            result_types=[operands[0].type],
        )
        return code.insert(made).results[0]


def _registers(x: Expression, width: int) -> list[Value]:
    """Return the lanes of `x` as vectors of `width` lanes; a scalar is broadcast.

    Unused lanes of the last vector are undefined.
    """
    code = x.code
    if x.lanes == 1:
        return [code.broadcast(x.value, width)]
    if x.lanes == width:
        return [x.value]
    starts = range(0, x.lanes, width)
    lanes = [[at if at < x.lanes else -1 for at in range(start, start + width)] for start in starts]
    return [code.shuffle(x.value, x.value, mask) for mask in lanes]


def _joined(code: LlvmBuilder, parts: Sequence[Value], lanes: int) -> Value:
    """Return the first `lanes` lanes of the registers `parts` as one vector; a scalar if `lanes` is 1. The
    number of registers is a power of two.
    """
    vectors = list(parts)
    if lanes == 1:
        return code(llvm_aggregate.ExtractElementOp, vectors[0], code.integer(0))
    while len(vectors) > 1:
        size = 2 * _length(vectors[0])
        vectors = [
            code.shuffle(low, high, range(size))
            for low, high in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0] if _length(vectors[0]) == lanes else code.shuffle(vectors[0], vectors[0], range(lanes))


def _length(vector: Value) -> int:
    assert isinstance(vector.type, builtin_types.VectorType)
    return vector.type.shape[0]


scaled = Avx512Intrinsic("mask.scalef")
"""Return ``x * 2**floor(y)``, rounded once; 0 or infinity for an infinite ``y``, even if ``x`` is NaN."""
exponent_of = Avx512Intrinsic("mask.getexp")
"""Return the exponent of a number as a float; infinite for zero and infinity."""
mantissa_of = Avx512Intrinsic("mask.getmant", FROM_ONE)
bounded = Avx512Intrinsic("mask.range", SMALLER_MAGNITUDE)
"""Return the number or the bound, whichever has the smaller magnitude; the bound for NaN."""
near_reciprocal_root = Avx512Intrinsic("rsqrt14", rounds=False)
"""Return ``1 / sqrt(x)`` to 14 bits."""


# --- functions


@dataclass(frozen=True, slots=True)
class FormatCoefficients:
    """The coefficients for one float format.

    - ``ln2``: ``log(2)`` as a sum of floats, largest first.
    - ``natural``, ``binary``: the polynomials for ``e**x`` and ``2**x``, from power 0 on.
    - ``root_steps``: the number of Newton steps to a reciprocal square root.
    """

    ln2: Sequence[float]
    natural: Sequence[float]
    binary: Sequence[float]
    root_steps: int


TABLES: Mapping[builtin_types.FloatType, FormatCoefficients] = {
    builtin_types.f32: FormatCoefficients(tables.LN2, (1.0, 1.0, *tables.EXPM1), (1.0, *tables.EXP2_HALF), 1),
    builtin_types.f64: FormatCoefficients(
        tables.LN2_DOUBLE, (1.0, 1.0, *tables.EXPM1_DOUBLE), (1.0, *tables.EXP2_HALF_DOUBLE), 2
    ),
}
LARGEST_REST = 0.5
"""The bound for the magnitude of the remainder of `exp`.

It only changes remainders of arguments whose result is infinite or 0.
"""


def exp(x: Expression) -> Expression:
    """Return ``e**x`` in the format of `x`."""
    table = TABLES[x.element]
    magic = exponential.ONE_AND_A_HALF * 2.0**x.element.format.mantissa_bits
    count = x.fma(exponential.LOG2_E, magic) - magic
    rest = count.fma(-table.ln2[1], count.fma(-table.ln2[0], x))
    rest = bounded(rest, rest.constant(LARGEST_REST))
    return scaled(polynomial.horner(rest, table.natural), count)


def exp2(x: Expression) -> Expression:
    """Return ``2**x`` in the format of `x`."""
    count = x.apply(RoundEvenOp)
    return scaled(polynomial.horner(x - count, TABLES[x.element].binary), count)


def split(x: Expression) -> tuple[Expression, Expression]:
    """Return ``n`` and ``f`` with ``x = 2**n * (1 + f)``, as `log` needs them (see `logarithm`).

    ``n`` is infinite for 0 and infinity, and ``f`` is NaN for negative numbers.
    """
    mantissa, exponent = mantissa_of(x), exponent_of(x)
    is_large = mantissa.compare("OGE", ROOT_OF_TWO)
    mantissa = is_large.select(mantissa * 0.5, mantissa)
    return is_large.select(exponent + 1.0, exponent), mantissa - 1.0


def log(x: Expression) -> Expression:
    """Return the natural logarithm of ``x``."""
    return logarithm.natural(*split(x))


def log2_(x: Expression) -> Expression:
    """Return the logarithm of ``x`` to base 2."""
    return logarithm.binary(*split(x))


def reciprocal_root(x: Expression) -> Expression:
    """Return ``1 / sqrt(x)`` by Newton steps. A NaN in the first step, at 0 and infinity, is replaced by the
    bound.
    """
    root = near_reciprocal_root(x)
    limit = x.constant(LARGEST_REST)
    for _ in range(TABLES[x.element].root_steps):
        missing = bounded((x * root).fma(-root, 1.0), limit)
        root = (root * missing).fma(missing.fma(0.375, 0.5), root)
    return root


FUNCTIONS: Mapping[str, polynomial.Formula] = {
    "exp": exp,
    "exp2": exp2,
    "log": log,
    "log2": log2_,
    "rsqrt": reciprocal_root,
}
"""The functions that prefer these formulas, by name."""
