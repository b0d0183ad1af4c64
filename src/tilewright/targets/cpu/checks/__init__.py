"""Run-time checks of memory accesses: bounds, races and undefined elements, compiled into kernels; and the
reports of findings.
"""
