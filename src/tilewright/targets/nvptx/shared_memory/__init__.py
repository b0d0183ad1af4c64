"""Shared memory and barriers of kernels in `llvm` and `nvvm`: allocation of buffers, removal of barriers, and
verification.
"""
