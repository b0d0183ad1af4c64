"""Tables from operations of ``arith`` to their algebraic laws and their functions (`scalar_algebra`)."""

from __future__ import annotations

from tilewright.dialects.arith import ops_float as floats, ops_integer as integers
from tilewright.ir.arithmetic import scalar_algebra as algebra

INTEGERS: dict[type[integers.IntegerBinaryOp], algebra.IntegerOperation] = {
    integers.AddIOp: algebra.ADD,
    integers.SubIOp: algebra.SUBTRACT,
    integers.MulIOp: algebra.MULTIPLY,
    integers.DivUIOp: algebra.DIVIDE_UNSIGNED,
    integers.DivSIOp: algebra.DIVIDE_SIGNED,
    integers.CeilDivUIOp: algebra.DIVIDE_CEILING_UNSIGNED,
    integers.CeilDivSIOp: algebra.DIVIDE_CEILING_SIGNED,
    integers.FloorDivSIOp: algebra.DIVIDE_FLOOR,
    integers.RemUIOp: algebra.REMAINDER_UNSIGNED,
    integers.RemSIOp: algebra.REMAINDER_SIGNED,
    integers.ShLIOp: algebra.SHIFT_LEFT,
    integers.ShRUIOp: algebra.SHIFT_RIGHT_UNSIGNED,
    integers.ShRSIOp: algebra.SHIFT_RIGHT_SIGNED,
    integers.AndIOp: algebra.AND,
    integers.OrIOp: algebra.OR,
    integers.XOrIOp: algebra.EXCLUSIVE_OR,
    integers.MaxSIOp: algebra.MAXIMUM_SIGNED,
    integers.MaxUIOp: algebra.MAXIMUM_UNSIGNED,
    integers.MinSIOp: algebra.MINIMUM_SIGNED,
    integers.MinUIOp: algebra.MINIMUM_UNSIGNED,
}
FLOATS = {
    floats.AddFOp: algebra.ADD_FLOATS,
    floats.SubFOp: algebra.SUBTRACT_FLOATS,
    floats.MulFOp: algebra.MULTIPLY_FLOATS,
    floats.DivFOp: algebra.DIVIDE_FLOATS,
    floats.RemFOp: algebra.REMAINDER_FLOATS,
    floats.MaximumFOp: algebra.MAXIMUM_FLOATS,
    floats.MinimumFOp: algebra.MINIMUM_FLOATS,
    floats.MaxNumFOp: algebra.MAXIMUM_NUMBERS,
    floats.MinNumFOp: algebra.MINIMUM_NUMBERS,
}
