"""Elementary functions on vectors, written in operations of the `llvm` dialect.

Each function reduces its argument, evaluates a polynomial of `coefficients` with fused multiply-adds and puts the
result together, without branches for special values.  The page `docs/cpu-math.md` states the errors.
"""
