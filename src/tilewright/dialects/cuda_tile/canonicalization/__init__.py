"""The canonicalisation patterns of Tile IR."""
