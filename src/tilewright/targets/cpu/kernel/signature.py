"""The description of generated kernels for launches."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.runtime.description import KernelImage
from tilewright.targets.cpu.kernel.kernel import EmittedKernel
from tilewright.targets.cpu.machine.compile import symbol_of
from tilewright.targets.parameters import parameter_of


def kernel_image(kernel: EmittedKernel) -> KernelImage:
    """Return the runtime's description of a kernel."""
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
