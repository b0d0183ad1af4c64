"""The benchmark of the tool chain runs (on a short program; nothing here looks at a time)."""

from __future__ import annotations

from pathlib import Path

from benchmarks import toolchain
from tilewright.ir.verifier import verify_or_raise


def test_the_long_program_is_valid_and_as_long_as_asked(tmp_path: Path) -> None:
    kernels = sorted(toolchain.KERNELS.glob("kernel.*.tileirbc"))
    module = toolchain.long_module(kernels, 2_000)
    verify_or_raise(module)
    assert 1_000 < toolchain.operations(module) <= 2_000
    largest, long = toolchain.subjects(tmp_path, (), 1_000)
    assert largest.operations == max(toolchain.operations(toolchain.load(path)) for path in kernels)
    assert long.operations <= 1_000


def test_every_action_works(tmp_path: Path) -> None:
    largest, _ = toolchain.subjects(tmp_path, (), 1_000)
    done = {name: call() for name, call in toolchain.actions(largest).items()}
    assert str(done["decode"]) == str(done["parse"]) == done["print"]
    assert (
        done["print as tileirdisasm"].startswith("// Producer: ")
        or "entry @" in done["print as tileirdisasm"]
    )
    assert done["write"][:7] == b"\x7fTileIR"
