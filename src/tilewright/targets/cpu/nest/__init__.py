"""The code of a tile block, and loop nests over the elements of tiles: elements of every operation at a point
of a nest.
"""
