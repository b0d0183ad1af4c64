"""Loop nests over the elements of tiles, and the computation of elements of every operation at a point of a
nest.
"""
