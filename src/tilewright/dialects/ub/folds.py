"""Folds of poison: an operation that computes from poison yields poison."""

from __future__ import annotations

from tilewright.dialects.common.constant_folding import Constants
from tilewright.dialects.ub.dialect import PoisonAttr, PoisonOp
from tilewright.ir.dialect import FoldTable


def first_poison(constants: Constants) -> PoisonAttr | None:
    """Return the attribute of the first operand that is poison; None if there is none."""
    for constant in constants:
        if constant is not None and isinstance(constant, PoisonAttr):
            return constant
    return None


def fold_poison(op: PoisonOp, constants: Constants) -> PoisonAttr:
    """Return the attribute of ``ub.poison``, the constant that the operation folds to."""
    return op.value


FOLDS: FoldTable = {PoisonOp: fold_poison}
"""For each class of operations, the function that folds it."""
