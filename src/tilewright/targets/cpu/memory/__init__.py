"""Tiles in memory of the program and of the tile block: addresses, masks, gathers, pointers, atomics, packed elements."""
