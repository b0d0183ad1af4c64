"""`reduce` and `scan`: folding a dimension with a function given as a region.

Tile IR requires the function to be associative and leaves the order of folding open.  Both operations fold
neighbours pairwise, keeping left before right: after log2(n) applications of the body to whole tiles a dimension
of n elements is folded.  The body is evaluated on tiles in place of scalars when every operation in it works element by
element; any other body (one with control flow or reductions of its own) is evaluated for one element after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.dialects.cuda_tile.ops import control as ops_control, tile as ops_tile
from tilewright.interp.codes import UNSUPPORTED
from tilewright.interp.numerics.element import NumpyArray
from tilewright.interp.rules.rule import Evaluate, RuleTable
from tilewright.interp.tile_block import BlockFrame, TileBlock
from tilewright.interp.values import tile_format
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.interp.program import InterpretedBlock, Program

RULES = RuleTable()

MAXIMUM_NESTING = 32
"""Reductions inside the bodies of reductions, each a level of Python recursion."""

Combine = Callable[[TileBlock, Sequence[NumpyArray], Sequence[NumpyArray]], list[NumpyArray]]
"""Applies the body to elements and accumulators of equal shape."""


def _works_on_tiles(op: Operation) -> bool:
    """Return whether an operation of the body gives the same elements on tiles as on scalars: it is
    elementwise, a constant, a select or the yield, and all its values are scalars.
    """
    if any(getattr(result.type, "shape", None) != () for result in op.results):
        return False
    if isinstance(op, ops_control.YieldOp | ops_tile.ConstantOp | ops_tile.SelectOp):
        return True
    return op.has_trait(Elementwise) and all(getattr(t, "shape", None) == () for t in op.operand_types)


def _combine(op: ops_tile.ReduceOp | ops_tile.ScanOp, program: Program) -> Combine:
    code = program.code(op.body, inside_aggregate=True)
    results = program.slots(code.block.last.operands if code.block.last else ())
    if all(map(_works_on_tiles, code.block)):
        return lambda block, elements, accumulators: _apply(block, code, results, elements, accumulators)
    return _one_by_one(op, code, program)


def _apply(
    block: TileBlock,
    code: InterpretedBlock,
    results: Sequence[int],
    elements: Sequence[NumpyArray],
    accumulators: Sequence[NumpyArray],
) -> list[NumpyArray]:
    """Run a straight-line body once, with whole tiles in place of scalars, and return its results, in the
    shape of the elements. The arguments of the body are an element and an accumulator of each operand, in
    turn.

    ``results`` are the register slots of the values that the body yields.
    """
    registers = block.registers
    for position, (element, accumulator) in enumerate(zip(elements, accumulators, strict=True)):
        registers[code.arguments[2 * position]] = element
        registers[code.arguments[2 * position + 1]] = accumulator
    for instruction in code.instructions[:-1]:
        assert instruction.evaluate is not None
        operands = [registers[slot] for slot in instruction.operands]
        registers[instruction.results[0]] = instruction.evaluate(block, *operands)
    shape = elements[0].shape
    return [np.broadcast_to(registers[slot], shape) for slot in results]


def _one_by_one(op: ops_tile.ReduceOp | ops_tile.ScanOp, code: InterpretedBlock, program: Program) -> Combine:
    """Return a function that runs the body on scalars, once for each element, whatever operations the body
    has.
    """
    formats = [tile_format(value.type) for value in op.operands]
    exits = program.slots(op.results)

    def combine(
        block: TileBlock, elements: Sequence[NumpyArray], accumulators: Sequence[NumpyArray]
    ) -> list[NumpyArray]:
        folded = [np.empty(e.shape, f.array_dtype) for e, f in zip(elements, formats, strict=True)]
        for index in np.ndindex(elements[0].shape):
            for position, (element, accumulator) in enumerate(zip(elements, accumulators, strict=True)):
                block.registers[code.arguments[2 * position]] = np.asarray(element[index])
                block.registers[code.arguments[2 * position + 1]] = np.asarray(accumulator[index])
            _run_nested(block, op, BlockFrame(code, exits))
            for target, slot in zip(folded, exits, strict=True):
                target[index] = block.registers[slot]
        return folded

    return combine


def _run_nested(block: TileBlock, op: Operation, frame: BlockFrame) -> None:
    """Run a frame to its end before the caller continues, with a stack of frames of its own.

    Raises `DiagnosticError` beyond `MAXIMUM_NESTING` levels.
    """
    outer = block.frames
    if block.nesting >= MAXIMUM_NESTING:
        message = f"reductions are nested more than {MAXIMUM_NESTING} deep"
        raise block.failure(op, UNSUPPORTED, message, hint="fold the inner dimension before the outer one")
    block.frames = []
    block.nesting += 1
    try:
        block.push(frame)
        while not block.run():
            pass
    finally:
        block.frames = outer
        block.nesting -= 1


@RULES.folds(ops_tile.ReduceOp)
def reduce(op: ops_tile.ReduceOp, program: Program) -> Evaluate:
    """Return the evaluation of a reduction, which folds neighbours pairwise along the dimension until one
    element is left; the results lack the dimension.
    """
    combine, axis = _combine(op, program), op.dim
    single = len(op.results) == 1

    def evaluate(block: TileBlock, *operands: NumpyArray) -> Any:
        parts: list[NumpyArray] = [np.moveaxis(operand, axis, -1) for operand in operands]
        while parts[0].shape[-1] > 1:
            parts = combine(block, [part[..., 1::2] for part in parts], [part[..., 0::2] for part in parts])
        folded = [np.asarray(part[..., 0]) for part in parts]
        return folded[0] if single else folded

    return evaluate


@RULES.folds(ops_tile.ScanOp)
def scan(op: ops_tile.ScanOp, program: Program) -> Evaluate:
    """Return the evaluation of a scan along the dimension, from its end if the operation is reversed: in step
    k, each element is combined with the result 2^k positions before it.
    """
    combine, axis, reverse = _combine(op, program), op.dim, op.reverse
    single = len(op.results) == 1

    def oriented(tile: NumpyArray) -> NumpyArray:
        return np.flip(tile, axis=-1) if reverse else tile

    def evaluate(block: TileBlock, *operands: NumpyArray) -> Any:
        parts: list[NumpyArray] = [oriented(np.moveaxis(operand, axis, -1)) for operand in operands]
        distance = 1
        while distance < parts[0].shape[-1]:
            later, earlier = [p[..., distance:] for p in parts], [p[..., :-distance] for p in parts]
            folded = combine(block, later, earlier)
            parts = [
                np.concatenate((p[..., :distance], f), axis=-1) for p, f in zip(parts, folded, strict=True)
            ]
            distance *= 2
        scanned = [np.moveaxis(oriented(part), -1, axis) for part in parts]
        return scanned[0] if single else scanned

    return evaluate
