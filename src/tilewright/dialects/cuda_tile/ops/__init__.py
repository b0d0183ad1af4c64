"""The operations of Tile IR, by chapter."""
