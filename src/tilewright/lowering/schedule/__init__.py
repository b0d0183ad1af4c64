"""Schedules of loops: the cycle and the pipeline stage of each operation of a loop over tiles.

`dependences` has the graph of a loop, `units` the rates of a chip, `costs` the cycles of an operation, `modulo` the
schedulers, `analysis` the result as an analysis of a function.
"""
