"""Memory of the host, whoever owns it, as NumPy arrays."""
