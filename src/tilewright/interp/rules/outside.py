"""The grid, globals, and operations with input or output."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.ops import control as ops
from tilewright.dialects.cuda_tile.types import PointerType
from tilewright.dialects.nv_tileaa.ops.program import WithOperandsOp
from tilewright.interp.codes import ASSERTION_FAILED, UNSUPPORTED
from tilewright.interp.numerics.element import FORMATS, ElementFormat, NumpyArray
from tilewright.interp.rules.rule import Evaluate, OperandPositions, RuleTable, calls, constantly
from tilewright.interp.tile_block import TileBlock
from tilewright.interp.values import TOKEN, integer_scalar, render, tile_format, wrapped_address
from tilewright.ir.support.print_conversions import PRINTABLE, parse_format

RULES = RuleTable()

LISTED_ELEMENTS = 8
"""The maximum number of false elements that the message of a failed assertion names."""


def _three_scalars(values: tuple[int, int, int]) -> list[NumpyArray]:
    return [integer_scalar(value, FORMATS["i32"]) for value in values]


@RULES.evaluates(ops.GetTileBlockIdOp)
def tile_block_id(op: ops.GetTileBlockIdOp) -> Evaluate:
    """Return the evaluation of the coordinates of the tile block in the grid: x, y and z as i32, from 0."""

    def evaluate(block: TileBlock) -> list[NumpyArray]:
        return _three_scalars(block.position)

    return evaluate


@RULES.evaluates(ops.GetNumTileBlocksOp)
def grid_extents(op: ops.GetNumTileBlocksOp) -> Evaluate:
    """Return the evaluation of the extents of the grid: x, y and z as i32, in tile blocks."""

    def evaluate(block: TileBlock) -> list[NumpyArray]:
        return _three_scalars(block.launch.grid)

    return evaluate


@RULES.evaluates(ops.GetGlobalOp)
def get_global(op: ops.GetGlobalOp) -> Evaluate:
    """Return the evaluation of a global's address, which was assigned when the module was loaded."""
    name = op.global_name

    def evaluate(block: TileBlock) -> NumpyArray:
        return np.array(wrapped_address(block.launch.global_address(name)), dtype=np.int64)

    return evaluate


def _itself(value: Any) -> Any:
    return value


RULES.rules[ops.AssumeOp] = calls(_itself)
"""Returns the operand; the promises check tests the assumption."""


def _condition(condition: Any, *_: Any) -> Any:
    return condition


RULES.rules[WithOperandsOp] = calls(_condition)
"""Returns the condition; the interpreter's own checks show operands."""


@RULES.evaluates(ops.AssertOp)
def assertion(op: ops.AssertOp) -> Evaluate:
    """Return the evaluation of an assertion: a condition that is false for an element is collected as a
    finding, and the tile block continues.
    """
    message = op.message

    def evaluate(block: TileBlock, condition: NumpyArray) -> None:
        if condition.all():
            return
        false = np.argwhere(~condition)
        listed = ", ".join(str([int(i) for i in index]) for index in false[:LISTED_ELEMENTS])
        rest = f" and {len(false) - LISTED_ELEMENTS} more" if len(false) > LISTED_ELEMENTS else ""
        where = f" at {listed}{rest}" if condition.ndim else ""
        hint = "the condition was computed from the values at this point; print them with print_tko"
        block.launch.report(
            block.failure(
                op, ASSERTION_FAILED, f"assertion '{message}' failed{where}", hint=hint, names_op=False
            )
        )

    return evaluate


@RULES.evaluates(ops.PrintTkoOp)
def print_tiles(op: ops.PrintTkoOp) -> Evaluate:
    """Return the evaluation that prints tiles by the format text of the operation to the sink of the launch.
    A format text that cannot be printed raises `DiagnosticError` when the operation is executed, not here.
    A ``breakpoint()`` prints nothing: observers of the launch stop there.
    """
    if op.is_breakpoint:
        return constantly(TOKEN)
    args = OperandPositions(op).group("args")
    formats = [_printed_format(value.type) for value in op.args]
    try:
        pieces = parse_format(op.format)
    except ValueError as error:
        return _unprintable(op, str(error))

    def evaluate(block: TileBlock, *operands: NumpyArray) -> Any:
        block.launch.print(render(pieces, list(zip(operands[args], formats, strict=True))))
        return TOKEN

    return evaluate


def _printed_format(tile: Any) -> ElementFormat:
    """Return the format of the elements of a tile; i64 for pointers, which print as addresses."""
    return FORMATS["i64"] if isinstance(tile.element_type, PointerType) else tile_format(tile)


def _unprintable(op: ops.PrintTkoOp, reason: str) -> Evaluate:
    """Return an evaluation of a print that raises an error with `reason` when it is executed."""

    def evaluate(block: TileBlock, *operands: NumpyArray) -> Any:
        raise block.failure(op, UNSUPPORTED, reason, hint=PRINTABLE)

    return evaluate
