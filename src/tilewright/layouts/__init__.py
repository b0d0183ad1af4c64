"""Layouts: maps from coordinates or threads to elements, as CuTe's shapes and strides or as bit matrices; uses no
IR.
"""
