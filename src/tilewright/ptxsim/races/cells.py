"""The cell size of race detection: the narrowest access of a kernel, since all accesses are aligned."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.ptx import model, value_types
from tilewright.ptxsim.code import FunctionCode
from tilewright.ptxsim.instructions.registry import unit_of

WIDEST, WORD = 16, 4
"""The maximum cell size in bytes, and the size that is correct for every instruction that is not handled
here.
"""
ASYNCHRONOUS = frozenset(
    {
        "bulk",
        "clusters",
        "groups",
        "mbarriers",
        "tensormaps",
        "tensormemory",
        "tensorproducts",
        "launchcontrol",
        "stores",
    }
)
"""Kinds of instructions that may access memory without an address operand."""


def cell(codes: Iterable[FunctionCode], space: str) -> int:
    """Return the size of a cell of `space`, shared or global memory, in bytes: the smallest access of any
    instruction in `codes` to it, at most `WIDEST`; `WORD` if there are no instructions.
    """
    return min((_width(step.instruction, space) for code in codes for step in code.steps), default=WORD)


def _width(one: model.PtxInstruction, space: str) -> int:
    """Return the minimum size of an access of an instruction to `space` in bytes, at most `WIDEST`: `WORD` if
    the size is not known, and `WIDEST` if the instruction does not access it.
    """
    match one.form.name:
        case "ld" | "ldu" | "st" | "atom" | "red":
            return _of_words(one, space)
        case "ldmatrix.sync.aligned" | "stmatrix.sync.aligned":
            return WIDEST
        case "cp.async":
            size, in_part = one.operands[2], space == "global" and one.operands[3] is not None
            return size.value if isinstance(size, model.IntegerConstant) and not in_part else WORD
        case _:
            reaches = unit_of(one) in ASYNCHRONOUS or any(isinstance(x, model.Address) for x in one.operands)
            return WORD if reaches else WIDEST


def _of_words(one: model.PtxInstruction, space: str) -> int:
    named = one.modifier("space").partition("::")[0].replace("const", "global")
    if named not in ("", space):
        return WIDEST
    return min(value_types.TYPES[one.modifier("type")].bits // 8 * int(one.modifier("vec")[1:] or 1), WIDEST)
