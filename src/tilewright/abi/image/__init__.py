"""Memory images: modules, pattern registries and diagnostics written with real pointers, and read back."""
