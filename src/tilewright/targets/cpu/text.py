"""LLVM IR as an input: the text of the stage ``llvm``, possibly edited by hand.

A constant in the text describes its kernels, so the text can be compiled and launched like any other stage.
LLVM runs in a separate process, because the text was not checked before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tilewright.ir.diagnostic import failure
from tilewright.ir.support.strings import pattern
from tilewright.targets import codes

if TYPE_CHECKING:
    from tilewright.runtime.description import KernelImage

_TRIPLE = pattern(r'^target triple = "([^"]*)"', re.MULTILINE)
_DEFINITION = pattern(r"^define ", re.MULTILINE)


def is_llvm_ir(text: str) -> bool:
    """Return whether a text is LLVM IR: a line begins with a target triple or a function definition."""
    return bool(_TRIPLE.search(text) or _DEFINITION.search(text))


def check_triple(text: str, triple: str) -> None:
    """Check that LLVM IR was made for the system `triple`; LLVM IR without a triple passes.

    Raises:
        DiagnosticError: the LLVM IR names another triple.
    """
    found = _TRIPLE.search(text)
    if found is not None and found[1] != triple:
        message = f"the LLVM IR is for '{found[1]}', and code is made for '{triple}'"
        raise failure(
            codes.OTHER_TRIPLE,
            message,
            hint="name the processor that it was made for: --cpu, CompileOptions(cpu=...)",
        )


def kernels_of(text: str) -> tuple[KernelImage, ...]:
    """Return the kernels that LLVM IR describes.

    Raises:
        DiagnosticError: the LLVM IR describes no kernels.
    """
    from tilewright.runtime.description import kernels_of_llvm_ir

    found = kernels_of_llvm_ir(text)
    if found is None:
        message = "the LLVM IR does not say which kernels it has and what their parameters are"
        raise failure(
            codes.NO_KERNELS,
            message,
            hint="begin with the stage `llvm` of a module that tilewright has compiled",
        )
    return found
