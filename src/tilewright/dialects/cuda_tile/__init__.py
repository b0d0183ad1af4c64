"""CUDA Tile IR, as the public frontends emit it."""
