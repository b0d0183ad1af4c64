"""Constraints, traits and attribute kinds shared by the standard dialects, worded as in MLIR."""
