"""Traits of the standard dialects that MLIR has and the verifier enforces, with MLIR's messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.dialects.common.constraints import (
    SHAPED_TYPES,
    VALUE_SHAPED,
    element_type_or_self,
)
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration import traits as ir_traits
from tilewright.ir.dominance import GraphRegion as GraphRegion
from tilewright.ir.operation import Operation

SAME_TYPE = "requires the same type for all operands and results"
SAME_SHAPE = "requires the same shape for all operands and results"


def shape(type: Type) -> tuple[int, ...] | None:
    """Return the shape of a ranked shaped type; None for scalars and unranked types."""
    return (
        type.shape
        if isinstance(
            type, builtin_types.VectorType | builtin_types.RankedTensorType | builtin_types.MemRefType
        )
        else None
    )


def compatible_shapes(types: Sequence[Type]) -> bool:
    """Return whether types are all scalars, or all shaped types of the same rank whose static extents agree.
    An unranked type fits every rank. Vectors must also agree in their scalable dimensions.
    """
    shaped = [type for type in types if isinstance(type, SHAPED_TYPES)]
    if len(shaped) not in (0, len(types)):
        return False
    shapes = [extents for extents in map(shape, shaped) if extents is not None]
    if len({len(extents) for extents in shapes}) > 1:
        return False
    if len({type.scalable for type in shaped if isinstance(type, builtin_types.VectorType)}) > 1:
        return False
    return all(len(set(extents) - {builtin_types.DYNAMIC}) <= 1 for extents in zip(*shapes, strict=True))


def all_types(op: Operation) -> list[Type]:
    """Return the types of all operands, then of all results."""
    return [value.type for value in (*op.operands, *op.results)]


class SameOperandsAndResultType(ir_traits.Trait):
    """All operands and results have the same type; an extent of a tensor may be dynamic in some of them, if
    the results have the types that `infer_result_types` of the op class returns.
    """

    local = True

    def verify(self, op: Operation) -> None:
        types = all_types(op)
        if any(type is not types[0] for type in types):
            check_same_type(types)
            check_inferred(op)


def check_same_type(types: Sequence[Type]) -> None:
    """Raise `VerifyError` unless the types are equal, apart from dynamic extents."""
    if len(set(map(element_type_or_self, types))) > 1 or not compatible_shapes(types):
        raise ir_traits.VerifyError(SAME_TYPE)


def check_inferred(op: Operation) -> None:
    """Raise `VerifyError` unless the results have the types that `infer_result_types` of the operation's
    class returns.
    """
    inferred = list(op.kind.op_class.infer_result_types(op.operands, op.held_attributes, op.regions))
    if inferred != list(op.result_types):
        raise ir_traits.VerifyError(
            f"inferred type(s) {_quoted(inferred)} are incompatible with return type(s) of operation "
            f"{_quoted(op.result_types)}"
        )


def _quoted(types: Sequence[Type]) -> str:
    return ", ".join(f"'{type}'" for type in types)


class SameOperandsAndResultShape(ir_traits.Trait):
    """All operands and results are scalars, or all have compatible shapes (`compatible_shapes`): a dynamic
    extent fits every extent.
    """

    local = True

    def verify(self, op: Operation) -> None:
        if not compatible_shapes(all_types(op)):
            raise ir_traits.VerifyError(SAME_SHAPE)


class SameTypeOperands(ir_traits.Trait):
    """All operands have the same type."""

    local = True

    def verify(self, op: Operation) -> None:
        if len({operand.type for operand in op.operands}) > 1:
            raise ir_traits.VerifyError("requires all operands to have the same type")


class ElementwiseMappable(ir_traits.Elementwise):
    """Operates on scalars, and on vectors and tensors element by element. All vectors and tensors among
    operands and results have one shape and base type. If there is one among the operands, all results are
    such types; otherwise all results are scalars.
    """

    def verify(self, op: Operation) -> None:
        operands = [value.type for value in op.operands if isinstance(value.type, VALUE_SHAPED)]
        results = [value.type for value in op.results if isinstance(value.type, VALUE_SHAPED)]
        if not operands and not results:
            return
        if not operands:
            raise ir_traits.VerifyError(
                "if a result is non-scalar, then at least one operand must be non-scalar"
            )
        if not results:
            raise ir_traits.VerifyError(
                "if an operand is non-scalar, then there must be at least one non-scalar result"
            )
        if len(results) != len(op.results):
            raise ir_traits.VerifyError("if an operand is non-scalar, then all results must be non-scalar")
        types = [*operands, *results]
        if len(set(map(type, types))) > 1 or not compatible_shapes(types):
            raise ir_traits.VerifyError(
                "all non-scalar operands/results must have the same shape and base type"
            )


class ElementwiseSameType(SameOperandsAndResultType, ElementwiseMappable):
    """An elementwise operation whose operands and results all have one type, apart from dynamic extents."""

    def verify(self, op: Operation) -> None:
        types = all_types(op)
        if any(type is not types[0] for type in types):
            check_same_type(types)
            ElementwiseMappable.verify(self, op)
            check_inferred(op)


def same_type(*fields: str) -> ir_traits.Matching:
    """Return the trait that all the operands and results named `fields` have one type."""
    return ir_traits.Matching("same type", lambda type: type, *fields)


class PredicateTrait(ir_traits.Trait):
    """A predicate on the operation, with a description for the message ``failed to verify that ...``.

    It depends only on attributes and the types of operands and results.
    """

    local = True

    def __init__(self, words: str, holds: Callable[[Operation], bool]) -> None:
        self.words = words
        self.holds = holds

    def verify(self, op: Operation) -> None:
        if not self.holds(op):
            raise ir_traits.VerifyError(f"failed to verify that {self.words}")

    @property
    def description(self) -> str:
        return self.words


def tensor_extents(type: Type) -> tuple[int, ...] | str:
    """Return the extents of a ranked tensor, ``"*"`` for an unranked tensor, and an empty tuple for types
    that are no tensors.
    """
    if isinstance(type, builtin_types.UnrankedTensorType):
        return "*"
    return type.shape if isinstance(type, builtin_types.RankedTensorType) else ()


class Cast(ElementwiseMappable):
    """Converts an operand to a result of the same shape, if ``compatible`` allows the pair of the operand's
    and the result's types, which may be vectors or tensors. Without ``same_shape``, a wrong shape of a vector
    is reported as a cast between incompatible types; tensors with other extents have a message of their own.
    """

    def __init__(self, compatible: Callable[[Type, Type], bool], *, same_shape: bool = True) -> None:
        self.compatible = compatible
        self.same_shape = same_shape

    def verify(self, op: Operation) -> None:
        source, target = op.operands[0].type, op.results[0].type
        if tensor_extents(source) != tensor_extents(target):
            raise ir_traits.VerifyError(
                "failed to verify that input and output have the same tensor dimensions"
            )
        if self.same_shape and not compatible_shapes((source, target)):
            raise ir_traits.VerifyError(SAME_SHAPE)
        super().verify(op)
        if not compatible_shapes((source, target)) or not self.compatible(source, target):
            raise ir_traits.VerifyError(cast_message(op))


def cast_message(op: Operation) -> str:
    """Return MLIR's message for a cast between types that do not fit."""
    plural = "s" if len(op.operands) > 1 else ""
    return (
        f"operand type{plural} {_quoted(op.operand_types)} and result type {_quoted(op.result_types)} "
        "are cast incompatible"
    )


