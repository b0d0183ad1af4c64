"""cuTile kernels with a NumPy check each.

``python -m examples.demo`` runs all of them, ``python -m examples.fft`` one.
"""
