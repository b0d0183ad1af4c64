"""Runs generated kernels on this processor before and after passes over TileAS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import tilewright
from tests.targets.cpu.programs.generated_programs import (
    MachineCode,
    Variant,
    agree,
    defined,
    launchpads,
    pointees,
)
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.operation import Operation
from tilewright.lowering.capability import HOST_NAME, parse_capability
from tilewright.lowering.target_facts import attach_target
from tilewright.lowering.tileaa_to_tileas.atoms import dot_atom
from tilewright.lowering.tileas.erase_layouts import erase_layouts
from tilewright.targets.nvptx.stages import LAYOUTS
from tilewright.testing.strategies import sample_module

GPU = "sm_80"
PASSES = LAYOUTS.split(",")
"""Those that a GPU runs over TileAS."""


def passed(module: Any, passes: str) -> Any:
    """The TileAS form of a module after further passes, which take it for one for a GPU with matrix instructions."""
    return after_each(module, [passes])[-1]


def after_each(module: Any, passes: Sequence[str]) -> list[Any]:
    """The TileAS form of a module after each of some passes, without the layouts that it has got."""
    changed = tilewright.Module.parse(str(tilewright.compile(module).asm["tileas"]))
    _move(changed.operation, GPU)
    found: list[Any] = []
    for one in passes:
        tilewright.PassManager.parse(f"builtin.module({one})").run(changed)
        copy = changed.operation.clone()
        erase_layouts(copy)
        _move(copy, HOST_NAME)
        found.append(tilewright.Module(copy))
    return found


def _move(root: Operation, target: str) -> None:
    """Let a module be for another target, with the instructions that products have there."""
    attach_target(root, target)
    capability = parse_capability(target)
    for op in root.walk():
        if isinstance(op, DotOp):
            op.atom = dot_atom(op, capability)


def differences(seed: str, numbers: range, passes: Sequence[str], tally: Counter[str]) -> Iterator[str]:
    """The kernels that do something else after one of some passes; ``tally`` counts those that were compared.

    The bits of NaNs do not count: a fold answers another one than an instruction.
    """
    for number in numbers:
        module = sample_module(number, seed=seed, past_edges=Variant.of(number).past_edges)
        launches = launchpads(module, number, f"{seed}/{number}")
        outcomes = defined([pad for _, pad in launches], module, tally)
        before = MachineCode(module)
        changed = {
            str(after): (MachineCode(after), name)
            for after, name in zip(after_each(module, passes), passes, strict=True)
        }
        for (kernel, pad), wanted in zip(launches, outcomes, strict=True):
            if wanted.problem is not None:
                continue
            given = before.run(pad)
            tally["compared"] += 1
            for after, name in changed.values():
                found = after.run(pad)
                buffers = pad.addresses, given.buffers, found.buffers
                if found.printed != given.printed or not agree(pointees(kernel), *buffers):
                    yield f"module {number}, kernel {pad.name}, after {name}"
