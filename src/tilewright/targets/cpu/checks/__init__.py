"""Run-time checks of memory accesses: bounds, races and undefined elements, compiled into kernels; and how
kernels report what they find.
"""
