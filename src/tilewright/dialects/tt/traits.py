"""Traits of Triton's operations, with the messages of its verifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tilewright.dialects.common import base, traits as common_traits
from tilewright.dialects.tt.types import element_count
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.declaration.traits import Pure, Trait, TypesSatisfy, VerifyError
from tilewright.ir.operation import Operation

MAXIMUM_ELEMENTS = 1 << 20
"""The most elements that a tensor may have."""


class WritesMemory(Trait):
    """The operation writes memory, or has other side effects such as printing."""


class TensorSize(Trait):
    """Tensors have a power of two of elements, and at most 1,048,576."""

    def verify(self, op: Operation) -> None:
        for type in (*op.operand_types, *op.result_types):
            count = element_count(type)
            if count > MAXIMUM_ELEMENTS:
                raise VerifyError(
                    f"Maximum allowed number of elements is {MAXIMUM_ELEMENTS}, but {shown(op)} has more than that",
                    prefix=False,
                )
            if count & (count - 1):
                raise VerifyError(
                    f"Number of elements must be power-of-two, but {shown(op)} doesn't follow the rule "
                    f"({count}) elements",
                    prefix=False,
                )


def shown(op: Operation) -> str:
    """Return the text of an operation as messages quote it."""
    from tilewright.ir.text.printer import text_in_message

    return text_in_message(op)


def encoding_of(type: Type) -> Attribute | None:
    """Return the layout of a tensor; None if it has none, and for other types."""
    return type.encoding if isinstance(type, RankedTensorType) else None


def _agree(types: Iterable[Type], first: Attribute | None) -> bool:
    others = (encoding_of(type) for type in types)
    return first is None or all(other is None or other is first for other in others)


class SameOperandsEncoding(Trait):
    """The encodings (layouts) of all operands are equal to the encoding of the first operand; an operand
    without an encoding agrees with every encoding.
    """

    local = True
    words = "requires the same encoding for all operands"

    def verify(self, op: Operation) -> None:
        if op.operands and not _agree(op.operand_types, encoding_of(op.operand_types[0])):
            raise VerifyError(SameOperandsEncoding.words)


class SameEncoding(SameOperandsEncoding):
    """The encodings (layouts) of all operands and results are equal to the encoding of the first operand; a
    type without an encoding agrees with every encoding.
    """

    words = "requires the same encoding for all operands and results"

    def verify(self, op: Operation) -> None:
        if op.operands and not _agree(op.result_types, encoding_of(op.operand_types[0])):
            raise VerifyError(self.words)
        super().verify(op)


def _extents(type: Type) -> tuple[int, ...]:
    return type.shape if isinstance(type, RankedTensorType) else ()


class SameAccessOperandsShape(Trait):
    """All operands and results have the shape of the first operand, the pointer."""

    local = True

    def verify(self, op: Operation) -> None:
        first = _extents(op.operand_types[0])
        if any(_extents(type) != first for type in op.result_types):
            raise VerifyError(common_traits.SAME_SHAPE)
        if any(_extents(type) != first for type in op.operand_types):
            raise VerifyError("requires the same shape for all operands")


class TypesMatch(TypesSatisfy):
    """The field `target` has the type that `follows` computes from the type of the field `source`. The trait
    holds if an optional field is absent; `words` is the message otherwise.
    """

    def __init__(self, words: str, source: str, target: str, follows: Callable[[Type], Type]) -> None:
        def holds(given: Type, found: Type) -> bool:
            return follows(given) is found

        super().__init__(words, holds, source, target)


def identity(type: Type) -> Type:
    """Return `type` itself: no change."""
    return type


TENSOR_SIZE = TensorSize()
"""Every operation of the dialect has this trait; it is checked after its others."""
CAST = (
    common_traits.ElementwiseMappable(),
    common_traits.SameOperandsAndResultShape(),
    SameEncoding(),
    Pure(),
    TENSOR_SIZE,
)
"""The traits of operations that turn each element into one of another type."""
SAME_TYPE = (
    common_traits.ElementwiseMappable(),
    common_traits.SameOperandsAndResultType(),
    Pure(),
    TENSOR_SIZE,
)
"""The traits of operations on elements whose operands and result have one type."""


class TritonOp(base.StandardOp):
    """The base of the operations of ``tt``. Fields have the names that they have in Triton."""

    def writes_memory(self) -> bool:
        """Return whether the operation may change memory or the world outside."""
        return self.kind.has_trait(WritesMemory)


class TritonSameTypeOp(base.SameTypeOp):
    """The base of operations of ``tt`` whose result has the type of their operands."""
