"""Memory outside the block and the device: shared memory of other blocks of a cluster, and memory of several
devices.
"""
