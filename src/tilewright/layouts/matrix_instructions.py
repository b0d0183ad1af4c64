"""The matrix instructions of a warp, `mma`, as data: types, shapes, and the chips that have them.

This is the one table: fragments, atoms and code are derived from it.  Types are named as PTX names them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

Shape = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class MatrixInstruction:
    """A row of the table of `mma` instructions. ``shape`` is M x N x K; A and B may be of any of the types
    ``factors``, of ``bits`` each; C and D are of one of the types ``sums``. ``since`` is the first compute
    capability that has it, such as 80.
    """

    factors: tuple[str, ...]
    bits: int
    shape: Shape
    sums: tuple[str, ...]
    since: int

    @property
    def ptx_shape(self) -> str:
        """Return the shape in PTX's notation: ``m16n8k16``."""
        return "m{}n{}k{}".format(*self.shape)


@dataclass(frozen=True, slots=True)
class Multiplication:
    """A matrix instruction with the names of the element types of A, of B and of the sum."""

    instruction: MatrixInstruction
    a: str
    b: str
    sum: str

    @property
    def name(self) -> str:
        """Return the name by which the atom of a product refers to the instruction:
        ``mma_m16n8k16_f16_f16_f32``.
        """
        return f"mma_{self.instruction.ptx_shape}_{self.a}_{self.b}_{self.sum}"


def _rows(
    factors: str, bits: int, sums: str, shapes: tuple[tuple[int, Shape], ...]
) -> list[MatrixInstruction]:
    types = tuple(factors.split()), tuple(sums.split())
    return [MatrixInstruction(types[0], bits, shape, types[1], since) for since, shape in shapes]


INSTRUCTIONS: tuple[MatrixInstruction, ...] = (
    *_rows("f16", 16, "f16 f32", ((75, (16, 8, 8)), (80, (16, 8, 16)))),
    *_rows("bf16", 16, "f32", ((80, (16, 8, 8)), (80, (16, 8, 16)))),
    *_rows("tf32", 32, "f32", ((80, (16, 8, 4)), (80, (16, 8, 8)))),
    *_rows("f64", 64, "f64", ((80, (8, 8, 4)), (90, (16, 8, 4)), (90, (16, 8, 8)), (90, (16, 8, 16)))),
    *_rows("e4m3 e5m2", 8, "f16 f32", ((89, (16, 8, 16)), (89, (16, 8, 32)))),
    *_rows("s8 u8", 8, "s32", ((75, (8, 8, 16)), (80, (16, 8, 16)), (80, (16, 8, 32)))),
    *_rows("s4 u4", 4, "s32", ((75, (8, 8, 32)), (80, (16, 8, 32)), (80, (16, 8, 64)))),
    *_rows("b1", 1, "s32", ((75, (8, 8, 128)), (80, (16, 8, 128)), (80, (16, 8, 256)))),
)
"""Every dense instruction; `mma.m8n8k4` of f16, which later chips have for the sake of old programs only, is left out."""

_NAME = re.compile(r"mma_m(\d{1,3})n(\d{1,3})k(\d{1,3})_(\w+?)_(\w+?)_(\w+)", re.ASCII)


def multiplications(a: str, b: str, sum: str, capability: int) -> list[Multiplication]:
    """Return the matrix instructions for the types of A, B and the sum, by PTX's names, on a chip of compute
    capability `capability` (80 for sm_80), the largest shape first. The list is empty if there are none.
    """
    found = [
        Multiplication(row, a, b, sum)
        for row in INSTRUCTIONS
        if {a, b} <= set(row.factors) and sum in row.sums and row.since <= capability
    ]
    return sorted(found, key=lambda one: one.instruction.shape, reverse=True)


def multiplication(name: str) -> Multiplication | None:
    """Return the instruction of a name such as ``mma_m16n8k16_f16_f16_f32``, whichever chips have it; None if
    no chip has.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    shape = int(found[1]), int(found[2]), int(found[3])
    newest = max(row.since for row in INSTRUCTIONS)
    rows = multiplications(found[4], found[5], found[6], newest)
    return next((one for one in rows if one.instruction.shape == shape), None)
