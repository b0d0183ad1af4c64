"""Tiles in memory of the program and of the tile block, and the lanes of tiles at a point of a nest: addresses,
masks, gathers, pointers, packed elements.
"""
