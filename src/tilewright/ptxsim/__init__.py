"""A strict simulator of PTX: kernels run on arrays, one lane for each thread, and undefined behaviour is told."""

from __future__ import annotations

from tilewright.ptxsim.running import Report, launch

__all__ = ["Report", "launch"]
