"""Lowering: conversions from one dialect to another, down to ``llvm``."""
