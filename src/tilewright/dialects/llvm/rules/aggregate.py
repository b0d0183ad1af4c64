"""Rules of aggregates, shuffles and addresses of globals beyond the types of single operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.common.functions import Symbols
from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.roles import (
    AddressableRole,
    AddressOfRole,
    AliasRole,
    FunctionRole,
    LlvmGlobalRole,
)
from tilewright.dialects.llvm.rules.common import member_type
from tilewright.dialects.llvm.types import is_scalable
from tilewright.ir.declaration.traits import VerifyError

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.aggregate import (
        AddressOfOp,
        DSOLocalEquivalentOp,
        ExtractValueOp,
        InsertValueOp,
        ShuffleVectorOp,
    )


def check_extracted_value(op: ExtractValueOp) -> None:
    """Raise `VerifyError` unless ``extractvalue`` gives the member at its position."""
    found = member_type(op.container.type, op.position)
    if found is not op.res.type:
        raise VerifyError(
            f"Type mismatch: extracting from '{op.container.type}' should produce '{found}' "
            f"but this op returns '{op.res.type}'"
        )


def check_inserted_value(op: InsertValueOp) -> None:
    """Raise `VerifyError` unless ``insertvalue`` has a value of the type of the member at its position."""
    if member_type(op.container.type, op.position) is not op.value.type:
        raise VerifyError(f"Type mismatch: cannot insert '{op.value.type}' into '{op.container.type}'")


def check_shuffle(op: ShuffleVectorOp) -> None:
    """Raise `VerifyError` if ``shufflevector`` picks different elements of a vector whose length is not
    known.
    """
    if is_scalable(op.v1.type) and any(op.mask):
        raise VerifyError("expected a splat operation for scalable vectors")


def check_address_of(op: AddressOfOp, symbols: Symbols) -> None:
    """Raise `VerifyError` unless ``addressof`` names a global, alias or function of its address space."""
    target: Any = symbols.get(op.global_name)
    if not isinstance(target, AddressableRole):
        raise VerifyError(
            "must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or "
            "'llvm.mlir.ifunc'"
        )
    space = getattr(target, "addr_space", None)
    if space is not None and checked_type(op.res).address_space != space:
        raise VerifyError("pointer address space must match address space of the referenced global or alias")


def check_local_equivalent(op: DSOLocalEquivalentOp, symbols: Symbols) -> None:
    """Raise `VerifyError` unless ``dso_local_equivalent`` names a function or an alias of one."""
    target: Any = symbols.get(op.function_name)
    if not isinstance(target, FunctionRole | AliasRole):
        raise VerifyError("must reference a global defined by 'llvm.func' or 'llvm.mlir.alias'")
    if isinstance(target, AliasRole):
        addressed = (inner for inner in target.walk() if isinstance(inner, AddressOfRole))
        for inner in addressed:
            if isinstance(symbols.get(cast("AddressOfOp", inner).global_name), LlvmGlobalRole):
                raise VerifyError("must reference an alias to a function")
    if getattr(target, "linkage", None) is Linkage.EXTERN_WEAK:
        raise VerifyError("target function with 'extern_weak' linkage not allowed")
