"""The declaration of the ``nvgpu`` dialect: its operations, types and attributes."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.ir import builtin_types, dialect
from tilewright.ir.declaration.attribute_kind import ArrayKind, IntegerKind
from tilewright.ir.declaration.constraint import IsClass, TypeVariable
from tilewright.ir.declaration.fields import attr_def, flag_def, operand_def, result_def
from tilewright.ir.declaration.traits import Pure, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

FRAGMENT = IsClass(builtin_types.VectorType, "vector of any type values")
LANES = 32


class MmaSyncOp(StandardOp, name="nvgpu.mma.sync"):
    """Multiplies two matrices that are distributed over a warp and adds a third; each lane has a fragment of
    each matrix, a vector of rank 2 with a 32nd of the elements.
    """

    matrixA: Value = operand_def(FRAGMENT, "The fragment of A in this lane.")
    matrixB: Value = operand_def(FRAGMENT, "The fragment of B in this lane.")
    matrixC: Value = operand_def(TypeVariable("C", FRAGMENT), "The fragment of the accumulator in this lane.")
    mmaShape: tuple[int, ...] = attr_def(ArrayKind(IntegerKind()), "The extents M, N and K.")
    tf32Enabled: bool = flag_def("Whether factors of f32 are rounded to tf32.", default=False)
    res: Value = result_def(TypeVariable("C", FRAGMENT), "The fragment of the sum in this lane.")
    assembly_format = (
        "`(` $matrixA `,` $matrixB `,` $matrixC `)` attr-dict `:` "
        "`(` type($matrixA) `,` type($matrixB) `,` type($matrixC) `)` `->` type($res)"
    )
    traits = (Pure(),)

    def verify_(self) -> None:
        if len(self.mmaShape) != 3:
            raise VerifyError("expects the extents M, N and K in 'mmaShape'")
        m, n, k = self.mmaShape
        for name, extents in (("matrixA", m * k), ("matrixB", k * n), ("matrixC", m * n)):
            _check_fragment(name, getattr(self, name).type, extents)


def _check_fragment(name: str, type: builtin_types.VectorType, elements: int) -> None:
    held = type.shape[0] * type.shape[1] if len(type.shape) == 2 else 0
    if held * LANES != elements:
        raise VerifyError(f"expects '{name}' of rank 2 with {elements // LANES} elements, got {type}")


OPERATIONS: tuple[type[Operation], ...] = (MmaSyncOp,)
"""The operations of this module."""


NVGPU = dialect.Dialect("nvgpu", doc="Instructions of NVIDIA GPUs on vectors.", operations=OPERATIONS)
