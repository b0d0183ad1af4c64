"""The ``llvm`` dialect: LLVM IR as operations."""
