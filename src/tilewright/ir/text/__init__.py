"""MLIR's textual format: printer and parser of operations, types, attributes and locations."""
