"""Kernels that other compilers make of our programs, run in the simulator of PTX.

    path/to/python/with/triton conformance/ptx/triton_kernels.py DIR
    python -m conformance.ptx.cuda_kernels DIR
    python -m conformance.ptx DIR
    python -m conformance.ptx litmus DIR
    python -m conformance.ptx seeded

The first two compile our programs with an installed Triton and nvcc into a folder; nothing that they make is kept in the
repository.  The third runs what is in the folder, compares results with NumPy, and with ``--faults`` takes one
synchronising instruction after the other out of each kernel.  The fourth runs litmus tests of the
memory model from a checkout of Dat3M, the fifth kernels of ours with faults of each kind.
"""
