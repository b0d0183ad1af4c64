"""Rules of element-wise integer operations."""

from __future__ import annotations

from typing import Protocol

from tilewright.dialects.cuda_tile.enums import Signedness
from tilewright.dialects.cuda_tile.ops import integer as ops
from tilewright.interp.numerics import integers
from tilewright.interp.rules.rule import RuleTable, calls
from tilewright.interp.values import text

RULES = RuleTable()


class SignedOperation(Protocol):
    """An operation with an attribute ``signedness``, which says whether its operands are signed or unsigned."""

    signedness: Signedness


def is_signed(op: SignedOperation) -> bool:
    """Return whether the operation reads its operands as signed."""
    return op.signedness is Signedness.SIGNED


def _signed(op: ops.MaxIOp | ops.MinIOp | ops.RemIOp | ops.ShRIOp) -> tuple[bool]:
    return (is_signed(op),)


def _signed_and_rounding(op: ops.DivIOp) -> tuple[bool, str]:
    return is_signed(op), text(op.rounding)


def _comparison(op: ops.CmpIOp) -> tuple[str, bool]:
    return text(op.comparison_predicate), is_signed(op)


RULES.rules.update(
    {
        ops.AddIOp: calls(integers.addi),
        ops.SubIOp: calls(integers.subi),
        ops.MulIOp: calls(integers.muli),
        ops.MulhiIOp: calls(integers.mulhii),
        ops.DivIOp: calls(integers.divi, _signed_and_rounding),
        ops.RemIOp: calls(integers.remi, _signed),
        ops.MaxIOp: calls(integers.maxi, _signed),
        ops.MinIOp: calls(integers.mini, _signed),
        ops.AbsIOp: calls(integers.absi),
        ops.NegIOp: calls(integers.negi),
        ops.CmpIOp: calls(integers.cmpi, _comparison),
        ops.ShLIOp: calls(integers.shli),
        ops.ShRIOp: calls(integers.shri, _signed),
        ops.AndIOp: calls(integers.andi),
        ops.OrIOp: calls(integers.ori),
        ops.XOrIOp: calls(integers.xori),
    }
)
