"""Texts of stages, compared without what depends on where the input was read from."""

from __future__ import annotations

from typing import Any


def without_places(code: Any) -> list[str]:
    """The LLVM IR without the description of kernels, which names the lines of loops in the text that was read."""
    return [line for line in str(code).splitlines() if not line.startswith("@tilewright.kernels")]
