"""Launches on a GPU that is only named: refused, with the ways that there are."""

from __future__ import annotations

from typing import Any, ClassVar

from tilewright.ir.diagnostic import failure
from tilewright.runtime.image import Image
from tilewright.targets.nvptx import codes


class NoDevice:
    """The loader of code for GPUs, which answers nothing.  Raises `DiagnosticError`."""

    kernels: ClassVar[dict[str, Any]] = {}

    def __init__(self, image: Image) -> None:
        message = "code for a GPU that is named is made, and not run"
        hint = (
            "launch with target='cuda' on a machine with a GPU, or with target='sim:sm_80' or the like, which simulates "
            "the code"
        )
        raise failure(codes.NO_DEVICE, message, hint=hint)
