"""Allocation, copies and registration of device memory, and waiting for asynchronous operations."""

from __future__ import annotations

from typing import Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import same_element_type
from tilewright.dialects.gpu import rules as gpu_rules, syntax as gpu_syntax
from tilewright.dialects.gpu.constraints import ASYNC_TOKEN, BYTES, INDEX, MEMREF, UNRANKED_MEMREF
from tilewright.ir.declaration import constraint as declaration_constraint, traits as ir_traits
from tilewright.ir.declaration.fields import (
    flag_def,
    operand_def,
    optional_result_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

ASYNC_TOKEN_DOC = "Stands for the completion."
VALUE_DOC = "The value."
ASYNC_DEPENDENCIES_DOC = "The operations that must be complete before."


class AllocOp(StandardOp, name="gpu.alloc"):
    """Allocates memory of the device for a buffer of the result type, with the sizes of its dynamic extents
    and the values of the symbols of its layout. With `hostShared` the host can access it, too. With the
    result `asyncToken` the host does not wait until it is allocated.
    """

    asyncDependencies: tuple[Value, ...] = variadic_operand_def(
        ASYNC_TOKEN, ASYNC_DEPENDENCIES_DOC, default=()
    )
    dynamicSizes: tuple[Value, ...] = variadic_operand_def(INDEX, "One size per unknown extent.", default=())
    symbolOperands: tuple[Value, ...] = variadic_operand_def(
        INDEX, "One value per symbol of the layout.", default=()
    )
    hostShared: bool = flag_def("Whether the host can access the memory.", default=False)
    memref: Value = result_def(MEMREF, "The buffer.")
    asyncToken: Value | None = optional_result_def(ASYNC_TOKEN, ASYNC_TOKEN_DOC)
    assembly_format = (
        "custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) (` ` `host_shared` "
        "$hostShared^)? ` ` `(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` "
        "type($memref)"
    )
    format_directives: ClassVar[dict[str, Any]] = gpu_syntax.DIRECTIVES

    def verify_(self) -> None:
        gpu_rules.check_allocation(self)


class DeallocOp(StandardOp, name="gpu.dealloc"):
    """Frees memory of the device when all of `asyncDependencies` are complete. With the result `asyncToken`
    the host does not wait for it.
    """

    asyncDependencies: tuple[Value, ...] = variadic_operand_def(ASYNC_TOKEN, ASYNC_DEPENDENCIES_DOC)
    memref: Value = operand_def(MEMREF, "The buffer.")
    asyncToken: Value | None = optional_result_def(ASYNC_TOKEN, ASYNC_TOKEN_DOC)
    assembly_format = (
        "custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) $memref attr-dict `:` type($memref)"
    )
    format_directives: ClassVar[dict[str, Any]] = gpu_syntax.DIRECTIVES


class MemcpyOp(StandardOp, name="gpu.memcpy"):
    """Copies the buffer `src` to `dst`, each in memory of the host or the device, when all of
    `asyncDependencies` are complete. Both have the same shape and element type. With the result `asyncToken`
    the host does not wait for the end of the copy.
    """

    asyncDependencies: tuple[Value, ...] = variadic_operand_def(ASYNC_TOKEN, ASYNC_DEPENDENCIES_DOC)
    dst: Value = operand_def(MEMREF, "The destination.")
    src: Value = operand_def(MEMREF, "The source.")
    asyncToken: Value | None = optional_result_def(ASYNC_TOKEN, ASYNC_TOKEN_DOC)
    assembly_format = (
        "custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) $dst`,` $src `:` "
        "type($dst)`,` type($src) attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = gpu_syntax.DIRECTIVES

    def verify_(self) -> None:
        gpu_rules.check_copy(self)


class MemsetOp(StandardOp, name="gpu.memset"):
    """Sets all elements of the buffer `dst` to `value` when all of `asyncDependencies` are complete. With the
    result `asyncToken` the host does not wait until this is done.
    """

    asyncDependencies: tuple[Value, ...] = variadic_operand_def(ASYNC_TOKEN, ASYNC_DEPENDENCIES_DOC)
    dst: Value = operand_def(MEMREF, "The destination.")
    value: Value = operand_def(declaration_constraint.ANY_TYPE, VALUE_DOC)
    asyncToken: Value | None = optional_result_def(ASYNC_TOKEN, ASYNC_TOKEN_DOC)
    assembly_format = (
        "custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) $dst`,` $value `:` "
        "type($dst)`,` type($value) attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = gpu_syntax.DIRECTIVES
    traits = (same_element_type("dst", "value"),)


class WaitOp(StandardOp, name="gpu.wait"):
    """Blocks until all tokens are complete, or, if it has a result, returns a token that is complete when all
    of them are.
    """

    asyncDependencies: tuple[Value, ...] = variadic_operand_def(
        ASYNC_TOKEN, ASYNC_DEPENDENCIES_DOC, default=()
    )
    asyncToken: Value | None = optional_result_def(ASYNC_TOKEN, ASYNC_TOKEN_DOC)
    assembly_format = "custom<AsyncDependencies>(type($asyncToken), $asyncDependencies) attr-dict"
    format_directives: ClassVar[dict[str, Any]] = gpu_syntax.DIRECTIVES


class HostRegisterOp(StandardOp, name="gpu.host_register"):
    """Makes host memory accessible from the device."""

    value: Value = operand_def(UNRANKED_MEMREF, VALUE_DOC)
    assembly_format = "$value attr-dict `:` type($value)"


class HostUnregisterOp(StandardOp, name="gpu.host_unregister"):
    """Ends the access to host memory from the device."""

    value: Value = operand_def(UNRANKED_MEMREF, VALUE_DOC)
    assembly_format = "$value attr-dict `:` type($value)"


class DynamicSharedMemoryOp(StandardOp, name="gpu.dynamic_shared_memory"):
    """Returns the dynamic shared memory as a buffer of bytes; the launch states its size."""

    resultMemref: Value = result_def(BYTES, "The memory.")
    assembly_format = "attr-dict `:` type($resultMemref)"
    traits = (ir_traits.Pure(),)


OPERATIONS: tuple[type[Operation], ...] = (
    AllocOp,
    DeallocOp,
    MemcpyOp,
    MemsetOp,
    WaitOp,
    HostRegisterOp,
    HostUnregisterOp,
    DynamicSharedMemoryOp,
)
"""The operations of this module."""
