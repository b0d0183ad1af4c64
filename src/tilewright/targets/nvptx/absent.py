"""Refuse launches for a GPU that is not present. The diagnostic lists what can be done instead."""

from __future__ import annotations

from typing import Any, ClassVar

from tilewright.ir.diagnostic import failure
from tilewright.runtime.image import Image
from tilewright.targets.nvptx import codes


class NoDevice:
    """The loader of a target that names a GPU to compile for: its constructor always raises
    `DiagnosticError`, because there is no device that the image could be loaded to.
    """

    kernels: ClassVar[dict[str, Any]] = {}

    def __init__(self, image: Image) -> None:
        message = "the target names a GPU to compile for, so its code cannot be launched"
        hint = (
            "launch with target='cuda' on a machine with a GPU, or with target='sim:sm_80' or the like, which simulates "
            "the code"
        )
        raise failure(codes.NO_DEVICE, message, hint=hint)
