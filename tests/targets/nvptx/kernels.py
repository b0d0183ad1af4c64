"""Kernels round a few operations of the dialects `llvm` and `nvvm`: printed as PTX, read back, and run in the simulator."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.common.chips import CHIPS
from tilewright.driver.startup import context
from tilewright.ir.text.parser import parse_module
from tilewright.ptx.checks import read
from tilewright.ptxsim import launch
from tilewright.targets.nvptx.nvvm_to_ptx import emitted, translate

CHIP = "sm_80"


def parsed(text: str) -> ModuleOp:
    """The verified module of a text."""
    module = parse_module(context(), text, implicit_module=True)
    module.verify()
    assert isinstance(module, ModuleOp)
    return module


def printed(text: str, chip: str = CHIP, *, line_info: bool = False) -> str:
    """The PTX of a module, which reads back as the model that it was printed from."""
    module = parsed(text)
    ptx = translate(module, CHIPS[chip], line_info=line_info)
    assert read(ptx) == emitted(module, CHIPS[chip], line_info=line_info)
    return ptx


def kernel(body: str, parameters: str) -> str:
    """A kernel ``k`` that knows the number of its thread, ``%t``."""
    return (
        f"llvm.func @k({parameters}) attributes {{nvvm.kernel}} {{\n"
        f"%t = nvvm.read.ptx.sreg.tid.x : i32\n{body}\nllvm.return\n}}"
    )


def lanewise(body: str, types: str) -> str:
    """A kernel whose thread reads ``%a``, ``%b`` and ``%c`` from arrays, computes ``%r`` and writes it: ``i32 i32 -> i1``."""
    before, _, after = types.partition(" -> ")
    kinds = before.split()
    names = "abc"[: len(kinds)]
    parameters = ", ".join(f"%{name}_in: !llvm.ptr<1>" for name in (*names, "r"))
    lines = [
        f"%{name}_at = llvm.getelementptr %{name}_in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {kind}"
        for name, kind in (*zip(names, kinds, strict=True), ("r", after))
    ]
    lines += [
        f"%{name} = llvm.load %{name}_at : !llvm.ptr<1> -> {kind}"
        for name, kind in zip(names, kinds, strict=True)
    ]
    return kernel("\n".join([*lines, body, f"llvm.store %r, %r_at : {after}, !llvm.ptr<1>"]), parameters)


def run_lanewise(
    body: str, types: str, result: Any, *inputs: Any, chip: str = CHIP, seed: int = 0
) -> np.ndarray[Any, Any]:
    """The results of `lanewise` for arrays of operands, in an array of the dtype of ``result``."""
    arrays = [np.ascontiguousarray(one) for one in inputs]
    threads = len(arrays[0]) // _lanes(types.split()[0])
    out = np.zeros(threads * _lanes(types.split()[-1]), result)
    launch(printed(lanewise(body, types), chip), "k", (1,), (threads,), [*arrays, out], seed=seed)
    return out


def _lanes(type: str) -> int:
    return int(type.removeprefix("vector<").partition("x")[0]) if type.startswith("vector") else 1


def run(text: str, *arguments: Any, threads: int = 32, chip: str = CHIP, **named: Any) -> Any:
    """Launch the kernel ``k`` of a module with one block."""
    return launch(printed(text, chip), "k", (1,), (threads,), list(arguments), **named)
