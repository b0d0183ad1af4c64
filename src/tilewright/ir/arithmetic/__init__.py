"""Affine maps and layouts, floating-point formats, and arithmetic in them."""
