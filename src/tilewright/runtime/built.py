"""Images of what the CPU back end made; whoever runs an image that is there already needs nothing of this."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.runtime.image import Image
from tilewright.targets.cpu.kernel import Kernel
from tilewright.targets.cpu.signature import kernel_image


def image_of(object_code: bytes, kernels: Sequence[Kernel]) -> Image:
    """The image of an object file and the kernels in it."""
    return Image(object_code, tuple(kernel_image(kernel) for kernel in kernels))
