"""The intrinsic functions of LLVM as operations."""
