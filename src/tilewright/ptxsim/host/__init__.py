"""Memory of the host that a launch maps to global memory, kernel arguments, and functions of the driver."""
