"""MLIR's standard dialects to `llvm`: one module per dialect, one type converter per pass."""
