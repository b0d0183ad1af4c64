"""Cubins: kernels, their resources, embedded texts, and the relation of their lines."""
