"""Passes over TileAS: what happens to tiles before they become the code of a target.

Each of them leaves a module that any back end can still compile, so that the results before and after can be compared.
"""
