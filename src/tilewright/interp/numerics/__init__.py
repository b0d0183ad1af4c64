"""Arithmetic of Tile IR on NumPy arrays: the executable meaning of every numeric operation.

``element`` describes the element formats, ``rounding`` and ``error_free`` round exact values once, ``arithmetic``,
``integers``, ``convert`` and ``matmul`` hold the operations under their Tile IR names. The package uses no IR: it
takes and returns arrays, whose dtypes and value ranges ``element`` fixes.
"""
