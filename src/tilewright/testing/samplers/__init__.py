"""Samplers of the operations of Tile IR."""
