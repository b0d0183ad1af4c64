"""PTX from modules of the dialects `llvm` and `nvvm`: instructions are chosen by tables and printed from the model."""

from __future__ import annotations

from tilewright.targets.nvptx.emission.module import emitted, translate

__all__ = ["emitted", "translate"]
