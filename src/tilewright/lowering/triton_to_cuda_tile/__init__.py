"""Conversion of Triton's dialects to `cuda_tile`."""

from __future__ import annotations

from tilewright.lowering.triton_to_cuda_tile.conversion import ConvertTritonToCudaTile, convert_triton_module

__all__ = ["ConvertTritonToCudaTile", "convert_triton_module"]
