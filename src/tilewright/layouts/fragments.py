"""Fragments of matrix instructions: which element of a matrix each lane holds in each register, by the PTX ISA.

Lanes are numbered with two digits, (4, 8).  The operands of an instruction of M x N x K are the matrices A of M x K, B
of N x K (so that B is the mirror image of A), and C or D of M x N.
"""

from __future__ import annotations

import re

from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.layouts import codes as layouts_codes, linear, matrix_instructions
from tilewright.layouts.layout import Layout

FACTORS: dict[str, tuple[int, tuple[matrix_instructions.Shape, ...], tuple[str, ...]]] = {
    factor: (
        row.bits,
        tuple(one.shape for one in matrix_instructions.INSTRUCTIONS if factor in one.factors),
        row.sums,
    )
    for row in matrix_instructions.INSTRUCTIONS
    for factor in row.factors
}
"""Maps the type of the factors to the bits of an element, the shapes M x N x K of the instructions, and the
types of the accumulator.
"""
MATRICES = (1, 2, 4)
"""The numbers of 8 x 8 matrices of 16-bit elements that one ``ldmatrix`` or ``stmatrix`` can move."""

_MMA = re.compile(r"mma\.m(\d{1,3})n(\d{1,3})k(\d{1,3})\.([ABCD])\.(\w+)", re.ASCII)
_LDMATRIX = re.compile(r"ldmatrix\.x(\d)(\.trans)?", re.ASCII)


def fragment(name: str) -> linear.LinearLayout:
    """Return the layout of a fragment by its name, such as ``mma.m16n8k16.A.f16`` or ``ldmatrix.x4.trans``.
    Raises `DiagnosticError` if no instruction has it.
    """
    if found := _MMA.fullmatch(name):
        return mma_fragment((int(found[1]), int(found[2]), int(found[3])), found[4], found[5])
    if found := _LDMATRIX.fullmatch(name):
        return matrix_fragment(int(found[1]), transposed=found[2] is not None)
    raise _unknown(f"'{name}' is no fragment", "fragments are named mma.m16n8k16.A.f16 or ldmatrix.x4.trans")


def mma_fragment(shape: matrix_instructions.Shape, operand: str, type: str) -> linear.LinearLayout:
    """Return the layout of an operand of ``mma``, ``A``, ``B``, ``C`` or ``D``, for the shape M x N x K; the
    tile of B is N x K. ``type`` is the type of its elements; for C and D the type of the accumulator. Raises
    `DiagnosticError` if no instruction has this shape and type.
    """
    shapes = _shapes(operand, type)
    if shape not in shapes:
        known = ", ".join(f"m{m}n{n}k{k}" for m, n, k in shapes)
        words = f"mma has no shape m{shape[0]}n{shape[1]}k{shape[2]} for {operand} of {type}"
        raise _unknown(
            words, f"it has {known}" if known else f"types of {operand} are {', '.join(_types(operand))}"
        )
    m, n, k = shape
    if operand in "CD":
        return linear.linear_layout_of(_quad_layout(m, n, 2), (m, n))
    packed = max(32 // FACTORS[type][0], 1)
    rows = m if operand == "A" else n
    return linear.linear_layout_of(_quad_layout(rows, k, packed), (rows, k))


def _types(operand: str) -> list[str]:
    return (
        sorted({sum for *_, sums in FACTORS.values() for sum in sums}) if operand in "CD" else list(FACTORS)
    )


def _shapes(operand: str, type: str) -> tuple[matrix_instructions.Shape, ...]:
    if operand in "AB":
        return FACTORS[type][1] if type in FACTORS else ()
    return tuple(
        dict.fromkeys(shape for _, shapes, sums in FACTORS.values() if type in sums for shape in shapes)
    )


def _quad_layout(rows: int, columns: int, packed: int) -> Layout:
    """Return the layout of a matrix fragment, from (lane, value) to the number of the element, ``row + rows *
    column``. Lane l holds ``packed`` adjacent columns from ``packed * (l % 4)`` on in row l / 4; further
    values are first 8 rows below, then ``4 * packed`` columns on.
    """
    threads = Layout((4, 8), (packed * rows, 1))
    repeats = max(columns // (4 * packed), 1)
    values = Layout((packed, rows // 8, repeats), (rows, 8, 4 * packed * rows))
    return Layout.of((threads, values))


def matrix_fragment(matrices: int, *, transposed: bool = False) -> linear.LinearLayout:
    """Return the layout of the registers of a warp after ``ldmatrix`` of ``matrices`` matrices, with
    ``.trans`` if ``transposed``. The tile consists of 8x8 matrices stacked along dimension 0. Raises
    `DiagnosticError` unless ``matrices`` is 1, 2 or 4.
    """
    if matrices not in MATRICES:
        raise _unknown(f"ldmatrix does not load {matrices} matrices", "it loads 1, 2 or 4")
    rows = 8 * matrices
    threads, pair = ((4, 8), (2 * rows, 1)), rows
    if transposed:
        threads, pair = ((4, 8), (2, rows)), 1
    return linear.linear_layout_of(Layout.of((Layout(*threads), Layout((2, matrices), (pair, 8)))), (rows, 8))


def _unknown(message: str, hint: str) -> DiagnosticError:
    return failure(layouts_codes.UNKNOWN_FRAGMENT, message, hint=hint)