class SingleBlockImplicitTerminator(ir_traits.SingleBlock, ir_traits.ImplicitTerminator):
    """Every region has one block at most, which ends in the operation ``name``."""

    def verify(self, op: Operation) -> None:
        super().verify(op)
        for region in op.regions:
            last = region.blocks[0].last if region.blocks else None
            if last is not None and last.kind.name != self.name:
                note = f"in custom textual format, the absence of terminator implies '{self.name}'"
                message = f"expects regions to end with '{self.name}', found '{last.name}'"
                raise ir_traits.VerifyError(message, notes=((note, op.location),))


class NoEntryBlockArguments(ir_traits.Trait):
    """Entry blocks take no arguments."""

    def verify(self, op: Operation) -> None:
        for number, region in enumerate(op.regions):
            if region.blocks and region.blocks[0].arguments:
                which = f"region #{number}" if len(op.regions) > 1 else "region"
                raise ir_traits.VerifyError(f"{which} should have no arguments")


class ReturnLike(ir_traits.Terminator):
    """Ends a region and passes its operands to the operation around it."""


class AutomaticAllocationScope(ir_traits.Trait):
    """Frees the stack memory that is allocated in its regions when the operation ends."""


class HasParallelRegion(ir_traits.Trait):
    """The iterations of the region may be executed in parallel."""


class ParallelCombining(ir_traits.Trait):
    """May be used in `scf.forall.in_parallel`: inserts the result of one thread into a shared result."""


class SymbolWithVisibility(ir_traits.Symbol):
    """Has a name in the enclosing symbol table (with ``optional``, the name may be missing), and the
    visibility ``public``, ``private`` or ``nested``, or none.
    """

    def __init__(self, *, optional: bool = False) -> None:
        self.optional = optional

    def verify(self, op: Operation) -> None:
        if not self.optional:
            super().verify(op)
        check_visibility(op.held_attributes.get("sym_visibility"))


def check_visibility(attribute: Attribute | None) -> None:
    """Raise `VerifyError` unless a visibility is absent (None) or an attribute with the value ``public``,
    ``private`` or ``nested``.
    """
    value = getattr(attribute, "value", None)
    if attribute is not None and value not in ("public", "private", "nested"):
        raise ir_traits.VerifyError(
            f'visibility expected to be one of ["public", "private", "nested"], but got "{value}"'
        )


class SameOperandsElementType(ir_traits.Trait):
    """All operands have the same element type."""

    def verify(self, op: Operation) -> None:
        if len({element_type_or_self(operand.type) for operand in op.operands}) > 1:
            raise ir_traits.VerifyError("requires the same element type for all operands")


def same_element_type(*fields: str) -> ir_traits.Matching:
    """Return the trait that all the operands and results named `fields` have the same element type."""
    return ir_traits.Matching("same element type", element_type_or_self, *fields)
