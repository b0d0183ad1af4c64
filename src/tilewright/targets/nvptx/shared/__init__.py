"""Shared memory and barriers of kernels in `llvm` and `nvvm`: where buffers lie, which barriers stay, and the proof of both."""
