"""PTX from modules of the dialects `llvm` and `nvvm`: instructions are chosen by tables and printed from the model."""

from __future__ import annotations

from tilewright.targets.nvptx.nvvm_to_ptx.module import emitted, translate

__all__ = ["emitted", "translate"]
