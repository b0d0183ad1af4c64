"""What the standard dialects share: constraints, traits and attribute kinds, worded as in MLIR."""
