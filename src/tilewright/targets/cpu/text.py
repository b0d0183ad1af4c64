"""LLVM IR as an input: the text of the stage ``llvm``, maybe changed by hand.

The text describes its kernels in a constant, so it can be compiled and launched like any other stage.  LLVM is shown it
in a process of its own: nobody has checked it before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tilewright.ir.diagnostic import failure
from tilewright.ir.support.regular_expression import pattern
from tilewright.targets import codes

if TYPE_CHECKING:
    from tilewright.runtime.description import KernelImage

_TRIPLE = pattern(r'^target triple = "([^"]*)"', re.MULTILINE)
_DEFINITION = pattern(r"^define ", re.MULTILINE)


def is_llvm_ir(text: str) -> bool:
    """Whether a text is LLVM IR: it names its target, or defines a function, at the beginning of a line."""
    return bool(_TRIPLE.search(text) or _DEFINITION.search(text))


def check_triple(text: str, triple: str) -> None:
    """Raise `DiagnosticError` for LLVM IR that was made for another system than ``triple``."""
    found = _TRIPLE.search(text)
    if found is not None and found[1] != triple:
        message = f"the LLVM IR is for '{found[1]}', and code is made for '{triple}'"
        raise failure(
            codes.OTHER_TRIPLE,
            message,
            hint="name the processor that it was made for: --cpu, CompileOptions(cpu=...)",
        )


def kernels_of(text: str) -> tuple[KernelImage, ...]:
    """The kernels that LLVM IR describes.  Raises `DiagnosticError` if it does not."""
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
