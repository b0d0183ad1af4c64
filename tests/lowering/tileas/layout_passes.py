"""Runs generated kernels on this processor before and after passes over TileAS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import tilewright
from tests.targets.cpu.programs.generated_programs import MachineCode, Variant, defined
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.lowering.capability import HOST_NAME
from tilewright.lowering.target_facts import attach_target
from tilewright.testing.execution import Launchpad, entries, observe
from tilewright.testing.strategies import sample_module

GPU = "sm_80"


def passed(module: Any, passes: str) -> Any:
    """The TileAS form of a module after further passes, which take it for one for a GPU with matrix instructions."""
    changed = tilewright.Module.parse(str(tilewright.compile(module).asm["tileas"]))
    root = changed.operation
    products = [op for op in root.walk() if isinstance(op, DotOp)]
    by_threads = [op.atom for op in products]
    attach_target(root, GPU)
    for op in products:
        op.atom = None
    tilewright.PassManager.parse(f"builtin.module({passes})").run(changed)
    attach_target(root, HOST_NAME)
    for op, atom in zip([op for op in root.walk() if isinstance(op, DotOp)], by_threads, strict=True):
        op.atom = atom
    return changed


def differences(seed: str, numbers: range, passes: str, tally: Counter[str]) -> Iterator[str]:
    """The kernels that do something else after passes; ``tally`` counts those that were compared."""
    for number in numbers:
        variant = Variant.of(number)
        module = sample_module(number, seed=seed, past_edges=variant.past_edges)
        kernels = entries(module)
        for op in [op for kernel in kernels for op in list(kernel.walk())[1:]]:
            observe(op, on_grid=variant.grid != (1, 1, 1))
        pads = [Launchpad(kernel, f"{seed}/{number}", grid=variant.grid) for kernel in kernels]
        outcomes = defined(pads, module, tally)
        before, after = MachineCode(module), MachineCode(passed(module, passes))
        for pad, wanted in zip(pads, outcomes, strict=True):
            if wanted.problem is None:
                tally["compared"] += 1
                if before.run(pad) != after.run(pad):
                    yield f"module {number}, kernel {pad.name}"
