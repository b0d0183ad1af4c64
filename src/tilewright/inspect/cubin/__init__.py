"""Cubins: kernels, what they need, the text that they carry, and how its lines correspond."""
