"""Dialect conversion: what is legal, how types change, and drivers that undo everything when they fail."""
