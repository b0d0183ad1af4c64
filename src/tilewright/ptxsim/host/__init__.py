"""Memory of the host that a launch puts into global memory, arguments, and the functions of the driver."""
