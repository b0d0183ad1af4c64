"""Data tracked beside values: undefined elements (initcheck) and memory histories (racecheck).

Tracking wraps evaluation and has the slots of an instruction; control flow copies tracked data along with the values
(`TileBlock.assign`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.interp import codes as interp_codes, values
from tilewright.interp.checks import races as checks_races, undefined as checks_undefined
from tilewright.interp.rules.rule import Evaluate
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.interp import tile_block
    from tilewright.interp.program import PreparedOperation


def tracked(instruction: PreparedOperation, evaluate: Evaluate, options: values.InterpretOptions) -> Evaluate:
    """Return `evaluate` extended by the tracking that the options enable: memory histories for `racecheck`,
    and undefined elements for `initcheck`.
    """
    if options.racecheck:
        evaluate = _with_history(instruction, evaluate)
    if options.initcheck:
        evaluate = _with_definedness(instruction, evaluate)
    return evaluate


def _with_history(instruction: PreparedOperation, evaluate: Evaluate) -> Evaluate:
    """Return an evaluation whose results carry the history of the operands, joined with the accesses of the
    operation itself.
    """
    slots = ordering(instruction)

    def evaluate_ordered(block: tile_block.TileBlock, *operands: Any) -> Any:
        races, histories = block.launch.races, block.histories
        assert races is not None
        assert histories is not None
        history = None
        for slot in slots:
            history = checks_races.join(history, histories[slot])
        races.history = history
        result = evaluate(block, *operands)
        for slot in instruction.results:
            histories[slot] = races.history
        return result

    return evaluate_ordered


def ordering(instruction: PreparedOperation) -> Sequence[int]:
    """Return the register slots of the operands whose histories precede an instruction: all operands, tokens
    and data.
    """
    return instruction.operands


def _with_definedness(instruction: PreparedOperation, evaluate: Evaluate) -> Evaluate:
    """Return an evaluation whose results carry a mask of their undefined elements, or None if all are
    defined. It raises `DiagnosticError` for an undefined element of an operand that must be defined there,
    unless the program ignores that.
    """
    op = instruction.op
    used, spread = checks_undefined.uses(op), checks_undefined.result_masks(op)

    def evaluate_defined(block: tile_block.TileBlock, *operands: Any) -> Any:
        undefined = block.undefined
        assert undefined is not None
        masks = [undefined[slot] for slot in instruction.operands]
        if used is not None and any(mask is not None for mask in masks):
            _refuse_undefined(block, op, masks, used(operands))
        result = evaluate(block, *operands)
        for slot, mask in zip(instruction.results, spread(block, masks, operands), strict=True):
            undefined[slot] = mask if mask is not None and mask.any() else None
        return result

    return evaluate_defined


def _refuse_undefined(
    block: tile_block.TileBlock, op: Operation, masks: list[Any], used: list[tuple[int, str, Any]]
) -> None:
    for position, what, lanes in used:
        mask = masks[position]
        if mask is None:
            continue
        bad = np.argwhere(mask if lanes is None else mask & lanes)
        if not len(bad):
            continue
        index = [int(i) for i in bad[0]]
        rest = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        message = f"{what} uses an unspecified value at element {index}{rest}"
        hint = (
            "a load left it unspecified: give the view a padding value, or select another value in its place"
        )
        block.refuse(op, interp_codes.UNDEFINED_VALUE, message, hint=hint)
