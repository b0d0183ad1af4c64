"""Images of what the CPU back end made; whoever runs an image that is there already needs nothing of this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.runtime.image import Image, KernelImage, Parameter
from tilewright.targets.cpu.compile import symbol_of
from tilewright.targets.cpu.context import Site
from tilewright.targets.cpu.kernel import Kernel


def image_of(object_code: bytes, kernels: Sequence[Kernel]) -> Image:
    """The image of an object file and the kernels in it."""
    return Image(object_code, tuple(kernel_image(kernel) for kernel in kernels))


def kernel_image(kernel: Kernel) -> KernelImage:
    """What the runtime keeps of a kernel."""
    parameters = tuple(parameter_of(type) for type in kernel.arguments)
    sites: tuple[Site, ...] = getattr(kernel, "sites", ())
    return KernelImage(kernel.name, symbol_of(kernel.name), parameters, kernel.scratch_bytes, sites)


def parameter_of(type: Type) -> Parameter:
    """The parameter of a type of `Kernel.arguments`."""
    if isinstance(type, PtrType):
        return replace(parameter_of(type.pointee), is_pointer=True)
    if isinstance(type, IntegerType | FloatType):
        return Parameter(type.spelling)
    return Parameter("i64")  # an address without elements, or an index: 64 bits either way
