"""Runs generated kernels on this processor before and after passes over TileAS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import tilewright
from tests.targets.cpu.programs.generated_programs import MachineCode, Variant, defined
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.testing.execution import Launchpad, entries, observe
from tilewright.testing.strategies import sample_module


def passed(module: ModuleOp, passes: str) -> Any:
    """The TileAS form of a module after further passes."""
    changed = tilewright.Module.parse(str(tilewright.compile(module).asm["tileas"]))
    tilewright.PassManager.parse(f"builtin.module({passes})").run(changed)
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
