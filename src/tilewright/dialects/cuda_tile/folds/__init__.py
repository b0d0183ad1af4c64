"""Folds of Tile IR's operations."""
