"""Triton's dialect becomes `cuda_tile`: the kernels of its front end become modules that everything here takes."""

from __future__ import annotations

from tilewright.lowering.triton_to_cuda_tile.conversion import ConvertTritonToCudaTile, convert_triton_module

__all__ = ["ConvertTritonToCudaTile", "convert_triton_module"]
