"""Helpers that use no IR; all other rooms may import them."""
