"""CUDA C++ programs on a machine without a GPU: `tilewright nvcc` builds them, and a stand-in for the CUDA runtime runs
them.

An executable links the stand-in (C++ in the folder `runtime`, built once by the host compiler). Its first CUDA call
starts a worker (`worker`): a Python process that maps the same memory at the same addresses, compiles the tile kernels
and simulates the SIMT kernels of the program.
"""
