"""Looks into programs that were built with MLIR, and into cubins: structures, names, and the evidence for each."""
