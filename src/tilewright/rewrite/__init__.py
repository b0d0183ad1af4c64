"""Patterns, the drivers that apply them, and dialect conversion."""
