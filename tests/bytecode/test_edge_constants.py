"""Edge values of every element type as constants: the same bits after bytecode, custom text and generic text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from tests.interp.kernels import Kernel
from tilewright.bytecode import read_bytecode, write_bytecode
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    tile as ops_tile,
)
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.dialects.cuda_tile.types import ELEMENTS, POINTEES, tile
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType, f4E2M1FN, i4, i8
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.testing.drawing import edges

CONTEXT = Context([CUDA_TILE])


def scalar(element: Any, pattern: int) -> Attribute:
    """One value as an attribute."""
    if isinstance(element, FloatType):
        return FloatAttr(element, pattern)
    return IntegerAttr(element, pattern)


def listed(element: Any) -> list[DenseElementsAttr]:
    """All edge values in one list, each by itself, and each in front of a different one."""
    size, patterns = (element.width + 7) // 8, edges(element)
    held = [pattern.to_bytes(size, "little") for pattern in patterns]
    count = 1 << (len(held) - 1).bit_length()
    whole = b"".join((held * 2)[:count])
    single = [DenseElementsAttr(tile(4, element), data) for data in held]
    pairs = [DenseElementsAttr(tile(2, element), first + second) for first, second in pairwise(held)]
    return [DenseElementsAttr(tile(count, element), whole), *single, *pairs]


def module(element: Any) -> ModuleOp:
    """Constants, variables, and the neutral elements of folds."""
    kernel = Kernel()
    for number, value in enumerate(listed(element)):
        if element in POINTEES:
            kernel.globals.append(ops_control.GlobalOp(sym_name=f"g{number}", value=value))
        if element is not i4:  # which is for conversions only
            kernel.add(ops_tile.ConstantOp(value=value, result_types=[value.type]))
    for pattern in edges(element) if element is not f4E2M1FN else ():  # of which no scalar is
        folded(kernel, element, scalar(element, pattern))
    made = kernel.module()
    assert isinstance(made, ModuleOp)
    made.sym_name = "kernels"  # as bytecode calls it
    return made


def folded(kernel: Kernel, element: Any, neutral: Attribute) -> None:
    """A reduction with a neutral element."""
    values = kernel.constant(1, tile(2, 2, i8 if element is i4 else element))
    if element is i4:
        values = kernel.add(ops_conversion.TruncIOp(values, result_types=[tile(2, 2, i4)]))
    body = kernel.open(Block([tile(element), tile(element)]))
    kernel.add(ops_control.YieldOp(operands_=(body.arguments[0],)))
    more: Any = {"identities": (neutral,), "body": kernel.close()}
    kernel.add(ops_tile.ReduceOp((values,), 0, result_types=[tile(2, element)], **more))


def constants(module: Operation) -> list[tuple[str, list[int]]]:
    """The bits of all constants, in order."""
    found: list[tuple[str, list[int]]] = []
    for op in module.walk():
        if isinstance(op, ops_tile.ReduceOp):
            found.append(("neutral", [bits(neutral) for neutral in op.identities]))
        elif isinstance(op, ops_tile.ConstantOp | ops_control.GlobalOp):
            held = op.value.patterns()
            found.append((op.kind.mnemonic, held * op.value.count if op.value.is_splat else held))
    return found


def bits(value: Any) -> int:
    """The bit pattern of a number."""
    return value.bits if isinstance(value, FloatAttr) else value.unsigned


def through_text(*, generic: bool) -> Callable[[ModuleOp], Operation]:
    return lambda made: parse_module(CONTEXT, made.print(PrintOptions(generic=generic)))


WAYS: dict[str, Callable[[ModuleOp], Operation]] = {
    "bytecode": lambda made: read_bytecode(write_bytecode(made), CONTEXT),
    "custom text": through_text(generic=False),
    "generic text": through_text(generic=True),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_bits_stay(element: Any, way: str) -> None:
    made = module(element)
    back = WAYS[way](made)
    assert constants(back) == constants(made)
    assert isinstance(back, ModuleOp)
    again = WAYS[way](back)
    assert again.print(PrintOptions(generic=True)) == back.print(PrintOptions(generic=True))
