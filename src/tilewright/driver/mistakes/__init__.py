"""Mistakes in kernels that a frontend reports: as diagnostics, which are exceptions of the frontend, too."""
