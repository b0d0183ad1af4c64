"""Stage one of the cascade: ``cuda_tile`` becomes ``nv_tileaa``, ``arith``, ``math`` and ``scf``."""
