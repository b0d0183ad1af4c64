"""Elementary functions on vectors, written in operations of the `llvm` dialect.

Each function reduces its argument, evaluates a polynomial of `coefficients` with fused multiply-adds and puts the
result together, without branches for special values.  The page `cpu-math.md` of the documentation states the errors.
"""
