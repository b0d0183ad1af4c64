"""Runs each of the new operations in the interpreter and on the CPU, in a process whose compiler is edited (see the test).

Prints what both gave: a line of JSON.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import tilewright
from tests.house.new_operations import OPERATIONS
from tilewright.bytecode.writer.module import write_bytecode
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.driver.sources import load
from tilewright.ir.verifier import verify_or_raise
from tilewright.testing.strategies import enclosing_module, sample_operations

COUNT = 64
NUMBERS = np.linspace(-3, 3, COUNT, dtype=np.float32)
ENDLESS = np.where(np.arange(COUNT) % 5 == 0, np.float32("inf"), NUMBERS)
INTEGERS = (np.arange(COUNT) * 0x0123_4567).astype(np.int32)
AMOUNTS = np.arange(COUNT).astype(np.int32) % 31 + 1

CASES: dict[str, tuple[str, tuple[str, ...], str, Any, tuple[Any, ...]]] = {
    "unary float": ("expm1", ("f32",), "f32", np.float32, (NUMBERS,)),
    "binary float": ("distancef", ("f32", "f32"), "f32", np.float32, (NUMBERS, NUMBERS[::-1].copy())),
    "binary integer": ("rotli", ("i32", "i32"), "i32", np.int32, (INTEGERS, AMOUNTS)),
    "unary integer": ("popcounti", ("i32",), "i32", np.int32, (INTEGERS,)),
    "comparison": ("isinf", ("f32",), "i1", np.bool_, (ENDLESS,)),
    "conversion": ("nearest", ("f32",), "i32", np.int32, (NUMBERS,)),
}
"""By kind: name, element types of operands and result, and what is computed with."""


def kernel(name: str, operands: tuple[str, ...], result: str) -> str:
    """A kernel that stores what the operation makes of tiles that it loads."""
    kinds = {**dict(zip("ab", operands, strict=False)), "out": result}
    parameters = ", ".join(f"%{at}: tile<ptr<{kind}>>" for at, kind in kinds.items())
    lines = [f"cuda_tile.module @m {{ entry @k({parameters}) {{", "%zero = constant <i32: 0> : tile<i32>"]
    for at, kind in kinds.items():
        tensor = f"tensor_view<{COUNT}x{kind}, strides=[1]>"
        view = f"partition_view<tile=({COUNT}), {tensor}>"
        lines += [f"%{at}_tensor = make_tensor_view %{at}, shape = [{COUNT}], strides = [1] : {tensor}"]
        lines += [f"%{at}_view = make_partition_view %{at}_tensor : {view}"]
        if at != "out":
            lines += [
                f"%{at}_tile, %{at}_token = load_view_tko weak %{at}_view[%zero]"
                f" : {view}, tile<i32> -> tile<{COUNT}x{kind}>, token"
            ]
    given = ", ".join(f"%{at}_tile" for at in kinds if at != "out")
    types = f"tile<{COUNT}x{operands[0]}>"
    if result != operands[0]:
        types += f" -> tile<{COUNT}x{result}>"
    view = f"partition_view<tile=({COUNT}), tensor_view<{COUNT}x{result}, strides=[1]>>"
    lines += [f"%made = {name} {given} : {types}"]
    lines += [
        f"%token = store_view_tko weak %made, %out_view[%zero] : tile<{COUNT}x{result}>, {view}, tile<i32> -> token"
    ]
    return "\n".join([*lines, "return", "} }"])


def results(kind: str) -> dict[str, Any]:
    """What the interpreter makes of the text, and the CPU of the bytecode."""
    name, operands, result, dtype, given = CASES[kind]
    text = kernel(name, operands, result)
    bytecode = write_bytecode(load(text))
    found: dict[str, Any] = {}
    for target, source in (("interp", text), ("cpu", bytecode)):
        out = np.zeros(COUNT, dtype)
        tilewright.launch(source, "k", 1, [*given, out], target=target)
        found[target] = out.tolist()
    return found


def generated(kind: str) -> int:
    """How many generated modules with the operation are right, and can be read from their bytecode."""
    by_name = {op.op_kind.mnemonic: op for op in CUDA_TILE.operations if issubclass(op, TileOp)}
    samples = sample_operations(by_name[CASES[kind][0]], 4)
    for op in samples:
        module = enclosing_module(op)
        verify_or_raise(module)
        load(write_bytecode(module, LATEST))
    return len(samples)


def main() -> None:
    """All of them."""
    print(json.dumps({kind: {**results(kind), "generated": generated(kind)} for kind in OPERATIONS}))


if __name__ == "__main__":
    main()
