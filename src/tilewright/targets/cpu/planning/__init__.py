"""Decides, before any code is emitted, the work of each loop nest, the values in memory, and the order of
steps. The result is a plan (`plan`).
"""
