"""Uses of the public API that a strict type checker must accept, and (commented) what it infers.

Not run: `pyright` reads it.  ``reveal_type`` is left to editors; annotated assignments are the assertions.
"""

from __future__ import annotations

from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops.float import AddFOp
from tilewright.dialects.cuda_tile.ops.integer import CmpIOp
from tilewright.dialects.cuda_tile.ops.tile import ConstantOp, ReshapeOp
from tilewright.dialects.cuda_tile.types import TileType, tile
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import splat
from tilewright.ir.builtin_types import f32, i32
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

constant = ConstantOp(splat(tile(4, f32), 1.0), result_types=[tile(4, f32)], location=UNKNOWN)
addition = AddFOp(constant.result, constant.result, RoundingMode.ZERO, flush_to_zero=True)
left: Value = addition.lhs
mode: RoundingMode = addition.rounding_mode
flag: bool = addition.flush_to_zero
types: tuple[Type, ...] = addition.result_types
shaped: TileType = tile(2, 2, i32)
reshaped = ReshapeOp(source=addition.result, result_types=[tile(2, 2, f32)])
comparison = CmpIOp(ComparisonPredicate.EQUAL, left, left, Signedness.SIGNED)
parent: Operation | None = comparison.parent_op
AddFOp(constant.result)  # pyright: ignore[reportCallIssue]
AddFOp(constant.result, constant.result, "zero")  # pyright: ignore[reportArgumentType]
