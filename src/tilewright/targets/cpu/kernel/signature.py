"""What a launch has to know of the kernels that the back end made."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.runtime.description import KernelImage, Parameter
from tilewright.targets.cpu.kernel.kernel import Kernel
from tilewright.targets.cpu.machine.compile import symbol_of


def kernel_image(kernel: Kernel) -> KernelImage:
    """What the runtime keeps of a kernel."""
    written = kernel.written
    parameters = tuple(
        parameter_of(type).replace(
            is_written=isinstance(type, PtrType) and (written is None or at in written)
        )
        for at, type in enumerate(kernel.arguments)
    )
    return KernelImage(
        kernel.name,
        symbol_of(kernel.name),
        parameters,
        kernel.scratch_bytes,
        kernel.sites,
        kernel.checks,
        written is None,
        kernel.user_name,
    )


def parameter_of(type: Type) -> Parameter:
    """The parameter of a type of `Kernel.arguments`."""
    if isinstance(type, PtrType):
        return parameter_of(type.pointee).replace(is_pointer=True)
    if isinstance(type, IntegerType | FloatType):
        return Parameter(type.spelling)
    return Parameter("i64")  # an address without elements, or an index: 64 bits either way
