"""The declaration of the ``tt`` dialect: its operations, types and attributes."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.arith.dialect import materialize_constant
from tilewright.dialects.tt import attributes as tt_attributes, types as tt_types
from tilewright.dialects.tt.ops import (
    arithmetic,
    atomic,
    cast,
    descriptor,
    dot,
    external,
    function,
    memory,
    program,
    reduction,
    shape,
)
from tilewright.dialects.tt.ops.function import ReturnOp
from tilewright.ir.dialect import Dialect
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class TritonInliner(InlinerInterface):
    """Allows every operation of the dialect to be inlined; the operands of `tt.return` become the results of
    the call.
    """

    def returned(self, op: Operation) -> Sequence[Value] | None:
        return op.operands if isinstance(op, ReturnOp) else None


HAND_WRITTEN_SYNTAX = ("tt.func", "tt.make_tensor_descriptor")
"""Operations whose custom syntax is not, or not only, written in the declaration."""

OPERATIONS: tuple[type[Operation], ...] = (
    *function.OPERATIONS,
    *program.OPERATIONS,
    *memory.OPERATIONS,
    *atomic.OPERATIONS,
    *descriptor.OPERATIONS,
    *shape.OPERATIONS,
    *cast.OPERATIONS,
    *arithmetic.OPERATIONS,
    *dot.OPERATIONS,
    *reduction.OPERATIONS,
    *external.OPERATIONS,
)


TT = Dialect(
    "tt",
    doc="Triton's kernels, as its front end makes them: programs on tensors of known shape.",
    operations=OPERATIONS,
    types=tt_types.TYPES,
    attributes=tt_attributes.ATTRIBUTES,
    materialize_constant=materialize_constant,
    interfaces=(TritonInliner(),),
    depends_on=("arith", "math", "scf", "cf", "ub"),
)
