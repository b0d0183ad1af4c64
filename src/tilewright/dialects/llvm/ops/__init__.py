"""The operations of ``llvm``, but for intrinsic functions."""
