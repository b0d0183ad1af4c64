"""Optimizations of Tile IR that change how a program computes, never what."""
