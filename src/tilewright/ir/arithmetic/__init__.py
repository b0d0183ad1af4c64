"""Affine maps and layouts, floating-point formats and what is computed in them."""
