"""Translation of the `llvm` dialect to the text of LLVM IR, which LLVM's own parser then checks.

``print(translate(module))``

Values and blocks are numbered as LLVM numbers them, so the texts of equal modules are equal. Parsing a text
with LLVM and printing it again changes only white space.
"""

from __future__ import annotations

from tilewright.targets.llvm.module import translate

__all__ = ["translate"]
