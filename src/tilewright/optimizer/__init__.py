"""Optimizations of Tile IR.

They change how a program computes its results, not the results, except for `fuse-fma`, which is off by
default.
"""
