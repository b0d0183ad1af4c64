"""Converts memory spaces of all dialects to LLVM's address spaces, and refuses to change the space of a
pointer without a cast.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from tilewright.dialects.cute.types import MemorySpace as CuteSpace
from tilewright.dialects.gpu.enums import AddressSpace as GpuSpace, AddressSpaceAttr
from tilewright.dialects.llvm.types import LLVMPointerType, LLVMStructType
from tilewright.dialects.nv_tileas.types import Residency
from tilewright.ir import builtin_attributes, diagnostic
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.location import UNKNOWN
from tilewright.rewrite import codes


class LlvmAddressSpace(Enum):
    """Memory spaces, with their address space numbers in LLVM's NVPTX back end. ``REGISTER``, for tiles in
    registers, has the number of generic addresses; ``LOCAL`` is the private memory of a thread, ``SHARED``
    the shared memory of its own block, ``SHARED_CLUSTER`` the shared memory of all blocks of the cluster, and
    ``TENSOR`` the tensor memory.
    """

    GENERIC = 0
    REGISTER = GENERIC  # an array of registers has a generic address until it is split
    GLOBAL = 1
    INTERNAL = 2
    SHARED = 3
    CONSTANT = 4
    LOCAL = 5
    TENSOR = 6
    SHARED_CLUSTER = 7


OF_RESIDENCY: dict[Residency, LlvmAddressSpace] = {
    Residency.GLOBAL: LlvmAddressSpace.GLOBAL,
    Residency.SHARED: LlvmAddressSpace.SHARED,
    Residency.REGISTER: LlvmAddressSpace.REGISTER,
    Residency.TENSOR: LlvmAddressSpace.TENSOR,
}
"""The address space of the tiles of a ``nv_tileas`` view, by its residency."""

OF_CUTE: dict[CuteSpace, LlvmAddressSpace] = {
    CuteSpace.GENERIC: LlvmAddressSpace.GENERIC,
    CuteSpace.GMEM: LlvmAddressSpace.GLOBAL,
    CuteSpace.SMEM: LlvmAddressSpace.SHARED,
    CuteSpace.RMEM: LlvmAddressSpace.LOCAL,
    CuteSpace.TMEM: LlvmAddressSpace.TENSOR,
}
"""The address space of a ``cute`` pointer, by its space; arrays of registers live in local memory until they
are split.
"""

OF_GPU: dict[GpuSpace, LlvmAddressSpace] = {
    GpuSpace.GLOBAL: LlvmAddressSpace.GLOBAL,
    GpuSpace.WORKGROUP: LlvmAddressSpace.SHARED,
    GpuSpace.PRIVATE: LlvmAddressSpace.REGISTER,
}
"""The address space of each space of the ``gpu`` dialect, with the numbers of MLIR's conversion to NVVM."""


def memory_space_number(space: Attribute | None) -> int | None:
    """Return the LLVM address space for a memref's memory space: 0 for None, an integer as it is, the number
    of a space of `gpu`. Return None for any other attribute.
    """
    if space is None:
        return 0
    if isinstance(space, builtin_attributes.IntegerAttr):
        return space.value
    if isinstance(space, AddressSpaceAttr):
        of_gpu: Any = OF_GPU
        return of_gpu[space.value].value
    return None


def space_of(type: Type) -> int | None:
    """Return the address space of a pointer, or of the pointers in a memref descriptor (a struct that begins
    with a pointer); None for every other type.
    """
    if isinstance(type, LLVMPointerType):
        return type.address_space
    body = type.body if isinstance(type, LLVMStructType) else None
    return body[0].address_space if body and isinstance(body[0], LLVMPointerType) else None


def require_same_space(sources: Iterable[Type], target: Type, location: Location = UNKNOWN) -> None:
    """Raise `DiagnosticError` at `location` if one of the types `sources` has another address space than
    `target`. Types without pointers are accepted.
    """
    wanted = space_of(target)
    for source in sources:
        given = space_of(source)
        if None not in (given, wanted) and given != wanted:
            raise diagnostic.failure(
                codes.ADDRESS_SPACE,
                f"cannot turn {source} into {target}: the address space would change from {given} to {wanted}",
                location,
                hint="write the change as a cast of the memory space, such as `memref.memory_space_cast`",
            )
