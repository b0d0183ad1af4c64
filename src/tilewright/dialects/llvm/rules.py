"""Rules of LLVM operations beyond the types of single operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.dialects.common.constraints import checked_type, element_type_or_self
from tilewright.dialects.common.control_flow import check_branch
from tilewright.dialects.common.symbols import Symbols
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering, PointerWrapFlags
from tilewright.dialects.llvm.roles import AddressableRole
from tilewright.dialects.llvm.rules_call import check_sizes
from tilewright.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
    is_float,
    same_shape_of,
)
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import IntegerType, VectorType, i1
from tilewright.ir.operation import Operation
from tilewright.ir.traits import VerifyError
from tilewright.ir.value import OpResult, Value

if TYPE_CHECKING:
    from tilewright.dialects.llvm.intrinsics_float import SincosOp

MAXIMUM_VECTOR_BITS = 1 << 17
ATOMIC_WIDTHS = (8, 16, 32, 64)
"""The widths of integers on which an atomic read-modify-write computes."""
ACQUIRING = (AtomicOrdering.ACQUIRE, AtomicOrdering.ACQ_REL)
RELEASING = (AtomicOrdering.RELEASE, AtomicOrdering.ACQ_REL)
FLOAT_ATOMICS = (
    AtomicBinaryOperation.FADD,
    AtomicBinaryOperation.FSUB,
    AtomicBinaryOperation.FMAX,
    AtomicBinaryOperation.FMIN,
    AtomicBinaryOperation.FMAXIMUM,
    AtomicBinaryOperation.FMINIMUM,
)


class ExtractValue(Protocol):
    """The fields of `ExtractValueOp` that the functions here read."""

    container: Value
    position: tuple[int, ...]
    res: Value


class InsertValue(Protocol):
    """The fields of `InsertValueOp` that the functions here read."""

    container: Value
    position: tuple[int, ...]
    value: Value


class ShuffleVector(Protocol):
    """The fields of `ShuffleVectorOp` that the functions here read."""

    mask: tuple[int, ...]
    v1: Value


class AtomicAccess(Protocol):
    """The fields of `LoadOp` and `StoreOp` that the functions here read."""

    alignment: int | None
    operands: tuple[Value, ...]
    ordering: AtomicOrdering
    results: tuple[OpResult, ...]
    syncscope: str | None


class AtomicRMW(Protocol):
    """The fields of `AtomicRMWOp` that the functions here read."""

    bin_op: AtomicBinaryOperation
    ordering: AtomicOrdering
    val: Value


class AtomicCmpXchg(Protocol):
    """The fields of `AtomicCmpXchgOp` that the functions here read."""

    failure_ordering: AtomicOrdering
    success_ordering: AtomicOrdering
    val: Value


class Fence(Protocol):
    """The fields of `FenceOp` that the functions here read."""

    ordering: AtomicOrdering


class GEP(Protocol):
    """The fields of `GEPOp` that the functions here read."""

    dynamicIndices: tuple[Value, ...]
    elem_type: Type
    noWrapFlags: PointerWrapFlags
    rawConstantIndices: tuple[int, ...]


class Bitcast(Protocol):
    """The fields of `BitcastOp` that the functions here read."""

    arg: Value
    res: Value


class Widening(Protocol):
    """The fields of `SExtOp` and `ZExtOp` that the functions here read."""

    arg: Value
    res: Value


class Return(Protocol):
    """The fields of `ReturnOp` that the functions here read."""

    arg: Value | None

    @property
    def parent_op(self) -> Operation | None: ...


class AddressOf(Protocol):
    """The fields of `AddressOfOp` that the functions here read."""

    global_name: str
    res: Value


class WeightedBranch(Protocol):
    """The fields of `CondBrOp`, `InvokeOp` and `SwitchOp` that the functions here read."""

    branch_weights: tuple[int, ...] | None
    successors: tuple[Block, ...]


def exchange_type(value: Type) -> Type:
    """What a compare-and-exchange of values of a type gives."""
    return LLVMStructType((value, i1))


def is_exchange_result(op: Operation) -> bool:
    """Whether the result is a struct of the exchanged type and a bool."""
    return op.results[0].type is exchange_type(op.operands[2].type)


def result_is_operand(position: int) -> Callable[[Operation], bool]:
    """A rule: the result has the type of an operand."""
    return lambda op: op.results[0].type is op.operands[position].type


def is_extracted_element(op: Operation) -> bool:
    """Whether the result has the element type of the first operand."""
    vector: Any = op.operands[0].type
    return op.results[0].type is vector.element_type


def is_inserted_element(op: Operation) -> bool:
    """Whether the second operand has the element type of the first."""
    vector: Any = op.operands[0].type
    return op.operands[1].type is vector.element_type


def are_small_vectors(op: Operation) -> bool:
    """Whether all vectors stay within the size that the intrinsics allow."""
    types = [value.type for value in (*op.operands, *op.results)]
    return all(_bits(type) <= MAXIMUM_VECTOR_BITS for type in types if isinstance(type, VectorType))


def _bits(vector: VectorType) -> int:
    return vector.shape[0] * getattr(vector.element_type, "width", 64)


def keeps_scalability(outer: str, inner: str) -> Callable[[Operation], bool]:
    """A rule: a scalable part belongs to a scalable vector."""

    def holds(op: Operation) -> bool:
        (whole,), (part,) = op.kind.field_values(op, outer), op.kind.field_values(op, inner)
        return _scalable(whole.type) or not _scalable(part.type)

    return holds


def _scalable(type: Type) -> bool:
    return isinstance(type, VectorType) and bool(type.scalable)


def doubles_vector(op: Operation) -> bool:
    """Whether the result has twice as many elements as the first operand."""
    source, result = op.operands[0].type, op.results[0].type
    return (
        isinstance(source, VectorType)
        and isinstance(result, VectorType)
        and result is VectorType((2 * source.shape[0],), source.element_type, source.scalable)
    )


def overflow_type(operand: Type) -> Type:
    """The result type of arithmetic that tells whether it wrapped."""
    return LLVMStructType((operand, same_shape_of(i1, operand)))


def member_type(container: Type, path: Sequence[int]) -> Type:
    """The type of the member of a struct or array at a path; raises `VerifyError` if there is none."""
    current = container
    for position in path:
        if isinstance(current, LLVMStructType) and current.body is not None:
            if not 0 <= position < len(current.body):
                raise VerifyError(f"position out of bounds: {position}")
            current = current.body[position]
        elif isinstance(current, LLVMArrayType):
            if not 0 <= position < current.count:
                raise VerifyError(f"position out of bounds: {position}")
            current = current.element_type
        else:
            raise VerifyError(f"expected LLVM IR structure/array type, got: {current}")
    return current


def check_extracted_value(op: ExtractValue) -> None:
    """Raise unless ``extractvalue`` gives the member at its position."""
    found = member_type(op.container.type, op.position)
    if found is not op.res.type:
        raise VerifyError(
            f"Type mismatch: extracting from '{op.container.type}' should produce '{found}' "
            f"but this op returns '{op.res.type}'"
        )


def check_inserted_value(op: InsertValue) -> None:
    """Raise unless ``insertvalue`` has a value of the type of the member at its position."""
    if member_type(op.container.type, op.position) is not op.value.type:
        raise VerifyError(f"Type mismatch: cannot insert '{op.value.type}' into '{op.container.type}'")


def check_shuffle(op: ShuffleVector) -> None:
    """Raise if ``shufflevector`` picks different elements of a vector whose length is not known."""
    if _scalable(op.v1.type) and any(op.mask):
        raise VerifyError("expected a splat operation for scalable vectors")


def shuffled_type(source: Any, mask: Sequence[int]) -> Type:
    """The type of a vector picked from another by a mask."""
    return VectorType((len(mask),), source.element_type, source.scalable)


def check_atomic_access(op: AtomicAccess, forbidden: Sequence[AtomicOrdering]) -> None:
    """Raise unless an atomic load or store has an allowed ordering, an alignment and a fitting type."""
    ordering = op.ordering
    if ordering is AtomicOrdering.NOT_ATOMIC:
        if op.syncscope is not None:
            raise VerifyError("expected syncscope to be null for non-atomic access")
        return
    value = op.results[0].type if op.results else op.operands[0].type
    if not _is_atomic_type(value):
        raise VerifyError(f"unsupported type '{value}' for atomic access")
    if ordering in forbidden:
        raise VerifyError(f"unsupported ordering '{ordering.spelling}'")
    if op.alignment is None:
        raise VerifyError("expected alignment for atomic access")


def _is_atomic_type(type: Type) -> bool:
    if isinstance(type, IntegerType):
        return type.width >= 8 and type.width & (type.width - 1) == 0
    return is_float(type) or isinstance(type, LLVMPointerType)


def check_read_modify_write(op: AtomicRMW) -> None:
    """Raise unless the operation of ``atomicrmw`` suits the type of its value."""
    value, operation = op.val.type, op.bin_op
    if operation in FLOAT_ATOMICS:
        if not is_float(element_type_or_self(value)):
            vector = (
                " or LLVM IR fixed vector of floating point type" if isinstance(value, VectorType) else ""
            )
            raise VerifyError(f"expected LLVM IR floating point type{vector}")
    elif operation is AtomicBinaryOperation.XCHG:
        if not _is_atomic_type(value):
            raise VerifyError("unexpected LLVM IR type for 'xchg' bin_op")
    elif not isinstance(value, IntegerType) or value.width not in ATOMIC_WIDTHS:
        raise VerifyError("expected LLVM IR integer type")
    if op.ordering.value < AtomicOrdering.MONOTONIC.value:
        raise VerifyError("expected at least 'monotonic' ordering")


def check_compare_exchange(op: AtomicCmpXchg) -> None:
    """Raise unless ``cmpxchg`` has a fitting type and orderings."""
    if not _is_atomic_type(op.val.type):
        raise VerifyError("unexpected LLVM IR type")
    success, failure = op.success_ordering, op.failure_ordering
    if min(success.value, failure.value) < AtomicOrdering.MONOTONIC.value:
        raise VerifyError("ordering must be at least 'monotonic'")
    if failure in RELEASING:
        raise VerifyError("failure ordering cannot be 'release' or 'acq_rel'")


def check_fence(op: Fence) -> None:
    """Raise unless ``fence`` has an ordering that orders something."""
    if op.ordering.value <= AtomicOrdering.MONOTONIC.value:
        raise VerifyError("can be given only acquire, release, acq_rel, and seq_cst orderings")


def check_address(op: GEP) -> None:
    """Raise unless ``getelementptr`` has one operand for each dynamic position."""
    dynamic = sum(position == DYNAMIC_POSITION for position in op.rawConstantIndices)
    if dynamic != len(op.dynamicIndices):
        raise VerifyError("expected as many dynamic indices as specified in 'rawConstantIndices'")
    if op.noWrapFlags is PointerWrapFlags.INBOUNDS_FLAG:
        raise VerifyError("'inbounds_flag' cannot be used directly.")
    _check_path(op.elem_type, op.rawConstantIndices)


def _check_path(type: Type, positions: Sequence[int]) -> None:
    """Raise unless the positions behind the first lead to a member of a type."""
    for number, position in enumerate(positions[1:], 1):
        if isinstance(type, LLVMStructType):
            if position == DYNAMIC_POSITION:
                raise VerifyError(f"expected index {number} indexing a struct to be constant")
            body = type.body or ()
            if not 0 <= position < len(body):
                raise VerifyError(f"index {number} indexing a struct is out of bounds")
            type = body[position]
        elif isinstance(type, VectorType | LLVMArrayType):
            type = type.element_type
        else:
            raise VerifyError(f"type '{type}' cannot be indexed (index #{number})")


DYNAMIC_POSITION = -(1 << 31)
"""Stands in the constant positions of ``getelementptr`` for one that is an operand."""


def check_bit_cast(op: Bitcast) -> None:
    """Raise unless ``bitcast`` keeps pointers pointers."""
    source, result = op.arg.type, op.res.type
    pointers = [isinstance(element_type_or_self(type), LLVMPointerType) for type in (source, result)]
    if pointers[0] != pointers[1]:
        raise VerifyError("can only cast pointers from and to pointers")
    if all(pointers) and element_type_or_self(source) is not element_type_or_self(result):
        raise VerifyError(
            "cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead"
        )


def _same_shape(left: VectorType, right: VectorType) -> bool:
    return left.shape == right.shape and any(left.scalable) == any(right.scalable)


def check_widening(op: Widening) -> None:
    """Raise unless an integer extension widens."""
    source, result = op.arg.type, op.res.type
    if isinstance(source, VectorType) != isinstance(result, VectorType):
        raise VerifyError("input type is a vector but output type is an integer or the reverse", prefix=False)
    if isinstance(source, VectorType) and isinstance(result, VectorType) and not _same_shape(source, result):
        raise VerifyError("input and output vectors are of incompatible shape", prefix=False)
    widths: list[Any] = [element_type_or_self(type) for type in (source, result)]
    if widths[0].width >= widths[1].width:
        words = "integer width of the output type is smaller or equal to the integer width of the input type"
        raise VerifyError(words, prefix=False)


def check_return(op: Return) -> None:
    """Raise unless ``return`` gives what the function around it declares."""
    function = op.parent_op
    signature = getattr(function, "function_type", None)
    if not isinstance(signature, LLVMFunctionType):
        return
    assert function is not None, "it has a signature"
    note = (("when returning from function", function.location),)
    if isinstance(signature.result, LLVMVoidType):
        if op.arg is not None:
            raise VerifyError("expected no operands", notes=note)
    elif op.arg is None:
        raise VerifyError("expected 1 operand", notes=note)
    elif op.arg.type is not signature.result:
        raise VerifyError("mismatching result types", notes=note)


def check_address_of(op: AddressOf, symbols: Symbols) -> None:
    """Raise unless ``addressof`` names a global, alias or function of its address space."""
    target: Any = symbols.get(op.global_name)
    if not isinstance(target, AddressableRole):
        raise VerifyError(
            "must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or "
            "'llvm.mlir.ifunc'"
        )
    space = getattr(target, "addr_space", None)
    if space is not None and checked_type(op.res).address_space != space:
        raise VerifyError("pointer address space must match address space of the referenced global or alias")


def check_weights(op: WeightedBranch) -> None:
    """Raise unless a branch has one weight for each successor."""
    if op.branch_weights is not None and len(op.branch_weights) != len(op.successors):
        raise VerifyError(
            f"expects number of branch weights to match number of successors: "
            f"{len(op.branch_weights)} vs {len(op.successors)}",
            prefix=False,
        )


def check_switch(op: Any) -> None:
    """Raise unless a switch has one block and one weight for each case."""
    sizes = op.case_operand_segments
    check_sizes(sizes, "case_operand_segments", op.caseOperands, "caseOperands")
    values: Any = op.case_values
    cases = 0 if values is None else values.count
    if cases != len(op.caseDestinations):
        raise VerifyError("expects number of case values to match number of case destinations")
    if values is not None and values.element_type is not op.value.type:
        raise VerifyError("expects case value type to match condition value type", prefix=False)
    groups = op.case_operands()[:cases]
    check_branch(op, [op.defaultOperands, *groups, *[()] * (cases - len(groups))])
    check_weights(op)


def check_sine_and_cosine(op: SincosOp) -> None:
    """Raise unless the result is a struct of two values of the operand's type."""
    operand, result = op.val.type, op.res.type
    if result is not LLVMStructType((operand, operand)):
        raise VerifyError(
            "expected result type to be an homogeneous struct with two elements matching the operand type, "
            f"but got '{result}'"
        )


def check_addresses(pointers: Any, data: Any, number: int) -> None:
    """Raise unless a gather or scatter has one address for each element; ``number`` counts operands from 1."""
    if not isinstance(data, VectorType):
        return
    wanted = VectorType(data.shape, pointers.element_type, data.scalable)
    if pointers is not wanted:
        raise VerifyError(f"expected operand #{number} type to be '{wanted}'")
