"""The operations of ``nv_tileaa``."""
