"""The reference interpreter: the executable meaning of ``cuda_tile``.

Simple and exact rather than fast.  `launch.interpret` runs an entry over a grid; `numerics` holds the arithmetic,
the ``rules_*`` modules one evaluation rule per operation, `memory` the address space, ``check_*`` the run-time
checks.
"""
