"""Rules of aggregates, shuffles and addresses of globals beyond the types of single operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tilewright.dialects.common import constraints, functions
from tilewright.dialects.llvm import enums as llvm_enums, roles as llvm_roles, types as llvm_types
from tilewright.dialects.llvm.rules.common import member_type
from tilewright.ir.declaration.traits import VerifyError

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate


def check_extracted_value(op: llvm_aggregate.ExtractValueOp) -> None:
    """Raise `VerifyError` unless the container of ``extractvalue`` has a member at the position, and the
    result has its type.
    """
    found = member_type(op.container.type, op.position)
    if found is not op.res.type:
        raise VerifyError(
            f"Type mismatch: extracting from '{op.container.type}' should produce '{found}' "
            f"but this op returns '{op.res.type}'"
        )


def check_inserted_value(op: llvm_aggregate.InsertValueOp) -> None:
    """Raise `VerifyError` unless the container of ``insertvalue`` has a member at the position, and the value
    has its type.
    """
    if member_type(op.container.type, op.position) is not op.value.type:
        raise VerifyError(f"Type mismatch: cannot insert '{op.value.type}' into '{op.container.type}'")


def check_shuffle(op: llvm_aggregate.ShuffleVectorOp) -> None:
    """Raise `VerifyError` if ``shufflevector`` on scalable vectors has a mask with another number than 0:
    their length is not known. Other vectors are not checked.
    """
    if llvm_types.is_scalable(op.v1.type) and any(op.mask):
        raise VerifyError("expected a splat operation for scalable vectors")


def check_address_of(op: llvm_aggregate.AddressOfOp, symbols: functions.Symbols) -> None:
    """Raise `VerifyError` unless ``addressof`` names a global, alias, function or ifunc. A pointer to a
    global must have its address space.
    """
    target: Any = symbols.get(op.global_name)
    if not isinstance(target, llvm_roles.AddressableRole):
        raise VerifyError(
            "must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or "
            "'llvm.mlir.ifunc'"
        )
    space = getattr(target, "addr_space", None)
    if space is not None and constraints.checked_type(op.res).address_space != space:
        raise VerifyError("pointer address space must match address space of the referenced global or alias")


def check_local_equivalent(op: llvm_aggregate.DSOLocalEquivalentOp, symbols: functions.Symbols) -> None:
    """Raise `VerifyError` unless ``dso_local_equivalent`` names a function, or an alias that refers to no
    global variable. The linkage `extern_weak` is refused.
    """
    target: Any = symbols.get(op.function_name)
    if not isinstance(target, llvm_roles.FunctionRole | llvm_roles.AliasRole):
        raise VerifyError("must reference a global defined by 'llvm.func' or 'llvm.mlir.alias'")
    if isinstance(target, llvm_roles.AliasRole):
        addressed = (inner for inner in target.walk() if isinstance(inner, llvm_roles.AddressOfRole))
        for inner in addressed:
            if isinstance(
                symbols.get(cast("llvm_aggregate.AddressOfOp", inner).global_name), llvm_roles.LlvmGlobalRole
            ):
                raise VerifyError("must reference an alias to a function")
    if getattr(target, "linkage", None) is llvm_enums.Linkage.EXTERN_WEAK:
        raise VerifyError("target function with 'extern_weak' linkage not allowed")
