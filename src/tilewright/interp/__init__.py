"""The reference interpreter: the executable meaning of ``cuda_tile``.

Simple and exact rather than fast.  `launch.interpret` runs an entry over a grid; `numerics` holds the arithmetic,
`rules` one evaluation rule per operation, `memory` the address space, `checks` the run-time checks.
"""
