"""Memory of the host that a launch puts into global memory, and arguments."""
