"""Dialect conversion: legality, type conversion, and drivers that undo all changes on failure."""
